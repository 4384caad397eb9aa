#include "base/time.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace browx {
namespace {

class SystemClock final : public Clock {
 public:
  SteadyClock::time_point steady() const override { return SteadyClock::now(); }
  std::int64_t wall_ms() const override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

std::string iso_utc(std::int64_t wall_ms) {
  std::int64_t seconds = wall_ms / 1000, ms = wall_ms % 1000;
  if (ms < 0) {
    ms += 1000;
    --seconds;
  }
  const std::time_t when = static_cast<std::time_t>(seconds);
  std::tm tm{};
  gmtime_r(&when, &tm);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", tm.tm_year + 1900, tm.tm_mon + 1,
                     tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ms);
}

std::chrono::milliseconds Deadline::left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(at_ - SteadyClock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

Deadline Deadline::at_most(std::chrono::milliseconds span) const {
  return Deadline(std::min(at_, SteadyClock::now() + span));
}

}  // namespace browx
