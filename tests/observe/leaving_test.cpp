#include "capture/observe/leaving.hpp"

#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

using testing::Stage;

class LeavingTest : public ::testing::Test {
 protected:
  LeavingTest() {
    stage.host.targets = {{"page", TargetId(1)}, {"child", TargetId(2)}};
    stage.host.documents = {{"F1", DocumentId(5)}};
  }
  void event(const char* session, const char* method, Json params) {
    stage.play({session, method, 1193, std::move(params)});
  }
  void attach() {
    stage.hub.attached("page", "page");
    event("page", "Target.attachedToTarget", {{"sessionId", "child"}});
    stage.hub.attached("child", "iframe");
  }
  void start() {
    event("page", "Page.frameStartedNavigating",
          {{"frameId", "F1"}, {"navigationType", "differentDocument"}});
  }
  /// The load is over, and so is the time in which the page that was left may still speak.
  void finish() {
    event("page", "Page.frameStoppedLoading", {{"frameId", "F1"}});
    ASSERT_FALSE(stage.host.later.empty());
    stage.host.later.back()();
  }
  void pause(const char* id, Json more = Json::object()) {
    Json params = {{"requestId", id},
                   {"frameId", "F1"},
                   {"resourceType", "Ping"},
                   {"request", {{"url", "http://a/beacon"}, {"method", "POST"}, {"postData", "bye"}}}};
    params.update(more);
    event("page", "Fetch.requestPaused", std::move(params));
  }
  std::vector<std::string> posted(const std::string& prefix) const {
    std::vector<std::string> out;
    for (const auto& call : stage.host.posted)
      if (call.method.starts_with(prefix)) out.push_back(call.session + " " + call.method);
    return out;
  }
  Stage stage;
};

TEST_F(LeavingTest, FetchIsOnInThePageAndItsFramesFromTheStartOfANavigationToItsEnd) {
  Leaving leaving(stage.hub, true);
  attach();
  start();
  EXPECT_EQ(posted("Fetch."), (std::vector<std::string>{"page Fetch.enable", "child Fetch.enable"}));
  finish();
  EXPECT_EQ(posted("Fetch.disable").size(), 2u);
}

TEST_F(LeavingTest, ABeaconThatNetworkDoesNotTellOfIsARequestOfTheDocumentLeft) {
  Leaving leaving(stage.hub, true);
  attach();
  start();
  stage.host.documents["F1"] = DocumentId(6);  // the new document stands already
  pause("b1");
  finish();
  auto requests = stage.host.all<archive::Request>();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].document, DocumentId(5));
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].body, "bye");
  EXPECT_EQ(requests[0].resource_type, "Ping");
  EXPECT_EQ(posted("Fetch.continueRequest").size(), 1u);
  EXPECT_EQ(posted("Fetch.disable"),
            std::vector<std::string>{"child Fetch.disable"});  // the page's awaits its answer
  pause("b1", {{"responseStatusCode", 204}});
  ASSERT_EQ(stage.host.all<archive::Response>().size(), 1u);
  EXPECT_EQ(stage.host.all<archive::Response>()[0].status, 204);
  ASSERT_EQ(stage.host.all<archive::RequestEnd>().size(), 1u);
  EXPECT_TRUE(stage.host.all<archive::RequestEnd>()[0].ok);
  EXPECT_EQ(posted("Fetch.continueResponse").size(), 1u);
  EXPECT_EQ(posted("Fetch.disable").size(), 2u);
}

TEST_F(LeavingTest, WhatNetworkTellsOfGoesOnAndIsNotToldAgain) {
  Leaving leaving(stage.hub, true);
  attach();
  start();
  pause("r1", {{"networkId", "9844.2"}, {"resourceType", "XHR"}});
  EXPECT_EQ(posted("Fetch.continueRequest").size(), 1u);
  EXPECT_TRUE(stage.host.facts.empty());
}

TEST_F(LeavingTest, AnAnswerThatNeverComesEndsTheRequestSayingSo) {
  Leaving leaving(stage.hub, true);
  attach();
  start();
  pause("b1");
  ASSERT_EQ(stage.host.later.size(), 1u);
  stage.host.later[0]();
  ASSERT_EQ(stage.host.all<archive::RequestEnd>().size(), 1u);
  EXPECT_FALSE(stage.host.all<archive::RequestEnd>()[0].ok);
}

TEST_F(LeavingTest, UnderAnOriginPolicyFetchIsSomebodyElses) {
  Leaving leaving(stage.hub, false);
  attach();
  start();
  pause("b1");
  EXPECT_TRUE(posted("Fetch.").empty());
  EXPECT_EQ(stage.host.all<archive::Request>().size(), 1u);
  EXPECT_EQ(stage.host.all<archive::RequestEnd>().size(), 1u);
}

TEST_F(LeavingTest, AnAnnouncedNavigationArmsAtOnceAndDisarmsWhenItNeverStarts) {
  Leaving leaving(stage.hub, true);
  attach();
  leaving.about_to_leave("page", "F1");
  EXPECT_EQ(posted("Fetch.enable").size(), 2u);
  start();
  EXPECT_EQ(posted("Fetch.enable").size(), 2u);
  ASSERT_EQ(stage.host.later.size(), 1u);
  stage.host.later[0]();  // it has started: its end is awaited
  EXPECT_TRUE(posted("Fetch.disable").empty());
  finish();
  EXPECT_EQ(posted("Fetch.disable").size(), 2u);
  leaving.about_to_leave("page", "F1");
  stage.host.later.back()();
  EXPECT_EQ(posted("Fetch.disable").size(), 4u);
}

TEST_F(LeavingTest, TheEndOfAnEarlierLoadDoesNotDisarmTheNextNavigation) {
  Leaving leaving(stage.hub, true);
  attach();
  start();
  leaving.about_to_leave("page", "F1");
  finish();
  EXPECT_TRUE(posted("Fetch.disable").empty());
  start();
  finish();
  EXPECT_EQ(posted("Fetch.disable").size(), 2u);
}

TEST_F(LeavingTest, ASameDocumentNavigationLeavesNothing) {
  Leaving leaving(stage.hub, true);
  attach();
  event("page", "Page.frameStartedNavigating", {{"frameId", "F1"}, {"navigationType", "sameDocument"}});
  EXPECT_TRUE(posted("Fetch.").empty());
}

TEST_F(LeavingTest, AnOutOfProcessFrameThatGoesWithItsPageIsAGap) {
  Leaving leaving(stage.hub, true);
  attach();
  start();
  stage.hub.gone("child");
  const auto gaps = stage.host.all<archive::Gap>();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].reason, "unload-unobserved");
  EXPECT_EQ(gaps[0].target, TargetId(2));
}

}  // namespace
}  // namespace browx::capture
