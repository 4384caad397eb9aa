#pragma once
// Colours and fonts. Private to the window's half of the player. Thread: the main one.

#include <imgui.h>

#include "player/lanes/lane.hpp"
#include "player/model/text.hpp"

namespace browx::player {

struct Palette {
  ImU32 ground, panel, raised, hover, selected, line;
  ImU32 text, dim, faint;
  ImU32 accent, good, warning, bad, info, neutral, muted;
  ImU32 playhead, on_colour;  ///< on_colour: text on a filled bar
  bool light = false;

  ImU32 of(Tone tone) const;
};
Palette palette(bool light);

/// The same colour with `alpha` (0 to 1) of its opacity.
ImU32 faded(ImU32 colour, float alpha);

struct Fonts {
  ImFont *text = nullptr, *strong = nullptr, *small = nullptr, *mono = nullptr;
};
/// Inter and JetBrains Mono where fontconfig finds them, else what it has instead, else ImGui's own; and for
/// what they lack of `used` whichever font fontconfig knows to have it.
Fonts load_fonts(double scale, const std::u32string& used);
/// Whether that font would draw a box.
HasGlyph has_glyph(const ImFont* font);

/// Colours, roundings and paddings of ImGui's own widgets.
void apply_style(const Palette& palette, double scale);

}  // namespace browx::player
