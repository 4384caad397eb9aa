// Console messages and uncaught exceptions, dialogs and downloads: what the page said by itself.

#include <fmt/format.h>

#include "player/lanes/lanes.hpp"

namespace browx::player {

Lane console_lane(const Session& session) {
  Lane lane;
  lane.name = "Console";
  lane.row_height = 14;
  for (std::size_t i = 0; i < session.logs.size(); ++i) {
    const auto& row = session.logs[i];
    const Tone tone = row.level == "error" || row.level == "exception" ? Tone::bad
                      : row.level == "warning"                         ? Tone::warning
                                                                       : Tone::neutral;
    lane.items.push_back({row.t, row.t, tone, Shape::tick, 0, static_cast<std::uint32_t>(i)});
  }
  lane.about = [](const Session& from, std::uint32_t i) {
    const auto& row = from.logs[i];
    return fmt::format("{}: {}\n{}", row.level, row.text, row.where);
  };
  lane.finish(1);
  return lane;
}

}  // namespace browx::player
