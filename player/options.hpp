#pragma once
// The command line of browx-player.

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "base/result.hpp"
#include "base/time.hpp"
#include "player/model/view.hpp"

namespace browx::player {

/// Exit statuses, the same as browx's; --help and docs/player.md list them.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;      ///< no window, or the picture could not be written
inline constexpr int kUsage = 2;       ///< a wrong argument
inline constexpr int kUnreadable = 3;  ///< the file is no archive, or cannot be read at all

struct Options {
  std::filesystem::path file;
  std::optional<Time> at;
  Panel panel = Panel::steps;
  bool light = false;
  int width = 1280, height = 800;
  double scale = 0;  ///< 0: the display's
  bool dump = false;
  std::filesystem::path shot, state;
  std::string chromium;
};

/// "3.2s", "3200ms", "1:02.5", "3200" (milliseconds, as everywhere in browx). Error `invalid_argument`.
Result<Time> parse_moment(const std::string& text);

/// Answers the options, or the exit status when the line was wrong or only asked something (said on stdout,
/// stderr).
std::variant<Options, int> parse_options(int argc, char** argv);

}  // namespace browx::player
