#include "archive/derive.hpp"

#include <algorithm>
#include <map>

#include "archive/spans.hpp"

namespace browx::archive {
namespace {

bool is_step(std::string_view kind) { return kind == "action" || kind == "read" || kind == "assert"; }

std::string error_text(const Json& payload) {
  const Json& error = json_member(payload, "error");
  if (error.is_string()) return error.get<std::string>();
  if (error.is_object()) return json_string(error, "message", dump_json(error));
  return json_string(payload, "code");
}

bool address_change(const Event& event) {
  const std::string name = json_string(event.payload, "name");
  return event.kind == "lifecycle" && (name == "navigated" || name == "same-document");
}

}  // namespace

std::vector<Step> derive_steps(const std::vector<Event>& events, const std::vector<Document>& documents) {
  std::vector<const Document*> tops;
  for (const auto& document : documents)
    if (!document.parent) tops.push_back(&document);
  std::stable_sort(tops.begin(), tops.end(),
                   [](const Document* a, const Document* b) { return a->from < b->from; });
  std::map<TargetId, std::string> addresses, frames;
  TargetId newest;
  std::size_t seen = 0;
  SpanTracker spans;
  std::vector<Step> out;
  for (const auto& event : events) {
    for (; seen < tops.size() && tops[seen]->from <= event.t; ++seen) {
      newest = tops[seen]->target;
      addresses[newest] = tops[seen]->url;
      frames[newest] = tops[seen]->frame;
    }
    const Json& payload = event.payload;
    spans.see(event);
    if (address_change(event) && event.target) {
      const std::string frame = json_string(payload, "frame"), url = json_string(payload, "url");
      if (!url.empty() && (frame.empty() || frame == frames[*event.target])) addresses[*event.target] = url;
    }
    if (!is_step(event.kind)) continue;
    Step step;
    step.seq = event.seq;
    step.t = event.t;
    step.duration_ms = json_number(payload, "duration_us") / 1000;
    step.kind = event.kind;
    step.tool = json_string(payload, "tool");
    step.url = json_string(payload, "url", addresses[event.target.value_or(newest)]);
    step.target = json_member(payload, "target");
    step.ok = json_bool(payload, "ok", true);
    if (!step.ok) step.error = error_text(payload);
    if (!spans.open().empty()) step.span = spans.spans()[spans.open().back()].label;
    step.payload = payload;
    out.push_back(std::move(step));
  }
  return out;
}

std::vector<Page> derive_pages(const std::vector<Event>& events, const std::vector<Document>& documents,
                               const std::vector<Target>& targets) {
  std::map<TargetId, std::string> kinds;
  for (const auto& target : targets) kinds.emplace(target.id, target.kind);
  std::vector<Page> out;
  std::map<TargetId, std::vector<std::size_t>> shown;  // by target, indexes of `out` in time order
  for (const auto& document : documents) {
    const auto kind = kinds.find(document.target);
    if (document.parent || (kind != kinds.end() && kind->second != "tab")) continue;
    shown[document.target].push_back(out.size());
    out.push_back({document.id, document.url, {}, document.from});
  }
  for (const auto& event : events) {
    const std::string title = json_string(event.payload, "title");
    if (event.kind != "lifecycle" || title.empty() || !event.target) continue;
    const auto of_target = shown.find(*event.target);
    if (of_target == shown.end()) continue;
    Page* page = nullptr;
    for (const std::size_t index : of_target->second)
      if (out[index].from <= event.t) page = &out[index];
    if (const auto document = json_int(event.payload, "document"))
      for (const std::size_t index : of_target->second)
        if (out[index].document.value() == document) page = &out[index];
    if (page) page->title = title;
  }
  std::stable_sort(out.begin(), out.end(), [](const Page& a, const Page& b) { return a.from < b.from; });
  return out;
}

}  // namespace browx::archive
