#pragma once
// What every panel is given, and the few shapes they draw with. Private to the window's half of the player.
// Thread: the main one. Page text goes through text_in() or block(): bounded, escaped, never a format and
// never an id.

#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "player/lanes/lanes.hpp"
#include "player/model/view.hpp"
#include "player/ui/theme.hpp"

namespace browx::player {

struct Ui {
  View& view;
  const std::vector<Lane>& lanes;
  Palette colours;
  Fonts fonts;
  float scale = 1;
  bool follow = false;  ///< lists bring the row at the playhead into view
  /// Out: the playhead was moved elsewhere than in a list, so that lists follow from the next frame on.
  bool moved = false;
  ImVec4 plot{};  ///< out: where the timeline draws time, in device pixels: x, y, width, height

  float px(float points) const { return points * scale; }
};

/// Draws at `at` (top left) what fits into `width`, ending in "…"; answers the width drawn.
float text_in(const Ui& ui, ImVec2 at, float width, ImU32 colour, const ImFont* font, std::string_view raw,
              std::size_t longest = 300);
float width_of(const Ui& ui, const ImFont* font, std::string_view raw, std::size_t longest = 300);
/// The same, ending at `right`.
void text_right(const Ui& ui, ImVec2 right, ImU32 colour, const ImFont* font, std::string_view raw);
/// Wrapped in the current window; line breaks are kept.
void block(const Ui& ui, ImU32 colour, ImFont* font, std::string_view raw, std::size_t longest = 4000);
/// A small coloured word on a tint of its colour; answers its width.
float chip(const Ui& ui, ImVec2 at, ImU32 colour, std::string_view word);
float chip_width(const Ui& ui, std::string_view word);
/// A tooltip of several lines; the first one stands out.
void tooltip(const Ui& ui, std::string_view raw);

/// One row of a list: background, hover, click.
struct Row {
  ImVec2 min, max;
  bool hovered = false, clicked = false;
};
Row row(const Ui& ui, int id, float height, bool selected);

/// Rows of different heights in the current window: only those in sight are drawn. `current` is scrolled to
/// when `follow`.
class RowList {
 public:
  void add(float height) { tops_.push_back(tops_.back() + height); }
  std::size_t size() const { return tops_.size() - 1; }
  template <class Draw>
  void draw(bool follow, std::size_t current, Draw&& draw_row) const {
    const ImVec2 begin = ImGui::GetCursorPos();
    const float shown = ImGui::GetWindowHeight();
    if (follow && current < size()) {
      const float top = begin.y + tops_[current], bottom = begin.y + tops_[current + 1],
                  at = ImGui::GetScrollY();
      if (top < at)
        ImGui::SetScrollY(top);
      else if (bottom > at + shown)
        ImGui::SetScrollY(bottom - shown);
    }
    const float from = ImGui::GetScrollY() - begin.y, to = from + shown;
    for (std::size_t i = 0; i < size(); ++i) {
      if (tops_[i + 1] < from || tops_[i] > to) continue;
      ImGui::SetCursorPos(ImVec2(begin.x, begin.y + tops_[i]));
      draw_row(i, tops_[i + 1] - tops_[i]);
    }
    ImGui::SetCursorPos(ImVec2(begin.x, begin.y + tops_.back()));
    ImGui::Dummy(ImVec2(0, 0));
  }

 private:
  std::vector<float> tops_{0};
};

}  // namespace browx::player
