#include "player/ui/ui.hpp"

#include <algorithm>

namespace browx::player {
namespace {

const char* end_of(const std::string& text) { return text.data() + text.size(); }

float width_of_shown(const ImFont* font, const char* begin, const char* end) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, begin, end).x;
}

constexpr const char* kEllipsis = "…";

}  // namespace

float text_in(const Ui&, ImVec2 at, float width, ImU32 colour, const ImFont* font, std::string_view raw,
              std::size_t longest) {
  if (width <= 0 || raw.empty()) return 0;
  const std::string text = shown(raw, longest, has_glyph(font));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const char* cut = nullptr;
  const float whole = width_of_shown(font, text.data(), end_of(text));
  if (whole <= width) {
    list.AddText(font, font->FontSize, at, colour, text.data(), end_of(text));
    return whole;
  }
  const float dots = width_of_shown(font, kEllipsis, kEllipsis + 3);
  if (dots > width) return 0;
  const float drawn = font->CalcTextSizeA(font->FontSize, width - dots, 0, text.data(), end_of(text), &cut).x;
  list.AddText(font, font->FontSize, at, colour, text.data(), cut);
  list.AddText(font, font->FontSize, ImVec2(at.x + drawn, at.y), colour, kEllipsis, kEllipsis + 3);
  return drawn + dots;
}

float width_of(const Ui&, const ImFont* font, std::string_view raw, std::size_t longest) {
  const std::string text = shown(raw, longest, has_glyph(font));
  return width_of_shown(font, text.data(), end_of(text));
}

void text_right(const Ui& ui, ImVec2 right, ImU32 colour, const ImFont* font, std::string_view raw) {
  const float width = width_of(ui, font, raw);
  text_in(ui, ImVec2(right.x - width, right.y), width + 1, colour, font, raw);
}

void block(const Ui&, ImU32 colour, ImFont* font, std::string_view raw, std::size_t longest) {
  const std::string text = shown(raw, longest, has_glyph(font), true);
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(ImGui::GetContentRegionMax().x);
  ImGui::TextUnformatted(text.data(), end_of(text));
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

float chip_width(const Ui& ui, std::string_view word) {
  return width_of(ui, ui.fonts.small, word) + ui.px(12);
}

float chip(const Ui& ui, ImVec2 at, ImU32 colour, std::string_view word) {
  const float width = chip_width(ui, word), height = ui.fonts.small->FontSize + ui.px(4);
  ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                                            faded(colour, ui.colours.light ? 0.13f : 0.18f), ui.px(4));
  text_in(ui, ImVec2(at.x + ui.px(6), at.y + ui.px(2)), width, colour, ui.fonts.small, word);
  return width;
}

void tooltip(const Ui& ui, std::string_view raw) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  ImGui::BeginTooltip();
  const std::string text = shown(raw, 700, has_glyph(ui.fonts.small), true);
  const std::size_t first = std::min(text.find('\n'), text.size());
  ImGui::PushFont(ui.fonts.small);
  ImGui::PushTextWrapPos(ui.px(420));
  ImGui::TextUnformatted(text.data(), text.data() + first);
  if (first + 1 < text.size()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colours.dim);
    ImGui::TextUnformatted(text.data() + first + 1, end_of(text));
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

Row row(const Ui& ui, int id, float height, bool selected) {
  Row out;
  out.min = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0f);
  out.max = ImVec2(out.min.x + width, out.min.y + height);
  ImGui::PushID(id);
  out.clicked = ImGui::InvisibleButton("row", ImVec2(width, height));
  out.hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  if (selected || out.hovered)
    ImGui::GetWindowDrawList()->AddRectFilled(out.min, out.max,
                                              selected ? ui.colours.selected : ui.colours.hover);
  if (selected)
    ImGui::GetWindowDrawList()->AddRectFilled(out.min, ImVec2(out.min.x + ui.px(3), out.max.y),
                                              ui.colours.accent);
  return out;
}

}  // namespace browx::player
