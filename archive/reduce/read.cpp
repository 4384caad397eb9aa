#include "archive/reduce/read.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "archive/reduce/css_text.hpp"

namespace browx::archive {
namespace {

constexpr std::size_t kUsualDepth = 1024, kGreatestDepth = 1 << 16;
constexpr std::int64_t kGreatestId = std::int64_t{1} << 53;

Node::Kind kind_of(std::int64_t type) {
  switch (type) {
    case 0:
      return Node::Kind::document;
    case 1:
      return Node::Kind::doctype;
    case 2:
      return Node::Kind::element;
    case 4:
      return Node::Kind::cdata;
    case 5:
      return Node::Kind::comment;
    default:
      return Node::Kind::text;
  }
}

bool button_like(const Node& input) {
  const std::string* type = input.attribute("type");
  return type && (*type == "radio" || *type == "checkbox" || *type == "submit" || *type == "button");
}

/// The recorder's own attributes. True when it was one.
bool apply_own(Node& node, std::string_view name, JsonValue value) {
  const auto number = [&] {
    double out = 0;
    return value.get(out) == simdjson::SUCCESS ? out : 0;
  };
  const auto flag = [&] {
    bool out = false;
    return value.get(out) == simdjson::SUCCESS && out;
  };
  const auto text = [&] { return attribute_text(value).value_or(""); };
  if (name == "_cssText") {
    node.change().rules.reset();
    if (value.is_string())
      node.change().css_text = text();
    else
      node.change().css_text.reset();
  } else if (name == "rr_scrollLeft" || name == "rr_scrollTop") {
    auto& scroll = node.change().scroll;
    if (!scroll) scroll.emplace();
    (name == "rr_scrollLeft" ? scroll->x : scroll->y) = number();
  } else if (name == "rr_width") {
    node.change().width = text();
  } else if (name == "rr_height") {
    node.change().height = text();
  } else if (name == "rr_dataURL") {
    node.change().picture = text();
  } else if (name == "rr_open_mode") {
    node.change().modal = text() == "modal";
  } else if (name.starts_with("rr_media")) {
    auto& media = node.change().media;
    if (!media) media.emplace();
    if (name == "rr_mediaState")
      media->playing = text() == "played";
    else if (name == "rr_mediaCurrentTime")
      media->time = number();
    else if (name == "rr_mediaPlaybackRate")
      media->rate = number();
    else if (name == "rr_mediaVolume")
      media->volume = number();
    else if (name == "rr_mediaMuted")
      media->muted = flag();
    else if (name == "rr_mediaLoop")
      media->loop = flag();
  } else {
    return name.starts_with("rr_") && name != "rr_src";
  }
  return true;
}

void apply_style_changes(Node& node, simdjson::dom::object changes) {
  const std::string* before = node.attribute("style");
  std::string style = before ? *before : "";
  for (const auto [property, value] : changes) {
    simdjson::dom::array pair;
    if (value.get(pair) == simdjson::SUCCESS) {
      std::string_view text, priority;
      if (pair.at(0).get(text) != simdjson::SUCCESS) continue;
      if (pair.at(1).get(priority) != simdjson::SUCCESS) priority = {};
      style = with_property(style, property, text, priority == "important");
    } else {
      style =
          with_property(style, property, value.is_bool() ? "" : attribute_text(value).value_or(""), false);
    }
  }
  node.set_attribute("style", std::move(style));
}

}  // namespace

Result<JsonValue> EventParser::parse(std::string_view json) {
  // `capacity` grows by itself, the depth does not.
  if (parser_.max_depth() < kUsualDepth && parser_.allocate(64 << 10, kUsualDepth))
    return Error{Code::unavailable, "no memory for a parser", "", "out-of-memory"};
  auto parsed = parser_.parse(json.data(), json.size(), true);
  if (parsed.error() == simdjson::DEPTH_ERROR && !deep_) {
    deep_ = true;
    if (!parser_.allocate(json.size() + 64, kGreatestDepth))
      parsed = parser_.parse(json.data(), json.size(), true);
  }
  if (parsed.error())
    return Error{Code::corrupt,
                 fmt::format("an event is not JSON: {}", simdjson::error_message(parsed.error())), "",
                 parsed.error() == simdjson::DEPTH_ERROR ? "too-deep" : "not-json"};
  return parsed.value_unsafe();
}

std::optional<JsonValue> member(JsonValue object, std::string_view key) {
  simdjson::dom::object members;
  JsonValue out;
  if (object.get(members) != simdjson::SUCCESS || members.at_key(key).get(out) != simdjson::SUCCESS)
    return std::nullopt;
  return out;
}

template <class T>
static std::optional<T> typed_member(JsonValue object, std::string_view key) {
  const auto value = member(object, key);
  T out;
  if (!value || value->get(out) != simdjson::SUCCESS) return std::nullopt;
  return out;
}
std::optional<std::string_view> text_member(JsonValue object, std::string_view key) {
  return typed_member<std::string_view>(object, key);
}
std::optional<double> number_member(JsonValue object, std::string_view key) {
  return typed_member<double>(object, key);
}
std::optional<simdjson::dom::array> array_member(JsonValue object, std::string_view key) {
  return typed_member<simdjson::dom::array>(object, key);
}
bool bool_member(JsonValue object, std::string_view key, bool fallback) {
  return typed_member<bool>(object, key).value_or(fallback);
}
std::optional<std::int64_t> int_member(JsonValue object, std::string_view key) {
  if (auto whole = typed_member<std::int64_t>(object, key)) return whole;
  const auto number = number_member(object, key);
  if (!number || !(std::abs(*number) < static_cast<double>(kGreatestId))) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<std::string> attribute_text(JsonValue value) {
  switch (value.type()) {
    case simdjson::dom::element_type::STRING:
      return std::string(std::string_view(value));
    case simdjson::dom::element_type::INT64:
      return fmt::format("{}", std::int64_t(value));
    case simdjson::dom::element_type::UINT64:
      return fmt::format("{}", std::uint64_t(value));
    case simdjson::dom::element_type::DOUBLE:
      return fmt::format("{}", double(value));
    case simdjson::dom::element_type::BOOL:
      return bool(value) ? std::optional<std::string>("") : std::nullopt;
    default:
      return std::nullopt;
  }
}

void apply_attribute(Node& node, std::string_view name, JsonValue value, bool whole) {
  if (apply_own(node, name, value)) return;
  if (name == "rr_src") name = "src";  // of an iframe: where its document came from
  simdjson::dom::object changes;
  if (name == "style" && value.get(changes) == simdjson::SUCCESS) return apply_style_changes(node, changes);
  auto text = attribute_text(value);
  if (!text) {
    node.remove_attribute(name);
    if (name == "open") node.change().modal = false;
    return;
  }
  if (name == "value" &&
      (node.is("textarea") || node.is("select") || (node.is("input") && !button_like(node)))) {
    if (whole || (node.is("textarea") && !node.state().typed)) node.change().value = *text;
    if (!node.is("input")) return;  // no such attribute in HTML
  }
  if (whole && name == "checked" && node.is("input")) node.change().checked = value.is_bool();
  if (whole && name == "selected" && node.is("option")) node.change().checked = true;
  node.set_attribute(name, *std::move(text));
}

Node* make_node(Tree& tree, JsonValue serialized, std::string& why) {
  const auto type = int_member(serialized, "type");
  const auto id = int_member(serialized, "id");
  if (!type || *type < 0 || *type > 5 || !id || *id <= 0) {
    why = "bad-node";
    return nullptr;
  }
  Node* node = tree.make(*id, kind_of(*type));
  if (!node) {
    why = "duplicate-id";
    return nullptr;
  }
  node->in_shadow = bool_member(serialized, "isShadow");
  switch (node->kind) {
    case Node::Kind::element: {
      node->name = text_member(serialized, "tagName").value_or("div");
      node->svg = bool_member(serialized, "isSVG");
      node->shadow_host = bool_member(serialized, "isShadowHost");
      simdjson::dom::object attributes;
      if (const auto all = member(serialized, "attributes");
          all && all->get(attributes) == simdjson::SUCCESS) {
        // The type decides what the value is, and may stand behind it.
        if (const auto of_input = text_member(*all, "type"))
          node->set_attribute("type", std::string(*of_input));
        for (const auto [name, value] : attributes) apply_attribute(*node, name, value, true);
      }
      // A control is told with what it shows; it may have shown nothing.
      if (node->is("textarea") && !node->state().value) node->change().value.emplace();
      if (node->is("input") && !node->state().value && !button_like(*node)) node->change().value.emplace();
      break;
    }
    case Node::Kind::doctype:
      node->name = text_member(serialized, "name").value_or("html");
      node->text = text_member(serialized, "publicId").value_or("");
      node->system_id = text_member(serialized, "systemId").value_or("");
      break;
    default:
      node->text = text_member(serialized, "textContent").value_or("");
  }
  return node;
}

Node* make_subtree(Tree& tree, JsonValue serialized, std::string& why, std::int64_t& left_out) {
  Node* top = make_node(tree, serialized, why);
  if (!top) return nullptr;
  struct Level {
    Node* parent;
    simdjson::dom::array::iterator at, end;
  };
  std::vector<Level> levels;
  const auto descend = [&](Node* parent, JsonValue of) {
    if (const auto children = array_member(of, "childNodes"))
      levels.push_back({parent, children->begin(), children->end()});
  };
  descend(top, serialized);
  while (!levels.empty()) {
    Level& level = levels.back();
    if (!(level.at != level.end)) {
      levels.pop_back();
      continue;
    }
    const JsonValue child = *level.at;
    ++level.at;
    Node* parent = level.parent;
    Node* node = make_node(tree, child, why);
    if (!node || node->kind == Node::Kind::document) {
      if (node) tree.destroy(*node);
      ++left_out;
      continue;
    }
    if (node->in_shadow) parent->shadow_host = true;
    Tree::insert(*parent, *node, nullptr);
    descend(node, child);
  }
  return top;
}

}  // namespace browx::archive
