#pragma once
// Chromium's two clocks as session time.

#include <cstdint>
#include <optional>

#include "base/time.hpp"

namespace browx::capture {

/// Converts CDP timestamps. Monotonic ones (Network, Page: seconds of the browser's TimeTicks) and wall ones
/// (Runtime, Log: milliseconds since the epoch) become microseconds since the session began; `received` is
/// when their event came, in session time. A browser of this machine shares our clocks: its monotonic offset
/// is exact from the start, and a timestamp that cannot be (after it was received) is replaced by the
/// reception. For any other browser the offset is the smallest `received - timestamp` seen so far, which is
/// off by the fastest delivery so far and only gets better. Thread: the engine's; a value.
class CdpClock {
 public:
  struct Base {
    bool same_machine = true;
    std::int64_t steady_us = 0;  ///< the steady clock's reading at session time 0
    std::int64_t wall_us = 0;    ///< the wall clock's reading at session time 0
  };
  explicit CdpClock(Base base) : base_(base) {}

  Time monotonic(double seconds, Time received);
  Time wall(double milliseconds, Time received);

 private:
  /// Beyond this a "same" machine's clock is evidently another one (a time namespace, a stepped wall clock).
  static constexpr std::int64_t kPlausible = 60'000'000;

  Time estimate(std::optional<std::int64_t>& offset, std::int64_t cdp_us, Time received);

  Base base_;
  bool monotonic_shared_ = true, wall_shared_ = true;
  std::optional<std::int64_t> monotonic_offset_, wall_offset_;
};

}  // namespace browx::capture
