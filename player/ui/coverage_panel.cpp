// Acceptance criteria: how many are in which state, and why each is.

#include <algorithm>

#include <fmt/format.h>

#include "player/ui/panels.hpp"

namespace browx::player {
namespace {

using archive::CriterionState;

void draw_totals(Ui& ui) {
  const auto& coverage = ui.view.session().coverage;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float left = at.x + ui.px(12), width = ImGui::GetContentRegionAvail().x - ui.px(24);
  const int all = static_cast<int>(coverage.criteria.size());
  const std::string head = fmt::format("{} of {} {}", coverage.total(CriterionState::passed), all,
                                       all == 1 ? "criterion passed" : "criteria passed");
  text_in(ui, ImVec2(left, at.y + ui.px(12)), width, ui.colours.text, ui.fonts.strong, head);
  // One segment a criterion state, as wide as its share.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float x = left;
  const float top = at.y + ui.px(36), bar = ui.px(6);
  float legend = left;
  for (std::size_t i = 0; i < archive::kCriterionStates; ++i) {
    const auto state = static_cast<CriterionState>(i);
    const int count = coverage.total(state);
    if (count == 0) continue;
    const ImU32 colour = ui.colours.of(tone_of(state));
    const float part = width * static_cast<float>(count) / static_cast<float>(all);
    list.AddRectFilled(ImVec2(x, top), ImVec2(x + part - ui.px(2), top + bar), colour, ui.px(2));
    x += part;
    const std::string word = fmt::format("{} {}", count, archive::state_name(state));
    legend +=
        text_in(ui, ImVec2(legend, top + bar + ui.px(7)), left + width - legend,
                state == CriterionState::empty || state == CriterionState::missing ? ui.colours.dim : colour,
                ui.fonts.small, word) +
        ui.px(14);
  }
  ImGui::Dummy(ImVec2(1, ui.px(76)));
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void draw_criterion(Ui& ui, std::size_t index, float height) {
  const Palette& c = ui.colours;
  const auto& criterion = ui.view.session().coverage.criteria[index];
  const Row r = row(ui, static_cast<int>(index), height, ui.view.criterion() == index);
  if (r.clicked) ui.view.select_criterion(index);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(r.min.x + ui.px(12), r.min.y),
                                      ImVec2(r.max.x - ui.px(12), r.min.y), c.line);
  const ImU32 tone = criterion.state == CriterionState::empty || criterion.state == CriterionState::missing
                         ? c.dim
                         : c.of(tone_of(criterion.state));
  const char* state = archive::state_name(criterion.state);
  const float left = r.min.x + ui.px(12), right = r.max.x - ui.px(12),
              end = right - chip_width(ui, state) - ui.px(8);
  chip(ui, ImVec2(right - chip_width(ui, state), r.min.y + ui.px(9)), tone, state);
  float y = r.min.y + ui.px(10);
  const float used = text_in(ui, ImVec2(left, y), (end - left) * 0.5f, c.text, ui.fonts.strong, criterion.id);
  text_in(ui, ImVec2(left + used + ui.px(8), y), end - left - used - ui.px(8), c.text, ui.fonts.text,
          criterion.title);
  y += ui.fonts.text->FontSize + ui.px(6);
  text_in(ui, ImVec2(left, y), right - left, criterion.state == CriterionState::failed ? c.bad : c.dim,
          ui.fonts.small, criterion.reason);
  y += ui.fonts.small->FontSize + ui.px(5);
  std::string counts = counted(criterion.steps.size(), "step") + "  ·  " +
                       counted(static_cast<std::size_t>(criterion.asserts), "assert");
  if (criterion.failures) counts += fmt::format("  ·  {} failed", criterion.failures);
  if (criterion.retried) counts += fmt::format("  ·  {} retried", criterion.retried);
  if (criterion.spans.size() > 1) counts += fmt::format("  ·  {} spans", criterion.spans.size());
  if (!criterion.spans.empty())
    counts += "  ·  " + clock_text(ui.view.session().coverage.spans[criterion.spans.front()].from, 1);
  text_in(ui, ImVec2(left, y), right - left, c.faint, ui.fonts.small, counts);
  if (r.hovered && criterion.reason.size() > 60)
    tooltip(ui, criterion.id + "  " + criterion.title + "\n" + criterion.reason);
}

}  // namespace

void draw_coverage(Ui& ui) {
  const auto& criteria = ui.view.session().coverage.criteria;
  if (criteria.empty()) {
    ImGui::SetCursorPos(ImVec2(ui.px(12), ui.px(12)));
    block(ui, ui.colours.dim, ui.fonts.text,
          "No acceptance criterion was annotated.\n\nrecord_annotate with label and phase \"start\" opens "
          "one, phase \"end\" closes it.");
    return;
  }
  draw_totals(ui);
  RowList rows;
  for (std::size_t i = 0; i < criteria.size(); ++i) rows.add(ui.px(72));
  rows.draw(false, 0, [&](std::size_t i, float height) { draw_criterion(ui, i, height); });
}

}  // namespace browx::player
