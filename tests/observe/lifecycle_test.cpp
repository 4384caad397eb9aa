#include "capture/observe/lifecycle.hpp"

#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

using testing::Stage;

class LifecycleTest : public ::testing::Test {
 protected:
  LifecycleTest()
      : lifecycle(stage.hub, [](const std::string& target) {
          return target == "T1" ? std::optional(TargetId(1)) : std::nullopt;
        }) {
    stage.host.targets = {{"page1", TargetId(1)}};
  }
  void event(const char* method, Json params, const char* session = "page1") {
    stage.play({session, method, 1193, std::move(params)});
  }
  std::vector<std::string> told() const {
    std::vector<std::string> out;
    for (const auto& e : stage.host.events("lifecycle"))
      out.push_back(json_string(e.payload, "name") + " " +
                    json_string(e.payload, "kind", json_string(e.payload, "title")) + " " +
                    json_string(e.payload, "url"));
    return out;
  }
  Stage stage;
  Lifecycle lifecycle;
};

TEST_F(LifecycleTest, ADocumentsLifeIsToldInOrderAndOnce) {
  event("Page.frameNavigated", {{"frame", {{"id", "F1"}, {"loaderId", "L1"}, {"url", "http://a/"}}}});
  for (const char* name : {"init", "DOMContentLoaded", "load", "networkIdle", "DOMContentLoaded", "load"})
    event("Page.lifecycleEvent",
          {{"frameId", "F1"}, {"loaderId", "L1"}, {"name", name}, {"timestamp", 1192.9}});
  event("Page.frameNavigated", {{"frame", {{"id", "F1"}, {"loaderId", "L2"}, {"url", "http://a/2"}}}});
  event("Page.lifecycleEvent",
        {{"frameId", "F1"}, {"loaderId", "L2"}, {"name", "load"}, {"timestamp", 1192.95}});
  EXPECT_EQ(told(), (std::vector<std::string>{"navigated full_load http://a/",
                                              "dom-content-loaded  http://a/", "load  http://a/",
                                              "navigated full_load http://a/2", "load  http://a/2"}));
  EXPECT_EQ(stage.host.events("lifecycle")[0].payload["frame"], "F1");
  EXPECT_EQ(stage.host.events("lifecycle")[1].t.us, 400'000);
}

TEST_F(LifecycleTest, ANavigationWithinTheDocumentIsSpaOrHash) {
  event("Page.frameNavigated", {{"frame", {{"id", "F1"}, {"loaderId", "L1"}, {"url", "http://a/"}}}});
  event("Page.navigatedWithinDocument",
        {{"frameId", "F1"}, {"url", "http://a/spa"}, {"navigationType", "historyApi"}});
  event("Page.navigatedWithinDocument",
        {{"frameId", "F1"}, {"url", "http://a/spa#h"}, {"navigationType", "fragment"}});
  // Going back over a pushState: Chromium calls it a fragment navigation, the path says otherwise.
  event("Page.navigatedWithinDocument",
        {{"frameId", "F1"}, {"url", "http://a/"}, {"navigationType", "fragment"}});
  EXPECT_EQ(told(),
            (std::vector<std::string>{"navigated full_load http://a/", "same-document spa http://a/spa",
                                      "same-document hash http://a/spa#h", "same-document spa http://a/"}));
}

TEST_F(LifecycleTest, TitlesOfTheSessionsTabsAreToldWhenTheyChange) {
  const auto info = [&](const char* id, const char* title) {
    event("Target.targetInfoChanged",
          {{"targetInfo", {{"targetId", id}, {"type", "page"}, {"title", title}, {"url", "http://a/"}}}}, "");
  };
  info("T1", "One");
  info("T1", "One");
  info("T2", "Of another session");
  info("T1", "Two");
  EXPECT_EQ(told(), (std::vector<std::string>{"title One http://a/", "title Two http://a/"}));
  EXPECT_EQ(stage.host.events("lifecycle")[0].target, TargetId(1));
}

TEST_F(LifecycleTest, ACrashIsTold) {
  event("Inspector.targetCrashed", Json::object());
  ASSERT_EQ(told(), std::vector<std::string>{"crashed  "});
  EXPECT_EQ(stage.host.events("lifecycle")[0].target, TargetId(1));
}

}  // namespace
}  // namespace browx::capture
