// What the client did, and what it looked at.

#include <fmt/format.h>

#include "player/lanes/lanes.hpp"
#include "player/model/text.hpp"

namespace browx::player {
namespace {

void add_steps(const Session& session, Lane& lane, bool actions) {
  for (std::size_t i = 0; i < session.steps.size(); ++i) {
    const auto& step = session.steps[i];
    if ((step.kind == "action") != actions) continue;
    const Tone tone = !step.ok                ? Tone::bad
                      : step.kind == "assert" ? Tone::good
                      : step.kind == "read"   ? Tone::info
                                              : Tone::accent;
    lane.items.push_back({step.t,
                          {step.t.us + static_cast<std::int64_t>(step.duration_ms * 1000)},
                          tone,
                          Shape::bar,
                          0,
                          static_cast<std::uint32_t>(i)});
  }
  lane.pick = Pick::step;
  lane.label = [](const Session& from, std::uint32_t i) { return from.steps[i].tool; };
  lane.about = [](const Session& from, std::uint32_t i) {
    const auto& step = from.steps[i];
    std::string out = fmt::format("{}  {}", step.tool, subject_of(step));
    if (const std::string value = value_of(step); !value.empty()) out += "\n" + value;
    out += fmt::format("\n{} after {}", step.ok ? "ok" : "failed", span_text(step.duration_ms));
    if (!step.error.empty()) out += "\n" + step.error;
    return out;
  };
  lane.finish(3);
}

}  // namespace

Lane actions_lane(const Session& session) {
  Lane lane;
  lane.name = "Actions";
  add_steps(session, lane, true);
  return lane;
}

Lane checks_lane(const Session& session) {
  Lane lane;
  lane.name = "Reads, asserts";
  add_steps(session, lane, false);
  return lane;
}

}  // namespace browx::player
