#pragma once
// What stretch of time the timeline shows: time ↔ pixel, zoom about the cursor, pan, clamp. A plain value;
// thread: any.

#include <string>
#include <vector>

#include "base/time.hpp"

namespace browx::player {

/// Shows the times from() to to() on `width` pixels, x growing from 0. Never leaves the limits by more than a
/// small margin, never shows less than a pixel a microsecond nor more than everything.
class Viewport {
 public:
  Viewport() = default;
  /// Fitted to the limits; `last` is moved to at least a millisecond after `first`.
  Viewport(Time first, Time last, double width);

  Time from() const { return {static_cast<std::int64_t>(from_)}; }
  Time to() const { return time_at(width_); }
  double width() const { return width_; }
  double us_per_pixel() const { return us_per_pixel_; }
  Time first() const { return first_; }
  Time last() const { return last_; }

  double x(Time t) const { return (static_cast<double>(t.us) - from_) / us_per_pixel_; }
  Time time_at(double x) const;

  /// `factor` > 1 shows less; the time under `about_x` stays there, unless a limit forbids it.
  void zoom(double factor, double about_x);
  /// Moves the content by `pixels` to the left.
  void pan(double pixels);
  void fit();
  /// Shows exactly that stretch, as far as limits and zoom allow.
  void show(Time from, Time to);
  /// Pans as little as needed for `t` to be inside.
  void reveal(Time t);
  /// Another width; the same stretch of time.
  void resize(double width);
  /// Other limits, e.g. of a recording that went on; a fitted viewport stays fitted.
  void limit(Time first, Time last);
  bool fitted() const;

  friend bool operator==(const Viewport&, const Viewport&) = default;

 private:
  double whole() const;  ///< microseconds a pixel when everything is shown
  double margin() const;
  void clamp();

  Time first_{0}, last_{1000};
  double width_ = 1, from_ = 0, us_per_pixel_ = 1000;
};

struct Tick {
  double x = 0;
  Time t;
  bool major = false;
  std::string label;  ///< of major ones
};
/// Round times at least `apart` pixels from each other, with four or five minor ticks between.
std::vector<Tick> ticks(const Viewport& viewport, double apart);

/// "0.350 s" becomes "0:00.350"; hours are shown when there are any. `digits` after the point: 0 to 6.
std::string clock_text(Time t, int digits = 3);
/// "850 µs", "12.3 ms", "4.56 s", "2 min 05 s".
std::string span_text(double ms);

}  // namespace browx::player
