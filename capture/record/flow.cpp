#include "capture/record/flow.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/secrets.hpp"
#include "base/time.hpp"
#include "base/url.hpp"
#include "capture/record/yaml.hpp"

namespace browx::capture {
namespace {

/// Letters and digits of `text` in lower case, words joined by '_'; bounded.
std::string slug(std::string_view text) {
  std::string out;
  for (const unsigned char c : text) {
    if (c < 0x80 && std::isalnum(c))
      out += static_cast<char>(std::tolower(c));
    else if (!out.empty() && out.back() != '_')
      out += '_';
    if (out.size() >= 40) break;
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

struct Locator {
  std::string name, selector, stability, reason, frame_url;
};

/// Names each selector once. Equal selectors of one frame are one locator.
class Locators {
 public:
  /// The locator's name; empty when the step has no candidates.
  std::string of(const FlowStep& step) {
    if (!step.locators.is_array() || step.locators.empty()) return {};
    const Json& best = step.locators.front();
    const std::string selector = json_string(best, "selector");
    if (selector.empty()) return {};
    for (const auto& known : list_)
      if (known.selector == selector && known.frame_url == step.frame_url) return known.name;
    Locator locator{
        unique(wanted_name(step)), selector, json_string(best, "stability", "low"), {}, step.frame_url};
    locator.reason = reason(best, locator.stability);
    list_.push_back(locator);
    return locator.name;
  }
  const std::vector<Locator>& list() const { return list_; }

 private:
  /// "button_sign_in": role and name where there is a role candidate, else the kind and its text.
  static std::string wanted_name(const FlowStep& step) {
    for (const auto& candidate : step.locators) {
      const std::string selector = json_string(candidate, "selector");
      if (json_string(candidate, "kind") != "role") continue;
      const std::size_t at = selector.rfind("role=");
      if (at == std::string::npos) continue;
      const std::string part = selector.substr(at + 5);
      const std::size_t bracket = part.find('[');
      std::string name = slug(part.substr(0, bracket));
      // [name="Save"], or [name*="Save" i] where a part of the name is enough.
      const std::size_t named = part.find("[name");
      const std::size_t quote = named == std::string::npos ? named : part.find('"', named);
      if (quote != std::string::npos) {
        const std::string text = slug(part.substr(quote + 1, part.rfind('"') - quote - 1));
        if (!text.empty()) name += "_" + text;
      }
      if (!name.empty()) return name;
    }
    const Json& best = step.locators.front();
    const std::string text = slug(json_string(best, "selector"));
    const std::string kind = slug(json_string(best, "kind"));
    const std::string name = text.starts_with(kind) || kind.empty() ? text : kind + "_" + text;
    return name.empty() ? "element" : name;
  }

  std::string unique(const std::string& wanted) {
    std::string name =
        std::isalpha(static_cast<unsigned char>(wanted.front())) ? wanted : "element_" + wanted;
    const std::string stem = name;
    for (int n = 2; taken_.contains(name); ++n) name = fmt::format("{}_{}", stem, n);
    taken_.insert(name);
    return name;
  }

  static std::string reason(const Json& best, const std::string& stability) {
    if (stability == "high") return {};
    const auto count = json_int(best, "count", 1);
    if (count > 1) return fmt::format("it matches {} elements", count);
    if (json_bool(best, "scoped")) return "its name repeats; it is found inside its container";
    const std::string kind = json_string(best, "kind");
    if (kind == "css")
      return stability == "low" ? "only its place in the page tells it apart" : "it has no name, only an id";
    return fmt::format("it is found by its {} alone", kind);
  }

  std::vector<Locator> list_;
  std::set<std::string> taken_;
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// Replaces masked values inside an argument and collects the names of the secrets that stand there.
class SecretNames {
 public:
  explicit SecretNames(const std::vector<std::string>& registered)
      : registered_(registered.begin(), registered.end()) {}

  void value(OrderedJson& value, const std::string& locator) {
    if (value.is_structured()) {
      for (auto& item : value) this->value(item, locator);
      return;
    }
    if (!value.is_string()) return;
    auto text = value.get<std::string>();
    const std::string own = "BROWX_" + (locator.empty() ? std::string("SECRET") : upper(locator));
    for (std::size_t at = text.find(kMaskedValue); at != std::string::npos;
         at = text.find(kMaskedValue, at)) {
      text.replace(at, kMaskedValue.size(), "<" + own + ">");
      at += own.size() + 2;
      used_.insert(own);
    }
    for (const auto& name : registered_)
      if (text.find("<" + name + ">") != std::string::npos) used_.insert(name);
    value = text;
  }
  const std::set<std::string>& used() const { return used_; }

 private:
  std::set<std::string> registered_, used_;
};

std::string relative_to(const std::string& url, const std::string& base) {
  if (base.empty() || !url.starts_with(base)) return url;
  const std::string rest = url.substr(base.size());
  if (rest.empty()) return "/";
  return rest.front() == '/' || rest.front() == '?' || rest.front() == '#' ? rest : url;
}

/// The step's line without its secrets replaced.
OrderedJson step_line(const FlowStep& step, const std::string& locator, const std::string& base) {
  static const std::map<std::string, std::string> kValues{{"navigate", "url"}, {"press", "key"}};
  static const std::map<std::string, std::string> kAsserted{{"verify_text", "text"}, {"verify_count", "n"}};
  OrderedJson line = OrderedJson::object();
  line["id"] = step.id;
  std::string what = step.tool;
  if (step.kind == "assert" && what.starts_with("verify_")) what = what.substr(7);
  line[step.kind == "read" ? "read" : step.kind == "assert" ? "assert" : "action"] = what;
  if (!locator.empty()) line["target"] = "$" + locator;

  const auto& values = step.kind == "assert" ? kAsserted : kValues;
  const auto value_key = values.find(step.tool);
  for (const auto& [key, argument] : step.arguments.items()) {
    // The target of a located step is its locator; an address that located nothing is kept.
    const bool address =
        key == "ref" || key == "named" || key == "contextRef" || key == "coords" || key == "selector";
    if (address && !locator.empty()) continue;
    if (value_key != values.end() && key == value_key->second) {
      line["value"] = step.tool == "navigate" && argument.is_string()
                          ? OrderedJson(relative_to(argument.get<std::string>(), base))
                          : OrderedJson(argument);
    } else {
      line[key] = OrderedJson(argument);
    }
  }
  const Json& dialogs = json_member(step.result, "dialogs");
  if (dialogs.is_array() && !dialogs.empty())
    line["dialog"] = json_bool(dialogs.back(), "accepted") ? "accept" : "dismiss";
  if (!step.criterion.empty()) line["criterion"] = step.criterion;
  if (!step.ok) line["failed"] = step.error.empty() ? "failed" : step.error;
  return line;
}

}  // namespace

std::string base_url(const std::vector<FlowStep>& steps) {
  for (const auto& step : steps) {
    if (step.tool != "navigate" || !step.ok) continue;
    const auto url = parse_url(json_string(step.arguments, "url"));
    if (url && (url->scheme == "http" || url->scheme == "https")) return url->origin();
  }
  return {};
}

std::string flow_yaml(const FlowHead& head, const std::vector<FlowStep>& steps) {
  const std::string base = base_url(steps);
  Locators locators;
  SecretNames secrets(head.secrets);
  std::vector<OrderedJson> lines;
  for (const auto& step : steps) {
    const std::string locator = locators.of(step);
    OrderedJson line = step_line(step, locator, base);
    for (auto& [key, item] : line.items())
      if (key != "id" && key != "target") secrets.value(item, locator);
    lines.push_back(std::move(line));
  }

  std::string out = "name: " + yaml_string(head.name) + "\n";
  OrderedJson recorded = {{"browx", BROWX_VERSION}, {"at", iso_utc(head.recorded_wall_ms)}};
  if (!base.empty()) recorded["baseURL"] = base;
  out += "recorded: " + yaml_inline(recorded) + "\n";
  if (!secrets.used().empty()) {
    out += "inputs:\n";
    for (const auto& name : secrets.used()) out += "  " + yaml_key(name) + ": { type: secret }\n";
  }
  if (locators.list().empty()) {
    out += "locators: {}\n";
  } else {
    out += "locators:\n";
    for (const auto& locator : locators.list()) {
      OrderedJson row = {{"selectorHint", locator.selector}};
      if (!locator.frame_url.empty()) row["frame"] = relative_to(locator.frame_url, base);
      row["stability"] = locator.stability;
      if (!locator.reason.empty()) row["reason"] = locator.reason;
      out += "  " + yaml_key(locator.name) + ": " + yaml_inline(row) + "\n";
    }
  }
  if (lines.empty()) return out + "steps: []\n";
  out += "steps:\n";
  for (const auto& line : lines) out += "  - " + yaml_inline(line) + "\n";
  return out;
}

}  // namespace browx::capture
