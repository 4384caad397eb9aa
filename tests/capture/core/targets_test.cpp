// New tabs, workers, and what every target is given before its first script runs.
#include <gmock/gmock.h>

#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class TargetsTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    server.page("/opener", "<!doctype html><title>Opener</title>opener");
    server.page(
        "/popup",
        "<!doctype html><title>Popup</title><script>window.early = window.seen || 'nothing'</script>popup");
    server.page("/framed", "<!doctype html><iframe src='" + server.other_site("/popup") +
                               "'></iframe>"
                               "<iframe sandbox='allow-scripts' src='/popup?sandboxed'></iframe>");
    server.on("/worker.js", [](const auto&) {
      testing::PageResponse r;
      r.content_type = "text/javascript";
      r.body = "console.log('worker speaks'); onmessage = e => postMessage(e.data + 1)";
      return r;
    });
  }
  Deadline soon() { return Deadline::in(seconds(5)); }
  std::shared_ptr<Tab> second_tab(Session& session) {
    EXPECT_TRUE(until([&] {
      return session.tabs().size() == 2 && session.tabs()[1]->ready_state() == "complete" &&
             session.tabs()[1]->url() != "about:blank";
    }));
    return session.tabs().size() == 2 ? session.tabs()[1] : nullptr;
  }
};

TEST_F(TargetsTest, WindowOpenJoinsTheSessionWithItsOpener) {
  auto session = open();
  std::vector<archive::Target> targets;
  std::vector<archive::TargetEnd> ends;
  const auto listening = session->journal().listen([&](const Fact& fact) {
    if (const auto* target = std::get_if<archive::Target>(&fact)) targets.push_back(*target);
    if (const auto* end = std::get_if<archive::TargetEnd>(&fact)) ends.push_back(*end);
  });
  auto tab = session->current_tab();
  go(*tab, server.url("/opener"));
  for (const char* features : {"", "noopener"}) {
    targets.clear();
    ends.clear();
    eval(tab->main_frame(), std::string("window.open('/popup', '_blank', '") + features + "'), 0");
    auto popup = second_tab(*session);
    ASSERT_TRUE(popup);
    EXPECT_EQ(popup->url(), server.url("/popup"));
    EXPECT_EQ(eval(popup->main_frame(), "document.title"), "Popup");
    EXPECT_TRUE(until([&] { return popup->title() == "Popup"; }));
    EXPECT_EQ(session->current_tab(), tab);
    ASSERT_EQ(targets.size(), 1u);
    EXPECT_EQ(targets[0].kind, "tab");
    if (!*features) {
      ASSERT_TRUE(targets[0].opener.has_value());
      EXPECT_EQ(*targets[0].opener, tab->target());
    }
    eval(popup->main_frame(), "window.close(), 0");
    ASSERT_TRUE(until([&] { return popup->closed(); }));
    ASSERT_EQ(ends.size(), 1u);
    EXPECT_EQ(ends[0].reason, "closed");
    EXPECT_EQ(ends[0].id, popup->target());
  }
}

TEST_F(TargetsTest, AScriptRunsBeforeThePagesOwnInEveryDocumentAndInThoseThatStand) {
  auto session = open();
  auto tab = session->current_tab();
  go(*tab, server.url("/opener"));
  const auto id = must(session->add_script("window.seen = (window.seen || 0) + 1", "", soon()));
  EXPECT_EQ(eval(tab->main_frame(), "seen"), 1);
  go(*tab, server.url("/framed"));
  const auto frame = frame_showing(*tab, "localhost"), sandboxed = frame_showing(*tab, "?sandboxed");
  EXPECT_EQ(eval(*frame, "early"), 1);
  EXPECT_EQ(eval(*sandboxed, "early"), 1);
  eval(tab->main_frame(), "window.open('/popup'), 0");
  auto popup = second_tab(*session);
  ASSERT_TRUE(popup);
  EXPECT_EQ(eval(popup->main_frame(), "early"), 1);
  session->remove_script(id);
  go(*tab, server.url("/popup"));
  EXPECT_EQ(eval(tab->main_frame(), "early"), "nothing");
}

TEST_F(TargetsTest, ABindingIsSeenByOurWorldAloneAndNamesItsFrame) {
  auto session = open();
  std::vector<std::pair<std::string, std::string>> heard;
  session->on_binding(
      "__test", [&](Frame& frame, std::string_view payload) { heard.emplace_back(frame.id(), payload); });
  must(session->add_script("__test(location.pathname + ' \\ud83d ' + '\"')", "browx", soon()));
  auto tab = session->current_tab();
  go(*tab, server.url("/framed"));
  const auto frame = frame_showing(*tab, "localhost"), sandboxed = frame_showing(*tab, "?sandboxed");
  const auto heard_from = [&](const Frame& from, const std::string& path) {
    for (const auto& [id, payload] : heard)
      if (id == from.id() && payload == path + " \xEF\xBF\xBD \"") return true;
    return false;
  };
  EXPECT_TRUE(until([&] {
    return heard_from(tab->main_frame(), "/framed") && heard_from(*frame, "/popup") &&
           heard_from(*sandboxed, "/popup");
  }));
  EXPECT_EQ(eval(tab->main_frame(), "typeof __test"), "undefined");
}

TEST_F(TargetsTest, ADocumentIsKnownBeforeItsFirstBindingCall) {
  auto session = open();
  std::vector<std::int64_t> documents;
  session->on_binding("__test", [&](Frame& frame, std::string_view payload) {
    if (payload.find("/popup") != std::string_view::npos) documents.push_back(frame.document().value());
  });
  must(session->add_script("__test(location.href)", "browx", soon()));
  auto tab = session->current_tab();
  go(*tab, server.url("/opener"));
  go(*tab, server.url("/popup"));
  ASSERT_TRUE(until([&] { return !documents.empty(); }));
  EXPECT_EQ(documents[0], tab->main_frame().document().value());
}

TEST_F(TargetsTest, WorkersAreTargetsOfTheirTab) {
  auto session = open();
  std::vector<archive::Target> targets;
  const auto listening = session->journal().listen([&](const Fact& fact) {
    if (const auto* target = std::get_if<archive::Target>(&fact)) targets.push_back(*target);
  });
  std::vector<std::string> told;
  session->on_target([&](const std::string&, const std::string& type) { told.push_back(type); });
  EXPECT_EQ(told, std::vector<std::string>{"page"});
  auto tab = session->current_tab();
  go(*tab, server.url("/opener"));
  EXPECT_EQ(eval(tab->main_frame(),
                 "new Promise(r => { const w = new Worker('/worker.js'); w.onmessage = e => r(e.data); "
                 "w.postMessage(41) })"),
            42);
  ASSERT_TRUE(until([&] { return !targets.empty(); }));
  EXPECT_EQ(targets[0].kind, "worker");
  EXPECT_EQ(targets[0].parent, tab->target());
  EXPECT_EQ(told.back(), "worker");
  EXPECT_TRUE(until([&] {
    for (const auto& line : session->rings().console())
      if (line.text.find("worker speaks") != std::string::npos && line.tab == tab->id()) return true;
    return false;
  }));
}

TEST_F(TargetsTest, RequestsAndConsoleLinesReachTheRings) {
  auto session = open();
  auto tab = session->current_tab();
  go(*tab, server.url("/opener"));
  eval(tab->main_frame(), "console.error('bad \\ud83d thing'), fetch('/missing-thing').then(r => r.text())");
  EXPECT_TRUE(until([&] {
    bool line = false, request = false;
    for (const auto& one : session->rings().console())
      line |= one.level == "error" && one.text.find("bad") == 0;
    for (const auto& one : session->rings().requests())
      request |= one.url.find("/missing-thing") != std::string::npos && one.status == 404 && one.finished;
    return line && request;
  }));
  EXPECT_TRUE(until([&] { return session->rings().pending_requests() == 0; }));
}

}  // namespace
}  // namespace browx::capture
