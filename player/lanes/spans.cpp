// Acceptance criteria in time, coloured by their state.

#include <algorithm>

#include <fmt/format.h>

#include "player/lanes/lanes.hpp"

namespace browx::player {
namespace {

const archive::CriterionCoverage* criterion_of(const Session& session, const std::string& label) {
  for (const auto& criterion : session.coverage.criteria)
    if (criterion.id == label) return &criterion;
  return nullptr;
}

}  // namespace

Tone tone_of(archive::CriterionState state) {
  switch (state) {
    case archive::CriterionState::passed:
      return Tone::good;
    case archive::CriterionState::failed:
      return Tone::bad;
    case archive::CriterionState::exercised:
      return Tone::info;
    case archive::CriterionState::unclosed:
      return Tone::warning;
    case archive::CriterionState::empty:
    case archive::CriterionState::missing:
      return Tone::muted;
  }
  return Tone::muted;
}

Lane spans_lane(const Session& session) {
  Lane lane;
  lane.name = "Criteria";
  for (std::size_t i = 0; i < session.coverage.spans.size(); ++i) {
    const auto& span = session.coverage.spans[i];
    const auto* criterion = criterion_of(session, span.label);
    lane.items.push_back({span.from, span.to.value_or(session.end),
                          criterion ? tone_of(criterion->state) : Tone::muted,
                          span.to ? Shape::bar : Shape::open, 0, static_cast<std::uint32_t>(i)});
  }
  lane.label = [](const Session& from, std::uint32_t i) {
    const auto& span = from.coverage.spans[i];
    return span.copy.empty() ? span.label : span.label + "  " + span.copy;
  };
  lane.about = [](const Session& from, std::uint32_t i) {
    const auto& span = from.coverage.spans[i];
    const auto* criterion = criterion_of(from, span.label);
    std::string out = span.label + (span.copy.empty() ? "" : "  " + span.copy);
    if (criterion) out += fmt::format("\n{}: {}", archive::state_name(criterion->state), criterion->reason);
    if (!span.to) out += "\nnever closed";
    return out;
  };
  lane.finish(6);
  return lane;
}

}  // namespace browx::player
