#include "player/lanes/lane.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace browx::player {
namespace {

Item item(std::int64_t from_ms, std::int64_t to_ms, Tone tone = Tone::neutral) {
  return {{from_ms * 1000}, {to_ms * 1000}, tone, Shape::bar, 0, static_cast<std::uint32_t>(from_ms)};
}

std::uint64_t counted(const std::vector<Mark>& marks) {
  std::uint64_t out = 0;
  for (const Mark& mark : marks) out += mark.count;
  return out;
}

TEST(Lane, OverlappingItemsGetRowsOfTheirOwn) {
  Lane lane;
  lane.items = {item(0, 100), item(50, 150), item(100, 200), item(160, 170)};
  lane.finish(4);
  EXPECT_EQ(lane.rows, 2);
  std::vector<int> rows(4);
  for (const Item& one : lane.items)
    rows[one.from.us == 0 ? 0 : one.from.us == 50000 ? 1 : one.from.us == 100000 ? 2 : 3] = one.row;
  EXPECT_EQ(rows, (std::vector<int>{0, 1, 0, 1}));
}

TEST(Lane, MoreRowsThanAllowedShareTheLastFreeOne) {
  Lane lane;
  for (int i = 0; i < 10; ++i) lane.items.push_back(item(i, 1000));
  lane.finish(3);
  EXPECT_EQ(lane.rows, 3);
  for (const Item& one : lane.items) EXPECT_LT(one.row, 3);
}

TEST(Fold, WideItemsStayThemselvesAndAreClippedToTheView) {
  Lane lane;
  lane.items = {item(0, 4000), item(5000, 6000)};
  lane.finish(1);
  Viewport v({0}, {10000000}, 1000);
  v.show({3000000}, {5500000});
  const auto marks = lane.fold(v);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_LE(marks[0].x0, 0);
  EXPECT_NEAR(marks[0].x1, 400, 1);
  EXPECT_NEAR(marks[1].x0, 800, 1);
  EXPECT_LE(marks[1].x1, 1010);
}

TEST(Fold, WhatIsNarrowerThanAPixelBecomesOneMarkAColumn) {
  Lane lane;
  for (int i = 0; i < 100000; ++i) lane.items.push_back(item(i, i));
  lane.finish(1);
  const Viewport v({0}, {100000000}, 800);
  const auto marks = lane.fold(v);
  EXPECT_LE(marks.size(), 801u);
  EXPECT_GT(marks.size(), 700u);
  EXPECT_EQ(counted(marks), 100000u);
}

TEST(Fold, NothingCoversAFailure) {
  for (const bool thin_only : {true, false}) {
    Lane lane;
    for (int i = 0; i < 5000; ++i)
      lane.items.push_back(item(i, i, i == 1234 ? Tone::bad : i % 7 == 0 ? Tone::warning : Tone::good));
    if (!thin_only) lane.items.push_back(item(4000, 4900));
    lane.finish(1);
    const Viewport v({0}, {5000000}, 300);
    int bad = 0;
    for (const Mark& mark : lane.fold(v)) {
      if (mark.tone != Tone::bad) continue;
      ++bad;
      EXPECT_EQ(lane.items[mark.item].index, 1234u);
    }
    EXPECT_EQ(bad, 1) << thin_only;
  }
}

TEST(Fold, ALongItemThatBeganBeforeTheViewIsStillThere) {
  Lane lane;
  lane.items = {item(0, 100000)};
  for (int i = 1; i < 1000; ++i) lane.items.push_back(item(i, i + 1));
  lane.finish(1);
  Viewport v({0}, {100000000}, 1000);
  v.show({50000000}, {60000000});
  EXPECT_EQ(lane.fold(v).size(), 1u);
}

TEST(Fold, AMillionItemsFoldInAFewMilliseconds) {
  Lane lane;
  lane.items.reserve(1000000);
  for (int i = 0; i < 1000000; ++i) lane.items.push_back(item(i, i, i % 5000 == 0 ? Tone::bad : Tone::info));
  lane.finish(1);
  const Viewport v({0}, {1000000000}, 1280);
  const auto began = std::chrono::steady_clock::now();
  const auto marks = lane.fold(v);
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(counted(marks), 1000000u);
  EXPECT_LE(marks.size(), 1282u);
  EXPECT_LT(took, std::chrono::seconds(1));  // a walk over all of them, repeated a column, would take minutes
}

TEST(Lane, TheItemUnderThePointerIsTheOneThatCoversItElseTheNearest) {
  Lane lane;
  lane.items = {item(1000, 2000), item(3000, 3000, Tone::bad), item(3001, 3001)};
  lane.finish(1);
  const Viewport v({0}, {10000000}, 1000);
  const auto under = [&](double ms) { return lane.at(v, v.x({static_cast<std::int64_t>(ms * 1000)}), 0, 4); };
  EXPECT_EQ(under(1500), 0u);
  EXPECT_EQ(under(2010), 0u);
  EXPECT_EQ(under(2980), 1u);
  EXPECT_EQ(under(5000), lane.items.size());
  EXPECT_EQ(lane.at(v, 100, 3, 4), lane.items.size());
}

TEST(Fold, AnEmptyLaneHasNoMarks) {
  Lane lane;
  lane.finish(3);
  EXPECT_TRUE(lane.fold(Viewport({0}, {1000}, 100)).empty());
  EXPECT_EQ(lane.at(Viewport({0}, {1000}, 100), 10, 0, 4), 0u);
}

}  // namespace
}  // namespace browx::player
