// The lanes: prepared by Lane::fold(), drawn here; scrubbing, panning, zooming, choosing.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "player/ui/panels.hpp"

namespace browx::player {
namespace {

constexpr float kNames = 104, kRuler = 26, kSpace = 6;

float lane_height(const Ui& ui, const Lane& lane) {
  return ui.px(static_cast<float>(lane.row_height * lane.rows) + kSpace);
}

/// Diagonal lines in a rectangle.
void hatch(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float apart, float thickness) {
  if (max.x <= min.x) return;
  list.PushClipRect(min, max, true);
  const float height = max.y - min.y;
  for (float x = min.x - height - std::fmod(min.x, apart); x < max.x; x += apart)
    list.AddLine(ImVec2(x, max.y), ImVec2(x + height, min.y), colour, thickness);
  list.PopClipRect();
}

void draw_density(const Ui& ui, const std::vector<Mark>& marks, ImVec2 origin, float height) {
  std::uint32_t most = 1;
  for (const Mark& mark : marks) most = std::max(most, mark.count);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float whole = std::log1p(static_cast<float>(most));
  for (const Mark& mark : marks) {
    const float tall = std::max(height * std::log1p(static_cast<float>(mark.count)) / whole, ui.px(2));
    const float width = std::max(mark.x1 - mark.x0, ui.px(1));
    list.AddRectFilled(ImVec2(origin.x + mark.x0, origin.y + height - tall),
                       ImVec2(origin.x + mark.x0 + width, origin.y + height),
                       faded(ui.colours.of(mark.tone), 0.75f));
  }
}

void draw_mark(const Ui& ui, const Lane& lane, const Mark& mark, ImVec2 origin, bool selected) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ui.colours.of(mark.tone);
  const float tall = ui.px(static_cast<float>(lane.row_height)),
              top = origin.y + static_cast<float>(mark.row) * tall;
  const float pad = lane.row_height > 12 ? ui.px(1.5f) : ui.px(1);
  ImVec2 min(origin.x + mark.x0, top + pad), max(origin.x + mark.x1, top + tall - pad);
  switch (mark.shape) {
    case Shape::tick:
      max.x = min.x + ui.px(mark.tone >= Tone::warning ? 2.5f : 1.5f);
      list.AddRectFilled(min, max, mark.tone >= Tone::warning ? colour : faded(colour, 0.85f), ui.px(1));
      return;
    case Shape::hatch:
      max.x = std::max(max.x, min.x + ui.px(8));
      list.AddRectFilled(min, max, faded(colour, 0.18f));
      hatch(list, min, max, colour, ui.px(5), ui.px(1));
      break;
    case Shape::open: {
      max.x = std::max(max.x, min.x + ui.px(8));
      const ImU32 none = faded(colour, 0.12f);
      list.AddRectFilledMultiColor(min, max, faded(colour, 0.8f), none, none, faded(colour, 0.8f));
      list.AddRectFilled(min, ImVec2(min.x + ui.px(2), max.y), colour);
      // A dashed end: nobody saw it.
      for (float y = min.y; y < max.y; y += ui.px(4))
        list.AddLine(ImVec2(max.x - 1, y), ImVec2(max.x - 1, std::min(y + ui.px(2), max.y)), colour,
                     ui.px(1.5f));
      break;
    }
    case Shape::bar:
      max.x = std::max(max.x, min.x + ui.px(2));
      list.AddRectFilled(min, max, faded(colour, lane.row_height > 12 ? 0.92f : 0.8f), ui.px(2.5f));
      break;
  }
  if (selected)
    list.AddRect(ImVec2(min.x - ui.px(1), min.y - ui.px(1)), ImVec2(max.x + ui.px(1), max.y + ui.px(1)),
                 ui.colours.text, ui.px(3), 0, ui.px(1.5f));
}

/// In its bar, where there is room; `labelled`: until where the row holds a label already.
void draw_label(const Ui& ui, const Lane& lane, const Mark& mark, ImVec2 origin, float& labelled) {
  if (!lane.label || mark.count != 1 || mark.shape == Shape::tick || lane.row_height < 14) return;
  const float tall = ui.px(static_cast<float>(lane.row_height)),
              top = origin.y + static_cast<float>(mark.row) * tall;
  const float from = std::max(mark.x0, 0.0f) + ui.px(5),
              room = std::min(mark.x1, static_cast<float>(ui.view.viewport.width())) - from - ui.px(3);
  if (from < labelled || room < ui.px(18)) return;
  labelled =
      from + text_in(ui, ImVec2(origin.x + from, top + (tall - ui.fonts.small->FontSize) / 2 - ui.px(0.5f)),
                     room, mark.shape == Shape::bar ? ui.colours.on_colour : ui.colours.text, ui.fonts.small,
                     lane.label(ui.view.session(), lane.items[mark.item].index), 80);
}

/// Where nothing is known: behind the end of a partial or truncated file, and before time began.
void draw_unknown(const Ui& ui, ImVec2 origin, float height) {
  const Session& session = ui.view.session();
  const Viewport& viewport = ui.view.viewport;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float right = origin.x + static_cast<float>(viewport.width());
  const auto band = [&](Time from, ImU32 colour, bool grave) {
    const float x = std::max(origin.x + static_cast<float>(viewport.x(from)), origin.x);
    if (x >= right) return;
    list.AddRectFilled(ImVec2(x, origin.y), ImVec2(right, origin.y + height),
                       faded(colour, grave ? 0.10f : 0.5f));
    if (!grave) return;
    hatch(list, ImVec2(x, origin.y), ImVec2(right, origin.y + height), faded(colour, 0.35f), ui.px(9),
          ui.px(1));
    list.AddLine(ImVec2(x, origin.y), ImVec2(x, origin.y + height), colour, ui.px(1.5f));
  };
  if (session.truncated)
    band(session.truncated->at, ui.colours.bad, true);
  else if (session.partial && !session.live)
    band(session.end, ui.colours.bad, true);
  else
    band(session.end, ui.colours.ground, false);
}

/// The playhead's label: from x to x + width.
struct Flag {
  float x = 0, width = 0;
  std::string text;
};
Flag flag_of(const Ui& ui, ImVec2 origin) {
  Flag out;
  out.text = clock_text(ui.view.t());
  out.width = width_of(ui, ui.fonts.small, out.text) + ui.px(12);
  const float right = origin.x + static_cast<float>(ui.view.viewport.width());
  const float middle = origin.x + static_cast<float>(ui.view.viewport.x(ui.view.t()));
  out.x = std::clamp(middle - out.width / 2, origin.x, std::max(origin.x, right - out.width));
  return out;
}

void draw_ruler(const Ui& ui, ImVec2 origin) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& c = ui.colours;
  const float base = origin.y + ui.px(kRuler),
              right = origin.x + static_cast<float>(ui.view.viewport.width());
  const Flag flag = flag_of(ui, origin);
  for (const Tick& tick : ticks(ui.view.viewport, ui.px(96))) {
    const float x = std::round(origin.x + static_cast<float>(tick.x)) + 0.5f;
    list.AddLine(ImVec2(x, base - ui.px(tick.major ? 7 : 4)), ImVec2(x, base), tick.major ? c.faint : c.line);
    if (!tick.major) continue;
    const float from = x + ui.px(4), to = from + width_of(ui, ui.fonts.small, tick.label);
    const bool covered = to > flag.x - ui.px(4) && from < flag.x + flag.width + ui.px(4);
    if (!covered && to <= right)
      text_in(ui, ImVec2(from, origin.y + ui.px(6)), ui.px(90), c.dim, ui.fonts.small, tick.label);
  }
  list.AddLine(ImVec2(origin.x, base), ImVec2(right, base), c.line);
}

void draw_playhead(const Ui& ui, ImVec2 origin, float bottom) {
  const float x = std::round(origin.x + static_cast<float>(ui.view.viewport.x(ui.view.t()))) + 0.5f;
  const float right = origin.x + static_cast<float>(ui.view.viewport.width());
  if (x < origin.x - 1 || x > right + 1) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ui.colours.playhead;
  list.AddLine(ImVec2(x, origin.y + ui.px(kRuler) - ui.px(3)), ImVec2(x, bottom), colour, ui.px(1.5f));
  const Flag flag = flag_of(ui, origin);
  list.AddRectFilled(ImVec2(flag.x, origin.y + ui.px(4)),
                     ImVec2(flag.x + flag.width, origin.y + ui.px(kRuler) - ui.px(3)), colour, ui.px(4));
  text_in(ui, ImVec2(flag.x + ui.px(6), origin.y + ui.px(6)), flag.width,
          ui.colours.light ? ui.colours.panel : ui.colours.ground, ui.fonts.small, flag.text);
}

struct Hit {
  const Lane* lane = nullptr;
  std::size_t item = 0;
};

void choose(Ui& ui, const Hit& hit) {
  const Item& item = hit.lane->items[hit.item];
  switch (hit.lane->pick) {
    case Pick::step:
      ui.view.select_step(item.index);
      break;
    case Pick::request:
      ui.view.select_request(item.index);
      break;
    case Pick::moment:
      ui.view.move_to(item.from);
      break;
  }
}

}  // namespace

float timeline_height(const Ui& ui) {
  float height = ui.px(kRuler + 8);
  for (const Lane& lane : ui.lanes) height += lane_height(ui, lane);
  return height;
}

void draw_timeline(Ui& ui) {
  const Palette& c = ui.colours;
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float names = ui.px(kNames);
  const ImVec2 origin(corner.x + names, corner.y);
  const float width = std::max(room.x - names - ui.px(10), ui.px(40)), bottom = corner.y + room.y;
  Viewport& viewport = ui.view.viewport;
  viewport.resize(width);
  ui.plot = ImVec4(origin.x, corner.y, width, room.y);
  ImDrawList& list = *ImGui::GetWindowDrawList();

  // The lanes scroll below a ruler that stays.
  const float lanes_top = corner.y + ui.px(kRuler);
  ImGui::SetCursorScreenPos(ImVec2(corner.x, lanes_top));
  ImGui::BeginChild("lanes", ImVec2(room.x, bottom - lanes_top), false, ImGuiWindowFlags_NoScrollWithMouse);
  const float scroll = ImGui::GetScrollY();
  float content = 0;
  for (const Lane& lane : ui.lanes) content += lane_height(ui, lane);
  ImGui::Dummy(ImVec2(names + width, content));
  ImDrawList& inner = *ImGui::GetWindowDrawList();
  const ImVec2 clip_min(origin.x, lanes_top), clip_max(origin.x + width, bottom);
  inner.PushClipRect(clip_min, clip_max, true);
  draw_unknown(ui, ImVec2(origin.x, lanes_top), bottom - lanes_top);
  for (const Tick& tick : ticks(viewport, ui.px(96)))
    if (tick.major) {
      const float x = std::round(origin.x + static_cast<float>(tick.x)) + 0.5f;
      inner.AddLine(ImVec2(x, lanes_top), ImVec2(x, bottom), faded(c.line, 0.6f));
    }
  inner.PopClipRect();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && mouse.x >= origin.x && mouse.x <= origin.x + width;
  Hit hit;
  float y = lanes_top - scroll;
  for (const Lane& lane : ui.lanes) {
    const float height = lane_height(ui, lane);
    if (y + height >= lanes_top && y <= bottom) {
      inner.AddLine(ImVec2(corner.x, y + height - 0.5f), ImVec2(origin.x + width, y + height - 0.5f),
                    faded(c.line, 0.7f));
      const float text_y = lane.rows == 1 ? y + (height - ui.fonts.small->FontSize) / 2 : y + ui.px(5);
      text_in(ui, ImVec2(corner.x + ui.px(12), text_y), names - ui.px(16), c.dim, ui.fonts.small, lane.name);
      const ImVec2 at(origin.x, y + ui.px(kSpace / 2));
      inner.PushClipRect(clip_min, clip_max, true);
      const auto marks = lane.fold(viewport);
      if (lane.density) {
        draw_density(ui, marks, at, height - ui.px(kSpace));
      } else {
        // The grave ones last, so that nothing covers them.
        for (const bool grave : {false, true})
          for (const Mark& mark : marks) {
            if ((mark.tone >= Tone::warning) != grave) continue;
            const std::uint32_t index = lane.items[mark.item].index;
            const bool selected =
                mark.count == 1 &&
                ((lane.pick == Pick::step && !ui.view.request() && ui.view.step() == index) ||
                 (lane.pick == Pick::request && ui.view.request() == index));
            draw_mark(ui, lane, mark, at, selected);
          }
        std::vector<float> labelled(lane.rows, -1e9f);
        for (const Mark& mark : marks) draw_label(ui, lane, mark, at, labelled[mark.row]);
      }
      inner.PopClipRect();
      if (over && !lane.density && mouse.y >= y && mouse.y < y + height) {
        const int row = static_cast<int>((mouse.y - at.y) / ui.px(static_cast<float>(lane.row_height)));
        hit = {&lane, lane.at(viewport, mouse.x - origin.x, std::clamp(row, 0, lane.rows - 1), ui.px(4))};
        if (hit.item >= lane.items.size()) hit = {};
      }
    }
    y += height;
  }
  ImGui::EndChild();

  list.AddRectFilled(corner, ImVec2(corner.x + room.x, lanes_top), c.panel);
  draw_ruler(ui, origin);
  // Over the lanes; the mouse goes through.
  ImGui::SetCursorScreenPos(ImVec2(origin.x, corner.y));
  ImGui::BeginChild("overlay", ImVec2(width, room.y), false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoInputs);
  draw_playhead(ui, origin, bottom);
  ImGui::EndChild();

  const bool in_ruler =
      ImGui::IsMouseHoveringRect(ImVec2(origin.x, corner.y), ImVec2(origin.x + width, lanes_top)) &&
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  const ImGuiIO& io = ImGui::GetIO();
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID scrubbing = ImGui::GetID("scrubbing"), panning = ImGui::GetID("panning");
  if (over || in_ruler) {
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) memory.SetBool(scrubbing, true);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Middle) || ImGui::IsMouseClicked(ImGuiMouseButton_Right))
      memory.SetBool(panning, true);
    if (io.MouseWheel != 0 && io.KeyShift)
      viewport.pan(-io.MouseWheel * ui.px(80));
    else if (io.MouseWheel != 0)
      viewport.zoom(std::pow(1.25, io.MouseWheel), mouse.x - origin.x);
    if (io.MouseWheelH != 0) viewport.pan(-io.MouseWheelH * ui.px(80));
  }
  if (memory.GetBool(scrubbing)) {
    const bool dragged = ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3));
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) {
      memory.SetBool(scrubbing, false);
      if (hit.lane && std::fabs(io.MouseDragMaxDistanceSqr[0]) < ui.px(3) * ui.px(3)) choose(ui, hit);
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || dragged) {
      ui.view.move_to(viewport.time_at(std::clamp(mouse.x - origin.x, 0.0f, width)));
    }
    ui.moved = true;
  }
  if (memory.GetBool(panning)) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Middle) && !ImGui::IsMouseDown(ImGuiMouseButton_Right))
      memory.SetBool(panning, false);
    else
      viewport.pan(-io.MouseDelta.x);
  }
  if (hit.lane && hit.lane->about && !memory.GetBool(scrubbing))
    tooltip(ui, clock_text(hit.lane->items[hit.item].from) + "  " +
                    hit.lane->about(ui.view.session(), hit.lane->items[hit.item].index));
}

}  // namespace browx::player
