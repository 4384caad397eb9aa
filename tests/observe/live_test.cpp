// Channels, console, lifecycle, downloads and screencast on real Chromium.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "archive/model/facts.hpp"
#include "base/bytes.hpp"
#include "capture/observe/observers.hpp"
#include "tests/observe/facts.hpp"
#include "tests/support/engine_fixture.hpp"
#include "tests/support/ws_echo_server.hpp"

namespace browx::capture {
namespace {

namespace fs = std::filesystem;
using browx::testing::EngineTest;
using browx::testing::PageRequest;
using browx::testing::PageResponse;
using browx::testing::WsEchoServer;
using testing::Told;

class ObserveTest : public EngineTest {
 protected:
  ObserveTest() : session(open()), tab(session->current_tab()), told(*session) {
    server.page("/favicon.ico", "");
  }
  std::vector<std::string> console() const {
    std::vector<std::string> out;
    for (const auto& event : told.events("console"))
      if (event.payload["source"] == "console-api")
        out.push_back(json_string(event.payload, "level") + " " + json_string(event.payload, "text"));
    return out;
  }
  bool printed(const std::string& line) const {
    const auto lines = console();
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }

  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
  Told told;
};

TEST_F(ObserveTest, SocketFramesBothWaysAreWhatTheServerGotAndSent) {
  WsEchoServer echo;
  server.page("/o/ws", "<title>w</title>");
  go(*tab, server.url("/o/ws"));
  eval(tab->main_frame(),
       "(async () => { const s = new WebSocket('" + echo.url() +
           "'); s.binaryType = 'arraybuffer';"
           " await new Promise(done => s.onopen = done);"
           " s.send('hällo'); s.send(new Uint8Array([0, 1, 255])); s.send('x'.repeat(70000));"
           " await new Promise(done => { let n = 0; s.onmessage = () => { if (++n === 3) done(); } });"
           " s.close(); await new Promise(done => s.onclose = done); })()");
  ASSERT_TRUE(until([&] { return told.ended("ws://"); }));
  const auto socket = told.requests("ws://");
  ASSERT_EQ(socket.size(), 1u);
  EXPECT_EQ(socket[0].target, tab->target());
  ASSERT_TRUE(told.response(socket[0].id));
  EXPECT_EQ(told.response(socket[0].id)->status, 101);
  EXPECT_TRUE(told.end(socket[0].id)->ok);
  std::vector<archive::ChannelFrame> sent, received;
  for (const auto& frame : told.all<archive::ChannelFrame>()) {
    EXPECT_EQ(frame.request, socket[0].id);
    if (frame.opcode <= 2) (frame.sent ? sent : received).push_back(frame);
  }
  const auto witness = echo.received();
  ASSERT_EQ(witness.size(), 3u);
  ASSERT_EQ(sent.size(), 3u);
  ASSERT_EQ(received.size(), 3u);
  for (const auto* frames : {&sent, &received})
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& [binary, payload] = witness[i];
      const auto& frame = (*frames)[i];
      EXPECT_EQ(frame.opcode, binary ? 2 : 1);
      EXPECT_EQ(frame.full_size, static_cast<std::int64_t>(payload.size()));
      EXPECT_EQ(frame.truncated, payload.size() > 65536);
      EXPECT_EQ(frame.payload, payload.substr(0, 65536));
    }
}

TEST_F(ObserveTest, ASocketThatCannotConnectIsARequestThatFailed) {
  server.page("/o/ws", "<title>w</title>");
  go(*tab, server.url("/o/ws"));
  eval(tab->main_frame(), "new Promise(done => { const s = new WebSocket('" +
                              server.url("/none").replace(0, 4, "ws") + "'); s.onclose = () => done(1) })");
  ASSERT_TRUE(until([&] { return told.ended("ws://"); }));
  const auto* end = told.end(told.requests("ws://")[0].id);
  EXPECT_FALSE(end->ok);
  EXPECT_FALSE(end->error.empty());
}

TEST_F(ObserveTest, ServerSentEventsAreFrames) {
  server.page("/o/sse", "<title>e</title>");
  server.on("/o/stream", [](const PageRequest&) {
    PageResponse response;
    response.content_type = "text/event-stream";
    response.body = "retry: 100000\n\ndata: plain\n\nevent: tick\nid: 7\ndata: one\ndata: two\n\n";
    return response;
  });
  go(*tab, server.url("/o/sse"));
  eval(tab->main_frame(),
       "new Promise(done => { window.es = new EventSource('/o/stream'); es.addEventListener('tick', () => "
       "done(1)) })");
  ASSERT_TRUE(until([&] { return told.all<archive::ChannelFrame>().size() >= 2; }));
  const auto frames = told.all<archive::ChannelFrame>();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].kind, "sse");
  EXPECT_EQ(frames[0].payload, "plain");
  EXPECT_EQ(frames[1].event, "tick");
  EXPECT_EQ(frames[1].payload, "one\ntwo");
  EXPECT_EQ(frames[1].request, told.requests("/o/stream")[0].id);
  eval(tab->main_frame(), "es.close()");
}

TEST_F(ObserveTest, ConsoleLinesOfEveryFrameAndWorkerComeWithTheirTargetInOrder) {
  server.page("/o/child",
              "<script>console.log('child', location.hostname); parent.postMessage(1, '*')</script>");
  server.on("/o/w.js", [](const PageRequest&) {
    PageResponse response;
    response.content_type = "text/javascript";
    response.body =
        "console.warn('from the worker'); setTimeout(() => { throw new RangeError('worker broke') }); "
        "postMessage(1)";
    return response;
  });
  server.page("/o/console",
              "<title>c</title><script>console.log('first %s', 'line', {a: [1, 2]}); console.info('i'); "
              "console.debug('d');"
              "console.assert(1 === 2, 'sums'); console.error('bad')</script>");
  go(*tab, server.url("/o/console"));
  const auto message = [&](const std::string& what) {
    eval(tab->main_frame(), "new Promise(done => { onmessage = () => done(1); " + what + " })");
  };
  message("const f = document.body.appendChild(document.createElement('iframe')); f.src = '/o/child'");
  message("const g = document.body.appendChild(document.createElement('iframe')); g.src = '" +
          server.other_site("/o/child") + "'");
  eval(tab->main_frame(), "new Promise(done => { new Worker('/o/w.js').onmessage = () => done(1) })");
  eval(tab->main_frame(),
       "console.log('last'); setTimeout(() => { throw new TypeError('late') }); Promise.reject(new "
       "Error('rejected')); 1");
  ASSERT_TRUE(until([&] {
    return printed("log last") && printed("warning from the worker") && told.events("exception").size() >= 3;
  }));
  EXPECT_EQ(console(),
            (std::vector<std::string>{"log first line {a: Array(2)}", "info i", "debug d",
                                      "error Assertion failed: sums", "error bad", "log child 127.0.0.1",
                                      "log child localhost", "warning from the worker", "log last"}));
  std::map<std::string, archive::Event> by_text;
  for (const auto& event : told.events("console")) by_text[json_string(event.payload, "text")] = event;
  EXPECT_EQ(by_text["bad"].target, tab->target());
  EXPECT_EQ(by_text["bad"].payload["frame"], tab->main_frame().cdp_id());
  EXPECT_EQ(by_text["child 127.0.0.1"].payload["frame"],
            frame_showing(*tab, "127.0.0.1:" + std::to_string(server.port()) + "/o/child")->cdp_id());
  const auto cross = frame_showing(*tab, "localhost");
  EXPECT_EQ(by_text["child localhost"].payload["frame"], cross->cdp_id());
  EXPECT_EQ(by_text["child localhost"].target, session->target_of(cross->cdp_session()));
  EXPECT_NE(by_text["from the worker"].target, tab->target());
  EXPECT_LT(by_text["bad"].t, by_text["last"].t);
  std::vector<std::string> thrown;
  for (const auto& event : told.events("exception")) thrown.push_back(json_string(event.payload, "text"));
  std::sort(thrown.begin(), thrown.end());
  EXPECT_EQ(thrown,
            (std::vector<std::string>{"Uncaught (in promise) Error: rejected",
                                      "Uncaught RangeError: worker broke", "Uncaught TypeError: late"}));
}

TEST_F(ObserveTest, ARingLineHasTheLevelOfTheConsoleAndTheTypeOfCdp) {
  server.page("/o/ring", "<title>r</title><script>console.warn('w'); fetch('/o/none')</script>");
  go(*tab, server.url("/o/ring"));
  ASSERT_TRUE(until([&] { return told.ended("/o/none") && printed("warning w"); }));
  bool fetched = false, warned = false;
  for (const auto& record : session->rings().requests())
    if (record.url == server.url("/o/none")) {
      fetched = true;
      EXPECT_EQ(record.type, "Fetch");
      EXPECT_EQ(record.status, 404);
      EXPECT_TRUE(record.finished);
      EXPECT_FALSE(record.failed);
      EXPECT_GT(record.ms, 0);
      EXPECT_LT(record.ms, 30000);
    }
  for (const auto& line : session->rings().console())
    if (line.text == "w") {
      warned = true;
      EXPECT_EQ(line.level, "warning");
      EXPECT_EQ(line.tab, tab->id());
    }
  EXPECT_TRUE(fetched);
  EXPECT_TRUE(warned);
}

TEST_F(ObserveTest, APagesLifeIsTold) {
  server.page("/o/one", "<title>One</title>");
  server.page("/o/two", "<title>Two</title>");
  const auto title = [&](const std::string& wanted) {
    for (const auto& event : told.events("lifecycle"))
      if (json_string(event.payload, "title") == wanted && event.target == tab->target()) return true;
    return false;
  };
  go(*tab, server.url("/o/one"));
  eval(tab->main_frame(),
       "history.pushState({}, '', '/o/spa'); document.title = 'Renamed'; location.hash = 'h'; 1");
  ASSERT_TRUE(until([&] { return title("Renamed"); }));
  go(*tab, server.url("/o/two"));
  const auto lines = [&] {
    std::vector<std::string> out;
    for (const auto& event : told.events("lifecycle")) {
      const std::string name = json_string(event.payload, "name");
      if (name == "title") continue;
      const std::string url = json_string(event.payload, "url");
      if (url.find("/o/") == std::string::npos) continue;
      out.push_back(name + " " + url.substr(url.find("/o/")) +
                    (event.payload.contains("kind") ? " " + json_string(event.payload, "kind") : ""));
    }
    return out;
  };
  ASSERT_TRUE(until([&] { return !lines().empty() && lines().back() == "load /o/two" && title("Two"); }));
  EXPECT_EQ(lines(), (std::vector<std::string>{"navigated /o/one full_load", "dom-content-loaded /o/one",
                                               "load /o/one", "same-document /o/spa spa",
                                               "same-document /o/spa#h hash", "navigated /o/two full_load",
                                               "dom-content-loaded /o/two", "load /o/two"}));
}

TEST_F(ObserveTest, TheScreencastTellsOfChangesOnlyAndOnlyWhileItRuns) {
  server.page("/o/cast", "<title>c</title><body style='background:#fff;margin:0'>");
  go(*tab, server.url("/o/cast"));
  session->observers().start_screencast(*tab);
  ASSERT_TRUE(until([&] { return !told.all<archive::Frame>().empty(); }));
  for (const char* colour : {"#f00", "#0f0"}) {
    const auto before = told.all<archive::Frame>().size();
    eval(tab->main_frame(), std::string("document.body.style.background = '") + colour + "'; 1");
    ASSERT_TRUE(until([&] { return told.all<archive::Frame>().size() > before; })) << colour;
  }
  const auto frames = told.all<archive::Frame>();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].target, tab->target());
    EXPECT_EQ(frames[i].bytes.substr(0, 2), "\xff\xd8");
    EXPECT_GT(frames[i].width, 0);
    EXPECT_GT(frames[i].height, 0);
    if (i > 0) {
      EXPECT_NE(frames[i].bytes, frames[i - 1].bytes);
    }
    EXPECT_LE(frames[i].t, session->journal().now());
  }
  session->observers().stop_screencast(*tab);
  eval(tab->main_frame(), "1");
  const auto stopped = told.all<archive::Frame>().size();
  eval(tab->main_frame(),
       "document.body.style.background = '#00f'; new Promise(done => requestAnimationFrame(() => "
       "requestAnimationFrame(() => done(1))))");
  EXPECT_EQ(told.all<archive::Frame>().size(), stopped);
}

/// Downloads need a workspace: a browser of their own.
class DownloadTest : public EngineTest {
 protected:
  DownloadTest() : folder(fs::temp_directory_path() / ("browx-live-downloads-" + random_hex(8))) {
    server.page("/favicon.ico", "");
    server.page("/o/dl", "<title>d</title><a id=link href=/o/file download>get</a>");
    server.on("/o/file", [](const PageRequest&) {
      PageResponse response;
      response.content_type = "application/octet-stream";
      response.headers = {{"Content-Disposition", "attachment; filename=\"the report.csv\""}};
      response.body = "a,b\n1,2\n";
      return response;
    });
  }
  ~DownloadTest() override {
    if (own) (void)run(own->shutdown());
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::shared_ptr<Session> start(bool with_workspace) {
    EngineOptions options = engine.options();
    options.workspace.reset();
    if (with_workspace) options.workspace = Workspace::open(folder).value();
    own = Engine::create(world.io.get_executor(), options);
    return must(own->session("shop"));
  }
  fs::path folder;
  std::unique_ptr<Engine> own;
};

TEST_F(DownloadTest, AFileIsKeptInTheWorkspaceWhetherALinkOrANavigationBroughtIt) {
  const auto session = start(true);
  Told told(*session);
  const auto tab = session->current_tab();
  go(*tab, server.url("/o/dl"));
  eval(tab->main_frame(), "link.click(); 1");
  const auto completed = [&] {
    std::size_t count = 0;
    for (const auto& event : told.events("download"))
      if (event.payload["state"] == "completed") ++count;
    return count;
  };
  ASSERT_TRUE(until([&] { return completed() == 1; }));
  eval(tab->main_frame(), "location = '/o/file?navigated'; 1");
  ASSERT_TRUE(until([&] { return completed() == 2; }));
  const auto downloads = session->observers().downloads_since(Time{0});
  ASSERT_EQ(downloads.size(), 2u);
  for (const auto& download : downloads) {
    EXPECT_EQ(download.state, "completed");
    EXPECT_EQ(download.bytes, 8);
    EXPECT_EQ(download.suggested_filename, "the report.csv");
    ASSERT_TRUE(download.path);
    EXPECT_EQ(download.path->extension(), ".csv");
    EXPECT_EQ(fs::relative(*download.path, folder).begin()->string(), "downloads");
    std::stringstream kept;
    kept << std::ifstream(*download.path).rdbuf();
    EXPECT_EQ(kept.str(), "a,b\n1,2\n");
  }
  EXPECT_NE(downloads[0].path, downloads[1].path);
  EXPECT_EQ(told.requests("/o/file").size(), 2u);  // one a download, and the server saw as many
  EXPECT_EQ(server.count("/o/file"), 2);
  ASSERT_TRUE(until(
      [&] { return told.end(told.requests("/o/file")[0].id) && told.end(told.requests("/o/file")[1].id); }));
}

TEST_F(DownloadTest, WithoutAWorkspaceItIsDeniedAndSaidToBe) {
  const auto session = start(false);
  Told told(*session);
  const auto tab = session->current_tab();
  go(*tab, server.url("/o/dl"));
  eval(tab->main_frame(), "link.click(); 1");
  ASSERT_TRUE(until([&] { return !told.events("download").empty(); }));
  EXPECT_EQ(told.events("download")[0].payload["state"], "denied");
  ASSERT_EQ(session->observers().downloads_since(Time{0}).size(), 1u);
  EXPECT_FALSE(session->observers().downloads_since(Time{0})[0].path);
}

}  // namespace
}  // namespace browx::capture
