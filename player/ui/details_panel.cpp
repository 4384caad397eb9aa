// The selected step or request in full.

#include <algorithm>

#include <fmt/format.h>

#include "player/ui/panels.hpp"

namespace browx::player {
namespace {

void heading(Ui& ui, const std::string& title, ImU32 tone, const char* word) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x,
              end = width - (word ? chip_width(ui, word) + ui.px(8) : 0);
  text_in(ui, ImVec2(at.x, at.y + ui.px(2)), end, ui.colours.text, ui.fonts.strong, title);
  if (word) chip(ui, ImVec2(at.x + width - chip_width(ui, word), at.y), tone, word);
  ImGui::Dummy(ImVec2(1, ui.px(20)));
}

void field(Ui& ui, const char* name, std::string_view value, bool mono = false, ImU32 colour = 0) {
  if (value.empty()) return;
  const float left = ImGui::GetCursorPosX();
  const float y = ImGui::GetCursorPosY();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text_in(ui, ImVec2(at.x, at.y + ui.px(1)), ui.px(70), ui.colours.faint, ui.fonts.small, name);
  ImGui::SetCursorPos(ImVec2(left + ui.px(76), y));
  ImGui::BeginGroup();
  block(ui, colour ? colour : ui.colours.text, mono ? ui.fonts.mono : ui.fonts.text, value, 1500);
  ImGui::EndGroup();
  ImGui::SetCursorPosX(left);
}

void section(Ui& ui, const char* title) {
  ImGui::Dummy(ImVec2(1, ui.px(4)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x + ImGui::GetContentRegionAvail().x, at.y),
                                      ui.colours.line);
  ImGui::Dummy(ImVec2(1, ui.px(4)));
  block(ui, ui.colours.faint, ui.fonts.small, title);
}

/// Red and wrapped, on a tint.
void error_box(Ui& ui, std::string_view error) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(8), at.y + ui.px(7)));
  ImGui::BeginGroup();
  block(ui, ui.colours.bad, ui.fonts.text, error, 2000);
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + ui.px(7);
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(at, ImVec2(at.x + width, bottom), faded(ui.colours.bad, 0.12f), ui.px(4));
  list.ChannelsMerge();
  ImGui::SetCursorScreenPos(ImVec2(at.x, bottom));
  ImGui::Dummy(ImVec2(1, ui.px(2)));
}

void draw_locators(Ui& ui, const archive::Step& step) {
  const auto locators = locators_of(step);
  if (locators.empty()) return;
  section(ui, "Candidate locators, counted in the page at that moment");
  for (const auto& locator : locators) {
    const float left = ImGui::GetCursorPosX();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImU32 tone = locator.count != 1            ? ui.colours.bad
                       : locator.stability == "high" ? ui.colours.good
                       : locator.stability == "low"  ? ui.colours.warning
                                                     : ui.colours.info;
    ImGui::GetWindowDrawList()->AddCircleFilled(
        ImVec2(at.x + ui.px(5), at.y + ui.fonts.mono->FontSize * 0.6f), ui.px(3), tone);
    ImGui::SetCursorPosX(left + ui.px(16));
    ImGui::BeginGroup();
    block(ui, ui.colours.text, ui.fonts.mono, locator.playwright, 600);
    std::string more = locator.count == 1
                           ? "unique"
                           : fmt::format("{} matches, this is number {}", locator.count, locator.index + 1);
    if (!locator.stability.empty()) more += "  ·  " + locator.stability + " stability";
    if (!locator.reason.empty()) more += "  ·  " + locator.reason;
    block(ui, ui.colours.faint, ui.fonts.small, more);
    ImGui::EndGroup();
    ImGui::SetCursorPosX(left);
  }
}

std::string as_text(const Json& value) {
  return value.is_null() ? std::string() : value.is_string() ? value.get<std::string>() : dump_json(value);
}

void draw_step_details(Ui& ui, const archive::Step& step) {
  const Palette& c = ui.colours;
  heading(ui, step.tool, step.ok ? c.good : c.bad, step.ok ? "ok" : "failed");
  if (!step.ok) error_box(ui, step.error.empty() ? "It failed without an error text." : step.error);
  field(ui, "Time", clock_text(step.t) + ", took " + span_text(step.duration_ms));
  field(ui, "Kind", step.kind);
  field(ui, "Id", json_string(step.payload, "id"), true);
  field(ui, "Criterion", step.span);
  field(ui, "Target", subject_of(step), true);
  field(ui, "Value", value_of(step), true);
  field(ui, "Page", step.url);
  draw_locators(ui, step);
  if (const Json& arguments = json_member(step.payload, "arguments");
      arguments.is_object() && !arguments.empty()) {
    section(ui, "Arguments");
    for (const auto& [key, value] : arguments.items())
      field(ui, shown(key, 40).c_str(), as_text(value), true);
  }
  if (const Json& result = json_member(step.payload, "result"); result.is_object() && !result.empty()) {
    section(ui, "Result");
    for (const auto& [key, value] : result.items())
      field(ui, shown(key, 40).c_str(), as_text(value), true, c.dim);
  }
}

void draw_request_details(Ui& ui, const archive::RequestRow& request) {
  const Palette& c = ui.colours;
  const bool bad = request.status >= 400 || (request.finished && !request.ok);
  const std::string word = request.status     ? std::to_string(request.status)
                           : request.finished ? "failed"
                                              : "open";
  heading(ui, request.method + " " + short_url(request.url),
          bad                ? c.bad
          : request.finished ? c.good
                             : c.warning,
          word.c_str());
  if (!request.error.empty()) error_box(ui, request.error);
  field(ui, "URL", request.url, true);
  field(ui, "Type", request.resource_type);
  field(ui, "MIME", request.mime);
  field(ui, "Time",
        clock_text(request.t) +
            (request.finished ? ", took " + span_text(request.duration_ms) : ", no end was recorded"));
  field(ui, "Received", fmt::format("{} bytes", request.encoded_bytes));
  const std::size_t index = *ui.view.request();
  bool first = true;
  int listed = 0;
  for (const auto& message : ui.view.session().messages) {
    if (message.request != index || ++listed > 200) continue;
    if (first) section(ui, "Messages");
    first = false;
    field(ui, (clock_text(message.t) + (message.sent ? " ↑" : " ↓")).c_str(), message.text, true,
          message.sent ? c.accent : c.text);
  }
}

}  // namespace

void draw_details(Ui& ui) {
  const Session& session = ui.view.session();
  if (const auto request = ui.view.request()) return draw_request_details(ui, session.requests[*request]);
  if (const auto step = ui.view.step()) return draw_step_details(ui, session.steps[*step]);
  block(ui, ui.colours.dim, ui.fonts.text,
        session.steps.empty() ? "Nothing is selected." : "Before the first step.");
}

}  // namespace browx::player
