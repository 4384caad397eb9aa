// The model itself as JSON, for programs that write other languages.

#include "base/time.hpp"
#include "codegen/targets/generators.hpp"

namespace browx::codegen {
namespace {

OrderedJson json_of(const Candidate& candidate) {
  OrderedJson out = {{"kind", candidate.kind},         {"playwright", candidate.playwright},
                     {"selector", candidate.selector}, {"count", candidate.count},
                     {"index", candidate.index},       {"stability", candidate.stability}};
  if (candidate.scoped) out["scoped"] = true;
  return out;
}

OrderedJson json_of(const std::vector<Candidate>& candidates) {
  OrderedJson out = OrderedJson::array();
  for (const auto& candidate : candidates) out.push_back(json_of(candidate));
  return out;
}

OrderedJson json_of(const Flow& flow, const Step& step) {
  OrderedJson out = {{"id", step.id}};
  out["kind"] = step.kind == StepKind::read ? "read" : step.kind == StepKind::assertion ? "assert" : "action";
  out["tool"] = step.tool;
  out["page"] = step.page;
  out["arguments"] = OrderedJson(step.arguments);
  if (step.locator) out["target"] = flow.locators[*step.locator].name;
  if (!step.candidates.empty()) out["candidates"] = json_of(step.candidates);
  if (step.in_frame) {
    OrderedJson frames = OrderedJson::array();
    for (const auto& frame : step.frames) frames.push_back(json_of(frame));
    out["frames"] = std::move(frames);
  }
  if (!step.spans.empty()) {
    out["criterion"] = flow.spans[step.spans.back()].label;
    out["spans"] = step.spans;
  }
  if (!step.dialogs.empty()) {
    OrderedJson dialogs = OrderedJson::array();
    for (const auto& dialog : step.dialogs) {
      OrderedJson one = {{"type", dialog.type}, {"message", dialog.message}, {"accepted", dialog.accepted}};
      if (!dialog.text.empty()) one["text"] = dialog.text;
      dialogs.push_back(std::move(one));
    }
    out["dialogs"] = std::move(dialogs);
  }
  if (!step.downloads.empty()) out["downloads"] = step.downloads;
  if (!step.result.empty()) out["result"] = OrderedJson(step.result);
  out["ok"] = step.ok;
  if (!step.ok) out["error"] = step.error;
  return out;
}

}  // namespace

Generated generate_json(const Flow& flow) {
  OrderedJson out = {{"name", flow.name}};
  OrderedJson recorded = {{"browx", flow.browx}, {"at", iso_utc(flow.recorded_wall_ms)}};
  if (!flow.base_url.empty()) recorded["baseURL"] = flow.base_url;
  if (!flow.start_url.empty()) recorded["startURL"] = flow.start_url;
  if (flow.viewport)
    recorded["viewport"] = OrderedJson{{"width", flow.viewport->width}, {"height", flow.viewport->height}};
  if (!flow.locale.empty()) recorded["locale"] = flow.locale;
  if (!flow.timezone.empty()) recorded["timezone"] = flow.timezone;
  if (!flow.partial.empty()) recorded["partial"] = flow.partial;
  out["recorded"] = std::move(recorded);
  out["secrets"] = flow.secrets;
  OrderedJson locators = OrderedJson::object();
  for (const auto& locator : flow.locators) {
    OrderedJson one = json_of(locator.best);
    if (!locator.frame_url.empty()) one["frame"] = locator.frame_url;
    if (!locator.reason.empty()) one["reason"] = locator.reason;
    locators[locator.name] = std::move(one);
  }
  out["locators"] = std::move(locators);
  OrderedJson spans = OrderedJson::array(), pages = OrderedJson::array(), steps = OrderedJson::array();
  for (const auto& span : flow.spans) {
    OrderedJson one = {{"label", span.label}};
    if (!span.title.empty()) one["title"] = span.title;
    spans.push_back(std::move(one));
  }
  for (const auto& page : flow.pages) {
    OrderedJson one = OrderedJson::object();
    if (page.opened_by) one["openedBy"] = flow.steps[*page.opened_by].id;
    pages.push_back(std::move(one));
  }
  for (const auto& step : flow.steps) steps.push_back(json_of(flow, step));
  out["spans"] = std::move(spans);
  out["pages"] = std::move(pages);
  out["steps"] = std::move(steps);

  Generated made;
  made.content = out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  made.stats.steps = made.stats.handled = static_cast<int>(flow.steps.size());
  return made;
}

}  // namespace browx::codegen
