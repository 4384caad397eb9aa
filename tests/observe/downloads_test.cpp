#include "capture/observe/downloads.hpp"

#include <filesystem>
#include <fstream>

#include "base/bytes.hpp"
#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

namespace fs = std::filesystem;
using testing::fixture;
using testing::Stage;

class DownloadsTest : public ::testing::Test {
 protected:
  DownloadsTest()
      : folder(fs::temp_directory_path() / ("browx-downloads-" + random_hex(8))), network(stage.hub) {
    stage.host.targets = {{"page2", TargetId(1)}};
    stage.host.answers["Target.getTargetInfo"] = {{"targetInfo", {{"browserContextId", "C1"}}}};
  }
  ~DownloadsTest() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  Downloads::Options options() {
    auto workspace = Workspace::open(folder);
    EXPECT_TRUE(workspace.ok());
    return {*workspace, "shop/1", false};
  }
  Json behaviour() const {
    for (const auto& call : stage.host.posted)
      if (call.method == "Browser.setDownloadBehavior") return call.params;
    return Json();
  }
  void arrive(const std::string& bytes) {
    for (const auto& event : fixture("download")) {
      if (json_string(event.params, "state") == "completed" && event.session.empty())
        std::ofstream(fs::path(json_string(behaviour(), "downloadPath")) / json_string(event.params, "guid"))
            << bytes;
      stage.play(event);
    }
  }
  fs::path folder;
  Stage stage;
  Network network;
};

TEST_F(DownloadsTest, AFinishedFileLiesInTheWorkspaceUnderItsSuggestedName) {
  Downloads downloads(stage.hub, network, options());
  stage.hub.attached("page2", "page");
  EXPECT_EQ(behaviour()["behavior"], "allowAndName");
  EXPECT_EQ(behaviour()["browserContextId"], "C1");
  arrive("download!");
  const auto told = stage.host.events("download");
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].payload["state"], "inProgress");
  EXPECT_EQ(told[1].payload["state"], "completed");
  EXPECT_EQ(told[1].payload["bytes"], 9);
  EXPECT_EQ(told[1].payload["suggestedFilename"], "srv.txt");
  const auto path = folder / json_string(told[1].payload, "path");
  EXPECT_EQ(path.filename(), "srv.txt");
  std::string kept;
  std::getline(std::ifstream(path), kept);
  EXPECT_EQ(kept, "download!");
  ASSERT_EQ(downloads.since(Time{0}).size(), 1u);
  EXPECT_EQ(downloads.since(Time{0})[0].path, path);
  EXPECT_TRUE(downloads.since(Time{100'000'000}).empty());
}

TEST_F(DownloadsTest, ALinkWithADownloadAttributeIsARequestThoughNetworkIsSilent) {
  Downloads downloads(stage.hub, network, options());
  stage.hub.attached("page2", "page");
  arrive("download!");
  const auto requests = stage.host.all<archive::Request>();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].url, "http://127.0.0.1:8080/dl");
  EXPECT_EQ(requests[0].initiator, "download");
  ASSERT_EQ(stage.host.all<archive::RequestEnd>().size(), 1u);
  EXPECT_TRUE(stage.host.all<archive::RequestEnd>()[0].ok);
  EXPECT_EQ(stage.host.all<archive::RequestEnd>()[0].encoded_bytes, 9);
}

TEST_F(DownloadsTest, ANavigationThatBecomesADownloadIsOneRequest) {
  Downloads downloads(stage.hub, network, options());
  stage.hub.attached("page2", "page");
  Json begins = {{"requestId", "L9"},
                 {"loaderId", "L9"},
                 {"type", "Document"},
                 {"timestamp", 1193.7},
                 {"request", {{"url", "http://127.0.0.1:8080/dl"}, {"method", "GET"}}}};
  stage.play({"page2", "Network.requestWillBeSent", 1193.7, begins});
  Json failed = {
      {"requestId", "L9"}, {"timestamp", 1193.72}, {"errorText", "net::ERR_ABORTED"}, {"canceled", true}};
  stage.play({"page2", "Network.loadingFailed", 1193.72, failed});
  arrive("download!");
  EXPECT_EQ(stage.host.all<archive::Request>().size(), 1u);
  EXPECT_EQ(stage.host.events("download").size(), 2u);
}

TEST_F(DownloadsTest, WithoutAWorkspaceDownloadsAreDeniedAndSaidToBe) {
  Downloads downloads(stage.hub, network, {std::nullopt, "default", false});
  stage.hub.attached("page2", "page");
  EXPECT_EQ(behaviour()["behavior"], "deny");
  stage.play(fixture("download")[0]);
  const auto told = stage.host.events("download");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].payload["state"], "denied");
  EXPECT_TRUE(told[0].payload.contains("reason"));
}

TEST_F(DownloadsTest, AnAttachedBrowserKeepsItsOwnSettings) {
  auto attached = options();
  attached.attached = true;
  Downloads downloads(stage.hub, network, attached);
  stage.hub.attached("page2", "page");
  EXPECT_EQ(behaviour()["behavior"], "default");
  EXPECT_FALSE(behaviour().contains("downloadPath"));
}

TEST_F(DownloadsTest, ASuggestedNameCannotLeaveTheFolderNorOverwrite) {
  fs::create_directories(folder);
  const auto drop = [&](const char* guid) {
    std::ofstream(folder / guid) << guid;
    return folder / guid;
  };
  const auto first = move_to_suggested(drop("g1"), "../../etc/report.pdf");
  const auto second = move_to_suggested(drop("g2"), "../../etc/report.pdf");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->parent_path(), folder);
  EXPECT_EQ(first->filename(), "report.pdf");
  EXPECT_EQ(second->filename(), "report-2.pdf");
  std::string kept;
  std::getline(std::ifstream(*first), kept);
  EXPECT_EQ(kept, "g1");
  EXPECT_FALSE(move_to_suggested(folder / "absent", "x").ok());
}

}  // namespace
}  // namespace browx::capture
