// What acting refuses: the cause is named, the page is left as it was, and the answer comes before the
// deadline.
#include "tests/capture/drive/drive_fixture.hpp"

namespace browx::capture {
namespace {

class Refusals : public DriveTest {
 protected:
  void expect_refused(const ActionResult& result, const std::string& kind,
                      const std::string& source = "app") {
    EXPECT_FALSE(result.ok) << tell(result);
    EXPECT_EQ(result.code, kind) << tell(result);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, kind);
    EXPECT_EQ(result.failure->source, source) << tell(result);
    EXPECT_FALSE(result.failure->hint.empty()) << tell(result);
    EXPECT_FALSE(result.error.empty());
  }
  /// Any event of input that the page saw.
  void listen() {
    eval(
        "window.seen = [], ['pointerdown','click','input','change','keydown','focus'].forEach(t => "
        "addEventListener(t, e => seen.push(t + ':' + (e.target.id || e.target.tagName)), true)), 1");
  }
  void expect_untouched() { EXPECT_EQ(eval("seen.join(' ')"), ""); }
};

TEST_F(Refusals, ACoveredTargetNamesItsCover) {
  open("<button id=b>Go</button><div id=veil style='position:fixed;inset:0;z-index:9'></div>");
  listen();
  const ActionResult result = click(sel("#b"));
  expect_refused(result, "covered");
  EXPECT_NE(result.error.find("veil"), std::string::npos) << result.error;
  EXPECT_NE(result.element["hit"]["by"].get<std::string>().find("veil"), std::string::npos) << tell(result);
  expect_untouched();
}

TEST_F(Refusals, ACoverInTheOuterDocumentCounts) {
  server.page("/inner", "<!doctype html><button>Inner</button>");
  open(
      "<div style='position:relative'><iframe src='/inner' style='width:300px;height:100px'></iframe>"
      "<div id=glass style='position:absolute;inset:0'></div></div>");
  const ActionResult result = click(sel("role=button[name=\"Inner\"]"));
  expect_refused(result, "covered");
  EXPECT_NE(result.error.find("glass"), std::string::npos) << result.error;
}

TEST_F(Refusals, ADisabledControlIsRefusedWithThatReasonBeforeTheDeadline) {
  open("<button id=b disabled>Go</button><select id=s disabled><option>1</select><input id=i disabled>");
  listen();
  expect_refused(click(sel("#b"), {}, kFarMs), "disabled");
  expect_refused(select(sel("#s"), {"1"}), "disabled");
  expect_refused(fill(sel("#i"), "x"), "disabled");
  expect_untouched();
}

TEST_F(Refusals, AReadOnlyFieldIsRefusedBeforeAnyFocus) {
  open("<input id=i readonly value=keep>");
  listen();
  expect_refused(fill(sel("#i"), "x"), "readonly");
  expect_untouched();
  EXPECT_EQ(eval("i.value"), "keep");
}

TEST_F(Refusals, WhatIsNotEditableIsNotFilled) {
  open("<p id=p>text</p>");
  expect_refused(fill(sel("#p"), "x"), "not-editable");
}

TEST_F(Refusals, AHiddenTargetIsRefused) {
  open("<button id=b style='display:none'>Go</button><button id=c style='visibility:hidden'>Go</button>");
  expect_refused(click(sel("#b")), "hidden");
  expect_refused(click(sel("#c")), "hidden");
}

TEST_F(Refusals, AnAmbiguousSelectorSaysItsCountAndTheFirstRefs) {
  open("<button>Go</button><button>Go</button><button>Go</button>");
  listen();
  const ActionResult result = click(sel("role=button[name=\"Go\"]"));
  expect_refused(result, "ambiguous", "browx");
  EXPECT_NE(result.error.find("3 elements"), std::string::npos) << result.error;
  for (const auto& one : refs_of("role=button[name=\"Go\"]"))
    EXPECT_NE(result.error.find(one), std::string::npos) << one;
  expect_untouched();
}

TEST_F(Refusals, WhatNeverComesToRestIsMoving) {
  open(
      "<style>@keyframes go{to{transform:translateX(500px)}}#b{animation:go 1s linear infinite "
      "alternate}</style><button id=b>Go</button>");
  listen();
  expect_refused(click(sel("#b"), {}, 3000), "moving");
  EXPECT_EQ(eval("seen.filter(s => s !== 'focus').join(' ')"), "");
}

TEST_F(Refusals, WhatCannotBeScrolledToIsOffScreen) {
  open("<button id=b style='position:absolute;left:-500px;top:10px;width:50px'>Go</button>");
  expect_refused(click(sel("#b")), "off-screen");
}

TEST_F(Refusals, AMissingElementIsWaitedForAndThenSaid) {
  open("<p>nothing</p>");
  expect_refused(click(sel("#nope"), {}, 2500), "element-not-found");
  eval(
      "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button id=nope>Now</button>'), 200)");
  const ActionResult late = click(sel("#nope"));
  EXPECT_TRUE(late.ok) << tell(late);
}

TEST_F(Refusals, AWrongSelectorIsSaidAtOnce) {
  open("<p>nothing</p>");
  expect_refused(click(sel("button["), {}, kFarMs), "invalid-selector", "browx");
}

TEST_F(Refusals, ARefThatWasNeverGivenIsNotFound) {
  open("<p>nothing</p>");
  expect_refused(click(ref("e999")), "ref-not-found", "browx");
  Address named;
  named.named = "nobody";
  expect_refused(click(named), "name-not-found", "browx");
}

TEST_F(Refusals, AWedgedPageAnswersWithinTheDeadline) {
  open("<button id=b>Go</button>");
  eval("setTimeout(() => { for (;;); }, 0), 1");
  const ActionResult result = click(sel("#b"), {}, 600);
  expect_refused(result, "timeout", "unknown");
}

TEST_F(Refusals, AHandlerThatNeverReturnsAnswersWithinTheDeadline) {
  open("<button id=b onclick='for (;;);'>Go</button>");
  const ActionResult result = click(sel("#b"), {}, 800);
  expect_refused(result, "timeout", "unknown");
}

TEST_F(Refusals, ADisabledOrMissingOptionIsNotSelected) {
  open("<select id=s><option value=a>Ant<option value=b disabled>Bee</select><p id=p>x</p>");
  listen();
  expect_refused(select(sel("#s"), {"Bee"}), "option-disabled");
  expect_refused(select(sel("#s"), {"Cat"}), "option-not-found");
  expect_refused(select(sel("#p"), {"Cat"}), "not-a-select");
  EXPECT_EQ(eval("s.value"), "a");
  EXPECT_EQ(eval("seen.filter(s => /input|change|click/.test(s)).join(' ')"), "");
}

TEST_F(Refusals, AKeyThatDoesNotExistIsRefused) {
  open("<input id=i>");
  expect_refused(press(sel("#i"), "Entr"), "invalid-key", "browx");
}

TEST_F(Refusals, AClosedTabIsSaid) {
  open("<p>x</p>");
  auto second_tab = run(session->new_tab("about:blank", Deadline::in(std::chrono::seconds(5))));
  ASSERT_TRUE(second_tab.ok());
  ASSERT_TRUE(run((*second_tab)->close(Deadline::in(std::chrono::seconds(5)))).ok());
  const ActionResult result = done(capture::click(*session, **second_tab, sel("p"), {}, in(2000)));
  expect_refused(result, "tab-closed", "browx");
}

}  // namespace
}  // namespace browx::capture
