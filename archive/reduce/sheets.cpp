#include "archive/reduce/sheets.hpp"

#include <algorithm>

#include "archive/reduce/css_text.hpp"
#include "archive/reducer.hpp"

namespace browx::archive {
namespace {

constexpr std::string_view kSplit = "/* rr_split */";

Error bad(const char* kind) {
  return Error{Code::corrupt, "a change of a style sheet cannot be applied", "", kind};
}

std::string without_marks(std::string_view text) {
  std::string out;
  for (std::size_t at = 0;;) {
    const auto mark = text.find(kSplit, at);
    out += text.substr(at, mark - at);
    if (mark == std::string_view::npos) return out;
    at = mark + kSplit.size();
  }
}

/// A rule's index is a number, or a path of numbers into nested rules.
std::vector<std::int64_t> path_of(JsonValue change, std::size_t otherwise) {
  const auto index = member(change, "index");
  if (!index || index->is_null()) return {static_cast<std::int64_t>(otherwise)};
  simdjson::dom::array path;
  std::vector<std::int64_t> out;
  if (index->get(path) == simdjson::SUCCESS) {
    for (const auto step : path) {
      std::int64_t number = 0;
      if (step.get(number) != simdjson::SUCCESS) return {-1};
      out.push_back(number);
    }
    return out;
  }
  return {int_member(change, "index").value_or(-1)};
}

}  // namespace

std::optional<std::string> sheet_text(const Node& owner) {
  const ElementState& state = owner.state();
  if (!owner.is("style") && !(owner.is("link") && (state.rules || state.css_text))) return std::nullopt;
  if (state.rules) {
    std::string out;
    for (const auto& rule : *state.rules) out += rule + '\n';
    return out;
  }
  if (state.css_text) return without_marks(*state.css_text);
  std::string out;
  for (const Node* child = owner.first; child; child = child->next)
    if (child->kind == Node::Kind::text) out += child->text;
  return out;
}

std::vector<std::string>& rules_of(Node& owner) {
  if (!owner.state().rules) {
    auto rules = split_rules(sheet_text(owner).value_or(""));
    owner.change().rules = std::move(rules);
  }
  return *owner.change().rules;
}

void text_will_change(Node& style) {
  if (!style.extra) return;
  style.extra->rules.reset();
  if (!style.extra->css_text) return;
  const std::string text = *std::move(style.extra->css_text);
  style.extra->css_text.reset();
  std::vector<Node*> places;
  for (Node* child = style.first; child; child = child->next)
    if (child->kind == Node::Kind::text) places.push_back(child);
  // What has no text node of its own was only in the object model.
  std::size_t at = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto mark = i + 1 < places.size() ? text.find(kSplit, at) : std::string::npos;
    places[i]->text =
        without_marks(std::string_view(text).substr(at, mark == std::string::npos ? mark : mark - at));
    if (mark == std::string::npos) break;
    at = mark + kSplit.size();
  }
}

Status change_rules(std::vector<std::string>& rules, JsonValue data) {
  for (const char* whole : {"replaceSync", "replace"})
    if (const auto text = text_member(data, whole)) rules = split_rules(*text);
  // A replayer applies adds before removes.
  if (const auto adds = array_member(data, "adds")) {
    for (const auto add : *adds) {
      const auto text = text_member(add, "rule");
      if (!text) return bad("bad-rule");
      // One rule a change: whatever else its text holds would shift the indexes of all that follow.
      auto parts = split_rules(*text);
      std::string rule = parts.empty() ? "" : std::move(parts.front());
      const auto path = path_of(add, rules.size());
      const auto put = [&](std::vector<std::string>& list, std::size_t index) -> Status {
        if (index > list.size()) return bad("bad-rule-index");
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(index), std::move(rule));
        return {};
      };
      BROWX_TRY(at_rule_path(rules, path, put));
    }
  }
  if (const auto removes = array_member(data, "removes")) {
    for (const auto remove : *removes) {
      const auto path = path_of(remove, rules.size());
      const auto take = [](std::vector<std::string>& list, std::size_t index) -> Status {
        if (index >= list.size()) return bad("bad-rule-index");
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
        return {};
      };
      BROWX_TRY(at_rule_path(rules, path, take));
    }
  }
  return {};
}

Status change_declaration(std::vector<std::string>& rules, JsonValue data) {
  const auto path = path_of(data, rules.size());
  const auto set = member(data, "set"), remove = member(data, "remove");
  const bool setting = set && set->is_object();
  const auto& change = setting ? set : remove;
  const auto property = change ? text_member(*change, "property") : std::nullopt;
  if (!property) return bad("bad-declaration");
  const auto value = setting ? text_member(*change, "value").value_or("") : std::string_view();
  const bool important = text_member(*change, "priority").value_or("") == "important";
  const auto apply = [&](std::vector<std::string>& list, std::size_t index) -> Status {
    if (index >= list.size()) return bad("bad-rule-index");
    return set_in_rule(list[index], *property, value, important);
  };
  return at_rule_path(rules, path, apply);
}

Status adopt(AdoptedSheets& sheets, Node& owner, JsonValue data) {
  const auto ids = array_member(data, "styleIds");
  if (!ids) return bad("bad-adopted-sheets");
  if (const auto styles = array_member(data, "styles")) {
    for (const auto style : *styles) {
      const auto id = int_member(style, "styleId");
      const auto rules = array_member(style, "rules");
      if (!id || !rules) return bad("bad-adopted-sheets");
      auto& list = sheets.rules[*id];
      list.clear();
      for (const auto rule : *rules)
        if (const auto text = text_member(rule, "rule")) list.emplace_back(*text);
    }
  }
  std::vector<std::int64_t> adopted;
  for (const auto one : *ids) {
    std::int64_t id = 0;
    if (one.get(id) == simdjson::SUCCESS) adopted.push_back(id);
  }
  if (owner.kind == Node::Kind::document)
    sheets.of_document = std::move(adopted);
  else
    owner.change().adopted = std::move(adopted);
  return {};
}

}  // namespace browx::archive
