#include "base/log.hpp"

#include <atomic>
#include <cstdlib>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace browx {
namespace {

std::atomic<std::string (*)(std::string_view)> g_filter{nullptr};

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

spdlog::logger& logger() {
  static spdlog::logger instance = [] {
    spdlog::logger made("browx", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made.set_pattern("browx %l: %v");
    const char* level = std::getenv("BROWX_LOG");
    made.set_level(level ? spdlog::level::from_str(std::string_view(level) == "warning" ? "warn" : level)
                         : spdlog::level::info);
    made.flush_on(spdlog::level::debug);
    return made;
  }();
  return instance;
}

}  // namespace

void set_log_level(LogLevel level) { logger().set_level(to_spdlog(level)); }
void set_log_filter(std::string (*filter)(std::string_view)) { g_filter = filter; }

void log_line(LogLevel level, std::string_view line) {
  const auto filter = g_filter.load();
  if (filter)
    logger().log(to_spdlog(level), "{}", filter(line));
  else
    logger().log(to_spdlog(level), "{}", line);
}

}  // namespace browx
