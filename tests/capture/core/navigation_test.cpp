#include <gmock/gmock.h>

#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class NavigationTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    server.page("/a", "<!doctype html><title>A</title><a id=l href='#part'>part</a><p id=part>A");
    server.page("/b", "<!doctype html><title>B</title>B");
  }
  Result<Navigation> navigate(Tab& tab, const std::string& url, milliseconds limit = seconds(5)) {
    return run(tab.navigate(url, Deadline::in(limit)));
  }
};

TEST_F(NavigationTest, FullLoadsFragmentsAndPushStateAreToldApart) {
  auto tab = open_tab();
  auto done = go(*tab, server.url("/a"));
  EXPECT_EQ(done.kind, "full_load");
  EXPECT_TRUE(done.changed);
  EXPECT_EQ(done.to, server.url("/a"));
  EXPECT_EQ(tab->ready_state(), "complete");

  done = go(*tab, server.url("/a#part"));
  EXPECT_EQ(done.kind, "hash");
  EXPECT_EQ(done.from, server.url("/a"));
  EXPECT_EQ(done.to, server.url("/a#part"));

  auto before = tab->navigations();
  eval(tab->main_frame(), "history.pushState(0, '', '/pushed'), 0");
  ASSERT_TRUE(until([&] { return tab->navigations() > before; }));
  EXPECT_EQ(tab->last_navigation_kind(), "spa");
  EXPECT_EQ(tab->url(), server.url("/pushed"));

  before = tab->navigations();
  eval(tab->main_frame(), "history.pushState(0, '', '#only'), 0");
  ASSERT_TRUE(until([&] { return tab->navigations() > before; }));
  EXPECT_EQ(tab->last_navigation_kind(), "spa");

  before = tab->navigations();
  eval(tab->main_frame(), "location.hash = 'clicked', 0");
  ASSERT_TRUE(until([&] { return tab->navigations() > before; }));
  EXPECT_EQ(tab->last_navigation_kind(), "hash");
}

TEST_F(NavigationTest, HistoryGoesBackAndForthAndSaysWhereItEnds) {
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  go(*tab, server.url("/b"));
  auto back = must(tab->history(-1, Deadline::in(seconds(5))));
  EXPECT_EQ(back.kind, "full_load");
  EXPECT_EQ(back.to, server.url("/a"));
  auto forth = must(tab->history(1, Deadline::in(seconds(5))));
  EXPECT_EQ(forth.to, server.url("/b"));
  const auto none = run(tab->history(1, Deadline::in(seconds(5))));
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, "no-history");
  eval(tab->main_frame(), "history.pushState(0, '', '/pushed'), 0");
  back = must(tab->history(-1, Deadline::in(seconds(5))));
  EXPECT_EQ(back.kind, "spa");
  EXPECT_EQ(back.to, server.url("/b"));
}

TEST_F(NavigationTest, AReloadIsAFullLoadOfANewDocument) {
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  const auto document = tab->main_frame().document();
  const auto done = must(tab->reload(Deadline::in(seconds(5))));
  EXPECT_EQ(done.kind, "full_load");
  EXPECT_NE(tab->main_frame().document(), document);
  EXPECT_EQ(server.count("/a") >= 2, true);
}

TEST_F(NavigationTest, WhatNoBrowserShouldOpenIsRefusedAtOnceAndChangesNothing) {
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  for (const char* url :
       {"", "nonsense", "http://", "http://a:99999/", "javascript:alert(1)", "chrome://settings",
        "view-source:http://127.0.0.1/", "file:///etc/hostname", "about:settings", "ws://127.0.0.1/"}) {
    const auto refused = navigate(*tab, url, testing::kFar);
    ASSERT_FALSE(refused.ok()) << url;
    EXPECT_EQ(refused.error().code, Code::invalid_argument) << url << ": " << refused.error().message();
  }
  EXPECT_EQ(tab->url(), server.url("/a"));
  EXPECT_TRUE(navigate(*tab, "data:text/html,<title>D</title>data").ok());
  EXPECT_TRUE(navigate(*tab, "about:blank").ok());
}

TEST_F(NavigationTest, AnErrorPageIsAFailureWithTheBrowsersCode) {
  auto tab = open_tab();
  int closed_port = 0;
  {
    testing::PageServer gone;
    closed_port = gone.port();
  }
  const auto refused = navigate(*tab, "http://127.0.0.1:" + std::to_string(closed_port) + "/");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, "navigation-failed");
  EXPECT_THAT(refused.error().what, HasSubstr("net::ERR_CONNECTION_REFUSED"));
  server.on("/drop", [](const auto&) {
    testing::PageResponse r;
    r.drop = true;
    return r;
  });
  const auto dropped = navigate(*tab, server.url("/drop"));
  ASSERT_FALSE(dropped.ok());
  EXPECT_THAT(dropped.error().what, HasSubstr("net::ERR_EMPTY_RESPONSE"));
  EXPECT_EQ(go(*tab, server.url("/a")).kind, "full_load");
  EXPECT_EQ(eval(tab->main_frame(), "document.title"), "A");
}

TEST_F(NavigationTest, AReloadThatFailsNamesTheBrowsersCode) {
  server.page("/once", "<!doctype html>once");
  auto tab = open_tab();
  go(*tab, server.url("/once"));
  server.on("/once", [](const auto&) {
    testing::PageResponse r;
    r.drop = true;
    return r;
  });
  const auto failed = run(tab->reload(Deadline::in(seconds(5))));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, "navigation-failed");
  EXPECT_THAT(failed.error().what, HasSubstr("net::ERR_EMPTY_RESPONSE"));
}

TEST_F(NavigationTest, APageThatIsNotFoundIsStillAPage) {
  auto tab = open_tab();
  EXPECT_EQ(go(*tab, server.url("/missing")).kind, "full_load");
  EXPECT_EQ(eval(tab->main_frame(), "document.title"), "404");
}

TEST_F(NavigationTest, ADownloadIsNotAnErrorAndThePageStays) {
  server.on("/file", [](const auto&) {
    testing::PageResponse r;
    r.content_type = "application/octet-stream";
    r.headers = {{"Content-Disposition", "attachment; filename=x.bin"}};
    r.body = "bytes";
    return r;
  });
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  const auto done = go(*tab, server.url("/file"));
  EXPECT_FALSE(done.changed);
  EXPECT_EQ(tab->url(), server.url("/a"));
}

TEST_F(NavigationTest, AnAnswerWithoutADocumentIsSaid) {
  server.on("/nothing", [](const auto&) {
    testing::PageResponse r;
    r.status = 204;
    return r;
  });
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  const auto nothing = navigate(*tab, server.url("/nothing"));
  ASSERT_FALSE(nothing.ok());
  EXPECT_THAT(nothing.error().what, HasSubstr("sent no document"));
  EXPECT_EQ(tab->url(), server.url("/a"));
}

TEST_F(NavigationTest, RedirectsOfServerAndScriptAreFollowed) {
  server.on("/moved", [this](const auto&) {
    testing::PageResponse r;
    r.status = 302;
    r.headers = {{"Location", server.url("/b")}};
    return r;
  });
  server.page("/script", "<!doctype html><script>location.replace('/b')</script>");
  auto tab = open_tab();
  EXPECT_EQ(go(*tab, server.url("/moved")).to, server.url("/b"));
  go(*tab, server.url("/script"));
  EXPECT_TRUE(until([&] { return tab->url() == server.url("/b") && tab->ready_state() == "complete"; }));
}

TEST_F(NavigationTest, AServerThatNeverAnswersEndsAtTheDeadlineAndTheTabIsUsableAfter) {
  server.on("/slow", [](const auto&) {
    testing::PageResponse r;
    r.delay = testing::kFar;
    return r;
  });
  auto tab = open_tab();
  const auto late = navigate(*tab, server.url("/slow"), milliseconds(400));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().kind, "timeout");  // its own, not the test's
  EXPECT_EQ(go(*tab, server.url("/a")).kind, "full_load");
}

TEST_F(NavigationTest, ACrashedPageIsToldAndCanBeNavigatedAgain) {
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  tab->connection().post(tab->cdp_session(), "Page.crash", Json::object());
  ASSERT_TRUE(until([&] { return tab->crashed(); }));
  const Json nothing = Json::object();
  const auto answer = run(tab->main_frame().page("text", nothing, Deadline::in(seconds(2))));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, "target-crashed");
  EXPECT_EQ(go(*tab, server.url("/b")).kind, "full_load");
  EXPECT_FALSE(tab->crashed());
  EXPECT_EQ(eval(tab->main_frame(), "document.title"), "B");
}

}  // namespace
}  // namespace browx::capture
