#include "player/model/session.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "player/model/viewport.hpp"

namespace browx::player {
namespace {

using archive::DocumentId;
using archive::Event;
using archive::Reader;
using archive::RequestId;
using archive::TargetId;

template <class T>
Status take(Result<T> from, T& to) {
  if (!from) return std::move(from).error();
  to = *std::move(from);
  return {};
}

LogRow log_row(const Event& event) {
  LogRow row;
  row.t = event.t;
  row.seq = event.seq;
  row.level = event.kind == "exception" ? "exception" : json_string(event.payload, "level", "log");
  row.text = json_string(event.payload, "text");
  row.where = json_string(event.payload, "url");
  if (const auto line = json_int(event.payload, "line")) row.where += fmt::format(":{}", line);
  const Json& stack = json_member(event.payload, "stack");
  if (!stack.is_null()) row.stack = stack.is_string() ? stack.get<std::string>() : dump_json(stack);
  return row;
}

Status load_messages(Reader& reader, Session& session) {
  for (std::size_t i = 0; i < session.requests.size(); ++i) {
    const std::string& type = session.requests[i].resource_type;
    if (type != "WebSocket" && type != "EventSource") continue;
    std::vector<archive::ChannelFrame> frames;
    BROWX_TRY(take(reader.channel_frames(session.requests[i].id), frames));
    for (auto& frame : frames) {
      MessageRow row{frame.t, i, frame.sent, frame.kind, {}, frame.full_size};
      row.text =
          frame.opcode == 2 ? fmt::format("binary, {} bytes", frame.full_size) : std::move(frame.payload);
      session.messages.push_back(std::move(row));
    }
  }
  std::stable_sort(session.messages.begin(), session.messages.end(),
                   [](const auto& a, const auto& b) { return a.t < b.t; });
  return {};
}

/// A tab comes to the front when it gets a page, is acted on, or is filmed.
void load_tabs(Session& session) {
  std::map<TargetId, const archive::Target*> targets;
  for (const auto& target : session.targets) targets[target.id] = &target;
  const auto tab_of = [&](TargetId id) {
    for (int depth = 0; depth < 32; ++depth) {
      const auto at = targets.find(id);
      if (at == targets.end() || at->second->kind == "tab") return id;
      if (!at->second->parent) return TargetId();
      id = *at->second->parent;
    }
    return TargetId();
  };
  std::map<std::int64_t, TargetId> by_document;
  for (const auto& document : session.documents) by_document[document.id.value()] = tab_of(document.target);
  auto& tabs = session.tabs;
  for (const auto& page : session.pages) tabs.push_back({page.from, by_document[page.document.value()]});
  for (const auto& step : session.steps) {
    const auto at = by_document.find(json_int(step.target, "document"));
    if (at != by_document.end()) tabs.push_back({step.t, at->second});
  }
  for (const auto& frame : session.frames) tabs.push_back({frame.t, tab_of(frame.tab)});
  std::erase_if(tabs, [](const TabChange& change) { return !change.tab; });
  std::stable_sort(tabs.begin(), tabs.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  tabs.erase(
      std::unique(tabs.begin(), tabs.end(), [](const auto& a, const auto& b) { return a.tab == b.tab; }),
      tabs.end());
}

void load_moments(Session& session) {
  auto& moments = session.moments;
  moments.push_back(session.first);
  moments.push_back(session.end);
  for (const auto& step : session.steps) moments.push_back(step.t);
  for (const auto& page : session.pages) moments.push_back(page.from);
  for (const auto& row : session.logs) moments.push_back(row.t);
  for (const auto& event : session.others)
    if (event.kind != "lifecycle") moments.push_back(event.t);
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
}

void load_notices(Session& session) {
  using Weight = Notice::Weight;
  auto& notices = session.notices;
  if (session.live)
    notices.push_back({Weight::remark, "Still being recorded: " + session.partial_reason});
  else if (session.partial)
    notices.push_back({Weight::grave, "Partial: " + session.partial_reason});
  if (session.truncated)
    notices.push_back({Weight::grave, fmt::format("Truncated at {} ({}): {} facts were dropped",
                                                  clock_text(session.truncated->at),
                                                  session.truncated->reason, session.truncated->dropped)});
  if (const Json& until = json_member(session.manifest, "unmasked_until"); until.is_number())
    notices.push_back(
        {Weight::warning, fmt::format("A secret was registered late: what was recorded before {} may show it",
                                      clock_text({until.get<std::int64_t>()}))});
  if (!session.gaps.empty()) {
    std::map<std::string, int> reasons;
    for (const auto& gap : session.gaps) ++reasons[gap.reason];
    std::string text;
    for (const auto& [reason, count] : reasons)
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", reason,
                          count > 1 ? fmt::format(" ×{}", count) : "");
    notices.push_back({Weight::warning, fmt::format("{} gap{}: {}", session.gaps.size(),
                                                    session.gaps.size() == 1 ? "" : "s", text)});
  }
  if (session.tier == "actions")
    notices.push_back({Weight::remark, "Tier actions: neither pages nor pictures were recorded"});
}

}  // namespace

Result<Session> load_session(Reader& reader, const std::filesystem::path& path) {
  Session session;
  session.path = path;
  BROWX_TRY(take(reader.manifest(), session.manifest));
  BROWX_TRY(take(reader.end(), session.end));
  BROWX_TRY(take(reader.steps(), session.steps));
  BROWX_TRY(take(reader.pages(), session.pages));
  BROWX_TRY(take(reader.targets(), session.targets));
  BROWX_TRY(take(reader.documents(), session.documents));
  BROWX_TRY(take(reader.requests(), session.requests));
  BROWX_TRY(take(reader.gaps(), session.gaps));
  BROWX_TRY(load_messages(reader, session));

  std::vector<Event> events, annotations;
  BROWX_TRY(take(reader.events(""), events));
  for (auto& event : events) {
    session.end = std::max(session.end, event.t);
    if (event.kind == "annotation") annotations.push_back(event);
    if (event.kind == "console" || event.kind == "exception")
      session.logs.push_back(log_row(event));
    else if (event.kind != "action" && event.kind != "read" && event.kind != "assert")
      session.others.push_back(std::move(event));
  }
  session.coverage = archive::derive_coverage(annotations, session.steps);

  std::vector<archive::Frame> frames;
  BROWX_TRY(take(reader.frames(false), frames));
  for (std::size_t i = 0; i < frames.size(); ++i)
    session.frames.push_back({frames[i].t, frames[i].target, frames[i].width, frames[i].height, i});
  std::stable_sort(session.frames.begin(), session.frames.end(),
                   [](const auto& a, const auto& b) { return a.t < b.t; });

  for (const auto& document : session.documents) {
    std::vector<archive::DomEventRow> rows;
    BROWX_TRY(take(reader.dom_events(document.id), rows));
    for (const auto& row : rows) session.dom_activity.push_back(row.t);
  }
  std::sort(session.dom_activity.begin(), session.dom_activity.end());

  for (const auto& step : session.steps) {
    session.first = std::min(session.first, step.t);
    session.end = std::max(session.end, Time{step.t.us + static_cast<std::int64_t>(step.duration_ms * 1000)});
  }
  session.title = json_string(session.manifest, "title");
  if (session.title.empty()) session.title = path.stem().string();
  session.tier = json_string(session.manifest, "tier");
  if (const Json& cut = json_member(session.manifest, "truncated"); cut.is_object())
    session.truncated =
        archive::Truncated{{json_int(cut, "at")}, json_string(cut, "reason"), json_int(cut, "dropped")};
  session.live = reader.live();
  session.sealed = reader.sealed();
  session.partial = reader.partial();
  session.partial_reason = reader.partial_reason();
  load_tabs(session);
  load_moments(session);
  load_notices(session);
  return session;
}

TargetId Session::tab_at(Time t) const {
  const auto after = std::upper_bound(tabs.begin(), tabs.end(), t,
                                      [](Time at, const TabChange& change) { return at < change.t; });
  if (after != tabs.begin()) return std::prev(after)->tab;
  if (!tabs.empty()) return tabs.front().tab;
  for (const auto& target : targets)
    if (target.kind == "tab") return target.id;
  return {};
}

const FrameRow* Session::frame_at(TargetId tab, Time t) const {
  const FrameRow* found = nullptr;
  for (const auto& frame : frames) {
    if (frame.tab != tab) continue;
    if (frame.t > t && found) break;
    found = &frame;
    if (frame.t > t) break;
  }
  return found;
}

std::optional<std::size_t> Session::step_at(Time t) const {
  // Steps are in the order of their ends, so that those of a batch are not sorted by their beginning.
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].t <= t && (!found || steps[i].t >= steps[*found].t)) found = i;
  return found;
}

int Session::failures() const {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [](const auto& step) { return !step.ok; }));
}

}  // namespace browx::player
