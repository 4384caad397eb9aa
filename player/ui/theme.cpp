#include "player/ui/theme.hpp"

#include <algorithm>

namespace browx::player {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32(hex >> 16 & 0xff, hex >> 8 & 0xff, hex & 0xff, 255); }
ImVec4 vec(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

}  // namespace

ImU32 faded(ImU32 colour, float alpha) {
  const float old = static_cast<float>(colour >> IM_COL32_A_SHIFT & 0xff);
  return (colour & ~IM_COL32_A_MASK) | static_cast<ImU32>(old * std::clamp(alpha, 0.0f, 1.0f))
                                           << IM_COL32_A_SHIFT;
}

ImU32 Palette::of(Tone tone) const {
  switch (tone) {
    case Tone::muted:
      return muted;
    case Tone::neutral:
      return neutral;
    case Tone::info:
      return info;
    case Tone::accent:
      return accent;
    case Tone::good:
      return good;
    case Tone::warning:
      return warning;
    case Tone::bad:
      return bad;
  }
  return neutral;
}

Palette palette(bool light) {
  Palette p{};
  p.light = light;
  if (light) {
    p.ground = rgb(0xeceef1), p.panel = rgb(0xffffff), p.raised = rgb(0xf4f5f7), p.hover = rgb(0xeef2f8),
    p.selected = rgb(0xdce8fb), p.line = rgb(0xd8dce2);
    p.text = rgb(0x1a1e24), p.dim = rgb(0x565e69), p.faint = rgb(0x808893);
    p.accent = rgb(0x2f6bd8), p.good = rgb(0x1f8a55), p.warning = rgb(0xb07410), p.bad = rgb(0xcf3b3b),
    p.info = rgb(0x2b8296), p.neutral = rgb(0x8c95a3), p.muted = rgb(0xb4bbc5), p.playhead = rgb(0x1a1e24),
    p.on_colour = rgb(0xffffff);
  } else {
    p.ground = rgb(0x0f1114), p.panel = rgb(0x16191e), p.raised = rgb(0x1c2026), p.hover = rgb(0x20252d),
    p.selected = rgb(0x24344f), p.line = rgb(0x2a2f38);
    p.text = rgb(0xe4e7eb), p.dim = rgb(0xa0a8b4), p.faint = rgb(0x737c8a);
    p.accent = rgb(0x6ba1f7), p.good = rgb(0x55bf88), p.warning = rgb(0xe0ac4e), p.bad = rgb(0xf0706e),
    p.info = rgb(0x5cb3c4), p.neutral = rgb(0x7c8696), p.muted = rgb(0x4c5462), p.playhead = rgb(0xf3f5f8),
    p.on_colour = rgb(0x0f1114);
  }
  return p;
}

HasGlyph has_glyph(const ImFont* font) {
  return [font](char32_t code) {
    return code <= 0xffff && font->FindGlyphNoFallback(static_cast<ImWchar>(code)) != nullptr;
  };
}

void apply_style(const Palette& p, double scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  if (p.light)
    ImGui::StyleColorsLight(&style);
  else
    ImGui::StyleColorsDark(&style);
  style.WindowRounding = style.ChildRounding = 0;
  style.FrameRounding = style.GrabRounding = style.PopupRounding = 4;
  style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.WindowPadding = ImVec2(0, 0);
  style.FramePadding = ImVec2(8, 4);
  style.ItemSpacing = ImVec2(8, 6);
  style.ItemInnerSpacing = ImVec2(6, 4);
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.ScaleAllSizes(static_cast<float>(scale));
  ImVec4* colours = style.Colors;
  colours[ImGuiCol_Text] = vec(p.text);
  colours[ImGuiCol_TextDisabled] = vec(p.faint);
  colours[ImGuiCol_WindowBg] = vec(p.ground);
  colours[ImGuiCol_ChildBg] = vec(p.panel);
  colours[ImGuiCol_PopupBg] = vec(p.raised);
  colours[ImGuiCol_Border] = vec(p.line);
  colours[ImGuiCol_Button] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_ButtonHovered] = vec(p.hover);
  colours[ImGuiCol_ButtonActive] = vec(p.selected);
  colours[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_ScrollbarGrab] = vec(faded(p.faint, 0.35f));
  colours[ImGuiCol_ScrollbarGrabHovered] = vec(faded(p.faint, 0.6f));
  colours[ImGuiCol_ScrollbarGrabActive] = vec(faded(p.faint, 0.8f));
}

}  // namespace browx::player
