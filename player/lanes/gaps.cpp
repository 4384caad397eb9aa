// What could not be recorded, and where the recording stops being whole.

#include <fmt/format.h>

#include "player/lanes/lanes.hpp"

namespace browx::player {
namespace {
// Indexes behind those of Session::gaps.
constexpr std::uint32_t kTruncated = 0x80000000, kCut = 0x80000001;
}  // namespace

Lane gaps_lane(const Session& session) {
  Lane lane;
  lane.name = "Gaps";
  lane.row_height = 15;
  for (std::size_t i = 0; i < session.gaps.size(); ++i) {
    const auto& gap = session.gaps[i];
    const bool moment = gap.to && gap.to->us <= gap.from.us;
    lane.items.push_back({gap.from, gap.to.value_or(moment ? gap.from : session.end), Tone::warning,
                          moment   ? Shape::tick
                          : gap.to ? Shape::bar
                                   : Shape::open,
                          0, static_cast<std::uint32_t>(i)});
  }
  if (session.truncated)
    lane.items.push_back({session.truncated->at, session.end, Tone::bad, Shape::hatch, 0, kTruncated});
  if (session.partial && !session.live)
    lane.items.push_back({session.end, session.end, Tone::bad, Shape::hatch, 0, kCut});
  lane.label = [](const Session& from, std::uint32_t i) {
    return i == kTruncated ? "truncated" : i == kCut ? "ends here" : from.gaps[i].reason;
  };
  lane.about = [](const Session& from, std::uint32_t i) {
    if (i == kTruncated)
      return fmt::format("truncated: {}, {} facts dropped", from.truncated->reason, from.truncated->dropped);
    if (i == kCut) return "the file ends here: " + from.partial_reason;
    const auto& gap = from.gaps[i];
    return gap.reason + (gap.detail.empty() ? "" : "\n" + gap.detail) +
           (gap.to ? "" : "\nuntil the end, as far as is known");
  };
  lane.finish(3);
  return lane;
}

}  // namespace browx::player
