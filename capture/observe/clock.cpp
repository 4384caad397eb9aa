#include "capture/observe/clock.hpp"

#include <algorithm>
#include <cmath>

namespace browx::capture {

Time CdpClock::estimate(std::optional<std::int64_t>& offset, std::int64_t cdp_us, Time received) {
  const std::int64_t sample = received.us - cdp_us;
  offset = offset ? std::min(*offset, sample) : sample;
  return Time{std::min(cdp_us + *offset, received.us)};
}

Time CdpClock::monotonic(double seconds, Time received) {
  if (!std::isfinite(seconds) || seconds <= 0) return received;
  const auto cdp_us = static_cast<std::int64_t>(std::llround(seconds * 1e6));
  if (base_.same_machine && monotonic_shared_) {
    const Time t{cdp_us - base_.steady_us};
    const std::int64_t age = received.us - t.us;
    // A delivery may take long on a loaded machine, but a first event that is a minute off speaks of another
    // clock.
    if (age >= -kPlausible && (monotonic_offset_ || age <= kPlausible)) {
      monotonic_offset_ = -base_.steady_us;
      return Time{std::min(t.us, received.us)};
    }
    monotonic_shared_ = false;
    monotonic_offset_.reset();
  }
  return estimate(monotonic_offset_, cdp_us, received);
}

Time CdpClock::wall(double milliseconds, Time received) {
  if (!std::isfinite(milliseconds) || milliseconds <= 0) return received;
  const auto cdp_us = static_cast<std::int64_t>(std::llround(milliseconds * 1e3));
  if (base_.same_machine && wall_shared_) {
    const Time t{cdp_us - base_.wall_us};
    const std::int64_t age = received.us - t.us;
    if (age >= -kPlausible && age <= kPlausible) return Time{std::min(t.us, received.us)};
    wall_shared_ = false;  // the wall clock was set during the session
  }
  // A wall clock can be set back at any time: an estimate that would put the line far into the past starts
  // anew.
  Time t = estimate(wall_offset_, cdp_us, received);
  if (received.us - t.us > kPlausible) {
    wall_offset_ = received.us - cdp_us;
    t = received;
  }
  return t;
}

}  // namespace browx::capture
