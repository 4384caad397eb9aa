#include "base/workspace.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/bytes.hpp"

namespace browx {
namespace {
namespace fs = std::filesystem;

class WorkspaceTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::canonical(fs::temp_directory_path()) / ("browx-test-" + random_hex(6));
};

TEST_F(WorkspaceTest, IsMadeWhenMissingAndForItsOwnerAlone) {
  const auto workspace = Workspace::open(folder_ / "deep" / "er");
  ASSERT_TRUE(workspace.ok()) << workspace.error().message();
  struct stat status {};
  ASSERT_EQ(stat((folder_ / "deep" / "er").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(WorkspaceTest, AFileInItsPlaceIsUnavailableAndTheRemedyNamesTheVariable) {
  std::ofstream(folder_ / "file") << "x";
  for (const fs::path& root : {folder_ / "file", folder_ / "file" / "below"}) {
    const auto workspace = Workspace::open(root);
    ASSERT_FALSE(workspace.ok());
    EXPECT_EQ(workspace.error().code, Code::unavailable);
    EXPECT_NE(workspace.error().hint.find("BROWX_WORKSPACE"), std::string::npos);
  }
}

TEST_F(WorkspaceTest, PathsInsideAreAnsweredAndTheirParentsMade) {
  const auto workspace = Workspace::open(folder_ / "w");
  ASSERT_TRUE(workspace.ok());
  const auto path = workspace->path_for_writing("a/../b/./c.png");
  ASSERT_TRUE(path.ok()) << path.error().message();
  EXPECT_EQ(*path, folder_ / "w" / "b" / "c.png");
  EXPECT_TRUE(fs::is_directory(folder_ / "w" / "b"));
  EXPECT_TRUE(workspace->path_for_writing((folder_ / "w" / "d").string()).ok());
}

TEST_F(WorkspaceTest, EveryWayOutIsAnEscape) {
  const auto workspace = Workspace::open(folder_ / "w");
  ASSERT_TRUE(workspace.ok());
  fs::create_directories(folder_ / "outside");
  fs::create_directories(folder_ / "w-sibling");
  fs::create_directory_symlink(folder_ / "outside", folder_ / "w" / "link");
  fs::create_symlink("../outside/not-yet", folder_ / "w" / "dangling");
  fs::create_symlink("dangling", folder_ / "w" / "twice");
  fs::create_symlink("loop", folder_ / "w" / "loop");
  for (const std::string& path :
       {std::string("../outside/x"), std::string("link/x"), std::string("dangling"), std::string("twice"),
        std::string("loop"), std::string("link/../x"), (folder_ / "w-sibling" / "x").string(),
        std::string("/etc/passwd"), std::string("a/../../x")}) {
    const auto answer = workspace->path_for_writing(path);
    ASSERT_FALSE(answer.ok()) << path << " became " << answer->string();
    EXPECT_EQ(answer.error().kind, "workspace-escape") << path;
    EXPECT_EQ(answer.error().code, Code::denied);
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "outside"));
}

TEST_F(WorkspaceTest, AFolderIsNoFileToWrite) {
  const auto workspace = Workspace::open(folder_ / "w");
  ASSERT_TRUE(workspace.ok());
  for (const char* path : {"", ".", "a/..", "a/"}) {
    const auto answer = workspace->path_for_writing(path);
    ASSERT_FALSE(answer.ok()) << path;
    EXPECT_EQ(answer.error().code, Code::invalid_argument);
  }
}

TEST_F(WorkspaceTest, AWorkspaceBehindASymlinkIsTheFolderItLeadsTo) {
  fs::create_directories(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "alias");
  const auto workspace = Workspace::open(folder_ / "alias");
  ASSERT_TRUE(workspace.ok());
  EXPECT_EQ(workspace->root(), folder_ / "real");
  EXPECT_TRUE(workspace->path_for_writing((folder_ / "alias" / "x").string()).ok());
}

TEST(SafeFileName, KeepsWhatIsSafeAndTellsTheRestApart) {
  EXPECT_EQ(safe_file_name("sign-in_2.browx"), "sign-in_2.browx");
  for (const char* text : {"", ".", "..", ".hidden", "a/b", "../../etc/passwd", "Rechnung 7 – größer",
                           "日本語", "a\nb", "a b"}) {
    const std::string name = safe_file_name(text);
    EXPECT_FALSE(name.empty());
    EXPECT_NE(name[0], '.') << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."),
              std::string::npos)
        << name;
  }
  EXPECT_NE(safe_file_name("a b"), safe_file_name("a/b"));
  EXPECT_NE(safe_file_name("日本"), safe_file_name("本日"));
  const std::string longer(300, 'x');
  EXPECT_EQ(safe_file_name(longer).size(), 80u);
  EXPECT_NE(safe_file_name(longer), safe_file_name(longer + "y"));
}

}  // namespace
}  // namespace browx
