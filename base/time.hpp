#pragma once
// Two clocks, never mixed: Time (monotonic, since the session began) orders and measures; wall time only
// labels.

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>

#include "base/id.hpp"

namespace browx {

using SteadyClock = std::chrono::steady_clock;

/// Microseconds since the session began. May be negative for what was in flight before.
struct Time {
  std::int64_t us = 0;
  constexpr double ms() const { return static_cast<double>(us) / 1000.0; }
  friend constexpr auto operator<=>(Time, Time) = default;
};

/// Order of recorded events; Time ties are broken by it.
using EventSeq = Id<struct EventSeqTag>;

/// The world's clocks, replaceable in tests. Thread: any.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyClock::time_point steady() const = 0;
  /// Milliseconds since the Unix epoch.
  virtual std::int64_t wall_ms() const = 0;
};

/// The machine's clocks.
const Clock& system_clock();

/// "2026-11-30T12:00:00.000Z".
std::string iso_utc(std::int64_t wall_ms);

/// A point after which a call answers `timeout`. Copied freely.
class Deadline {
 public:
  static Deadline in(std::chrono::milliseconds span) { return Deadline(SteadyClock::now() + span); }
  explicit Deadline(SteadyClock::time_point at) : at_(at) {}
  SteadyClock::time_point at() const { return at_; }
  bool passed() const { return SteadyClock::now() >= at_; }
  /// Never negative.
  std::chrono::milliseconds left() const;
  /// The earlier of this and `span` from now.
  Deadline at_most(std::chrono::milliseconds span) const;

 private:
  SteadyClock::time_point at_;
};

}  // namespace browx
