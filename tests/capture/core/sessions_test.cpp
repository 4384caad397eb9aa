// Sessions: opened, equipped, kept apart, closed; and the browser's end.
#include <csignal>

#include <gmock/gmock.h>

#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class SessionsTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    server.page("/page", "<!doctype html><title>Page</title><p>page");
    server.page("/framed", "<!doctype html><iframe src='" + server.other_site("/page") + "'></iframe>");
    server.on("/echo", [](const testing::PageRequest& request) {
      testing::PageResponse r;
      const auto cookie = request.headers.find("cookie");
      r.body = cookie == request.headers.end() ? "none" : cookie->second;
      return r;
    });
  }
  Deadline soon() { return Deadline::in(seconds(5)); }
};

TEST_F(SessionsTest, ASessionHasOneTabAndANameOfItsOwn) {
  SessionOptions options;
  options.name = "mine";
  auto session = open(options);
  ASSERT_EQ(session->tabs().size(), 1u);
  EXPECT_EQ(session->current_tab(), session->tabs()[0]);
  EXPECT_EQ(session->current_tab()->url(), "about:blank");
  EXPECT_TRUE(engine.browser_running());
  EXPECT_THAT(engine.browser_version(), HasSubstr("Chrome"));
  const auto again = run(engine.open(options));
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().kind, "session-exists");
  EXPECT_EQ(must(engine.session("mine")), session);
  must(engine.close("mine"));
  const auto gone = run(engine.close("mine"));
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().kind, "session-not-found");
  EXPECT_TRUE(session->tabs().empty());
  const auto late = run(session->new_tab("about:blank", soon()));
  EXPECT_FALSE(late.ok());
}

TEST_F(SessionsTest, TwoFirstCallsAtOnceOpenTheSessionOnce) {
  std::vector<std::shared_ptr<Session>> got;
  const auto ask = [](Engine& at, std::vector<std::shared_ptr<Session>>& into) -> asio::awaitable<void> {
    auto session = co_await at.session("shared");
    if (session) into.push_back(*session);
  };
  spawn(world.io.get_executor(), ask(engine, got));
  spawn(world.io.get_executor(), ask(engine, got));
  ASSERT_TRUE(until([&] { return got.size() == 2; }, seconds(30)));
  EXPECT_EQ(got[0], got[1]);
  must(engine.close("shared"));
}

TEST_F(SessionsTest, CookiesOfOneSessionAreNotThoseOfAnother) {
  auto first = open()->current_tab(), second = open()->current_tab();
  go(*first, server.url("/page"));
  eval(first->main_frame(), "document.cookie = 'who=first', 0");
  go(*first, server.url("/echo"));
  go(*second, server.url("/echo"));
  EXPECT_EQ(eval(first->main_frame(), "document.body.textContent"), "who=first");
  EXPECT_EQ(eval(second->main_frame(), "document.body.textContent"), "none");
}

TEST_F(SessionsTest, StorageStateIsThereBeforeTheFirstPageAndAsksTheServerNothing) {
  SessionOptions options;
  Json cookie = {
      {"name", "token"}, {"value", "abc"}, {"domain", "127.0.0.1"}, {"path", "/"}, {"expires", -1}};
  Json item = {{"name", "theme"}, {"value", "it's \"dark\""}};
  Json origin = {{"origin", server.url("")}};
  origin["localStorage"] = Json::array({item});
  options.storage_state = Json::object();
  options.storage_state["cookies"] = Json::array({cookie});
  options.storage_state["origins"] = Json::array({origin});
  const auto before = server.log().size();
  auto session = open(options);
  EXPECT_EQ(server.log().size(), before);
  ASSERT_EQ(session->tabs().size(), 1u);
  auto tab = session->current_tab();
  server.page("/early", "<!doctype html><script>window.early = localStorage.getItem('theme')</script>");
  go(*tab, server.url("/early"));
  EXPECT_EQ(eval(tab->main_frame(), "early"), "it's \"dark\"");
  go(*tab, server.url("/echo"));
  EXPECT_EQ(eval(tab->main_frame(), "document.body.textContent"), "token=abc");
}

TEST_F(SessionsTest, OptionsThatCannotBeAreRefusedWithTheirName) {
  const auto refuse = [&](auto change) {
    SessionOptions options;
    options.name = "refused";
    change(options);
    const auto answer = run(engine.open(options));
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? Error{} : answer.error();
  };
  EXPECT_EQ(refuse([](auto& o) { o.mode = "persistent"; }).kind, "mode-unavailable");
  EXPECT_EQ(refuse([](auto& o) { o.mode = "attached"; }).kind, "mode-unavailable");
  EXPECT_EQ(refuse([](auto& o) { o.mode = "odd"; }).code, Code::invalid_argument);
  EXPECT_EQ(refuse([](auto& o) { o.viewport.width = 0; }).code, Code::invalid_argument);
  EXPECT_THAT(refuse([](auto& o) { o.timezone = "Mars/Olympus"; }).what, HasSubstr("Mars/Olympus"));
  Json state = Json::object();
  state["cookies"] = Json::array({Json{{"name", "x"}}});
  EXPECT_EQ(refuse([&](auto& o) { o.storage_state = state; }).code, Code::invalid_argument);
  for (const auto& session : engine.sessions()) EXPECT_NE(session->name(), "refused");
}

TEST_F(SessionsTest, TheDeviceIsEmulatedInFramesOfOtherProcessesAndNewTabsToo) {
  SessionOptions options;
  options.viewport = {640, 480};
  options.device.scale_factor = 2;
  options.device.touch = true;
  options.device.user_agent = "BrowxTest/1";
  options.device.color_scheme = "dark";
  options.device.geolocation = {{52.5, 13.4}};
  options.locale = "de-DE";
  options.timezone = "Pacific/Auckland";
  auto session = open(options);
  auto tab = session->current_tab();
  go(*tab, server.url("/framed"));
  const auto frame = frame_showing(*tab, "/page");
  auto second = must(session->new_tab(server.url("/page"), soon()));
  for (Frame* at : {&tab->main_frame(), frame.get(), &second->main_frame()}) {
    SCOPED_TRACE(at->id() + " " + at->url());
    // Chromium keeps the override of the device's metrics to the main frame's process.
    if (!at->out_of_process()) {
      EXPECT_EQ(eval(*at, "devicePixelRatio"), 2);
    }
    EXPECT_EQ(eval(*at, "navigator.userAgent"), "BrowxTest/1");
    EXPECT_EQ(eval(*at, "matchMedia('(prefers-color-scheme: dark)').matches"), true);
    EXPECT_EQ(eval(*at, "Intl.DateTimeFormat().resolvedOptions().timeZone"), "Pacific/Auckland");
    EXPECT_EQ(eval(*at, "navigator.language"), "de-DE");
    EXPECT_EQ(eval(*at, "(1.5).toLocaleString()"), "1,5");
    EXPECT_EQ(eval(*at, "navigator.maxTouchPoints"), 5);
  }
  EXPECT_EQ(eval(tab->main_frame(), "innerWidth + 'x' + innerHeight"), "640x480");
  EXPECT_EQ(eval(tab->main_frame(),
                 "new Promise(r => navigator.geolocation.getCurrentPosition(p => r(p.coords.latitude), e => "
                 "r(e.message)))"),
            52.5);
  must(session->set_viewport({800, 600}, soon()));
  EXPECT_EQ(eval(tab->main_frame(), "innerWidth + 'x' + innerHeight"), "800x600");
  EXPECT_EQ(eval(second->main_frame(), "innerWidth + 'x' + innerHeight"), "800x600");
}

TEST_F(SessionsTest, TheCurrentTabChangesOnlyWhenToldOrClosed) {
  auto session = open();
  auto first = session->current_tab();
  auto second = must(session->new_tab(server.url("/page"), soon()));
  EXPECT_EQ(session->current_tab(), first);
  EXPECT_GT(second->id(), first->id());
  EXPECT_TRUE(session->use_tab(second->id()).ok());
  EXPECT_EQ(session->current_tab(), second);
  const auto missing = session->use_tab(99999);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, "tab-not-found");
  must(second->close(soon()));
  EXPECT_EQ(session->current_tab(), first);
  EXPECT_EQ(session->tab(second->id()), nullptr);
  auto third = must(session->new_tab("about:blank", soon()));
  EXPECT_GT(third->id(), second->id());
}

TEST_F(SessionsTest, ALostBrowserIsToldOnceAndTheNextCallStartsAnother) {
  // An engine of its own: its browser is killed.
  EngineOptions options;
  auto other = Engine::create(world.io.get_executor(), options);
  auto session = must(other->session("s"));
  auto tab = session->current_tab();
  must(tab->navigate(server.url("/page"), soon()));
  Json none = Json::object();
  const Json info = must(session->connection().call("", "SystemInfo.getProcessInfo", none, soon()));
  int pid = 0;
  for (const Json& process : info["processInfo"])
    if (process["type"] == "browser") pid = process["id"];
  ASSERT_GT(pid, 0);
  ::kill(pid, SIGKILL);
  const Json nothing = Json::object();
  const auto answer = run(tab->main_frame().page("text", nothing, Deadline::in(seconds(5))));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, "browser-lost");
  EXPECT_FALSE(other->browser_running());
  const auto told = run(other->session("s"));
  ASSERT_FALSE(told.ok());
  EXPECT_EQ(told.error().kind, "browser-lost");
  auto fresh = must(other->session("s"));
  EXPECT_TRUE(other->browser_running());
  EXPECT_EQ(must(fresh->current_tab()->navigate(server.url("/page"), soon())).kind, "full_load");
  EXPECT_GT(fresh->current_tab()->id(), tab->id());
  must(other->shutdown());
  EXPECT_FALSE(run(other->session("s")).ok());
}

TEST_F(SessionsTest, AMissingBrowserIsNamedWithTheRemedy) {
  EngineOptions options;
  options.chromium = "/nonexistent/chromium";
  auto other = Engine::create(world.io.get_executor(), options);
  const auto answer = run(other->session("s"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, "chromium-missing");
  EXPECT_THAT(answer.error().hint, HasSubstr("BROWX_CHROMIUM"));
}

}  // namespace
}  // namespace browx::capture
