#include "player/ui/app.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "player/ui/panels.hpp"

namespace browx::player {
namespace {

constexpr float kBar = 44, kNotice = 26, kTabs = 34, kNarrow = 980, kRoomForDetails = 330;

}  // namespace

std::u32string texts_of(const Session& session) {
  std::unordered_set<char32_t> seen;
  std::u32string out;
  const auto add = [&](std::string_view text) {
    for (const char32_t code : code_points(text.substr(0, 4000)))
      if (code > 0x7e && seen.insert(code).second && out.size() < 6000) out += code;
  };
  add(session.title);
  for (const auto& step : session.steps) {
    add(step.error);
    add(dump_json(step.payload));
  }
  for (const auto& criterion : session.coverage.criteria) add(criterion.id), add(criterion.title);
  for (const auto& page : session.pages) add(page.title), add(page.url);
  for (const auto& log : session.logs) add(log.text);
  for (const auto& request : session.requests) add(request.url);
  for (const auto& message : session.messages) add(message.text);
  for (const auto& gap : session.gaps) add(gap.detail);
  return out;
}

App::App(Window& window, View& view, Stage& stage, bool light)
    : window_(window),
      view_(view),
      stage_(stage),
      colours_(palette(light)),
      lanes_(lanes_of(view.session())),
      drawn_panel_(view.panel) {
  apply_style(colours_, window.scale());
  fonts_ = load_fonts(window.scale(), texts_of(view.session()));
}

void App::refresh() {
  lanes_ = lanes_of(view_.session());
  asked_.reset();
}

void App::press(const KeyPress& press) {
  if (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) return;
  const bool shift = press.mods & GLFW_MOD_SHIFT;
  const double at = std::clamp(view_.viewport.x(view_.t()), 0.0, view_.viewport.width());
  const auto sideways = [&](int direction) {
    if (shift)
      view_.step_failures(direction);
    else
      view_.step_moments(direction);
  };
  const auto neighbour = [&](int direction) {
    const auto step = view_.step();
    if (direction > 0)
      view_.select_step(step ? *step + 1 : 0);
    else if (step && *step > 0)
      view_.select_step(*step - 1);
  };
  const auto jump = [&](Time t) {
    view_.move_to(t);
    view_.viewport.reveal(view_.t());
  };
  switch (press.key) {
    case GLFW_KEY_RIGHT:
      return sideways(1);
    case GLFW_KEY_LEFT:
      return sideways(-1);
    case GLFW_KEY_DOWN:
      return neighbour(1);
    case GLFW_KEY_UP:
      return neighbour(-1);
    case GLFW_KEY_HOME:
      return jump(view_.session().first);
    case GLFW_KEY_END:
      return jump(view_.session().end);
    case GLFW_KEY_SPACE:
      return view_.toggle_play();
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      return view_.viewport.zoom(1.5, at);
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return view_.viewport.zoom(1 / 1.5, at);
    case GLFW_KEY_F:
      return view_.viewport.fit();
    default:
      break;
  }
  const int number = press.key - GLFW_KEY_1;
  if (number >= 0 && number < static_cast<int>(std::size(kPanels))) view_.panel = kPanels[number];
}

void App::keys() {
  const Time before = view_.t();
  const auto step_before = view_.step();
  for (const KeyPress& one : window_.take_keys()) press(one);
  if (view_.t() != before || view_.step() != step_before) follow_ = kFollow;
}

void App::accept(Picture picture) {
  if (picture.width > 0 && picture.height > 0 &&
      picture.rgba.size() >=
          static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4)
    texture_.load(picture.width, picture.height, picture.rgba.data());
  waiting_ = waiting_ && picture.source == PictureSource::screencast;
  picture.rgba.clear();
  picture_ = std::move(picture);
}

void App::show(Picture picture) {
  asked_ = {picture.tab, picture.t};
  waiting_ = false;
  accept(std::move(picture));
}

void App::ask() {
  const std::pair wish{view_.tab(), view_.t()};
  if (asked_ == wish) return;
  asked_ = wish;
  waiting_ = true;
  patience_ = SteadyClock::now() + std::chrono::seconds(30);
  stage_.ask(wish.first, wish.second);
}

bool App::poll() {
  bool news = false;
  while (auto picture = stage_.take()) {
    accept(*std::move(picture));
    news = true;
  }
  return news;
}

void App::splitter(Ui& ui, const char* id, bool vertical, float& value, float least, float most,
                   float direction) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float thick = ui.px(5);
  const ImVec2 size = vertical ? ImVec2(thick, std::max(ImGui::GetContentRegionAvail().y, 1.0f))
                               : ImVec2(std::max(ImGui::GetContentRegionAvail().x, 1.0f), thick);
  ImGui::InvisibleButton(id, size);
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (active)
    value = std::clamp(
        value + direction * (vertical ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y) / ui.scale,
        least, std::max(least, most));
  if (active || hovered) {
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                                              faded(colours_.accent, active ? 0.8f : 0.45f));
  }
}

void App::draw_bar(Ui& ui, float height) {
  const Palette& c = colours_;
  const Session& session = view_.session();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), c.panel);
  list.AddLine(ImVec2(at.x, at.y + height - 0.5f), ImVec2(at.x + width, at.y + height - 0.5f), c.line);

  // From the right: length, clock, play.
  const float y = at.y + (height - fonts_.mono->FontSize) / 2;
  float right = at.x + width - ui.px(16);
  const std::string length = "/ " + clock_text(session.end), now = clock_text(view_.t());
  text_right(ui, ImVec2(right, y), c.faint, fonts_.mono, length);
  right -= width_of(ui, fonts_.mono, length) + ui.px(8);
  text_right(ui, ImVec2(right, y), c.text, fonts_.mono, now);
  right -= std::max(width_of(ui, fonts_.mono, now), width_of(ui, fonts_.mono, "0:00.000")) + ui.px(12);
  const float side = ui.px(28);
  ImGui::SetCursorScreenPos(ImVec2(right - side, at.y + (height - side) / 2));
  if (ImGui::InvisibleButton("play", ImVec2(side, side))) view_.toggle_play();
  const ImVec2 min = ImGui::GetItemRectMin();
  list.AddRectFilled(min, ImVec2(min.x + side, min.y + side), ImGui::IsItemHovered() ? c.hover : c.raised,
                     ui.px(5));
  const ImVec2 middle(min.x + side / 2, min.y + side / 2);
  const float s = ui.px(5);
  if (view_.playing()) {
    list.AddRectFilled(ImVec2(middle.x - s, middle.y - s), ImVec2(middle.x - s * 0.25f, middle.y + s),
                       c.text);
    list.AddRectFilled(ImVec2(middle.x + s * 0.25f, middle.y - s), ImVec2(middle.x + s, middle.y + s),
                       c.text);
  } else {
    list.AddTriangleFilled(ImVec2(middle.x - s * 0.7f, middle.y - s), ImVec2(middle.x + s, middle.y),
                           ImVec2(middle.x - s * 0.7f, middle.y + s), c.text);
  }
  right -= side + ui.px(14);

  // From the left: title, then what kind of recording.
  float x = at.x + ui.px(16);
  const float text_y = at.y + (height - fonts_.strong->FontSize) / 2;
  x += text_in(ui, ImVec2(x, text_y), (right - x) * 0.5f, c.text, fonts_.strong, session.title) + ui.px(12);
  const auto word = [&](ImU32 colour, const std::string& text) {
    if (x + chip_width(ui, text) > right) return;
    x +=
        chip(ui, ImVec2(x, at.y + (height - fonts_.small->FontSize - ui.px(4)) / 2), colour, text) + ui.px(6);
  };
  if (session.live)
    word(c.accent, "recording");
  else if (session.truncated)
    word(c.bad, "truncated");
  else if (session.partial)
    word(c.bad, "partial");
  if (const int failures = session.failures())
    word(c.bad, fmt::format("{} failed step{}", failures, failures == 1 ? "" : "s"));
  const auto& coverage = session.coverage;
  if (!coverage.criteria.empty()) {
    const int passed = coverage.total(archive::CriterionState::passed);
    const bool all = passed == static_cast<int>(coverage.criteria.size());
    word(all                                               ? c.good
         : coverage.total(archive::CriterionState::failed) ? c.bad
                                                           : c.warning,
         fmt::format("{}/{} criteria passed", passed, coverage.criteria.size()));
  }
  x += ui.px(6);
  text_in(ui, ImVec2(x, text_y + ui.px(1)), right - x, c.faint, fonts_.small,
          session.path.filename().string() + "  ·  tier " + session.tier);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

float App::draw_notices(Ui& ui) {
  const Palette& c = colours_;
  const auto& notices = view_.session().notices;
  const float height = ui.px(kNotice);
  for (std::size_t i = 0; i < notices.size(); ++i) {
    const ImU32 tone = notices[i].weight == Notice::Weight::grave     ? c.bad
                       : notices[i].weight == Notice::Weight::warning ? c.warning
                                                                      : c.info;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("notice", ImVec2(width, height))) view_.panel = Panel::gaps;
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float strength = notices[i].weight == Notice::Weight::grave ? 0.22f : 0.10f;
    list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), c.panel);
    list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), faded(tone, strength));
    list.AddRectFilled(at, ImVec2(at.x + ui.px(4), at.y + height), tone);
    text_in(ui, ImVec2(at.x + ui.px(16), at.y + (height - fonts_.small->FontSize) / 2), width - ui.px(28),
            notices[i].weight == Notice::Weight::grave ? c.text : c.dim,
            notices[i].weight == Notice::Weight::grave ? fonts_.strong : fonts_.small, notices[i].text);
    if (hovered) tooltip(ui, notices[i].text);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  }
  return height * static_cast<float>(notices.size());
}

void App::draw_list(Ui& ui) {
  const Palette& c = colours_;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(kTabs);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(at.x, at.y + height - 0.5f), ImVec2(at.x + width, at.y + height - 0.5f), c.line);
  // Titles as wide as they are; the counts go first where room is short.
  float wanted = 0;
  for (const auto& kind : panel_list())
    wanted += width_of(ui, fonts_.text, kind.title) +
              width_of(ui, fonts_.small, kind.count(view_.session())) + ui.px(20);
  const bool counts = wanted <= width;
  const ImFont* font = counts ? fonts_.text : fonts_.small;
  float x = at.x + ui.px(4);
  for (const auto& kind : panel_list()) {
    const bool active = view_.panel == kind.panel;
    const std::string count = counts ? kind.count(view_.session()) : std::string();
    const float title = width_of(ui, font, kind.title), gap = ui.px(counts ? 8 : 6);
    const float tab = title + gap * 2 + (count.empty() ? 0 : width_of(ui, fonts_.small, count) + ui.px(4));
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    if (ImGui::InvisibleButton(kind.title, ImVec2(tab, height))) view_.panel = kind.panel;
    const bool alarm = kind.alarm(view_.session());
    text_in(ui, ImVec2(x + gap, at.y + (height - font->FontSize) / 2), title + 1,
            active                   ? c.text
            : ImGui::IsItemHovered() ? c.text
                                     : c.dim,
            font, kind.title);
    if (!count.empty())
      text_in(ui,
              ImVec2(x + gap + title + ui.px(5), at.y + (height - fonts_.small->FontSize) / 2 + ui.px(0.5f)),
              ui.px(90), alarm ? c.bad : c.faint, fonts_.small, count);
    else if (alarm)
      list.AddCircleFilled(ImVec2(x + gap + title + ui.px(3), at.y + height / 2 - ui.px(5)), ui.px(2), c.bad);
    if (active)
      list.AddRectFilled(ImVec2(x + gap, at.y + height - ui.px(2)), ImVec2(x + tab - gap, at.y + height),
                         c.accent);
    x += tab;
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  if (drawn_panel_ != view_.panel) ui.follow = ui.moved = true;
  drawn_panel_ = view_.panel;
  for (const auto& kind : panel_list()) {
    if (kind.panel != view_.panel) continue;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild(kind.title, ImVec2(0, 0));
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(3)));
    kind.draw(ui);
    ImGui::PopStyleVar();
    ImGui::EndChild();
  }
}

void App::draw_stage(Ui& ui) {
  const Palette& c = colours_;
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float note = ui.px(28), pad = ui.px(14);
  const bool fits = picture_ && picture_->source != PictureSource::none && texture_.id() &&
                    room.x > pad * 3 && room.y > note + pad * 3;
  if (fits) {
    const float wide = room.x - pad * 2, tall = room.y - note - pad;
    const float scale =
        std::min({wide / static_cast<float>(texture_.width()), tall / static_cast<float>(texture_.height()),
                  2 * ui.scale / static_cast<float>(std::max(picture_->scale, 0.1))});
    const ImVec2 size(std::floor(static_cast<float>(texture_.width()) * scale),
                      std::floor(static_cast<float>(texture_.height()) * scale));
    const ImVec2 min(std::floor(at.x + (room.x - size.x) / 2),
                     std::floor(at.y + pad + std::max(0.0f, (tall - size.y) / 2)));
    const ImVec2 max(min.x + size.x, min.y + size.y);
    list.AddRectFilled(min, max, IM_COL32_WHITE);
    list.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture_.id())), min, max);
    list.AddRect(ImVec2(min.x - 1, min.y - 1), ImVec2(max.x + 1, max.y + 1), c.line);
  }
  std::string text = picture_ ? picture_->note : std::string();
  if (!picture_)
    text = "Drawing the page…";
  else if (text.empty())
    text = picture_->source == PictureSource::dom          ? "The page as recorded, drawn anew"
           : picture_->source == PictureSource::screencast ? "Recorded picture"
                                                           : "There is no picture of this moment.";
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (fits) {
    const float width = width_of(ui, fonts_.small, text), left = at.x + std::max(pad, (room.x - width) / 2);
    text_in(ui, ImVec2(left, at.y + room.y - note + ui.px(7)), at.x + room.x - pad - left, c.dim,
            fonts_.small, text);
  } else {
    const float width = width_of(ui, fonts_.text, text), left = at.x + std::max(pad, (room.x - width) / 2);
    text_in(ui, ImVec2(left, at.y + room.y / 2 - fonts_.text->FontSize / 2), at.x + room.x - pad - left,
            c.dim, fonts_.text, text);
  }
}

void App::draw_details_in(Ui& ui, ImVec2 size) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(14), ui.px(12)));
  ImGui::BeginChild("details", size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(4), ui.px(4)));
  draw_details(ui);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void App::draw(double seconds) {
  view_.advance(seconds);
  keys();
  if (view_.playing()) follow_ = kFollow;
  ask();
  poll();

  Ui ui{view_, lanes_, colours_, fonts_, static_cast<float>(window_.scale()), follow_ > 0};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  constexpr auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                         ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::Begin("player", nullptr, flags);
  draw_bar(ui, ui.px(kBar));
  const float used = ui.px(kBar) + draw_notices(ui);

  const float points_wide = size.x / ui.scale, points_tall = (size.y - used) / ui.scale;
  if (timeline_ == 0) timeline_ = std::min(timeline_height(ui) / ui.scale, points_tall * 0.42f);
  const float timeline = std::clamp(timeline_, 60.0f, std::max(60.0f, points_tall - 140));
  const float upper = size.y - used - ui.px(timeline + 5);
  const bool narrow = points_wide < kNarrow;
  const float list = std::clamp(list_, 220.0f, std::max(220.0f, points_wide * 0.6f)),
              details = std::clamp(details_, 200.0f, std::max(200.0f, points_wide * 0.4f));

  ImGui::BeginChild("list", ImVec2(ui.px(narrow ? std::min(list, points_wide * 0.5f) : list), upper));
  draw_list(ui);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginGroup();
  ImGui::BeginChild("split-list", ImVec2(ui.px(5), upper), false, ImGuiWindowFlags_NoBackground);
  splitter(ui, "split", true, list_, 220, points_wide * 0.6f, 1);
  ImGui::EndChild();
  ImGui::EndGroup();
  ImGui::SameLine();
  const float middle = std::max(ImGui::GetContentRegionAvail().x - (narrow ? 0 : ui.px(details + 5)), 1.0f);
  // Details stand beside the stage, or below it where the window is narrow but tall enough.
  const bool below = narrow && upper / ui.scale >= kRoomForDetails;
  const float stage = below ? std::floor(upper * 0.55f) : upper;
  ImGui::BeginGroup();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colours_.ground);
  ImGui::BeginChild("stage", ImVec2(middle, stage));
  draw_stage(ui);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  if (below) draw_details_in(ui, ImVec2(middle, upper - stage));
  ImGui::EndGroup();
  if (!narrow) {
    ImGui::SameLine();
    ImGui::BeginChild("split-details", ImVec2(ui.px(5), upper), false, ImGuiWindowFlags_NoBackground);
    splitter(ui, "split", true, details_, 200, points_wide * 0.4f, -1);
    ImGui::EndChild();
    ImGui::SameLine();
    draw_details_in(ui, ImVec2(0, upper));
  }
  splitter(ui, "split-timeline", false, timeline_, 60, points_tall - 140, -1);
  ImGui::BeginChild("timeline", ImVec2(0, 0), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_timeline(ui);
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar();
  plot_ = ui.plot;
  follow_ = ui.moved ? kFollow : std::max(follow_ - 1, 0);
}

}  // namespace browx::player
