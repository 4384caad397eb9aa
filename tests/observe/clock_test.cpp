#include "capture/observe/clock.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

TEST(CdpClock, ABrowserOfThisMachineSharesTheSteadyClock) {
  CdpClock clock({true, 1000 * kSecond, 0});
  EXPECT_EQ(clock.monotonic(1001.5, Time{1'700'000}), Time{1'500'000});
}

TEST(CdpClock, NothingHappensAfterItWasReceived) {
  CdpClock clock({true, 1000 * kSecond, 0});
  EXPECT_EQ(clock.monotonic(1002.0, Time{1'700'000}), Time{1'700'000});
}

TEST(CdpClock, AnEventThatWaitedLongKeepsItsTimeOnceTheClockIsKnown) {
  CdpClock clock({true, 1000 * kSecond, 0});
  EXPECT_EQ(clock.monotonic(1001, Time{1'000'100}), Time{kSecond});
  EXPECT_EQ(clock.monotonic(1002, Time{200 * kSecond}), Time{2 * kSecond});
}

TEST(CdpClock, AnotherMachinesClockIsEstimatedByTheFastestDelivery) {
  CdpClock clock({false, 1000 * kSecond, 0});
  // It booted at another time: its 50 s are our 10 s, and deliveries take 30, 5 and 20 ms.
  EXPECT_EQ(clock.monotonic(50.0, Time{10'030'000}), Time{10'030'000});
  EXPECT_EQ(clock.monotonic(51.0, Time{11'005'000}), Time{11'005'000});
  EXPECT_EQ(clock.monotonic(52.0, Time{12'020'000}), Time{12'005'000});
}

TEST(CdpClock, ASameMachineWhoseClockIsEvidentlyAnotherIsEstimatedToo) {
  CdpClock clock({true, 1000 * kSecond, 0});
  EXPECT_EQ(clock.monotonic(5.0, Time{2 * kSecond}), Time{2 * kSecond});
  EXPECT_EQ(clock.monotonic(6.0, Time{3 * kSecond + 40}), Time{3 * kSecond});
}

TEST(CdpClock, AWallTimeBecomesSessionTime) {
  CdpClock clock({true, 0, 1'796'055'702'000'000});
  EXPECT_EQ(clock.wall(1'796'055'702'719.342, Time{kSecond}).us, 719'342);
}

TEST(CdpClock, AWallClockSetBackDoesNotThrowLinesIntoThePast) {
  CdpClock clock({true, 0, 1'796'055'702'000'000});
  EXPECT_EQ(clock.wall(1'796'055'703'000.0, Time{1'000'500}).us, kSecond);
  // An hour back: the line is as old as its delivery, and the next ones keep their distance.
  EXPECT_EQ(clock.wall(1'796'052'104'000.0, Time{2'000'000}).us, 2'000'000);
  EXPECT_EQ(clock.wall(1'796'052'105'000.0, Time{3'000'700}).us, 3'000'000);
}

TEST(CdpClock, AMissingTimestampIsTheReception) {
  CdpClock clock({true, 0, 0});
  EXPECT_EQ(clock.monotonic(0, Time{42}), Time{42});
  EXPECT_EQ(clock.wall(0, Time{42}), Time{42});
}

}  // namespace
}  // namespace browx::capture
