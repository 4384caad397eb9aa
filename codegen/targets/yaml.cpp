// The flow YAML: the dialect of end_recording, the artifact flow.yaml and this. Everything that was recorded
// is in it.

#include <map>

#include "base/time.hpp"
#include "codegen/targets/generators.hpp"
#include "codegen/text/yaml.hpp"

namespace browx::codegen {
namespace {

OrderedJson step_line(const Flow& flow, const Step& step) {
  static const std::map<std::string, std::string> kValues{{"navigate", "url"}, {"press", "key"}};
  static const std::map<std::string, std::string> kAsserted{{"verify_text", "text"}, {"verify_count", "n"}};
  OrderedJson line = OrderedJson::object();
  line["id"] = step.id;
  std::string what = step.tool;
  const bool asserts = step.kind == StepKind::assertion;
  if (asserts && what.starts_with("verify_")) what = what.substr(7);
  line[step.kind == StepKind::read ? "read" : asserts ? "assert" : "action"] = what;
  if (step.locator) line["target"] = "$" + flow.locators[*step.locator].name;

  const auto& values = asserts ? kAsserted : kValues;
  const auto value_key = values.find(step.tool);
  for (const auto& [key, argument] : step.arguments.items()) {
    // The target of a located step is its locator; an address that located nothing is kept.
    const bool address =
        key == "ref" || key == "named" || key == "contextRef" || key == "coords" || key == "selector";
    if (address && step.locator) continue;
    if (value_key != values.end() && key == value_key->second) {
      line["value"] = step.tool == "navigate" && argument.is_string()
                          ? OrderedJson(relative_url(argument.get<std::string>(), flow.base_url))
                          : OrderedJson(argument);
    } else {
      line[key] = OrderedJson(argument);
    }
  }
  if (!step.dialogs.empty()) line["dialog"] = step.dialogs.back().accepted ? "accept" : "dismiss";
  if (!step.spans.empty()) line["criterion"] = flow.spans[step.spans.back()].label;
  if (!step.ok) line["failed"] = step.error.empty() ? "failed" : step.error;
  return line;
}

}  // namespace

Generated generate_yaml(const Flow& flow) {
  std::string out = "name: " + yaml_string(flow.name) + "\n";
  OrderedJson recorded = {{"browx", flow.browx}, {"at", iso_utc(flow.recorded_wall_ms)}};
  if (!flow.base_url.empty()) recorded["baseURL"] = flow.base_url;
  out += "recorded: " + yaml_inline(recorded) + "\n";
  if (!flow.secrets.empty()) {
    out += "inputs:\n";
    for (const auto& name : flow.secrets) out += "  " + yaml_key(name) + ": { type: secret }\n";
  }
  out += flow.locators.empty() ? "locators: {}\n" : "locators:\n";
  for (const auto& locator : flow.locators) {
    OrderedJson row = {{"selectorHint", locator.best.selector}};
    if (!locator.frame_url.empty()) row["frame"] = relative_url(locator.frame_url, flow.base_url);
    row["stability"] = locator.best.stability;
    if (!locator.reason.empty()) row["reason"] = locator.reason;
    out += "  " + yaml_key(locator.name) + ": " + yaml_inline(row) + "\n";
  }
  out += flow.steps.empty() ? "steps: []\n" : "steps:\n";
  for (const auto& step : flow.steps) out += "  - " + yaml_inline(step_line(flow, step)) + "\n";

  Generated made{std::move(out), {}};
  made.stats.steps = made.stats.handled = static_cast<int>(flow.steps.size());
  for (const auto& step : flow.steps)
    if (step.locator && flow.locators[*step.locator].best.stability == "low")
      made.stats.fragile.push_back({step.id, flow.locators[*step.locator].reason});
  return made;
}

}  // namespace browx::codegen
