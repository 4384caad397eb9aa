// What goes away under an action: the page's process, the browser, the page's main thread.

#include <signal.h>

#include "capture/drive/running.hpp"
#include "tests/capture/drive/drive_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Crash : public DriveTest {
 protected:
  /// As soon as the page logs "now".
  std::unique_ptr<cdp::Connection::Subscription> when_logged(std::function<void()> then) {
    return tab->connection().subscribe(tab->cdp_session(), [then](const cdp::Event& event) {
      if (event.method == "Runtime.consoleAPICalled") then();
    });
  }
  void crash() { tab->connection().post(tab->cdp_session(), "Page.crash", Json::object()); }

  /// Said to be a crash (not a time that was over), while another session works on.
  void said(const ActionResult& result) {
    EXPECT_FALSE(result.ok) << tell(result);
    EXPECT_EQ(result.code, "tab-crashed") << tell(result);
    EXPECT_EQ(result.failure->source, "unknown") << tell(result);
    others_go_on();
    EXPECT_TRUE(go(server.url("/page")).ok) << "the tab is not usable again";
    EXPECT_TRUE(click(sel("#b")).ok);
  }
  void others_go_on() {
    auto other = EngineTest::open();
    auto their_tab = other->current_tab();
    server.page("/other", "<!doctype html><button onclick=\"this.textContent='Done'\">Go</button>");
    auto there = run(capture::navigate(*other, *their_tab, server.url("/other"), in(8000)));
    ASSERT_TRUE(there.ok() && there->ok);
    auto clicked = run(capture::click(*other, *their_tab, sel("button"), {}, in(8000)));
    ASSERT_TRUE(clicked.ok() && clicked->ok) << (clicked.ok() ? tell(*clicked) : clicked.error().message());
    EXPECT_EQ(eval_in(their_tab->main_frame(), "document.querySelector('button').textContent"), "Done");
  }
};

TEST_F(Crash, OfThePageWhileAClickIsSettlingIsSaidByThatClick) {
  server.on("/never", [](const auto&) {
    browx::testing::PageResponse response;
    response.delay = seconds(20);
    return response;
  });
  open("<button id=a onclick=\"fetch('/never'); console.log('now')\">Go</button><button id=b>Go</button>");
  const auto watching = when_logged([this] { crash(); });
  said(click(sel("#a"), {}, 15000));
}

TEST_F(Crash, OfThePageBetweenFindingAFieldAndFillingItIsSaidByThatFill) {
  open("<input id=a><button id=b>Go</button>");
  ActionOptions options = in(15000);
  options.on_target = [this](Element) -> asio::awaitable<void> {
    crash();
    co_return;
  };
  said(done(capture::fill(*session, *tab, sel("#a"), "text", options)));
}

TEST_F(Crash, OfThePageWhileItsFieldTakesTheTextIsSaidByThatFill) {
  open(
      "<input id=a oninput=\"console.log('now'); for (const end = Date.now() + 1000; Date.now() < "
      "end;);\"><button id=b>Go</button>");
  const auto watching = when_logged([this] { crash(); });
  said(fill(sel("#a"), "text", 15000));
}

TEST_F(Crash, OfThePageDuringAWaitIsSaidByThatWait) {
  open("<button id=b>Go</button>");
  crash();
  said(done(capture::wait_for(*session, *tab, sel("#never"), std::nullopt, in(15000))));
}

TEST_F(Crash, AMainThreadThatNeverComesBackIsATimeoutAtTheDeadline) {
  for (const std::string verb : {"click", "fill"}) {
    session = EngineTest::open();
    tab = session->current_tab();
    open("<button id=a onclick='for (;;);'>Go</button><input id=i oninput='for (;;);'>");
    const auto began = SteadyClock::now();
    const ActionResult result = verb == "click" ? click(sel("#a"), {}, 1500) : fill(sel("#i"), "x", 1500);
    const auto took = SteadyClock::now() - began;
    EXPECT_FALSE(result.ok) << tell(result);
    EXPECT_EQ(result.code, "timeout") << tell(result);
    EXPECT_GE(took, milliseconds(1000)) << "the deadline was not used";
    EXPECT_LT(took, milliseconds(4500)) << tell(result);
    others_go_on();
  }
}

TEST_F(Crash, OfTheBrowserDuringAnActionIsSaidByThatAction) {
  // An engine of its own: its browser is killed.
  EngineOptions options;
  auto other = Engine::create(world.io.get_executor(), options);
  session = must(other->session("doomed"));
  tab = session->current_tab();
  open("<button id=a onclick=\"console.log('now')\">Go</button><p>text</p>");
  Json none = Json::object();
  const Json info =
      *run(tab->connection().call("", "SystemInfo.getProcessInfo", none, Deadline::in(seconds(5))));
  int pid = 0;
  for (const auto& process : info["processInfo"])
    if (process["type"] == "browser") pid = process["id"];
  ASSERT_GT(pid, 0);
  const auto watching = when_logged([pid] { ::kill(pid, SIGKILL); });
  const ActionResult result = click(sel("#a"), {}, 15000);
  EXPECT_FALSE(result.ok) << tell(result);
  EXPECT_EQ(result.code, "browser-lost") << tell(result);
  tab.reset();
  session.reset();
  must(other->shutdown());
  others_go_on();
}

}  // namespace
}  // namespace browx::capture
