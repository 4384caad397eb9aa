// What an action answers about its consequences.
#include "tests/capture/drive/drive_fixture.hpp"

namespace browx::capture {
namespace {

class Outcomes : public DriveTest {
 protected:
  void api(const std::string& path, int status, const std::string& body,
           const std::string& type = "application/json", std::chrono::milliseconds delay = {}) {
    server.on(path, [=](const browx::testing::PageRequest&) {
      browx::testing::PageResponse response;
      response.status = status;
      response.body = body;
      response.content_type = type;
      response.delay = delay;
      return response;
    });
  }
};

TEST_F(Outcomes, NothingHappenedIsSaidAsNothing) {
  open("<button id=b>Go</button>");
  const ActionResult result = click(sel("#b"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_FALSE(result.navigation.changed);
  EXPECT_EQ(result.snapshot_delta["mode"], "none") << tell(result);
  EXPECT_EQ(result.network["summary"]["total"], 0);
  EXPECT_EQ(result.element["stillAttached"], true);
  EXPECT_EQ(result.element["focused"], true);
  EXPECT_FALSE(result.json().contains("dialogs"));
  EXPECT_TRUE(result.warnings.empty()) << tell(result);
}

TEST_F(Outcomes, WhatAppearedIsCountedAndShownWithRefsThatWork) {
  open(
      "<button id=b onclick=\"this.insertAdjacentHTML('afterend','<p>Made <a "
      "href=#x>now</a></p>')\">Go</button>");
  const ActionResult result = click(sel("#b"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_GT(result.appeared, 0);
  EXPECT_EQ(result.snapshot_delta["mode"], "rows");
  const std::string tree = result.snapshot_delta["tree"].get<std::string>();
  EXPECT_NE(tree.find("link \"now\" [ref=" + ref_of("a") + "]"), std::string::npos) << tree;
}

TEST_F(Outcomes, TheDeltaIsBoundedByMaxResultTokens) {
  open(
      "<button id=b onclick=\"for(let i=0;i<500;i++)this.insertAdjacentHTML('afterend','<button>Number "
      "'+i+'</button>')\">Go</button>");
  ActionOptions options = in(5000);
  options.max_result_tokens = 50;
  const ActionResult result = done(capture::click(*session, *tab, sel("#b"), {}, options));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_LE(result.snapshot_delta["tree"].get<std::string>().size(), 200u);
  EXPECT_EQ(result.snapshot_delta["truncated"], true);
}

TEST_F(Outcomes, ARequestCausedByTheActionIsAwaitedAndItsEffectSeen) {
  api("/api/records", 200, R"({"id":4711,"date":"2026","type":"x","task":{"deep":1}})", "application/json",
      std::chrono::milliseconds(150));
  open(
      "<button id=b onclick=\"fetch('/api/records?token=s',{method:'POST',body:'{}'}).then(r=>r.json())"
      ".then(r=>this.insertAdjacentHTML('afterend','<p>got '+r.id+'</p>'))\">Go</button>");
  const ActionResult result = click(sel("#b"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_NE(text("body").find("got 4711"), std::string::npos) << "the action settled before its request had";
  const Json& mutation = result.network["mutations"][0];
  EXPECT_EQ(mutation["method"], "POST");
  EXPECT_EQ(mutation["urlPattern"], server.url("/api/records"));
  EXPECT_EQ(mutation["status"], 200);
  EXPECT_EQ(mutation["ok"], true);
  EXPECT_GE(mutation["durationMs"].get<int>(), 140);
  EXPECT_EQ(mutation["responseShape"], Json({"id", "date", "type", "task"}));
  EXPECT_EQ(result.network["summary"]["total"], 1);
  EXPECT_EQ(result.network["summary"]["byType"]["fetch"], 1);
  EXPECT_EQ(result.network["requests"][0]["url"], server.url("/api/records?…"));
  EXPECT_NE(result.snapshot_delta.value("tree", "").find("got 4711"), std::string::npos) << tell(result);
}

TEST_F(Outcomes, ShapesAreAbsentForWhatIsNotSmallJson) {
  api("/api/html", 200, "<p>x</p>", "text/html");
  api("/api/huge", 200, "{\"a\":\"" + std::string(300000, 'x') + "\"}");
  api("/api/none", 204, "");
  open(
      "<button id=b "
      "onclick=\"['html','huge','none'].forEach(n=>fetch('/api/'+n,{method:'PUT',body:'1'}))\">Go</button>");
  const ActionResult result = click(sel("#b"));
  ASSERT_TRUE(result.ok) << tell(result);
  ASSERT_EQ(result.network["mutations"].size(), 3u) << tell(result);
  for (const auto& m : result.network["mutations"]) EXPECT_FALSE(m.contains("responseShape")) << m;
}

TEST_F(Outcomes, ABodyThatThePageNeverReadsIsNotAwaitedForLong) {
  api("/api/beat", 200, "{\"beat\":\"" + std::string(200000, 'x') + "\"}");
  open("<button id=b onclick=\"fetch('/api/beat')\">Go</button>");
  const ActionResult result = click(sel("#b"), {}, kFarMs);
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_FALSE(result.network["requests"][0].contains("pending")) << tell(result);
}

TEST_F(Outcomes, AnEndlessRequestDoesNotHoldTheAnswer) {
  api("/api/slow", 200, "{}", "application/json", browx::testing::kFar);
  open("<button id=b onclick=\"fetch('/api/slow')\">Go</button>");
  const ActionResult result = click(sel("#b"), {}, kFarMs);
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.network["requests"][0]["pending"], true) << tell(result);
}

TEST_F(Outcomes, NavigationsAreToldByKind) {
  server.page("/next", "<!doctype html><title>Next</title><h1>Arrived</h1>");
  open(
      "<a id=full href=/next>Full</a> <a id=hash href=#part>Hash</a> <button id=spa "
      "onclick=\"history.pushState(1,'','/spa')\">Spa</button>");
  const std::string start = server.url("/page");
  ActionResult result = click(sel("#hash"));
  EXPECT_EQ(result.navigation.kind, "hash") << tell(result);
  EXPECT_EQ(result.navigation.to, start + "#part");
  result = click(sel("#spa"));
  EXPECT_EQ(result.navigation.kind, "spa") << tell(result);
  EXPECT_EQ(result.navigation.to, server.url("/spa"));
  result = click(sel("#full"));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.navigation.kind, "full_load") << tell(result);
  EXPECT_EQ(result.navigation.from, server.url("/spa"));
  EXPECT_EQ(result.navigation.to, server.url("/next"));
  EXPECT_EQ(result.snapshot_delta["mode"], "navigated");
  EXPECT_NE(result.snapshot_delta["tree"].get<std::string>().find("Arrived"), std::string::npos)
      << tell(result);
  EXPECT_EQ(tab->ready_state(), "complete");
  result = done(go_back(*session, *tab, in(5000)));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.navigation.to, server.url("/spa"));
  result = done(go_forward(*session, *tab, in(5000)));
  EXPECT_EQ(result.navigation.to, server.url("/next")) << tell(result);
  result = done(reload(*session, *tab, in(5000)));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.navigation.kind, "full_load");
  result = done(go_forward(*session, *tab, in(5000)));
  EXPECT_EQ(result.code, "no-history") << tell(result);
}

TEST_F(Outcomes, ASlowPageIsAwaitedAfterAClick) {
  server.on("/slow", [](const browx::testing::PageRequest&) {
    browx::testing::PageResponse response;
    response.body = "<!doctype html><h1>Slow</h1>";
    response.delay = std::chrono::milliseconds(500);
    return response;
  });
  open("<a id=a href=/slow>Go</a>");
  const ActionResult result = click(sel("#a"));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.navigation.to, server.url("/slow")) << tell(result);
}

TEST_F(Outcomes, ErrorsOfThePageAndItsConsoleAreToldForThisActionOnly) {
  open(
      "<button id=a onclick=\"console.error('first');console.warn('w')\">A</button><button id=b "
      "onclick=\"console.error('second'); throw new Error('boom')\">B</button>");
  EXPECT_EQ(click(sel("#a")).console_errors, std::vector<std::string>{"first"});
  const ActionResult result = click(sel("#b"));
  EXPECT_EQ(result.console_errors, std::vector<std::string>{"second"}) << tell(result);
  EXPECT_EQ(result.console_warnings, 0);
  ASSERT_EQ(result.page_errors.size(), 1u) << tell(result);
  EXPECT_NE(result.page_errors[0].find("boom"), std::string::npos);
}

TEST_F(Outcomes, ANewTabIsToldWithItsUrl) {
  ASSERT_TRUE(go(server.url("/pages/popup.html")).ok);
  for (const std::string selector : {"#open", "text=New tab >> nth=0"}) {
    const ActionResult result = click(sel(selector));
    ASSERT_TRUE(result.ok) << tell(result);
    ASSERT_EQ(result.new_tabs.size(), 1u) << tell(result);
    EXPECT_NE(result.new_tabs[0]["url"].get<std::string>().find(server.url("/pages/f")), std::string::npos)
        << tell(result);
    EXPECT_EQ(session->current_tab()->id(), tab->id());
  }
}

TEST_F(Outcomes, ADownloadIsTold) {
  server.on("/report.csv", [](const browx::testing::PageRequest&) {
    browx::testing::PageResponse response;
    response.body = "a,b\n";
    response.content_type = "application/octet-stream";
    response.headers = {{"Content-Disposition", "attachment; filename=\"report.csv\""}};
    return response;
  });
  open("<a id=a href=/report.csv>Report</a>");
  const ActionResult result = click(sel("#a"));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_FALSE(result.navigation.changed) << tell(result);
  ASSERT_EQ(result.downloads.size(), 1u) << tell(result);
  EXPECT_EQ(result.downloads[0]["suggestedFilename"], "report.csv");
}

TEST_F(Outcomes, WebSocketFramesOfTheWindowAreTold) {
  open("<button id=b>Go</button>");
  // Frames are read from the journal: published here as the observer would, so that no socket server is
  // needed.
  archive::Request request;
  request.id = session->journal().next_request();
  request.target = tab->target();
  request.url = "wss://rt.example.com/socket?key=1";
  request.resource_type = "WebSocket";
  session->journal().publish(request);
  Journal* journal = &session->journal();
  const RequestId id = request.id;
  ActionOptions options = in(5000);
  options.on_target = [journal, id](Element) -> asio::awaitable<void> {
    archive::ChannelFrame frame;
    frame.request = id;
    frame.t = journal->now();
    frame.kind = "ws";
    frame.payload = "{\"users\":4}";
    journal->publish(frame);
    return [](int) -> asio::awaitable<void> { co_return; }(0);
  };
  const ActionResult result = done(capture::click(*session, *tab, sel("#b"), {}, options));
  ASSERT_EQ(result.network["wsFrames"].size(), 1u) << tell(result);
  EXPECT_EQ(result.network["wsFrames"][0]["payload"], "{\"users\":4}");
  EXPECT_EQ(result.network["wsFrames"][0]["dir"], "recv");
}

TEST_F(Outcomes, ASensitiveFieldNeverShowsItsValue) {
  open("<label>Password <input id=p type=password></label>");
  const ActionResult result = fill(sel("#p"), "hunter22-secret");
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(eval("p.value"), "hunter22-secret");
  EXPECT_EQ(tell(result).find("hunter22"), std::string::npos) << tell(result);
  EXPECT_EQ(result.action["value"], "[masked value]");
  EXPECT_EQ(result.element["value"], "[masked value]");
}

TEST_F(Outcomes, ARegisteredSecretIsToldByItsName) {
  ASSERT_TRUE(session->secrets().add("TOKEN", "s3cr3t-value").ok());
  open("<input id=i aria-label=Token>");
  const ActionResult result = fill(sel("#i"), "s3cr3t-value");
  EXPECT_EQ(eval("i.value"), "s3cr3t-value");
  EXPECT_EQ(result.action["value"], "<TOKEN>") << tell(result);
}

TEST_F(Outcomes, ACheckboxAskedForItsStateIsClickedOnlyWhereItDiffers) {
  open("<label><input id=c type=checkbox> Terms</label><output id=o></output>");
  eval("c.addEventListener('change', e => o.textContent += c.checked + (e.isTrusted ? '' : '?') + ' '), 1");
  EXPECT_TRUE(fill(sel("#c"), "true").ok);
  EXPECT_TRUE(fill(sel("#c"), "true").ok);
  EXPECT_EQ(text("#o"), "true ");
  EXPECT_TRUE(fill(sel("#c"), "false").ok);
  EXPECT_EQ(text("#o"), "true false ");
}

TEST_F(Outcomes, ButtonsCountsAndModifiersArriveAsAsked) {
  open("<button id=b style='width:99px;height:50px'>Go</button>");
  eval(
      "window.seen = [], ['click','dblclick','contextmenu','auxclick'].forEach(t => b.addEventListener(t, e "
      "=> "
      "seen.push(t + e.button + e.detail + (e.ctrlKey ? 'c' : '') + (e.shiftKey ? 's' : '')))), 1");
  ClickOptions twice;
  twice.count = 2;
  EXPECT_TRUE(click(sel("#b"), twice).ok);
  EXPECT_EQ(eval("seen.splice(0).join(' ')"), "click01 click02 dblclick02");
  ClickOptions right;
  right.button = "right";
  EXPECT_TRUE(click(sel("#b"), right).ok);
  EXPECT_NE(eval("seen.splice(0).join(' ')").get<std::string>().find("contextmenu2"), std::string::npos);
  ClickOptions held;
  held.modifiers = {"Shift", "Control"};
  EXPECT_TRUE(click(sel("#b"), held).ok);
  EXPECT_EQ(eval("seen.splice(0).join(' ')"), "click01cs");
  EXPECT_TRUE(click(sel("#b")).ok);
  EXPECT_EQ(eval("seen.splice(0).join(' ')"), "click01") << "a modifier was left pressed";
}

TEST_F(Outcomes, APointIsClickedAsItIsAndSaysWhatLiesThere) {
  open(
      "<style>body{margin:0}</style><button id=b "
      "style='position:absolute;left:100px;top:50px;width:100px;height:40px' "
      "onclick=\"this.textContent='hit'\">Go</button>");
  const ActionResult result = click(at(150, 70));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(text("#b"), "hit");
  EXPECT_EQ(result.action["ref"], ref_of("#b")) << tell(result);
}

TEST_F(Outcomes, ScrollingTellsWhatWasReallyScrolled) {
  open("<div style='height:5000px'></div><p id=end>end</p>");
  ScrollOptions bottom;
  bottom.to = "bottom";
  ActionResult result = scroll(std::nullopt, bottom);
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.element["scroll"]["y"], eval("scrollY")) << tell(result);
  EXPECT_GT(eval("scrollY").get<double>(), 1000);
  ScrollOptions up;
  up.by = Point{0, -100};
  result = scroll(std::nullopt, up);
  EXPECT_EQ(result.element["scroll"]["y"], -100) << tell(result);
}

TEST_F(Outcomes, KeysReachTheFocusedElementAndTheirDefaultActionsRun) {
  open(
      "<form onsubmit=\"document.title='sent';return false\"><input id=i><input "
      "id=j><button>Send</button></form>");
  ASSERT_TRUE(fill(sel("#i"), "abc").ok);
  EXPECT_TRUE(press(std::nullopt, "Tab").ok);
  EXPECT_EQ(eval("document.activeElement.id"), "j");
  EXPECT_TRUE(press(sel("#i"), "Control+a").ok);
  EXPECT_TRUE(press(std::nullopt, "é").ok);
  EXPECT_EQ(eval("i.value"), "é");
  EXPECT_TRUE(press(sel("#i"), "Enter").ok);
  EXPECT_EQ(eval("document.title"), "sent");
}

TEST_F(Outcomes, WaitingEndsWhenTheTextComesAndFailsWhenItDoesNot) {
  open("<p id=p></p>");
  eval("setTimeout(() => { p.textContent = 'Ready now'; }, 300), 1");
  EXPECT_TRUE(done(wait_for(*session, *tab, std::nullopt, "Ready now", in(5000))).ok);
  const ActionResult never = done(wait_for(*session, *tab, std::nullopt, "Never", in(400)));
  EXPECT_FALSE(never.ok);
  EXPECT_EQ(never.code, "not-visible") << tell(never);
}

TEST_F(Outcomes, AnAddressThatIsNoneOfTheWebIsRefusedAndThePageStays) {
  open("<button id=b>Go</button>");
  const ActionResult result = done(capture::navigate(*session, *tab, "chrome://crash", in(3000)));
  EXPECT_FALSE(result.ok);  // refused: not an address of the web
  EXPECT_EQ(result.failure->source, "browx") << tell(result);
  EXPECT_TRUE(click(sel("#b")).ok) << "the refusal changed the page";
}

TEST_F(Outcomes, AnAddressThatNobodyServesIsSaidWithTheBrowsersReason) {
  const ActionResult result = go("http://127.0.0.1:1/");
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.code, "navigation-failed") << tell(result);
  EXPECT_NE(result.error.find("ERR_"), std::string::npos) << result.error;
}

TEST_F(Outcomes, TheTargetIsToldBeforeItIsTouched) {
  open("<button id=b onclick=\"this.textContent='clicked'\">Go</button>");
  std::string seen;
  ActionOptions options = in(5000);
  DriveTest* self = this;
  options.on_target = [self, &seen](Element element) {
    return [](DriveTest*, std::string* out, Element e) -> asio::awaitable<void> {
      Json id = {{"id", e.element}};
      auto described = co_await e.frame->page("describe", id, Deadline::in(std::chrono::seconds(2)));
      *out = described ? json_string(*described, "name") : described.error().message();
    }(self, &seen, std::move(element));
  };
  const ActionResult result = done(capture::click(*session, *tab, sel("#b"), {}, options));
  EXPECT_EQ(seen, "Go");
  ASSERT_TRUE(result.target);
  EXPECT_EQ(result.target->ref, ref_of("#b"));
}

}  // namespace
}  // namespace browx::capture
