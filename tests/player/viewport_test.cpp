#include "player/model/viewport.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace browx::player {
namespace {

constexpr Time s(double seconds) { return {static_cast<std::int64_t>(seconds * 1e6)}; }

TEST(Viewport, FitsEverythingWithAMargin) {
  const Viewport v(s(0), s(10), 1000);
  EXPECT_TRUE(v.fitted());
  EXPECT_LT(v.from(), s(0));
  EXPECT_GT(v.to(), s(10));
  EXPECT_GT(v.x(s(0)), 0);
  EXPECT_LT(v.x(s(10)), 1000);
}

TEST(Viewport, TimeAndPixelAreInverse) {
  Viewport v(s(0), s(10), 1000);
  for (const double zoom : {1.0, 3.7, 50.0}) {
    v.zoom(zoom, 333);
    for (const double x : {0.0, 1.0, 499.5, 1000.0}) EXPECT_NEAR(v.x(v.time_at(x)), x, 1 / v.us_per_pixel());
  }
}

TEST(Viewport, ZoomKeepsTheTimeUnderTheCursor) {
  for (const double x : {100.0, 500.0, 900.0}) {
    Viewport v(s(0), s(10), 1000);
    v.zoom(4, 500);
    const Time under = v.time_at(x);
    v.zoom(2.5, x);
    EXPECT_NEAR(v.x(under), x, 0.01);
    v.zoom(1 / 2.5, x);
    EXPECT_NEAR(v.x(under), x, 0.01);
  }
}

TEST(Viewport, ZoomStopsAtEverythingAndAtAMicrosecondAPixel) {
  Viewport v(s(0), s(10), 1000);
  v.zoom(1e12, 500);
  EXPECT_DOUBLE_EQ(v.us_per_pixel(), 1);
  v.zoom(1e-12, 500);
  EXPECT_TRUE(v.fitted());
  const Viewport whole(s(0), s(10), 1000);
  EXPECT_EQ(v, whole);
}

TEST(Viewport, NonsenseChangesNothing) {
  Viewport v(s(0), s(10), 1000);
  const Viewport before = v;
  v.zoom(0, 1);
  v.zoom(-3, 1);
  v.zoom(std::nan(""), 1);
  v.pan(INFINITY);
  EXPECT_EQ(v, before);
}

TEST(Viewport, PanStaysWithinTheLimits) {
  Viewport v(s(0), s(10), 1000);
  v.pan(500);
  EXPECT_TRUE(v.fitted());
  v.zoom(10, 500);
  const Time from = v.from();
  v.pan(100);
  EXPECT_NEAR(static_cast<double>(v.from().us - from.us), 100 * v.us_per_pixel(), 2);
  v.pan(1e9);
  EXPECT_NEAR(v.to().us / 1e6, 10.2, 0.01);  // the margin
  v.pan(-1e9);
  EXPECT_NEAR(v.from().us / 1e6, -0.2, 0.01);
}

TEST(Viewport, ShowAndRevealBringWhatIsAsked) {
  Viewport v(s(0), s(100), 1000);
  v.show(s(20), s(30));
  EXPECT_NEAR(v.x(s(20)), 0, 0.01);
  EXPECT_NEAR(v.x(s(30)), 1000, 0.01);
  const Viewport before = v;
  v.reveal(s(25));
  EXPECT_EQ(v, before);
  v.reveal(s(60));
  EXPECT_GE(v.x(s(60)), 900);
  EXPECT_LE(v.x(s(60)), 1000);
  v.reveal(s(1));
  EXPECT_GE(v.x(s(1)), 0);
  EXPECT_NEAR(v.us_per_pixel(), before.us_per_pixel(), 1e-9);
}

TEST(Viewport, AnotherWidthShowsTheSameTime) {
  Viewport v(s(0), s(100), 1000);
  v.show(s(20), s(30));
  v.resize(500);
  EXPECT_NEAR(v.x(s(20)), 0, 0.01);
  EXPECT_NEAR(v.x(s(30)), 500, 0.01);
  Viewport fitted(s(0), s(100), 1000);
  fitted.resize(317);
  EXPECT_TRUE(fitted.fitted());
}

TEST(Viewport, ARecordingThatGoesOnStaysFitted) {
  Viewport v(s(0), s(10), 1000);
  v.limit(s(0), s(20));
  EXPECT_TRUE(v.fitted());
  EXPECT_GT(v.to(), s(20));
}

TEST(Viewport, AnEmptySessionHasAViewport) {
  const Viewport v(s(0), s(0), 0);
  EXPECT_GT(v.us_per_pixel(), 0);
  EXPECT_TRUE(std::isfinite(v.x(s(0))));
}

TEST(Ticks, AreRoundAndFarEnoughApart) {
  for (const double length : {0.002, 0.5, 3.2, 12.0, 59.0, 700.0, 3600.0, 90000.0}) {
    const Viewport v(s(0), s(length), 1200);
    double last = -1e9;
    int majors = 0;
    for (const Tick& tick : ticks(v, 90)) {
      if (!tick.major) continue;
      EXPECT_GE(tick.x - last, 90) << length;
      EXPECT_FALSE(tick.label.empty());
      EXPECT_NEAR(v.x(tick.t), tick.x, 1e-6);
      last = tick.x;
      ++majors;
    }
    EXPECT_GE(majors, 3) << length;
    EXPECT_LE(ticks(v, 90).size(), 200u);
  }
}

TEST(ClockText, CarriesAndKeepsItsDigits) {
  EXPECT_EQ(clock_text({0}), "0:00.000");
  EXPECT_EQ(clock_text({3200000}), "0:03.200");
  EXPECT_EQ(clock_text({59999600}), "1:00.000");
  EXPECT_EQ(clock_text({3723004000}), "1:02:03.004");
  EXPECT_EQ(clock_text({-1500000}), "-0:01.500");
  EXPECT_EQ(clock_text({61500000}, 0), "1:02");
}

TEST(SpanText, UsesTheUnitThatReads) {
  EXPECT_EQ(span_text(0.85), "850 µs");
  EXPECT_EQ(span_text(12.34), "12.3 ms");
  EXPECT_EQ(span_text(340), "340 ms");
  EXPECT_EQ(span_text(4560), "4.56 s");
  EXPECT_EQ(span_text(125000), "2 min 05 s");
}

}  // namespace
}  // namespace browx::player
