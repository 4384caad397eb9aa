#include "player/model/view.hpp"

#include <gtest/gtest.h>

#include "tests/player/fixture.hpp"

namespace browx::player {
namespace {

TEST(View, ThePlayheadStaysInsideAndTheStepFollows) {
  View view(session_of("rich"));
  EXPECT_FALSE(view.step());
  view.move_to({-5});
  EXPECT_EQ(view.t(), Time{0});
  view.move_to({99000000});
  EXPECT_EQ(view.t(), Time{12000000});
  EXPECT_EQ(view.step(), 11u);
  view.home();
  EXPECT_EQ(view.t(), Time{0});
}

TEST(View, StepsThroughMomentsAndBack) {
  View view(session_of("rich"));
  std::vector<Time> seen{view.t()};
  for (Time last = {-1}; view.t() != last;) {
    last = view.t();
    view.step_moments(1);
    if (view.t() != last) seen.push_back(view.t());
  }
  EXPECT_EQ(seen, view.session().moments);
  view.step_moments(-1);
  EXPECT_EQ(view.t(), seen[seen.size() - 2]);
  view.step_moments(-1000);
  EXPECT_EQ(view.t(), Time{0});
}

TEST(View, FindsFailuresInBothDirections) {
  View view(session_of("rich"));
  EXPECT_TRUE(view.step_failures(1));
  EXPECT_EQ(view.step(), 5u);
  EXPECT_TRUE(view.step_failures(1));
  EXPECT_EQ(view.step(), 8u);
  EXPECT_FALSE(view.step_failures(1));
  EXPECT_EQ(view.step(), 8u);
  EXPECT_TRUE(view.step_failures(-1));
  EXPECT_EQ(view.step(), 5u);
}

TEST(View, SelectingMovesThePlayhead) {
  View view(session_of("rich"));
  view.select_step(3);
  EXPECT_EQ(view.t(), Time{1300000});
  view.select_request(4);
  EXPECT_EQ(view.t(), Time{2500000});
  EXPECT_EQ(view.request(), 4u);
  view.select_step(0);
  EXPECT_FALSE(view.request());
  view.select_criterion(5);
  EXPECT_EQ(view.t(), Time{8000000});
  view.select_step(9999);
  view.select_request(9999);
  view.select_criterion(9999);
  EXPECT_EQ(view.t(), Time{8000000});
}

TEST(View, PlaysAtItsSpeedToTheEndAndAgain) {
  View view(session_of("rich"));
  view.advance(1);
  EXPECT_EQ(view.t(), Time{0});
  view.toggle_play();
  view.advance(0.5);
  EXPECT_EQ(view.t(), Time{500000});
  view.set_speed(4);
  view.advance(0.25);
  EXPECT_EQ(view.t(), Time{1500000});
  view.advance(100);
  EXPECT_EQ(view.t(), Time{12000000});
  EXPECT_FALSE(view.playing());
  view.toggle_play();
  EXPECT_TRUE(view.playing());
  EXPECT_EQ(view.t(), Time{0});
}

TEST(View, AnEmptyRecordingCanBeLookedAt) {
  View view(session_of("empty"));
  view.toggle_play();
  EXPECT_FALSE(view.playing());
  view.step_moments(1);
  view.step_moments(-1);
  EXPECT_FALSE(view.step_failures(1));
  EXPECT_FALSE(view.step());
}

TEST(View, ALongerRecordingKeepsThePlaceAndAnEndFollows) {
  Session longer = session_of("rich");
  Session shorter = longer;
  shorter.end = {5000000};
  View view(shorter), at_end(shorter);
  view.select_step(2);
  at_end.end();
  view.reload(longer);
  at_end.reload(longer);
  EXPECT_EQ(view.t(), Time{1100000});
  EXPECT_EQ(view.step(), 2u);
  EXPECT_EQ(at_end.t(), Time{12000000});
}

TEST(Panels, HaveNamesThatComeBack) {
  for (const Panel panel : kPanels) EXPECT_EQ(panel_of(panel_name(panel)), panel);
  EXPECT_FALSE(panel_of("Steps"));
}

}  // namespace
}  // namespace browx::player
