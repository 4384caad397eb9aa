#pragma once
// Logging goes to stderr only: stdout belongs to MCP. Thread: any.

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace browx {

enum class LogLevel { debug, info, warning, error, off };

/// What is printed; default `info`, or BROWX_LOG (debug|info|warning|error|off) when set.
void set_log_level(LogLevel level);
/// Every line passes through `filter` before it is printed, e.g. to mask secrets. Pass nullptr to remove it.
void set_log_filter(std::string (*filter)(std::string_view line));
void log_line(LogLevel level, std::string_view line);

template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace browx
