// Calls into every kind of frame, and what they meet when documents, processes and frames come and go.
#include <set>

#include <gmock/gmock.h>

#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class FramesTest : public testing::EngineTest {
 protected:
  Deadline soon() { return Deadline::in(testing::kFar); }
  /// The visible text of a frame's document, through the page bundle.
  std::string text(Frame& frame) {
    const Json nothing = Json::object();
    return dump_json(must(frame.page("text", nothing, soon())));
  }
  void serve_five_kinds() {
    server.page("/five",
                "<!doctype html><title>Five</title><h1>Top</h1><iframe name=same src='/same'></iframe>"
                "<iframe name=cross src='" +
                    server.other_site("/cross") +
                    "'></iframe>"
                    "<iframe name=srcdoc srcdoc='<p>In srcdoc'></iframe>"
                    "<iframe name=sandboxed sandbox='allow-scripts' src='/sandboxed'></iframe>"
                    "<iframe name=blank></iframe>");
    server.page("/same", "<!doctype html><p>In same");
    server.page("/cross", "<!doctype html><p>In cross<iframe name=nested src='" + server.url("/nested") +
                              "'></iframe>");
    server.page("/nested", "<!doctype html><p>In nested");
    server.page("/sandboxed", "<!doctype html><p>In sandboxed");
  }
  std::shared_ptr<Frame> named(Tab& tab, const std::string& name) {
    for (const auto& frame : tab.frames())
      if (frame->name() == name) return frame;
    return nullptr;
  }
};

TEST_F(FramesTest, EveryKindOfFrameIsToldAndCanBeCalled) {
  serve_five_kinds();
  auto tab = open_tab();
  go(*tab, server.url("/five"));
  frame_showing(*tab, "/nested");
  EXPECT_EQ(tab->frames().size(), 7u);
  EXPECT_THAT(text(tab->main_frame()), HasSubstr("Top"));
  std::set<std::string> ids;
  for (const auto& frame : tab->frames()) ids.insert(frame->id());
  EXPECT_EQ(ids.size(), 7u);

  const auto same = named(*tab, "same"), cross = named(*tab, "cross"), srcdoc = named(*tab, "srcdoc");
  const auto sandboxed = named(*tab, "sandboxed"), nested = frame_showing(*tab, "/nested");
  ASSERT_TRUE(same && cross && srcdoc && sandboxed);
  EXPECT_THAT(text(*same), HasSubstr("In same"));
  EXPECT_THAT(text(*cross), HasSubstr("In cross"));
  EXPECT_THAT(text(*srcdoc), HasSubstr("In srcdoc"));
  EXPECT_THAT(text(*sandboxed), HasSubstr("In sandboxed"));
  EXPECT_THAT(text(*nested), HasSubstr("In nested"));

  EXPECT_FALSE(same->cross_origin());
  EXPECT_FALSE(srcdoc->cross_origin());
  EXPECT_TRUE(cross->cross_origin());
  EXPECT_TRUE(cross->out_of_process());
  EXPECT_FALSE(same->out_of_process());
  EXPECT_TRUE(sandboxed->cross_origin());
  EXPECT_EQ(nested->parent(), cross.get());
  EXPECT_FALSE(nested->cross_origin());
}

TEST_F(FramesTest, TheElementThatHoldsAFrameIsAnElementOfItsParent) {
  serve_five_kinds();
  auto tab = open_tab();
  go(*tab, server.url("/five"));
  const auto nested = frame_showing(*tab, "/nested");
  for (const char* name : {"same", "cross", "srcdoc", "sandboxed"}) {
    const auto frame = named(*tab, name);
    ASSERT_TRUE(frame) << name;
    const auto id = must(frame->owner_element(soon()));
    Json which = {{"id", id}};
    const Json element = must(frame->parent()->page("describe", which, soon()));
    EXPECT_EQ(json_string(element, "tag"), "iframe") << name;
    EXPECT_EQ(must(frame->owner_element(soon())), id) << name;
  }
  EXPECT_GT(must(nested->owner_element(soon())), 0);
  EXPECT_FALSE(run(tab->main_frame().owner_element(soon())).ok());
}

TEST_F(FramesTest, AFrameKeepsItsIdWhenItMovesBetweenProcesses) {
  server.page("/host", "<!doctype html><iframe id=f src='/inner?near'></iframe>");
  server.page("/inner", "<!doctype html><p>inner");
  auto tab = open_tab();
  go(*tab, server.url("/host"));
  const auto frame = frame_showing(*tab, "/inner?near");
  const std::string id = frame->id();
  const auto generation = frame->generation();
  EXPECT_THAT(text(*frame), HasSubstr("inner"));
  for (int round = 0; round < 2; ++round) {
    eval(tab->main_frame(),
         "document.getElementById('f').src = '" + server.other_site("/inner?far") + "', 0");
    ASSERT_TRUE(until([&] { return frame->url().find("far") != std::string::npos; }));
    EXPECT_TRUE(frame->attached());
    EXPECT_TRUE(frame->out_of_process());
    EXPECT_THAT(text(*frame), HasSubstr("inner"));
    eval(tab->main_frame(), "document.getElementById('f').src = '" + server.url("/inner?near") + "', 0");
    ASSERT_TRUE(until([&] { return frame->url().find("near") != std::string::npos; }));
    EXPECT_FALSE(frame->out_of_process());
    EXPECT_THAT(text(*frame), HasSubstr("inner"));
  }
  EXPECT_EQ(frame->id(), id);
  EXPECT_EQ(tab->frames().size(), 2u);
  EXPECT_GT(frame->generation(), generation);
}

TEST_F(FramesTest, ARemovedFrameIsGoneWhereverItLived) {
  serve_five_kinds();
  auto tab = open_tab();
  go(*tab, server.url("/five"));
  const auto nested = frame_showing(*tab, "/nested");
  const auto same = named(*tab, "same"), cross = named(*tab, "cross");
  EXPECT_THAT(text(*cross), HasSubstr("In cross"));
  eval(tab->main_frame(), "for (const f of document.querySelectorAll('iframe')) f.remove(); 0");
  ASSERT_TRUE(until([&] { return tab->frames().size() == 1; }));
  const Json nothing = Json::object();
  for (const auto& frame : {same, cross, nested}) {
    EXPECT_FALSE(frame->attached());
    const auto answer = run(frame->page("text", nothing, soon()));
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().kind, "frame-detached");
  }
}

TEST_F(FramesTest, CallsWhileThePageNavigatesAnswerFromOneDocumentOrTheOther) {
  server.page("/a", "<!doctype html><p>Page A");
  server.page("/b", "<!doctype html><p>Page B");
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  for (int i = 0; i < 12; ++i) {
    const bool other = i % 3 == 0;  // another site: another process
    const std::string path = i % 2 ? "/a" : "/b";
    eval(tab->main_frame(),
         "location.href = '" + (other ? server.other_site(path) : server.url(path)) + "', 0");
    for (int k = 0; k < 6; ++k) {
      const Json nothing = Json::object();
      const auto answer = run(tab->main_frame().page("text", nothing, soon()));
      if (answer)
        EXPECT_THAT(dump_json(*answer), HasSubstr("Page"));
      else
        EXPECT_EQ(answer.error().kind, "navigated") << answer.error().message();
    }
    ASSERT_TRUE(until(
        [&] { return tab->url().find(path) != std::string::npos && tab->ready_state() == "complete"; }));
  }
  EXPECT_THAT(text(tab->main_frame()), HasSubstr("Page A"));
}

TEST_F(FramesTest, AnElementIdIsNeverAskedOfTheNextDocument) {
  server.page("/a", "<!doctype html><button>One</button>");
  server.page("/b", "<!doctype html><button>Two</button>");
  auto tab = open_tab();
  go(*tab, server.url("/a"));
  auto& frame = tab->main_frame();
  Json query = {{"selector", "button"}};
  const Json found = must(frame.page("query", query, soon()));
  const auto id = found["ids"][0].get<std::int64_t>();
  const std::string ref = tab->session().refs().ref_of(frame, id);
  EXPECT_TRUE(tab->session().refs().find(ref).ok());
  go(*tab, server.url("/b"));
  const auto stale = tab->session().refs().find(ref);
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.error().kind, "ref-gone");
  EXPECT_THAT(stale.error().what, HasSubstr("navigated"));
}

TEST_F(FramesTest, AWedgedPageAnswersAtTheDeadlineAndOthersGoOn) {
  server.page("/wedge", "<!doctype html><p>wedge");
  server.page("/fine", "<!doctype html><p>fine");
  auto wedged = open_tab();
  auto fine = open_tab();
  go(*wedged, server.url("/wedge"));
  go(*fine, server.other_site("/fine"));
  eval(
      wedged->main_frame(),
      "setTimeout(() => { const t = Date.now(); while (Date.now() - t < 5000); window.freed = Date.now(); }, "
      "0), 0");
  const Json nothing = Json::object();
  const auto answer = run(wedged->main_frame().page("text", nothing, Deadline::in(milliseconds(300))));
  ASSERT_FALSE(answer.ok());
  const std::int64_t answered = system_clock().wall_ms();
  EXPECT_EQ(answer.error().code, Code::timeout);
  EXPECT_THAT(text(fine->main_frame()), HasSubstr("fine"));
  EXPECT_THAT(text(wedged->main_frame()), HasSubstr("wedge"));  // and it recovers
  EXPECT_GT(eval(wedged->main_frame(), "freed").get<std::int64_t>(), answered);
}

TEST_F(FramesTest, EvaluateSpeaksInThePagesOwnWorldAndNamesItsExceptions) {
  server.page("/own", "<!doctype html><script>window.mine = {a: [1, '\\ud83d']}</script>");
  auto tab = open_tab();
  go(*tab, server.url("/own"));
  EXPECT_EQ(eval(tab->main_frame(), "mine.a[0]"), 1);
  EXPECT_EQ(eval(tab->main_frame(), "mine.a[1]"), "\xEF\xBF\xBD");
  EXPECT_EQ(eval(tab->main_frame(), "Promise.resolve(7)"), 7);
  EXPECT_EQ(eval(tab->main_frame(), "typeof __browx"), "undefined");
  const auto thrown = run(tab->main_frame().evaluate("nope.nope", true, soon()));
  ASSERT_FALSE(thrown.ok());
  EXPECT_EQ(thrown.error().kind, "page-exception");
  EXPECT_THAT(thrown.error().what, HasSubstr("nope is not defined"));
}

TEST_F(FramesTest, DocumentsAreToldWithTheirParentsAndEnds) {
  server.page("/outer", "<!doctype html><iframe src='" + server.other_site("/inner") + "'></iframe>");
  server.page("/inner", "<!doctype html>inner");
  auto session = open();
  std::map<std::int64_t, archive::Document> documents;
  std::map<std::int64_t, std::string> ends;
  const auto listening = session->journal().listen([&](const Fact& fact) {
    if (const auto* document = std::get_if<archive::Document>(&fact))
      documents[document->id.value()] = *document;
    if (const auto* end = std::get_if<archive::DocumentEnd>(&fact)) ends[end->id.value()] = end->reason;
  });
  auto tab = session->current_tab();
  go(*tab, server.url("/outer"));
  const auto inner = frame_showing(*tab, "/inner");
  const auto outer_id = tab->main_frame().document().value(), inner_id = inner->document().value();
  ASSERT_TRUE(documents.contains(outer_id) && documents.contains(inner_id));
  EXPECT_THAT(documents[outer_id].url, HasSubstr("/outer"));
  EXPECT_EQ(documents[inner_id].parent->value(), outer_id);
  EXPECT_NE(documents[inner_id].target, documents[outer_id].target);
  go(*tab, "about:blank");
  EXPECT_EQ(ends[outer_id], "navigated");
  EXPECT_EQ(ends[inner_id], "frame-detached");
}

}  // namespace
}  // namespace browx::capture
