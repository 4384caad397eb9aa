#include "player/model/viewport.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace browx::player {
namespace {
constexpr double kMarginShare = 0.02;
constexpr double kClosest = 1;  // microseconds a pixel
}  // namespace

Viewport::Viewport(Time first, Time last, double width)
    : first_(first), last_(last), width_(std::max(width, 1.0)) {
  last_.us = std::max(last_.us, first_.us + 1000);
  fit();
}

double Viewport::margin() const { return static_cast<double>(last_.us - first_.us) * kMarginShare; }
double Viewport::whole() const {
  return std::max((static_cast<double>(last_.us - first_.us) + 2 * margin()) / width_, kClosest);
}

Time Viewport::time_at(double x) const {
  return {static_cast<std::int64_t>(std::llround(from_ + x * us_per_pixel_))};
}

void Viewport::clamp() {
  us_per_pixel_ = std::clamp(us_per_pixel_, kClosest, whole());
  const double low = static_cast<double>(first_.us) - margin(),
               high = static_cast<double>(last_.us) + margin() - width_ * us_per_pixel_;
  from_ = high < low ? low : std::clamp(from_, low, high);
}

void Viewport::zoom(double factor, double about_x) {
  if (!(factor > 0) || !std::isfinite(factor)) return;
  const double about = from_ + about_x * us_per_pixel_;
  us_per_pixel_ = std::clamp(us_per_pixel_ / factor, kClosest, whole());
  from_ = about - about_x * us_per_pixel_;
  clamp();
}

void Viewport::pan(double pixels) {
  if (!std::isfinite(pixels)) return;
  from_ += pixels * us_per_pixel_;
  clamp();
}

void Viewport::fit() {
  us_per_pixel_ = whole();
  from_ = static_cast<double>(first_.us) - margin();
}

void Viewport::show(Time from, Time to) {
  us_per_pixel_ = std::max(static_cast<double>(to.us - from.us), 1.0) / width_;
  from_ = static_cast<double>(from.us);
  const double wanted = us_per_pixel_;
  clamp();
  // A stretch shorter than the closest zoom stands in the middle.
  if (us_per_pixel_ > wanted) {
    from_ = static_cast<double>(from.us) - (us_per_pixel_ - wanted) * width_ / 2;
    clamp();
  }
}

void Viewport::reveal(Time t) {
  const double at = static_cast<double>(t.us), shown = width_ * us_per_pixel_, edge = shown * 0.05;
  if (at < from_ + edge)
    from_ = at - edge;
  else if (at > from_ + shown - edge)
    from_ = at - shown + edge;
  else
    return;
  clamp();
}

bool Viewport::fitted() const { return us_per_pixel_ >= whole() * (1 - 1e-9); }

void Viewport::resize(double width) {
  width = std::max(width, 1.0);
  if (width == width_) return;
  const bool was_fitted = fitted();
  us_per_pixel_ *= width_ / width;
  width_ = width;
  if (was_fitted)
    fit();
  else
    clamp();
}

void Viewport::limit(Time first, Time last) {
  const bool was_fitted = fitted();
  first_ = first;
  last_ = {std::max(last.us, first.us + 1000)};
  if (was_fitted)
    fit();
  else
    clamp();
}

std::vector<Tick> ticks(const Viewport& viewport, double apart) {
  static constexpr double kSteps[] = {1,   2,    5,    1e1,  2e1,  5e1,   1e2,   2e2,   5e2,    1e3,   2e3,
                                      5e3, 1e4,  2e4,  5e4,  1e5,  2e5,   5e5,   1e6,   2e6,    5e6,   1e7,
                                      3e7, 60e6, 12e7, 30e7, 60e7, 180e7, 360e7, 720e7, 1440e7, 3600e7};
  const double wanted = std::max(apart, 1.0) * viewport.us_per_pixel();
  const double* found =
      std::find_if(std::begin(kSteps), std::end(kSteps), [&](double step) { return step >= wanted; });
  const double step = found == std::end(kSteps) ? std::ceil(wanted / 3600e6) * 3600e6 : *found;
  // 1 → 5 minor parts, 2 → 4, 5 → 5, 3 → 3, 6 → 6: whatever divides evenly.
  const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  const int parts = std::fabs(leading - 2) < 1e-6 || std::fabs(leading - 1.2) < 1e-6 ? 4
                    : std::fabs(leading - 3) < 1e-6                                  ? 3
                    : std::fabs(leading - 6) < 1e-6                                  ? 6
                                                                                     : 5;
  const double minor = step / parts;
  const int digits = step >= 1e6   ? 0
                     : step >= 1e5 ? 1
                     : step >= 1e4 ? 2
                     : step >= 1e3 ? 3
                     : step >= 1e2 ? 4
                     : step >= 1e1 ? 5
                                   : 6;
  std::vector<Tick> out;
  const double begin = static_cast<double>(viewport.from().us), end = static_cast<double>(viewport.to().us);
  for (std::int64_t i = static_cast<std::int64_t>(std::ceil(std::max(begin, 0.0) / minor - 1e-9));
       static_cast<double>(i) * minor <= end; ++i) {
    Tick tick;
    tick.t = {static_cast<std::int64_t>(std::llround(static_cast<double>(i) * minor))};
    tick.x = viewport.x(tick.t);
    tick.major = i % parts == 0;
    if (tick.major) tick.label = clock_text(tick.t, digits);
    out.push_back(std::move(tick));
  }
  return out;
}

std::string clock_text(Time t, int digits) {
  digits = std::clamp(digits, 0, 6);
  std::int64_t unit = 1;
  for (int i = digits; i < 6; ++i) unit *= 10;
  const bool negative = t.us < 0;
  const std::int64_t rounded = ((negative ? -t.us : t.us) + unit / 2) / unit, per_second = 1000000 / unit;
  const std::int64_t seconds = rounded / per_second;
  std::string out = negative && rounded ? "-" : "";
  out += seconds >= 3600 ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
                         : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  if (digits) out += fmt::format(".{:0{}}", rounded % per_second, digits);
  return out;
}

std::string span_text(double ms) {
  if (ms < 0.9995) return fmt::format("{:.0f} µs", ms * 1000);
  if (ms < 99.95) return fmt::format("{:.1f} ms", ms);
  if (ms < 999.5) return fmt::format("{:.0f} ms", ms);
  if (ms < 59995) return fmt::format("{:.2f} s", ms / 1000);
  const std::int64_t seconds = std::llround(ms / 1000);
  return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
}

}  // namespace browx::player
