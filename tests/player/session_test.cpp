#include "player/model/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "player/lanes/lanes.hpp"
#include "player/model/dump.hpp"
#include "tests/player/fixture.hpp"

namespace browx::player {
namespace {

using testing::HasSubstr;

std::string states_of(const Session& session) {
  std::string out;
  for (const auto& criterion : session.coverage.criteria)
    out += criterion.id + " " + archive::state_name(criterion.state) + ", ";
  return out;
}
std::string names_of(const std::vector<Lane>& lanes) {
  std::string out;
  for (const Lane& lane : lanes) out += lane.name + " ";
  return out;
}

TEST(Session, HoldsWhatTheArchiveHolds) {
  const Session session = session_of("rich");
  EXPECT_EQ(session.title, "Order and pay");
  EXPECT_TRUE(session.sealed);
  EXPECT_FALSE(session.partial);
  EXPECT_EQ(session.steps.size(), 12u);
  EXPECT_EQ(session.failures(), 2);
  EXPECT_EQ(states_of(session),
            "AC-1 passed, AC-2 failed, AC-3 exercised, AC-5 empty, AC-6 passed, AC-4 unclosed, ");
  EXPECT_EQ(session.requests.size(), 6u);
  EXPECT_EQ(session.messages.size(), 8u);
  EXPECT_EQ(session.logs.size(), 4u);
  EXPECT_EQ(session.pages.size(), 2u);
  EXPECT_EQ(session.gaps.size(), 2u);
  EXPECT_EQ(session.frames.size(), 12u);
  EXPECT_EQ(session.dom_activity.size(), 200u);
  EXPECT_EQ(session.end, Time{12000000});
  EXPECT_TRUE(std::is_sorted(session.moments.begin(), session.moments.end()));
}

TEST(Session, FindsTabFrameAndStepOfAMoment) {
  const Session session = session_of("rich");
  EXPECT_EQ(session.tab_at({0}), archive::TargetId(1));
  EXPECT_EQ(session.tab_at({99000000}), archive::TargetId(1));
  const FrameRow* frame = session.frame_at(archive::TargetId(1), {3500000});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->t, Time{3000000});
  EXPECT_FALSE(session.frame_at(archive::TargetId(9), {3500000}));
  EXPECT_FALSE(session.step_at({499999}));
  EXPECT_EQ(session.step_at({500000}), 0u);
  EXPECT_EQ(session.step_at({99000000}), 11u);
}

TEST(Session, SaysWhatLimitsIt) {
  EXPECT_TRUE(session_of("empty").notices.empty());
  const Session killed = session_of("killed");
  ASSERT_FALSE(killed.notices.empty());
  EXPECT_EQ(killed.notices[0].weight, Notice::Weight::grave);
  EXPECT_THAT(killed.notices[0].text, HasSubstr("not sealed"));
  EXPECT_EQ(killed.steps.size(), 12u);
  const Session truncated = session_of("truncated");
  ASSERT_TRUE(truncated.truncated);
  EXPECT_EQ(truncated.truncated->reason, "event-cap");
  ASSERT_FALSE(truncated.notices.empty());
  EXPECT_THAT(truncated.notices[0].text, HasSubstr("event-cap"));
}

TEST(Lanes, AreThoseThatHaveSomething) {
  EXPECT_EQ(names_of(lanes_of(session_of("rich"))),
            "Pages Criteria Actions Reads, asserts Network Messages Console Pictures DOM Gaps ");
  EXPECT_EQ(names_of(lanes_of(session_of("empty"))), "Actions ");
}

TEST(Lanes, UnclosedSpansOpenRequestsAndCutsHaveShapesOfTheirOwn) {
  const Session session = session_of("rich");
  const auto shapes = [](const Lane& lane, Shape shape) {
    return std::count_if(lane.items.begin(), lane.items.end(),
                         [&](const Item& i) { return i.shape == shape; });
  };
  EXPECT_EQ(shapes(spans_lane(session), Shape::open), 1);
  EXPECT_EQ(shapes(network_lane(session), Shape::open), 1);
  EXPECT_EQ(shapes(gaps_lane(session), Shape::open), 1);
  EXPECT_EQ(shapes(gaps_lane(session), Shape::hatch), 0);
  EXPECT_EQ(shapes(gaps_lane(session_of("killed")), Shape::hatch), 1);
  EXPECT_GE(shapes(gaps_lane(session_of("truncated")), Shape::hatch), 1);
}

TEST(Lanes, EveryLabelAndTooltipCanBeAsked) {
  const Session session = session_of("truncated");
  for (const Lane& lane : lanes_of(session))
    for (const Item& item : lane.items) {
      if (lane.label) lane.label(session, item.index);
      if (lane.about) {
        EXPECT_FALSE(lane.about(session, item.index).empty()) << lane.name;
      }
    }
}

TEST(Dump, FollowsThePlayhead) {
  View view(session_of("rich"));
  view.move_to({2100000});
  view.panel = Panel::coverage;
  const Json dump = dump_view(view);
  EXPECT_EQ(dump["t"], 2100);
  EXPECT_EQ(dump["panel"], "coverage");
  EXPECT_EQ(dump["step"], 5);
  EXPECT_EQ(dump["details"]["tool"], "verify_text");
  EXPECT_THAT(dump["details"]["error"].get<std::string>(), HasSubstr("41.00"));
  EXPECT_EQ(dump["details"]["locators"].size(), 2u);
  EXPECT_EQ(dump["stage"]["picture"]["t"], 2000);
  EXPECT_EQ(dump["coverage"]["totals"]["passed"], 2);
  EXPECT_EQ(dump["coverage"]["totals"]["failed"], 1);
}

}  // namespace
}  // namespace browx::player
