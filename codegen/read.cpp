#include "codegen/read.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/url.hpp"
#include "codegen/choose.hpp"
#include "codegen/names.hpp"

namespace browx::codegen {
namespace {

using archive::DocumentId;
using archive::Event;
using archive::TargetId;

template <class T>
Status take(Result<T> from, T& to) {
  if (!from) return std::move(from).error();
  to = *std::move(from);
  return {};
}

/// The facts that a flow is made of.
struct Facts {
  Json manifest;
  std::vector<Event> events;  ///< steps and annotations, in order
  std::vector<archive::Document> documents;
  std::vector<archive::Target> targets;
};

Result<Facts> gather(archive::Reader& reader, const Secrets& mask, const std::vector<Event>& late) {
  Facts facts;
  BROWX_TRY(take(reader.manifest(), facts.manifest));
  BROWX_TRY(take(reader.documents(), facts.documents));
  BROWX_TRY(take(reader.targets(), facts.targets));
  for (const char* kind : {"action", "read", "assert", "annotation"}) {
    std::vector<Event> some;
    BROWX_TRY(take(reader.events(kind), some));
    std::move(some.begin(), some.end(), std::back_inserter(facts.events));
  }
  std::set<EventSeq> there;
  for (const auto& event : facts.events) there.insert(event.seq);
  for (const auto& event : late)
    if (!there.contains(event.seq)) facts.events.push_back(event);
  std::stable_sort(facts.events.begin(), facts.events.end(),
                   [](const Event& a, const Event& b) { return a.seq < b.seq; });
  if (!mask.empty()) {
    for (auto& event : facts.events) mask.mask_json(event.payload);
    mask.mask_json(facts.manifest);
  }
  return facts;
}

std::string http_origin(const std::string& text) {
  const auto url = parse_url(text);
  return url && (url->scheme == "http" || url->scheme == "https") ? url->origin() : std::string();
}

/// The labels that are open, as indexes into the flow's spans.
class OpenSpans {
 public:
  explicit OpenSpans(std::vector<Span>& spans) : spans_(spans) {}
  void see(const Json& annotation) {
    const std::string label = json_string(annotation, "label"), phase = json_string(annotation, "phase");
    if (label.empty()) return;
    if (phase == "start") {
      open_.push_back(spans_.size());
      spans_.push_back({label, json_string(annotation, "copy")});
    } else if (phase == "end") {
      const auto last =
          std::find_if(open_.rbegin(), open_.rend(), [&](std::size_t i) { return spans_[i].label == label; });
      if (last != open_.rend()) open_.erase(std::next(last).base());
    }
  }
  const std::vector<std::size_t>& open() const { return open_; }

 private:
  std::vector<Span>& spans_;
  std::vector<std::size_t> open_;
};

class Reading {
 public:
  explicit Reading(const Facts& facts) : facts_(facts), secrets_(registered()) {
    for (const auto& document : facts.documents) documents_.emplace(document.id, &document);
  }

  Flow flow() {
    head();
    OpenSpans spans(flow_.spans);
    for (const auto& event : facts_.events) {
      if (event.kind == "annotation")
        spans.see(event.payload);
      else
        step(event, spans.open());
    }
    if (flow_.pages.empty()) flow_.pages.emplace_back();
    flow_.locators = locators_.take();
    flow_.secrets = secrets_.used();
    return std::move(flow_);
  }

 private:
  std::vector<std::string> registered() const {
    std::vector<std::string> names;
    for (const auto& name : json_member(facts_.manifest, "secrets"))
      if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
  }

  void head() {
    const Json& manifest = facts_.manifest;
    flow_.name = json_string(manifest, "title");
    if (flow_.name.empty()) flow_.name = json_string(manifest, "session");
    flow_.recorded_wall_ms = json_int(manifest, "started_wall_ms");
    flow_.browx = json_string(manifest, "browx");
    flow_.locale = json_string(manifest, "locale");
    flow_.timezone = json_string(manifest, "timezone");
    if (const Json& viewport = json_member(manifest, "viewport"); viewport.is_object())
      flow_.viewport = Viewport{static_cast<int>(json_int(viewport, "width")),
                                static_cast<int>(json_int(viewport, "height"))};
    for (const auto& event : facts_.events) {
      if (json_string(event.payload, "tool") != "navigate" || !json_bool(event.payload, "ok", true)) continue;
      flow_.base_url = http_origin(json_string(json_member(event.payload, "arguments"), "url"));
      if (!flow_.base_url.empty()) break;
    }
  }

  void step(const Event& event, const std::vector<std::size_t>& spans) {
    const Json& payload = event.payload;
    Step step;
    step.id = json_string(payload, "id");
    step.kind = event.kind == "read"     ? StepKind::read
                : event.kind == "assert" ? StepKind::assertion
                                         : StepKind::action;
    step.tool = json_string(payload, "tool");
    if (const Json& arguments = json_member(payload, "arguments"); arguments.is_object())
      step.arguments = arguments;
    if (const Json& result = json_member(payload, "result"); result.is_object()) step.result = result;
    step.ok = json_bool(payload, "ok", true);
    step.error = json_string(payload, "error");
    step.spans = spans;
    step.page = page_of(event.target);
    step.candidates = candidates_of(json_member(payload, "locators"));
    const std::string frame_url = place(step, json_member(payload, "target"));
    seen(step);
    opened(event, step);

    const std::string expected = expected_text(step);
    std::string name;
    if (const auto choice = choose(step.candidates, expected)) {
      step.locator = locators_.of(step.candidates, *choice->candidate, frame_url);
      name = locators_.list()[*step.locator].name;
    }
    for (auto& [key, argument] : step.arguments.items())
      if (key != "selector" && key != "ref" && key != "named" && key != "contextRef")
        secrets_.replace(argument, name);
    flow_.steps.push_back(std::move(step));
  }

  /// Which frame the target is in; its address, or empty in the main frame.
  std::string place(Step& step, const Json& target) {
    const auto document = documents_.find(DocumentId(json_int(target, "document")));
    if (document == documents_.end() || !document->second->parent) return {};
    step.in_frame = true;
    for (const auto& frame : json_member(target, "frames")) step.frames.push_back(candidates_of(frame));
    return document->second->url;
  }

  static void seen(Step& step) {
    for (const auto& dialog : json_member(step.result, "dialogs"))
      step.dialogs.push_back({json_string(dialog, "type"), json_string(dialog, "message"),
                              json_bool(dialog, "accepted"), json_string(dialog, "answer")});
    for (const auto& download : json_member(step.result, "downloads"))
      step.downloads.push_back(json_string(download, "suggestedFilename"));
  }

  std::size_t page_of(const std::optional<TargetId>& target) {
    if (!target) return flow_.steps.empty() ? page(first_tab()) : flow_.steps.back().page;
    return page(*target);
  }
  TargetId first_tab() const {
    for (const auto& target : facts_.targets)
      if (target.kind == "tab") return target.id;
    return TargetId();
  }
  std::size_t page(TargetId target) {
    const auto known = pages_.find(target);
    if (known != pages_.end()) return known->second;
    if (flow_.pages.empty()) began_at(target);
    flow_.pages.emplace_back();
    return pages_[target] = flow_.pages.size() - 1;
  }

  /// Where the first tab was before the first step.
  void began_at(TargetId target) {
    for (const auto& document : facts_.documents) {
      if (document.target != target || document.parent) continue;
      if (document.from.us <= 0 && !http_origin(document.url).empty()) flow_.start_url = document.url;
      break;
    }
    if (!flow_.start_url.empty()) flow_.base_url = http_origin(flow_.start_url);
  }

  /// The tabs that appeared while the step ran, if it says that it opened any.
  void opened(const Event& event, const Step& step) {
    const Json& tabs = json_member(json_member(step.result, "structure"), "newTabs");
    if (!tabs.is_array() || tabs.empty()) return;
    const std::int64_t from = event.t.us, to = from + json_int(event.payload, "duration_us");
    for (const auto& target : facts_.targets) {
      if (target.kind != "tab" || target.t.us < from || target.t.us > to || pages_.contains(target.id))
        continue;
      if (target.opener && event.target && *target.opener != *event.target) continue;
      flow_.pages[page(target.id)].opened_by = flow_.steps.size();
    }
  }

  const Facts& facts_;
  Flow flow_;
  LocatorNames locators_;
  SecretNames secrets_;
  std::map<DocumentId, const archive::Document*> documents_;
  std::map<TargetId, std::size_t> pages_;
};

}  // namespace

Result<Flow> read_flow(archive::Reader& reader, const Secrets& mask,
                       const std::vector<archive::Event>& late) {
  auto facts = gather(reader, mask, late);
  if (!facts) return std::move(facts).error();
  if (!mask.empty()) {
    // A name that was registered late is one that values refer to.
    Json names = json_member(facts->manifest, "secrets");
    if (!names.is_array()) names = Json::array();
    for (const auto& name : mask.names()) names.push_back(name);
    facts->manifest["secrets"] = std::move(names);
  }
  Flow flow = Reading(*facts).flow();
  if (reader.partial() && !reader.live()) flow.partial = reader.partial_reason();
  return flow;
}

}  // namespace browx::codegen
