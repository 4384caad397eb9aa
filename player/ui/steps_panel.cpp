// Steps under the criterion they belong to; failed ones say why in a second line.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "player/ui/panels.hpp"

namespace browx::player {
namespace {

constexpr std::size_t kHeader = static_cast<std::size_t>(-1);

struct Line {
  std::size_t step = kHeader;
  std::string criterion;
};

const archive::CriterionCoverage* criterion_of(const Session& session, const std::string& label) {
  for (const auto& criterion : session.coverage.criteria)
    if (criterion.id == label) return &criterion;
  return nullptr;
}

void draw_header(const Ui& ui, const std::string& label, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x - ui.px(12);
  const float y = at.y + height - ui.fonts.strong->FontSize - ui.px(5);
  if (label.empty()) {
    text_in(ui, ImVec2(at.x + ui.px(12), y), right - at.x, ui.colours.faint, ui.fonts.small,
            "Without a criterion");
    return;
  }
  const auto* criterion = criterion_of(ui.view.session(), label);
  float end = right;
  if (criterion) {
    const char* state = archive::state_name(criterion->state);
    end -= chip_width(ui, state);
    chip(ui, ImVec2(end, y - ui.px(1)), ui.colours.of(tone_of(criterion->state)), state);
  }
  const float used =
      text_in(ui, ImVec2(at.x + ui.px(12), y), (end - at.x) * 0.6f, ui.colours.text, ui.fonts.strong, label);
  if (criterion)
    text_in(ui, ImVec2(at.x + ui.px(12) + used + ui.px(8), y + ui.px(1)), end - at.x - used - ui.px(28),
            ui.colours.dim, ui.fonts.small, criterion->title);
}

void draw_step(Ui& ui, std::size_t index, float height) {
  const Palette& c = ui.colours;
  const auto& step = ui.view.session().steps[index];
  const Row r = row(ui, static_cast<int>(index), height, ui.view.step() == index && !ui.view.request());
  if (r.clicked) ui.view.select_step(index);
  const float y = r.min.y + ui.px(5);
  const bool future = step.t > ui.view.t();
  text_in(ui, ImVec2(r.min.x + ui.px(12), y + ui.px(1)), ui.px(64), c.faint, ui.fonts.mono,
          clock_text(step.t));
  const ImU32 tone = !step.ok                ? c.bad
                     : step.kind == "assert" ? c.good
                     : step.kind == "read"   ? c.info
                                             : c.accent;
  const ImVec2 dot(r.min.x + ui.px(88), y + ui.fonts.text->FontSize * 0.55f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (step.ok)
    list.AddCircleFilled(dot, ui.px(3.5f), faded(tone, future ? 0.5f : 1));
  else {
    const float s = ui.px(3.5f);
    list.AddLine(ImVec2(dot.x - s, dot.y - s), ImVec2(dot.x + s, dot.y + s), tone, ui.px(2));
    list.AddLine(ImVec2(dot.x - s, dot.y + s), ImVec2(dot.x + s, dot.y - s), tone, ui.px(2));
  }
  const float right = r.max.x - ui.px(12);
  const std::string took = span_text(step.duration_ms);
  text_right(ui, ImVec2(right, y + ui.px(1)), c.faint, ui.fonts.small, took);
  const float end = right - std::max(width_of(ui, ui.fonts.small, took), ui.px(46)) - ui.px(8);
  float x = r.min.x + ui.px(100);
  x += text_in(ui, ImVec2(x, y), end - x, step.ok ? (future ? c.dim : c.text) : c.bad, ui.fonts.text,
               step.tool, 60) +
       ui.px(8);
  const std::string subject = subject_of(step), value = value_of(step);
  const bool wide = !value.empty() && end - x > ui.px(90);
  x += text_in(ui, ImVec2(x, y + ui.px(1)), wide ? (end - x) * 0.72f : end - x, future ? c.faint : c.dim,
               ui.fonts.mono, subject) +
       ui.px(8);
  if (wide && value != subject)
    text_in(ui, ImVec2(x, y + ui.px(1)), end - x, future ? c.faint : c.text, ui.fonts.mono, value);
  if (!step.ok)
    text_in(ui, ImVec2(r.min.x + ui.px(100), y + ui.fonts.text->FontSize + ui.px(4)),
            right - r.min.x - ui.px(100), c.bad, ui.fonts.small,
            step.error.empty() ? "failed without an error text" : step.error);
}

}  // namespace

void draw_steps(Ui& ui) {
  const Session& session = ui.view.session();
  if (session.steps.empty()) {
    ImGui::SetCursorPos(ImVec2(ui.px(12), ui.px(12)));
    block(ui, ui.colours.dim, ui.fonts.text, "No step was recorded.");
    return;
  }
  std::vector<Line> lines;
  RowList rows;
  std::size_t current = kHeader;
  const bool grouped = !session.coverage.spans.empty();
  for (std::size_t i = 0; i < session.steps.size(); ++i) {
    const auto& step = session.steps[i];
    if (grouped && (i == 0 || step.span != session.steps[i - 1].span)) {
      lines.push_back({kHeader, step.span});
      rows.add(ui.px(32));
    }
    if (ui.view.step() == i) current = lines.size();
    lines.push_back({i, {}});
    rows.add(step.ok ? ui.px(26) : ui.px(44));
  }
  rows.draw(ui.follow, current, [&](std::size_t i, float height) {
    if (lines[i].step == kHeader)
      draw_header(ui, lines[i].criterion, height);
    else
      draw_step(ui, lines[i].step, height);
  });
}

}  // namespace browx::player
