// Where pages may go: navigations, redirects, subframes, popups, workers and fetches, witnessed by the
// server's own log.
#include <gmock/gmock.h>

#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

/// Engines of their own: the policy is the program's. `forbidden` is a server that must never be asked for
/// anything.
class OriginPolicyTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    forbidden.page("/secret", "<!doctype html>secret");
    forbidden.on("/worker.js", [](const auto&) {
      testing::PageResponse r;
      r.content_type = "text/javascript";
      r.body = "postMessage('ran')";
      return r;
    });
    server.page("/start", "<!doctype html><title>Start</title>start");
    server.on("/away", [this](const auto&) {
      testing::PageResponse r;
      r.status = 302;
      r.headers = {{"Location", forbidden.url("/secret")}};
      return r;
    });
    server.page("/framed",
                "<!doctype html><iframe src='" + forbidden.url("/secret") + "'></iframe><h1>Framed</h1>");
    server.on("/relay.js", [this](const auto&) {
      testing::PageResponse r;
      r.content_type = "text/javascript";
      r.body = "fetch('" + forbidden.url("/secret") +
               "', {mode: 'no-cors'}).then(() => postMessage('reached'), "
               "() => postMessage('refused'))";
      return r;
    });
    EngineOptions options;
    options.origins = *OriginPolicy::parse("", forbidden.url(""));
    guarded = Engine::create(world.io.get_executor(), options);
    session = must(guarded->session("guarded"));
    tab = session->current_tab();
  }
  void TearDown() override {
    EXPECT_EQ(forbidden.log(), std::vector<std::string>{});
    if (guarded) must(guarded->shutdown());
  }
  Deadline soon() { return Deadline::in(seconds(5)); }

  testing::PageServer forbidden;
  std::unique_ptr<Engine> guarded;
  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
};

TEST_F(OriginPolicyTest, NothingReachesABlockedOriginByAnyRoad) {
  const auto direct = run(tab->navigate(forbidden.url("/secret"), soon()));
  ASSERT_FALSE(direct.ok());
  EXPECT_EQ(direct.error().kind, "origin-blocked");
  EXPECT_THAT(direct.error().what, HasSubstr(forbidden.url("")));

  const auto redirected = run(tab->navigate(server.url("/away"), soon()));
  ASSERT_FALSE(redirected.ok());
  EXPECT_EQ(redirected.error().kind, "origin-blocked");

  go(*tab, server.url("/framed"));
  EXPECT_EQ(eval(tab->main_frame(), "document.querySelector('h1').textContent"), "Framed");

  go(*tab, server.url("/start"));
  EXPECT_EQ(eval(tab->main_frame(), "fetch('" + forbidden.url("/secret") +
                                        "', {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"),
            "refused");
  EXPECT_EQ(eval(tab->main_frame(),
                 "new Promise(r => { const w = new Worker('/relay.js'); w.onmessage = e => r(e.data); "
                 "w.onerror = () => r('error') })"),
            "refused");
  EXPECT_EQ(eval(tab->main_frame(), "location.href = '" + forbidden.url("/secret") + "', 0"), 0);
  EXPECT_TRUE(until([&] { return tab->navigations() > 3; }));
  // Whatever became of that tab, it can be led away again.
  EXPECT_EQ(go(*tab, server.url("/start")).kind, "full_load");
}

TEST_F(OriginPolicyTest, APopupToABlockedOriginIsClosed) {
  go(*tab, server.url("/start"));
  for (const char* features : {"", "noopener"}) {
    eval(tab->main_frame(),
         "window.open('" + forbidden.url("/secret") + "', '_blank', '" + features + "'), 0");
    EXPECT_TRUE(until([&] { return session->tabs().size() == 1; }));
  }
  eval(tab->main_frame(), "window.open('/start'), 0");
  EXPECT_TRUE(until([&] { return session->tabs().size() == 2; }));
}

TEST_F(OriginPolicyTest, AnAllowListKeepsEverythingElseOut) {
  EngineOptions options;
  options.origins = *OriginPolicy::parse(server.url(""), "");
  auto strict = Engine::create(world.io.get_executor(), options);
  auto inside = must(strict->session("strict"));
  EXPECT_EQ(must(inside->current_tab()->navigate(server.url("/start"), soon())).kind, "full_load");
  const auto outside = run(inside->current_tab()->navigate(server.other_site("/start"), soon()));
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().kind, "origin-blocked");
  EXPECT_TRUE(run(inside->current_tab()->navigate("data:text/html,here", soon())).ok());
  must(strict->shutdown());
}

}  // namespace
}  // namespace browx::capture
