// What a page hears when its fields are filled and its lists are chosen from: the browser's own events.

#include "tests/capture/drive/drive_fixture.hpp"

namespace browx::capture {
namespace {

class Fields : public DriveTest {
 protected:
  /// Notes every event of a field before anybody else, and whether the browser made it.
  static std::string witness() {
    return "<script>window.heard = [];"
           "for (const type of ['keydown', 'keypress', 'keyup', 'input', 'change'])"
           "  addEventListener(type, e => heard.push(type + (e.isTrusted ? '' : '?') + ' ' + "
           "e.target.value), true);"
           "</script>"
           "<input id=day type=date value=2020-01-31><input id=clock type=time><input id=local "
           "type=datetime-local>"
           "<input id=month type=month><input id=week type=week><input id=level type=range min=0 max=50 "
           "step=5>"
           "<input id=paint type=color><select id=city><option value=osl>Oslo<option value=rom>Rome</select>"
           "<input id=name>";
  }
  Json heard(Frame& frame) { return eval_in(frame, "heard.splice(0)"); }
  static Json once(const std::string& value) { return Json::array({"input " + value, "change " + value}); }
};

TEST_F(Fields, DatesTimesAndRangesChangeByTrustedEventsAndNoKeyIsHeard) {
  ASSERT_TRUE(open(witness()).ok);
  for (const auto& [id, value] :
       std::vector<std::pair<std::string, std::string>>{{"day", "2026-03-31"},
                                                        {"day", ""},
                                                        {"clock", "12:30"},
                                                        {"local", "2026-02-09T23:59"},
                                                        {"month", "2026-12"},
                                                        {"week", "2026-W53"},
                                                        {"level", "45"}}) {
    const ActionResult result = fill(sel("#" + id), value);
    EXPECT_TRUE(result.ok) << tell(result);
    EXPECT_TRUE(result.warnings.empty()) << tell(result);
    EXPECT_EQ(result.element["value"], value) << tell(result);
    EXPECT_EQ(heard(tab->main_frame()), once(value)) << id;
  }
  // The keys are the page's again.
  ASSERT_TRUE(press(sel("#level"), "ArrowDown").ok);
  EXPECT_EQ(heard(tab->main_frame()), Json::array({"keydown 45", "input 40", "change 40", "keyup 40"}));
}

TEST_F(Fields, AListIsChosenFromByTrustedEvents) {
  ASSERT_TRUE(open(witness()).ok);
  for (const std::string value : {"rom", "osl"}) {
    const ActionResult result = select(sel("#city"), {value});
    EXPECT_TRUE(result.ok) << tell(result);
    EXPECT_TRUE(result.warnings.empty()) << tell(result);
    EXPECT_EQ(heard(tab->main_frame()), once(value));
  }
}

TEST_F(Fields, OfOtherOriginsAreFilledTheSameWay) {
  second.page("/inner", "<!doctype html>" + witness());
  ASSERT_TRUE(open("<iframe width=700 height=200 src=\"" + second.url("/inner") + "\"></iframe>").ok);
  const ActionResult day = fill(sel("#day"), "2026-03-31");
  EXPECT_TRUE(day.ok) << tell(day);
  const ActionResult city = select(sel("#city"), {"Rome"});
  EXPECT_TRUE(city.ok) << tell(city);
  ASSERT_EQ(tab->frames().size(), 2u);
  Json both = once("2026-03-31");
  for (const auto& line : once("rom")) both.push_back(line);
  EXPECT_EQ(heard(*tab->frames()[1]), both) << tell(day) << tell(city);
}

TEST_F(Fields, WhatNoKeyReachesIsSaidToBeSetByScript) {
  ASSERT_TRUE(open(witness()).ok);
  const ActionResult result = fill(sel("#paint"), "#aabbcc");
  EXPECT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(heard(tab->main_frame()), Json::array({"input? #aabbcc", "change? #aabbcc"}));
  ASSERT_EQ(result.warnings.size(), 1u) << tell(result);
  EXPECT_NE(result.warnings[0].find("untrusted"), std::string::npos) << tell(result);
}

}  // namespace
}  // namespace browx::capture
