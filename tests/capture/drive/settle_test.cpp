#include "capture/drive/settle.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

using std::chrono::milliseconds;

class Settle : public testing::Test {
 protected:
  SteadyClock::time_point start = SteadyClock::time_point(std::chrono::hours(1));
  Deadline deadline{start + milliseconds(5000)};
  SteadyClock::time_point at(int ms) const { return start + milliseconds(ms); }
  std::optional<SteadyClock::time_point> ask(const Unrest& unrest, int now) const {
    return settle_until(unrest, start, at(now), deadline);
  }
};

TEST_F(Settle, IsOverAtOnceWhenNothingIsPending) { EXPECT_FALSE(ask({}, 0)); }

TEST_F(Settle, WaitsForRequestsNoLongerThanTheirCap) {
  Unrest unrest;
  unrest.pending_requests = 1;
  EXPECT_EQ(ask(unrest, 10), at(1000));
  EXPECT_FALSE(ask(unrest, 1000));
}

TEST_F(Settle, GivesANavigationTheWholeDeadline) {
  Unrest unrest;
  unrest.navigation_started = true;
  EXPECT_EQ(ask(unrest, 3000), at(5000));
  EXPECT_FALSE(ask(unrest, 5000));
}

TEST_F(Settle, GivesUpOnANavigationThatWasAskedForAndNeverBegan) {
  Unrest unrest;
  unrest.navigation_requested = true;
  EXPECT_EQ(ask(unrest, 10), at(1000));
  EXPECT_FALSE(ask(unrest, 1001));
}

TEST_F(Settle, TheLongestCauseDecides) {
  Unrest unrest;
  unrest.pending_requests = 3;
  unrest.navigation_started = true;
  EXPECT_EQ(ask(unrest, 10), at(5000));
}

TEST_F(Settle, WaitsForABodyOnlyAsLongAsItMayCome) {
  Unrest unrest;
  unrest.bodies_until = at(160);
  EXPECT_EQ(ask(unrest, 10), at(160));
  EXPECT_FALSE(ask(unrest, 160));
}

TEST_F(Settle, BodiesThatNeverEndAreWaitedForNoLongerThanRequests) {
  Unrest unrest;
  unrest.bodies_until = at(3000);  // the newest of many
  EXPECT_EQ(ask(unrest, 10), at(1000));
  EXPECT_FALSE(ask(unrest, 1000));
}

TEST_F(Settle, NeverWaitsBeyondTheDeadline) {
  deadline = Deadline(at(300));
  Unrest unrest;
  unrest.tab_expected = true;
  EXPECT_EQ(ask(unrest, 10), at(300));
  EXPECT_FALSE(ask(unrest, 300));
}

TEST_F(Settle, AnOpenDialogEndsTheWait) {
  Unrest unrest;
  unrest.pending_requests = 1;
  unrest.navigation_started = true;
  unrest.dialog_open = true;
  EXPECT_FALSE(ask(unrest, 10));
}

}  // namespace
}  // namespace browx::capture
