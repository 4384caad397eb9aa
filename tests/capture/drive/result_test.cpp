#include "capture/action.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

TEST(ActionResult, SaysEveryFieldOfTheContractWhenNothingHappened) {
  ActionResult result;
  result.action = {{"type", "click"}, {"ref", "e3"}};
  result.network = {{"summary", {{"total", 0}}}, {"requests", Json::array()}, {"wsFrames", Json::array()}};
  const Json json = result.json();
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["action"]["type"], "click");
  EXPECT_TRUE(json["navigation"]["kind"].is_null());
  EXPECT_EQ(json["navigation"]["changed"], false);
  EXPECT_EQ(json["structure"], (Json{{"appeared", 0}, {"removed", 0}, {"newTabs", Json::array()}}));
  EXPECT_EQ(json["console"], (Json{{"errors", Json::array()}, {"warnings", 0}}));
  EXPECT_EQ(json["pageErrors"], Json::array());
  EXPECT_EQ(json["snapshotDelta"], (Json{{"mode", "none"}}));
  EXPECT_EQ(json["warnings"], Json::array());
  for (const char* absent : {"element", "dialogs", "downloads", "failure", "error", "code"})
    EXPECT_FALSE(json.contains(absent)) << absent;
}

TEST(ActionResult, SaysCodeKindAndHintOfAFailure) {
  ActionResult result;
  result.ok = false;
  result.error = "e3 is covered by div#veil";
  result.code = "covered";
  result.failure = Failure{"app", "covered", "close it"};
  result.element = {{"ref", "e3"}, {"hit", {{"delivered", false}, {"by", "div#veil"}}}};
  const Json json = result.json();
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["code"], "covered");
  EXPECT_EQ(json["failure"], (Json{{"source", "app"}, {"kind", "covered"}, {"hint", "close it"}}));
  EXPECT_EQ(json["element"]["hit"]["by"], "div#veil");
}

TEST(ActionResult, EstimatesTokensFromItsOwnSize) {
  ActionResult result;
  const auto small = result.json()["tokensEstimate"].get<std::int64_t>();
  result.snapshot_delta = {{"mode", "rows"}, {"tree", std::string(4000, 'x')}};
  const auto large = result.json()["tokensEstimate"].get<std::int64_t>();
  EXPECT_NEAR(static_cast<double>(large - small), 1000, 10);
  EXPECT_NEAR(static_cast<double>(large), static_cast<double>(dump_json(result.json()).size()) / 4, 3);
}

TEST(Address, TellsWhatCameIn) {
  Address address;
  address.selector = "button";
  address.context_ref = "e2";
  EXPECT_EQ(address.json(), (Json{{"selector", "button"}, {"contextRef", "e2"}}));
  Address point;
  point.coords = Point{3, 4};
  EXPECT_EQ(point.json(), (Json{{"coords", {{"x", 3.0}, {"y", 4.0}}}}));
}

}  // namespace
}  // namespace browx::capture
