// The plainer panels: network, console, gaps, session; and the list of all.

#include <algorithm>

#include <fmt/format.h>

#include "player/ui/panels.hpp"

namespace browx::player {
namespace {

std::string number(std::size_t count) { return count ? std::to_string(count) : std::string(); }

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1000000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

bool failed(const archive::RequestRow& request) {
  return request.status >= 400 || (request.finished && !request.ok);
}

void nothing(Ui& ui, std::string_view text) {
  ImGui::SetCursorPos(ImVec2(ui.px(12), ui.px(12)));
  block(ui, ui.colours.dim, ui.fonts.text, text);
}

/// A column title row.
void heads(const Ui& ui, std::initializer_list<std::pair<float, const char*>> columns) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (const auto& [x, title] : columns)
    text_in(ui, ImVec2(at.x + ui.px(x), at.y + ui.px(7)), ui.px(200), ui.colours.faint, ui.fonts.small,
            title);
  ImGui::Dummy(ImVec2(1, ui.px(26)));
}

}  // namespace

void draw_network(Ui& ui) {
  const Session& session = ui.view.session();
  if (session.requests.empty()) return nothing(ui, "No request was recorded.");
  const Palette& c = ui.colours;
  heads(ui, {{12, "Time"}, {84, "Status"}, {132, "Method"}, {184, "Name"}});
  RowList rows;
  for (std::size_t i = 0; i < session.requests.size(); ++i) rows.add(ui.px(24));
  std::size_t current = session.requests.size();
  for (std::size_t i = 0; i < session.requests.size(); ++i)
    if (session.requests[i].t <= ui.view.t()) current = i;
  rows.draw(ui.follow, current, [&](std::size_t i, float height) {
    const auto& request = session.requests[i];
    const Row r = row(ui, static_cast<int>(i), height, ui.view.request() == i);
    if (r.clicked) ui.view.select_request(i);
    const bool bad = failed(request);
    const float y = r.min.y + ui.px(5), right = r.max.x - ui.px(12);
    text_in(ui, ImVec2(r.min.x + ui.px(12), y), ui.px(66), c.faint, ui.fonts.mono, clock_text(request.t));
    const std::string status = request.status     ? std::to_string(request.status)
                               : request.finished ? "failed"
                                                  : "open";
    text_in(ui, ImVec2(r.min.x + ui.px(84), y), ui.px(44),
            bad                ? c.bad
            : request.finished ? c.good
                               : c.warning,
            ui.fonts.mono, status);
    text_in(ui, ImVec2(r.min.x + ui.px(132), y), ui.px(48), c.dim, ui.fonts.small, request.method);
    const std::string took = request.finished ? span_text(request.duration_ms) : "no end";
    text_right(ui, ImVec2(right, y), request.finished ? c.faint : c.warning, ui.fonts.small, took);
    const float end = right - ui.px(58);
    const std::string size = bytes_text(request.encoded_bytes);
    text_right(ui, ImVec2(end, y), c.faint, ui.fonts.small, size);
    text_in(ui, ImVec2(r.min.x + ui.px(184), y), end - ui.px(58) - r.min.x - ui.px(184), bad ? c.bad : c.text,
            ui.fonts.small, short_url(request.url));
    if (r.hovered)
      tooltip(ui, request.method + " " + request.url + (request.error.empty() ? "" : "\n" + request.error));
  });
}

void draw_console(Ui& ui) {
  const Session& session = ui.view.session();
  if (session.logs.empty()) return nothing(ui, "The pages wrote nothing to the console.");
  const Palette& c = ui.colours;
  RowList rows;
  std::size_t current = session.logs.size();
  for (std::size_t i = 0; i < session.logs.size(); ++i) {
    rows.add(ui.px(42));
    if (session.logs[i].t <= ui.view.t()) current = i;
  }
  rows.draw(ui.follow, current, [&](std::size_t i, float height) {
    const auto& log = session.logs[i];
    const bool bad = log.level == "error" || log.level == "exception";
    const ImU32 tone = bad ? c.bad : log.level == "warning" ? c.warning : c.dim;
    const Row r = row(ui, static_cast<int>(i), height, i == current);
    if (r.clicked) ui.view.move_to(log.t);
    const float left = r.min.x + ui.px(12), right = r.max.x - ui.px(12);
    text_in(ui, ImVec2(left, r.min.y + ui.px(5)), ui.px(66), c.faint, ui.fonts.mono, clock_text(log.t));
    text_in(ui, ImVec2(left + ui.px(76), r.min.y + ui.px(5)), right - left - ui.px(76),
            bad || log.level == "warning" ? tone : c.text, ui.fonts.text, log.text);
    const float used = text_in(ui, ImVec2(left + ui.px(76), r.min.y + ui.px(24)), ui.px(80), tone,
                               ui.fonts.small, log.level);
    text_in(ui, ImVec2(left + ui.px(84) + used, r.min.y + ui.px(24)), right - left - ui.px(84) - used,
            c.faint, ui.fonts.small, log.where);
    if (r.hovered) tooltip(ui, log.text + "\n" + log.where + "\n" + log.stack);
  });
}

void draw_gaps(Ui& ui) {
  const Session& session = ui.view.session();
  if (session.gaps.empty() && session.notices.empty())
    return nothing(ui, "Nothing is missing: no gap was recorded, and the file is sealed and whole.");
  const Palette& c = ui.colours;
  RowList rows;
  const std::size_t first = session.notices.size();
  for (std::size_t i = 0; i < first + session.gaps.size(); ++i) rows.add(ui.px(44));
  rows.draw(false, 0, [&](std::size_t i, float height) {
    if (i < first) {
      const auto& notice = session.notices[i];
      const Row r = row(ui, static_cast<int>(i), height, false);
      const ImU32 tone = notice.weight == Notice::Weight::grave     ? c.bad
                         : notice.weight == Notice::Weight::warning ? c.warning
                                                                    : c.dim;
      text_in(ui, ImVec2(r.min.x + ui.px(12), r.min.y + ui.px(13)), r.max.x - r.min.x - ui.px(24), tone,
              ui.fonts.strong, notice.text);
      if (r.hovered) tooltip(ui, notice.text);
      return;
    }
    const auto& gap = session.gaps[i - first];
    const Row r = row(ui, static_cast<int>(i), height, false);
    if (r.clicked) ui.view.move_to(gap.from);
    const float left = r.min.x + ui.px(12), right = r.max.x - ui.px(12);
    text_in(ui, ImVec2(left, r.min.y + ui.px(5)), ui.px(66), c.faint, ui.fonts.mono, clock_text(gap.from));
    const float used = text_in(ui, ImVec2(left + ui.px(76), r.min.y + ui.px(5)), right - left - ui.px(76),
                               c.warning, ui.fonts.text, gap.reason);
    const std::string until = !gap.to ? "until the end"
                              : gap.to->us > gap.from.us
                                  ? "for " + span_text(Time{gap.to->us - gap.from.us}.ms())
                                  : "";
    text_in(ui, ImVec2(left + ui.px(86) + used, r.min.y + ui.px(6)), right - left - ui.px(86) - used, c.dim,
            ui.fonts.small, until);
    text_in(ui, ImVec2(left + ui.px(76), r.min.y + ui.px(25)), right - left - ui.px(76), c.dim,
            ui.fonts.small, gap.detail);
    if (r.hovered && !gap.detail.empty()) tooltip(ui, gap.reason + "\n" + gap.detail);
  });
}

void draw_session(Ui& ui) {
  const Session& session = ui.view.session();
  const Palette& c = ui.colours;
  ImGui::Dummy(ImVec2(1, ui.px(4)));
  const auto field = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    text_in(ui, ImVec2(at.x + ui.px(12), at.y + ui.px(4)), ui.px(90), c.faint, ui.fonts.small, name);
    const float width = ImGui::GetContentRegionAvail().x - ui.px(120);
    text_in(ui, ImVec2(at.x + ui.px(108), at.y + ui.px(3)), width, c.text, ui.fonts.text, value, 500);
    ImGui::Dummy(ImVec2(1, ui.px(17)));
  };
  const Json& m = session.manifest;
  const auto text = [&](const char* key) {
    const Json& value = json_member(m, key);
    return value.is_null() ? std::string() : value.is_string() ? value.get<std::string>() : dump_json(value);
  };
  field("Title", session.title);
  field("File", session.path.filename().string());
  field("Recorded", m.contains("started_wall_ms") ? iso_utc(json_int(m, "started_wall_ms")) : "");
  field("Length", span_text(session.end.ms()));
  field("State", session.live     ? "still being recorded"
                 : session.sealed ? "sealed, digest verified"
                                  : "not sealed");
  field("Tier", session.tier);
  field("Browser", text("browser"));
  field("Viewport", text("viewport"));
  field("Recorder", text("recorder"));
  field("browx", text("browx"));
  field("Session", text("session"));
  field("Masking", text("masking"));
  field("Steps", fmt::format("{}, {} failed", session.steps.size(), session.failures()));
  field("Requests", std::to_string(session.requests.size()));
  field("DOM events", std::to_string(session.dom_activity.size()));
  field("Pictures", std::to_string(session.frames.size()));
  for (const auto& page : session.pages)
    field("Page",
          clock_text(page.from) + "  " + (page.title.empty() ? page.url : page.title + "  " + page.url));
}

std::span<const PanelKind> panel_list() {
  static constexpr auto quiet = [](const Session&) { return false; };
  static constexpr PanelKind kKinds[] = {
      {Panel::steps, "Steps", draw_steps,
       [](const Session& s) {
         return s.failures() ? fmt::format("{} failed", s.failures()) : number(s.steps.size());
       },
       [](const Session& s) { return s.failures() > 0; }},
      {Panel::coverage, "Coverage", draw_coverage,
       [](const Session& s) {
         return s.coverage.criteria.empty()
                    ? std::string()
                    : fmt::format("{}/{}", s.coverage.total(archive::CriterionState::passed),
                                  s.coverage.criteria.size());
       },
       [](const Session& s) { return s.coverage.total(archive::CriterionState::failed) > 0; }},
      {Panel::network, "Network", draw_network, [](const Session& s) { return number(s.requests.size()); },
       [](const Session& s) { return std::any_of(s.requests.begin(), s.requests.end(), failed); }},
      {Panel::console, "Console", draw_console, [](const Session& s) { return number(s.logs.size()); },
       [](const Session& s) {
         return std::any_of(s.logs.begin(), s.logs.end(),
                            [](const auto& l) { return l.level == "error" || l.level == "exception"; });
       }},
      {Panel::gaps, "Gaps", draw_gaps, [](const Session& s) { return number(s.gaps.size()); },
       [](const Session& s) { return s.truncated || (s.partial && !s.live); }},
      {Panel::session, "Session", draw_session, [](const Session&) { return std::string(); }, quiet},
  };
  return kKinds;
}

}  // namespace browx::player
