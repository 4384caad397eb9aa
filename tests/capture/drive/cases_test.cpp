// The cases of tests/cases that concern acting; each says there what is right.
#include "tests/capture/drive/drive_fixture.hpp"

namespace browx::capture {
namespace {

class Cases : public DriveTest {
 protected:
  ActionResult visit(const std::string& name, const std::string& file = "index.html") {
    return go(server.url("/cases/" + name + "/" + file));
  }
};

// ---- b04

class StyledNatives : public Cases {
 protected:
  void check(const std::string& way) {
    for (const std::string name : {"Been here once", "Newsletter", "Dark mode"}) act(way, name);
    act(way, "I accept the terms of use and all that goes with them now");
    act(way, "Never been here");
    EXPECT_EQ(text("#log"), "once=true news=true dark=true terms=true never=true") << way;
    EXPECT_EQ(eval("location.hash"), "") << way;
  }
  void act(const std::string& way, const std::string& name) {
    const bool radio = name.find("here") != std::string::npos;
    const std::string role = radio ? "radio" : name == "Dark mode" ? "switch" : "checkbox";
    const std::string selector = "role=" + role + "[name=\"" + name + "\"]";
    const ActionResult result = click(way == "ref" ? ref(ref_of(selector)) : sel(selector));
    EXPECT_TRUE(result.ok) << way << " " << name << ": " << tell(result);
    EXPECT_EQ(result.element["checked"], true) << tell(result);
  }
};

TEST_F(StyledNatives, AreCheckedByRef) {
  ASSERT_TRUE(visit("b04-styled-natives").ok);
  check("ref");
}
TEST_F(StyledNatives, AreCheckedByRoleAndName) {
  ASSERT_TRUE(visit("b04-styled-natives").ok);
  check("selector");
}
TEST_F(StyledNatives, AskedToBeCheckedAgainChangeNothing) {
  ASSERT_TRUE(visit("b04-styled-natives").ok);
  const std::string dark = "role=switch[name=\"Dark mode\"]";
  EXPECT_TRUE(fill(sel(dark), "true").ok);
  EXPECT_TRUE(fill(sel(dark), "true").ok);
  EXPECT_EQ(text("#log"), "dark=true");
}
TEST_F(StyledNatives, ADisabledOneIsRefusedForThatAndNotForTime) {
  ASSERT_TRUE(visit("b04-styled-natives").ok);
  const ActionResult result = click(sel("role=checkbox[name=\"Not today\"]"), {}, kFarMs);
  EXPECT_EQ(result.code, "disabled") << tell(result);
  EXPECT_EQ(text("#log"), "");
}

// ---- b05

class Shuffle : public Cases {};

TEST_F(Shuffle, ARefIsOneElementForEver) {
  ASSERT_TRUE(visit("b05-ref-after-shuffle").ok);
  const std::string alpha = ref_of("role=button[name=\"Alpha\"]"),
                    beta = ref_of("role=button[name=\"Beta\"]"),
                    gamma = ref_of("role=button[name=\"Gamma\"]");
  ASSERT_TRUE(click(sel("#insert")).ok);
  EXPECT_EQ(ref_of("role=button[name=\"Beta\"]"), beta);
  const std::string fresh = ref_of("role=button[name=\"New1\"]");
  EXPECT_NE(fresh, alpha);
  EXPECT_NE(fresh, gamma);
  ActionResult result = click(ref(beta));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(text("#log"), "Beta");

  // The node lives on under another name: it may be clicked, with a warning of both names.
  ASSERT_TRUE(click(sel("#rotate")).ok);
  result = click(ref(beta));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(text("#log"), "Beta Alpha");
  ASSERT_FALSE(result.warnings.empty()) << tell(result);
  EXPECT_NE(result.warnings[0].find("Beta"), std::string::npos);
  EXPECT_NE(result.warnings[0].find("Alpha"), std::string::npos);

  // Redrawn: gone at once.
  ASSERT_TRUE(click(sel("#redraw")).ok);
  result = click(ref(beta), {}, kFarMs);
  EXPECT_EQ(result.code, "ref-gone") << tell(result);
  EXPECT_NE(result.error.find("re-rendered"), std::string::npos) << result.error;
  EXPECT_EQ(text("#log"), "Beta Alpha");

  // The same address again: navigated.
  const std::string before = ref_of("role=button[name=\"Gamma\"]");
  ASSERT_TRUE(visit("b05-ref-after-shuffle").ok);
  result = click(ref(before), {}, kFarMs);
  EXPECT_EQ(result.code, "ref-gone") << tell(result);
  EXPECT_NE(result.error.find("navigated"), std::string::npos) << result.error;
  EXPECT_EQ(text("#log"), "");
  EXPECT_NE(ref_of("role=button[name=\"Gamma\"]"), before);
}

TEST_F(Shuffle, ATargetReplacedUnderThePointerIsClickedAnewOrRefused) {
  ASSERT_TRUE(visit("b05-ref-after-shuffle").ok);
  const ActionResult by_selector = click(sel("role=button[name=\"Hoverswap\"]"));
  EXPECT_TRUE(by_selector.ok) << tell(by_selector);
  EXPECT_EQ(text("#log"), "Hoverswap");
  ASSERT_TRUE(visit("b05-ref-after-shuffle").ok);
  const ActionResult by_ref = click(ref(ref_of("role=button[name=\"Hoverswap\"]")));
  EXPECT_EQ(by_ref.ok, text("#log") == "Hoverswap") << tell(by_ref);
  if (!by_ref.ok) {
    EXPECT_EQ(by_ref.code, "ref-gone") << tell(by_ref);
  }
}

TEST_F(Shuffle, AClickThatThePageSwallowedIsNotClaimed) {
  ASSERT_TRUE(visit("b05-ref-after-shuffle").ok);
  for (const bool named : {true, false}) {
    const std::string selector = "role=button[name=\"Pressswap\"]";
    const ActionResult result = click(named ? sel(selector) : ref(ref_of(selector)));
    EXPECT_FALSE(result.ok) << tell(result);
    EXPECT_EQ(result.code, "click-not-delivered") << tell(result);
    EXPECT_EQ(result.element["stillAttached"], false) << tell(result);
    EXPECT_EQ(result.element["hit"]["delivered"], false) << tell(result);
    EXPECT_EQ(text("#log"), "");
  }
}

// ---- b06

class Dialogs : public Cases {
 protected:
  std::vector<std::string> messages(const ActionResult& result) {
    std::vector<std::string> out;
    for (const auto& d : result.dialogs) out.push_back(d["message"]);
    return out;
  }
};

TEST_F(Dialogs, UnderRaiseAreDismissedAndNamedByTheirAction) {
  ActionResult result = go(server.url("/cases/b06-dialog-at-load/index.html"), kFarMs);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.code, "dialog") << tell(result);
  EXPECT_NE(result.error.find("alert"), std::string::npos);
  EXPECT_NE(result.error.find("Hello at load \"1\""), std::string::npos) << result.error;
  EXPECT_TRUE(eventually("document.querySelector('h1')"));

  result = click(sel("#c"));
  EXPECT_EQ(result.code, "dialog") << tell(result);
  EXPECT_EQ(messages(result), std::vector<std::string>{"Delete it?"});
  EXPECT_EQ(text("#log"), "c=false ");
  result = click(sel("#twice"));
  EXPECT_EQ(messages(result), (std::vector<std::string>{"First?", "Second?"})) << tell(result);
  EXPECT_EQ(text("#log"), "c=false a=false b=false ");

  // A late one: told by the next call, which does nothing.
  result = click(sel("#late"));
  EXPECT_TRUE(result.ok) << tell(result);
  ASSERT_TRUE(eventually("document.getElementById('log').textContent.includes('l=')"));
  result = click(sel("#c"));
  EXPECT_EQ(result.code, "dialog") << tell(result);
  EXPECT_EQ(messages(result), std::vector<std::string>{"Too late?"}) << tell(result);
  EXPECT_EQ(text("#log"), "c=false a=false b=false l=false ");
}

TEST_F(Dialogs, AreAnsweredByPolicy) {
  struct Expected {
    DialogMode mode;
    std::string log;
  };
  for (const auto& want : {Expected{DialogMode::dismiss, "c=false p=null a=false b=false l=false "},
                           Expected{DialogMode::accept, "c=true p=Bob a=true b=true l=true "},
                           Expected{DialogMode::accept_prompt_with, "c=true p=Ada a=true b=true l=true "}}) {
    session->set_dialog_policy(want.mode, "Ada");
    ActionResult result = visit("b06-dialog-at-load");
    EXPECT_TRUE(result.ok) << tell(result);
    EXPECT_EQ(messages(result), std::vector<std::string>{"Hello at load \"1\""});
    for (const char* button : {"#c", "#p", "#twice", "#late"}) {
      result = click(sel(button));
      EXPECT_TRUE(result.ok) << tell(result);
    }
    ASSERT_TRUE(eventually("document.getElementById('log').textContent.includes('l=')"));
    EXPECT_EQ(text("#log"), want.log);
    result = hover(sel("h1"));
    EXPECT_TRUE(result.ok) << tell(result);
    EXPECT_EQ(messages(result), std::vector<std::string>{"Too late?"})
        << "the late one belongs to the next answer";
  }
}

TEST_F(Dialogs, LeavingADraftStaysOrLeavesAsThePolicySays) {
  session->set_dialog_policy(DialogMode::dismiss, "");
  ASSERT_TRUE(visit("b06-dialog-at-load").ok);
  ASSERT_TRUE(click(sel("#name")).ok);
  ASSERT_TRUE(fill(sel("#name"), "draft").ok);
  ActionResult result = click(sel("text=Leave"), {}, kFarMs);
  EXPECT_FALSE(result.navigation.changed) << tell(result);
  if (!result.ok) {
    EXPECT_NE(result.failure->source, "app") << tell(result);
  }
  ASSERT_EQ(result.dialogs.size(), 1u) << tell(result);
  EXPECT_EQ(result.dialogs[0]["type"], "beforeunload");
  result = go(server.url("/cases/b06-dialog-at-load/other.html"));
  EXPECT_FALSE(result.navigation.changed) << tell(result);
  if (!result.ok) {
    EXPECT_NE(result.failure->source, "app") << tell(result);
  }
  session->set_dialog_policy(DialogMode::accept, "");
  result = click(sel("text=Leave"));
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_TRUE(result.navigation.changed) << tell(result);
  EXPECT_EQ(text("h1"), "Other");
}

// ---- b07

class CoveredAndMoving : public Cases {};

TEST_F(CoveredAndMoving, EachClickHitsWhatIsMeantWhereItThenIs) {
  ASSERT_TRUE(visit("b07-covered-and-moving").ok);
  const auto press_button = [this](const std::string& name) {
    return click(sel("role=button[name=\"" + name + "\"]"), {}, kFarMs);
  };
  for (const char* name : {"Mover", "Under glass", "Wakes up", "In box", "Far below"}) {
    const ActionResult result = press_button(name);
    EXPECT_TRUE(result.ok) << name << ": " << tell(result);
  }
  const ActionResult veiled = press_button("Veiled");
  EXPECT_EQ(veiled.code, "covered") << tell(veiled);
  EXPECT_NE(veiled.element["hit"]["by"].get<std::string>().find("veil"), std::string::npos) << tell(veiled);
  ScrollOptions bottom;
  bottom.to = "bottom";
  EXPECT_TRUE(scroll(std::nullopt, bottom).ok);
  const ActionResult again = press_button("Far below");
  EXPECT_TRUE(again.ok) << tell(again);
  EXPECT_EQ(text("#log"), "Mover | Under glass | Wakes up | In box | Far below | Far below");
}

// ---- b08

class Formatters : public Cases {};

TEST_F(Formatters, AnswerWhatTheFieldKept) {
  std::ifstream file(std::filesystem::path(BROWX_TESTS_DIR) / "cases/b08-formatter-fields/expected.json");
  const Json expected = Json::parse(file);
  for (const auto& [id, want] : expected.items()) {
    ASSERT_TRUE(visit("b08-formatter-fields").ok);
    const ActionResult result = fill(sel("#" + id), want["fill"]);
    const Json value = eval("document.getElementById(" + Json(id).dump() + ").value");
    if (want.value("refused", false)) {
      EXPECT_EQ(result.code, "readonly") << tell(result);
      EXPECT_NE(eval("document.activeElement.id"), id) << "it was focused";
      EXPECT_EQ(value, want["value"]);
      continue;
    }
    EXPECT_TRUE(result.ok) << id << ": " << tell(result);
    EXPECT_EQ(value, want["value"]) << id;
    EXPECT_EQ(result.element["value"], want["value"]) << id << ": " << tell(result);
    EXPECT_EQ(result.element["valueRequested"], want["fill"]) << id;
    if (want.contains("state")) {
      EXPECT_EQ(eval("ctlState()"), want["state"]) << id;
    }
    if (want.contains("later")) {
      EXPECT_TRUE(eventually("document.getElementById('" + id + "').value === " + want["later"].dump()))
          << id;
    }
    if (want.contains("afterBlur")) {
      EXPECT_TRUE(press(std::nullopt, "Tab").ok);
      EXPECT_EQ(eval("document.getElementById('" + id + "').value"), want["afterBlur"]) << id;
    }
    if (id == "stub") {
      ASSERT_FALSE(result.warnings.empty()) << tell(result);
      EXPECT_NE(result.warnings[0].find("the page emptied the field"), std::string::npos) << tell(result);
    }
    if (id == "latin") {
      EXPECT_FALSE(result.warnings.empty()) << tell(result);
    }
    EXPECT_EQ(text("#log").find('?') == std::string::npos, id != "paint") << id << ": " << text("#log");
    if (id == "paint") {
      ASSERT_FALSE(result.warnings.empty()) << tell(result);
      EXPECT_NE(result.warnings[0].find("untrusted"), std::string::npos) << tell(result);
    }
  }
}

TEST_F(Formatters, KeepTheOldValueWhenTheFormatIsWrong) {
  ASSERT_TRUE(visit("b08-formatter-fields").ok);
  ASSERT_TRUE(fill(sel("#day"), "2026-02-09").ok);
  const ActionResult day = fill(sel("#day"), "31.12.2026");
  EXPECT_EQ(day.code, "bad-format") << tell(day);
  EXPECT_EQ(eval("day.value"), "2026-02-09");
  const ActionResult paint = fill(sel("#paint"), "red");
  EXPECT_EQ(paint.code, "bad-format") << tell(paint);
  EXPECT_NE(paint.error.find("#"), std::string::npos) << paint.error;
  EXPECT_EQ(eval("paint.value"), "#000000");
}

TEST_F(Formatters, OneFillGivesNoKeydownAndLeavesTheFocus) {
  ASSERT_TRUE(visit("b08-formatter-fields").ok);
  eval("window.keys = 0, addEventListener('keydown', () => ++keys, true), 1");
  EXPECT_TRUE(fill(sel("#amount"), "3.5").ok);
  EXPECT_TRUE(fill(sel("#amount"), "").ok);
  EXPECT_EQ(eval("amount.value"), "");
  EXPECT_TRUE(fill(sel("#amount"), "4").ok);
  EXPECT_EQ(eval("keys"), 0);
  EXPECT_EQ(eval("document.activeElement.id"), "amount");
  EXPECT_EQ(text("#log").find('?'), std::string::npos) << text("#log");
}

// ---- b09

class RichEditor : public Cases {};

TEST_F(RichEditor, ReplacesItsTextAsAnEditorWould) {
  ASSERT_TRUE(visit("b09-rich-editor").ok);
  const std::string message = "role=textbox[name=\"Message\"]";
  for (const std::string value : {"Hi 👩‍👩‍👧 naïve 日本語", "one\ntwo", "", "again"}) {
    const ActionResult result = fill(sel(message), value);
    EXPECT_TRUE(result.ok) << tell(result);
    EXPECT_EQ(text("#model"), Json(value).dump()) << tell(result);
    EXPECT_EQ(text("#log").find('?'), std::string::npos) << text("#log");
  }
  EXPECT_TRUE(press(sel(message), "Backspace").ok);
  EXPECT_TRUE(press(std::nullopt, "x").ok);
  EXPECT_EQ(text("#model"), "\"agaix\"");
}

TEST_F(RichEditor, PlainAndNestedBoxesAreReplacedWhole) {
  ASSERT_TRUE(visit("b09-rich-editor").ok);
  for (const std::string id : {"plain", "nest"}) {
    for (const std::string value : {"Hi 👩‍👩‍👧 naïve 日本語", "one\ntwo"}) {
      const ActionResult result = fill(sel("#" + id), value);
      EXPECT_TRUE(result.ok) << tell(result);
      EXPECT_EQ(eval("document.getElementById('" + id + "').innerText.replace(/\\n\\n/g,'\\n').trim()"),
                value)
          << id;
      // Paragraphs are two line ends to innerText.
      const std::string paragraphs = value == "one\ntwo" && id == "nest" ? "one\n\ntwo" : value;
      EXPECT_EQ(result.element["value"], paragraphs) << tell(result);
      EXPECT_TRUE(result.warnings.empty()) << tell(result);
    }
    const ActionResult cleared = fill(sel("#" + id), "");
    EXPECT_TRUE(cleared.ok) << tell(cleared);
    EXPECT_EQ(eval("document.getElementById('" + id + "').innerText.trim()"), "") << id;
    EXPECT_EQ(eval("document.querySelectorAll('#nest .chip').length").get<int>(), id == "nest" ? 0 : 1);
  }
  EXPECT_TRUE(click(sel("#nest")).ok);
  EXPECT_EQ(eval("document.activeElement.id"), "nest");
}

// ---- b10

class Lookalikes : public Cases {};

TEST_F(Lookalikes, EightButtonsAreClickedInDocumentOrderWhereverTheyLie) {
  ASSERT_TRUE(visit("b10-frame-lookalikes").ok);
  const std::string pay = "role=button[name=\"Pay\"]";
  ASSERT_TRUE(eventually("document.querySelectorAll('iframe').length === 9"));
  const ActionResult all = click(sel(pay));
  EXPECT_EQ(all.code, "ambiguous") << tell(all);
  EXPECT_NE(all.error.find("8 elements"), std::string::npos) << all.error;
  const auto refs = refs_of(pay);
  ASSERT_EQ(refs.size(), 8u);
  EXPECT_EQ(refs_of("button", true).size(), 9u);
  std::string expected;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    static const char* names[] = {"first", "second", "srcdoc", "blank", "sandbox", "far", "nest", "half"};
    const ActionResult result = click(ref(refs[i]));
    EXPECT_TRUE(result.ok) << names[i] << ": " << tell(result);
    expected += (i ? " " : "") + std::string(names[i]) + ":hit";
    EXPECT_TRUE(eventually("document.getElementById('log').textContent === '" + expected + "'"))
        << text("#log");
  }
}

TEST_F(Lookalikes, BoxesLieInTheMainViewportWhateverTheScaleAndScroll) {
  ASSERT_TRUE(visit("b10-frame-lookalikes").ok);
  eval(
      "document.body.insertAdjacentHTML('afterbegin','<div style=\"height:400px\"></div>'), scrollTo(0, "
      "300), 1");
  const Deadline soon = Deadline::in(std::chrono::seconds(5));
  auto found = run(resolve_all(*tab, "role=button[name=\"Pay\"]", std::nullopt, false, 20, soon));
  ASSERT_TRUE(found.ok()) << found.error().message();
  ASSERT_EQ(found->size(), 8u);
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Element& element = (*found)[i];
    Json id = {{"id", element.element}};
    auto described = run(element.frame->page("describe", id, soon));
    ASSERT_TRUE(described.ok()) << described.error().message();
    const Json& b = (*described)["box"];
    auto transform = run(frame_transform(*element.frame, soon));
    ASSERT_TRUE(transform.ok()) << transform.error().message();
    const Box box = transform->to_main(Box{b["x"], b["y"], b["width"], b["height"]});
    const Json inside =
        eval("(r => r.left < " + std::to_string(box.x + box.width / 2) + " && " +
             std::to_string(box.x + box.width / 2) + " < r.right && r.top < " +
             std::to_string(box.y + box.height / 2) + " && " + std::to_string(box.y + box.height / 2) +
             " < r.bottom)(document.querySelectorAll('iframe')[" + std::to_string(i) +
             "].getBoundingClientRect())");
    EXPECT_EQ(inside, true) << i;
    EXPECT_NEAR(transform->scale_x, i == 7 ? 0.5 : 1, 0.001) << i;
  }
}

}  // namespace
}  // namespace browx::capture
