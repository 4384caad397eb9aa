// Every verb in every kind of frame and inside shadow roots, with trusted input.
#include "tests/capture/drive/drive_fixture.hpp"

#include <algorithm>

namespace browx::capture {
namespace {

class Frames : public DriveTest, public ::testing::WithParamInterface<const char*> {
 protected:
  std::string name() const { return GetParam(); }
  std::string button() const { return "role=button[name=\"Press " + name() + "\"]"; }
  std::string field() const { return "role=textbox[name=\"Text " + name() + "\"]"; }
  Frame& frame_of(const std::string& selector) {
    auto found = run(resolve(*tab, sel(selector), Deadline::in(std::chrono::seconds(5))));
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message());
    return found.ok() ? *found->frame : tab->main_frame();
  }
};

TEST_P(Frames, AClickIsTrustedAndReachesTheButton) {
  ASSERT_TRUE(go(server.url("/pages/frames.html")).ok);
  const ActionResult result = click(sel(button()));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.element["hit"], (Json{{"delivered", true}})) << tell(result);
  EXPECT_TRUE(eventually("document.getElementById('log').textContent === '" + name() + ":true'"))
      << text("#log");
}

TEST_P(Frames, AFillPutsTheTextIn) {
  ASSERT_TRUE(go(server.url("/pages/frames.html")).ok);
  const ActionResult result = fill(sel(field()), "naïve 日本語");
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.element["value"], "naïve 日本語") << tell(result);
  EXPECT_EQ(eval_in(frame_of(field()), "document.querySelector('input').value"), "naïve 日本語");
}

TEST_P(Frames, APressTypesIntoTheFieldAndAHoverReachesTheButton) {
  ASSERT_TRUE(go(server.url("/pages/frames.html")).ok);
  Frame& frame = frame_of(button());
  eval_in(frame,
          "document.querySelector('button').addEventListener('pointerover', e => { window.over = "
          "e.isTrusted; })");
  const ActionResult hovered = hover(sel(button()));
  ASSERT_TRUE(hovered.ok) << tell(hovered);
  EXPECT_EQ(eval_in(frame, "window.over"), true);
  const ActionResult pressed = press(sel(field()), "Shift+a");
  ASSERT_TRUE(pressed.ok) << tell(pressed);
  EXPECT_EQ(eval_in(frame, "document.querySelector('input').value"), "A");
  EXPECT_EQ(pressed.element["value"], "A") << tell(pressed);
}

TEST_P(Frames, SelectScrollAndWaitWorkThere) {
  ASSERT_TRUE(go(server.url("/pages/frames.html")).ok);
  Frame& frame = frame_of(button());
  eval_in(frame, "document.body.insertAdjacentHTML('beforeend', '<select aria-label=\"City " + name() +
                     "\"><option value=osl>Oslo<option value=rom>Rome</select>"
                     "<div style=\"height:3000px\"></div><button id=end>End " +
                     name() +
                     "</button>'),"
                     "setTimeout(() => document.body.insertAdjacentHTML('afterbegin', '<p id=late>Late " +
                     name() + "</p>'), 100), 1");
  const ActionResult selected = select(sel("role=combobox[name=\"City " + name() + "\"]"), {"Rome"});
  ASSERT_TRUE(selected.ok) << tell(selected);
  EXPECT_EQ(eval_in(frame, "document.querySelector('select').value"), "rom");
  ScrollOptions into;
  into.into_view = true;
  const ActionResult scrolled = scroll(sel("role=button[name=\"End " + name() + "\"]"), into);
  ASSERT_TRUE(scrolled.ok) << tell(scrolled);
  EXPECT_EQ(eval_in(frame,
                    "(r => r.top >= 0 && r.bottom <= "
                    "innerHeight)(document.getElementById('end').getBoundingClientRect())"),
            true)
      << tell(scrolled);
  const ActionResult waited = done(wait_for(*session, *tab, std::nullopt, "Late " + name(), in(5000)));
  EXPECT_TRUE(waited.ok) << tell(waited);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Frames,
                         ::testing::Values("main", "same", "cross", "port", "nested-near", "nested-far",
                                           "far-nested-near", "far-nested-far", "srcdoc", "sandboxed"),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class ShadowRoots : public DriveTest {};

TEST_F(ShadowRoots, VerbsReachIntoOpenRootsAtAnyDepth) {
  ASSERT_TRUE(go(server.url("/pages/shadow.html")).ok);
  for (const std::string name : {"open", "inner"}) {
    const ActionResult clicked = click(sel("role=button[name=\"Press " + name + "\"]"));
    ASSERT_TRUE(clicked.ok) << tell(clicked);
    EXPECT_EQ(clicked.element["hit"], (Json{{"delivered", true}})) << tell(clicked);
    const ActionResult filled = fill(sel("role=textbox[name=\"Text " + name + "\"]"), name);
    ASSERT_TRUE(filled.ok) << tell(filled);
    EXPECT_EQ(filled.element["value"], name);
    const ActionResult pressed = press(sel("role=textbox[name=\"Text " + name + "\"]"), "End");
    EXPECT_TRUE(pressed.ok) << tell(pressed);
  }
  EXPECT_EQ(text("#log"), "open:true inner:true ");
}

TEST_F(ShadowRoots, ARootThatComesLateIsFoundToo) {
  ASSERT_TRUE(go(server.url("/pages/shadow.html")).ok);
  ASSERT_TRUE(click(sel("#attach")).ok);
  const ActionResult clicked = click(sel("role=button[name=\"Press late\"]"));
  EXPECT_TRUE(clicked.ok) << tell(clicked);
  EXPECT_EQ(text("#log"), "late:true ");
}

}  // namespace
}  // namespace browx::capture
