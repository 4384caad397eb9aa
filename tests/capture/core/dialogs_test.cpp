// Dialogs at load, in a row, late and on leaving, under every policy.
#include <gmock/gmock.h>

#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class DialogsTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    server.page("/dialogs",
                "<!doctype html><script>alert('Hello at load \"1\"')</script><h1>After</h1>"
                "<button id=twice>Two</button><input id=draft><output id=log></output><script>"
                "const say = s => log.textContent += s + ' ', log = document.getElementById('log');"
                "function all() { say('c=' + confirm('Delete?')); say('p=' + prompt('Name?', 'Bob'));"
                "  say('a=' + confirm('First?')); say('b=' + confirm('Second?')); }"
                "addEventListener('beforeunload', e => { if (draft.value) { e.preventDefault(); "
                "e.returnValue = 'x'; } });"
                "</script>");
    server.page("/other", "<!doctype html><h1>Other</h1>");
  }
  std::shared_ptr<Tab> tab_with(DialogMode mode, std::string text = "") {
    SessionOptions options;
    options.dialog_mode = mode;
    options.dialog_text = std::move(text);
    return open(options)->current_tab();
  }
  std::string log(Tab& tab) { return eval(tab.main_frame(), "log.textContent").get<std::string>(); }
  /// beforeunload asks only after the user touched the page.
  void type_a_draft(Tab& tab) {
    eval(tab.main_frame(), "draft.focus(), 0");
    Json key = {{"type", "keyDown"}, {"key", "x"}, {"text", "x"}};
    must(tab.call("Input.dispatchKeyEvent", key, Deadline::in(seconds(3))));
    EXPECT_EQ(eval(tab.main_frame(), "draft.value"), "x");
  }
  Deadline soon() { return Deadline::in(testing::kFar); }
};

TEST_F(DialogsTest, RaisedInCoreWordsItIsDismissedAtOnceKeptAndThePageGoesOn) {
  auto tab = tab_with(DialogMode::raise);
  must(tab->navigate(server.url("/dialogs"), soon()));
  EXPECT_EQ(eval(tab->main_frame(), "document.querySelector('h1').textContent"), "After");
  const auto dialogs = tab->take_dialogs();
  ASSERT_EQ(dialogs.size(), 1u);
  EXPECT_EQ(dialogs[0].type, "alert");
  EXPECT_EQ(dialogs[0].message, "Hello at load \"1\"");
  EXPECT_FALSE(dialogs[0].open);
  EXPECT_TRUE(tab->take_dialogs().empty());
}

TEST_F(DialogsTest, AfterADialogTheAnswerDoesNotWaitForTheLoadEvent) {
  server.on("/slow.png", [](const auto&) {
    testing::PageResponse r;
    r.delay = testing::kFar;
    return r;
  });
  server.page("/slowload",
              "<!doctype html><script>alert('early')</script><h1>After</h1><img src='/slow.png'>");
  auto tab = tab_with(DialogMode::raise);
  const auto done = must(tab->navigate(server.url("/slowload"), soon()));
  EXPECT_TRUE(done.changed);
  EXPECT_NE(tab->ready_state(), "complete");
  ASSERT_EQ(tab->take_dialogs().size(), 1u);
}

TEST_F(DialogsTest, RaisedInNexusWordsItStaysOpenAndReadsSaySo) {
  auto tab = tab_with(DialogMode::raise);
  tab->set_vocabulary(Vocabulary::nexus);
  const auto blocked = run(tab->navigate(server.url("/dialogs"), soon()));
  ASSERT_FALSE(blocked.ok());
  EXPECT_EQ(blocked.error().kind, "dialog-open");
  EXPECT_THAT(blocked.error().what, HasSubstr("Hello at load"));
  ASSERT_EQ(tab->pending_dialogs().size(), 1u);
  EXPECT_TRUE(tab->pending_dialogs()[0].open);
  const Json nothing = Json::object();
  const auto read = run(tab->main_frame().page("text", nothing, soon()));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, "dialog-open");

  must(tab->answer_dialog(true, "", soon()));
  ASSERT_TRUE(until([&] { return tab->ready_state() == "complete"; }));
  EXPECT_EQ(eval(tab->main_frame(), "document.querySelector('h1').textContent"), "After");
  ASSERT_EQ(tab->take_dialogs().size(), 1u);
  const auto none = run(tab->answer_dialog(true, "", soon()));
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, "no-dialog");
}

TEST_F(DialogsTest, ACallThatOpensADialogEndsWhenTheDialogStays) {
  auto tab = tab_with(DialogMode::raise);
  go(*tab, server.url("/other"));
  tab->set_vocabulary(Vocabulary::nexus);
  const auto blocked = run(tab->main_frame().evaluate("confirm('Really?')", true, soon()));
  ASSERT_FALSE(blocked.ok());
  EXPECT_EQ(blocked.error().kind, "dialog-open");
  must(tab->answer_dialog(false, "", soon()));
  EXPECT_TRUE(until([&] { return !tab->pending_dialogs().empty() && !tab->pending_dialogs()[0].open; }));
  EXPECT_EQ(eval(tab->main_frame(), "1"), 1);
}

TEST_F(DialogsTest, EveryPolicyGivesItsAnswersInOrder) {
  struct Case {
    DialogMode mode;
    std::string text, expected;
  };
  for (const Case& one : {Case{DialogMode::dismiss, "", "c=false p=null a=false b=false "},
                          Case{DialogMode::raise, "", "c=false p=null a=false b=false "},
                          Case{DialogMode::accept, "", "c=true p=Bob a=true b=true "},
                          Case{DialogMode::accept_prompt_with, "Eve", "c=true p=Eve a=true b=true "}}) {
    auto tab = tab_with(one.mode, one.text);
    go(*tab, server.url("/dialogs"));
    tab->take_dialogs();
    eval(tab->main_frame(), "all(), 0");
    EXPECT_EQ(log(*tab), one.expected);
    const auto dialogs = tab->take_dialogs();
    ASSERT_EQ(dialogs.size(), 4u);
    EXPECT_EQ(dialogs[2].message, "First?");
    EXPECT_EQ(dialogs[3].message, "Second?");
    EXPECT_EQ(dialogs[1].default_prompt, "Bob");
  }
}

TEST_F(DialogsTest, ALateDialogBelongsToItsTabAndToTheNextTake) {
  auto tab = tab_with(DialogMode::raise);
  go(*tab, server.url("/other"));
  auto second = must(tab->session().new_tab(server.url("/other"), soon()));
  eval(tab->main_frame(), "setTimeout(() => { window.late = confirm('Too late?') }, 100), 0");
  EXPECT_TRUE(until([&] { return !tab->pending_dialogs().empty() && !tab->pending_dialogs()[0].open; }));
  EXPECT_TRUE(second->pending_dialogs().empty());
  EXPECT_EQ(tab->take_dialogs()[0].message, "Too late?");
  EXPECT_EQ(eval(tab->main_frame(), "late"), false);
}

TEST_F(DialogsTest, LeavingWithADraftAsksAndTheAnswerDecides) {
  for (const DialogMode mode : {DialogMode::dismiss, DialogMode::raise, DialogMode::accept}) {
    auto tab = tab_with(mode);
    go(*tab, server.url("/dialogs"));
    tab->take_dialogs();
    type_a_draft(*tab);
    const auto done = must(tab->navigate(server.url("/other"), soon()));
    const auto dialogs = tab->take_dialogs();
    ASSERT_EQ(dialogs.size(), 1u);
    EXPECT_EQ(dialogs[0].type, "beforeunload");
    const bool leaves = mode == DialogMode::accept;
    EXPECT_EQ(done.changed, leaves);
    EXPECT_EQ(tab->url(), server.url(leaves ? "/other" : "/dialogs"));
    // Neither does what comes on the heels of the refusal wait for ever: it asks, and is refused likewise.
    if (!leaves) {
      const auto reloaded = must(tab->reload(soon()));
      EXPECT_FALSE(reloaded.changed);
      EXPECT_EQ(tab->take_dialogs().size(), 1u);
      const auto back = must(tab->history(-1, soon()));
      EXPECT_FALSE(back.changed);
      EXPECT_EQ(tab->take_dialogs().size(), 1u);
    }
    must(tab->close(soon()));
  }
}

TEST_F(DialogsTest, TwoTabsDoNotBlockEachOtherAndClosingNeverHangs) {
  auto tab = tab_with(DialogMode::raise);
  tab->set_vocabulary(Vocabulary::nexus);
  const auto blocked = run(tab->navigate(server.url("/dialogs"), soon()));
  ASSERT_FALSE(blocked.ok());
  auto second = must(tab->session().new_tab(server.other_site("/other"), soon()));
  EXPECT_EQ(eval(second->main_frame(), "document.querySelector('h1').textContent"), "Other");
  must(tab->close(soon()));
  EXPECT_TRUE(tab->closed());
}

TEST_F(DialogsTest, ADialogIsToldToTheJournalWhenItOpensAndWhenItCloses) {
  auto tab = tab_with(DialogMode::accept);
  go(*tab, server.url("/other"));
  std::vector<Json> told;
  const auto listening = tab->session().journal().listen([&](const Fact& fact) {
    if (const auto* event = std::get_if<archive::Event>(&fact); event && event->kind == "dialog")
      told.push_back(event->payload);
  });
  eval(tab->main_frame(), "prompt('Name?', 'Bob')");
  ASSERT_TRUE(until([&] { return told.size() == 2; }));
  EXPECT_EQ(told[0]["phase"], "opened");
  EXPECT_EQ(told[0]["message"], "Name?");
  EXPECT_EQ(told[1]["phase"], "closed");
  EXPECT_EQ(told[1]["accepted"], true);
  EXPECT_EQ(told[1]["answer"], "Bob");
}

}  // namespace
}  // namespace browx::capture
