#include "mcp/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace browx::mcp {
namespace {

using Map = std::map<std::string, std::string>;

Result<Options> read(Map flags, Map variables = {}) {
  variables.try_emplace("BROWX_WORKSPACE", testing::TempDir() + "browx-options");
  return read_options(flags, [variables](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(std::string(name));
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Options, TheDefaultsAreThoseOfTheDocument) {
  const auto options = read({});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->capabilities, (std::set<std::string>{"read", "navigation", "action", "human"}));
  EXPECT_TRUE(options->engine.headless) << "without a display";
  EXPECT_FALSE(options->engine.allow_file);
  EXPECT_FALSE(options->engine.record);
  EXPECT_EQ(options->engine.test_attributes.front(), "data-testid");
  EXPECT_TRUE(options->notices.empty());
  for (const char* dialect : {"core", "nexus", "attach", "selenium", "archive"})
    EXPECT_TRUE(options->serves("x", dialect));
}

TEST(Options, AWindowIsTheDefaultWithADisplay) {
  EXPECT_FALSE(read({}, {{"DISPLAY", ":0"}})->engine.headless);
  EXPECT_TRUE(read({}, {{"DISPLAY", ":0"}, {"BROWX_HEADLESS", "1"}})->engine.headless);
}

TEST(Options, AFlagWinsOverItsVariable) {
  const auto options =
      read({{"headless", "0"}, {"chromium", "/a"}}, {{"BROWX_HEADLESS", "1"}, {"BROWX_CHROMIUM", "/b"}});
  ASSERT_TRUE(options.ok());
  EXPECT_FALSE(options->engine.headless);
  EXPECT_EQ(options->engine.chromium, "/a");
}

TEST(Options, FoldersOutsideTheWorkspaceAreTakenByTheirRealPaths) {
  const std::filesystem::path folder = testing::TempDir() + "browx-options-folders";
  std::filesystem::create_directories(folder / "real");
  std::filesystem::remove(folder / "link");
  std::filesystem::create_directory_symlink(folder / "real", folder / "link");
  const auto real = std::filesystem::canonical(folder / "real");
  const auto options = read({{"archive-dirs", "/, " + (folder / "link").string()}},
                            {{"BROWX_UPLOAD_DIRS", (folder / "link").string()},
                             {"MCP_SCREENSHOT_DIR", (folder / "link" / "later").string()}});
  ASSERT_TRUE(options.ok()) << options.error().message();
  EXPECT_EQ(options->archive_dirs, (std::vector<std::filesystem::path>{"/", real}));
  EXPECT_EQ(options->upload_dirs, std::vector<std::filesystem::path>{real});
  EXPECT_EQ(options->screenshot_dir, real / "later");
  EXPECT_FALSE(std::filesystem::exists(options->screenshot_dir)) << "it is made when it is needed";
}

TEST(Options, WhatIsUnknownIsRefusedWithTheListOfWhatIsValid) {
  const std::pair<Map, const char*> rows[] = {
      {{{"BROWX_CAPABILITIES", "read,fly"}}, "replay"},
      {{{"BROWX_TOOLSETS", "core,nosuch"}}, "lean"},
      {{{"BROWX_RECORD", "everything"}}, "reexecutable"},
      {{{"BROWX_HEADLESS", "maybe"}}, "true"},
      {{{"BROWX_ALLOW_FILE", "2"}}, "false"},
      {{{"BROWX_ATTACH_CDP", "localhost:9222"}}, "ws://"},
      {{{"BROWX_TEST_ATTRIBUTES", "data test"}}, "data-cy"},
      {{{"BROWX_ARCHIVE_DIRS", "/,/no/such/folder"}}, "folders that exist"},
      {{{"BROWX_UPLOAD_DIRS", "uploads"}}, "folders such as"},
      {{{"MCP_SCREENSHOT_DIR", "/dev/null"}}, "a folder, there or not yet"},
  };
  for (const auto& [variables, valid] : rows) {
    const auto options = read({}, variables);
    ASSERT_FALSE(options.ok()) << variables.begin()->first;
    EXPECT_EQ(options.error().code, Code::invalid_argument);
    const std::string message = options.error().message();
    EXPECT_NE(message.find(variables.begin()->first), std::string::npos) << message;
    EXPECT_NE(message.find(valid), std::string::npos) << message;
  }
}

TEST(Options, AWrongOriginIsNamedWithItsSetting) {
  const auto options = read({}, {{"BROWX_BLOCKED_ORIGINS", "not an origin"}});
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().message().find("BROWX_BLOCKED_ORIGINS"), std::string::npos)
      << options.error().message();
}

TEST(Options, EvalIsAnnouncedLoudly) {
  const auto options = read({{"capabilities", "read, eval"}});
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->may("eval"));
  ASSERT_EQ(options->notices.size(), 1u);
  EXPECT_NE(options->notices[0].find("WARNING"), std::string::npos);
}

TEST(Options, RecordingEverySessionGrantsReplay) {
  const auto options = read({}, {{"BROWX_RECORD", "replay"}});
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->may("replay"));
  EXPECT_EQ(options->engine.record, archive::Tier::replay);
}

TEST(Options, TheLeanToolsetHasTheToolsOfARecordingSessionOnly) {
  const auto options = read({}, {{"BROWX_TOOLSETS", "lean"}});
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->serves("click", "core"));
  EXPECT_TRUE(options->serves("end_recording", "core"));
  EXPECT_FALSE(options->serves("eval_js", "core"));
  EXPECT_FALSE(options->serves("click", "nexus"));
}

TEST(Options, AWorkspaceThatCannotBeMadeIsANoticeAndNoEnd) {
  const auto options = read({}, {{"BROWX_WORKSPACE", "/proc/nothing/here"}});
  ASSERT_TRUE(options.ok());
  EXPECT_FALSE(options->engine.workspace);
  EXPECT_FALSE(options->workspace_problem.empty());
  ASSERT_EQ(options->notices.size(), 1u);
  EXPECT_NE(options->notices[0].find("BROWX_WORKSPACE"), std::string::npos);
}

}  // namespace
}  // namespace browx::mcp
