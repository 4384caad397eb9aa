#pragma once
// Events as JSON, and single nodes out of them. Private to this folder.

#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "archive/dom.hpp"
#include "base/result.hpp"

namespace browx::archive {

using JsonValue = simdjson::dom::element;

/// Parses one event. Documents nest deeply; the depth that a browser's own serialiser reaches is allowed.
class EventParser {
 public:
  /// Valid until the next call.
  Result<JsonValue> parse(std::string_view json);

 private:
  simdjson::dom::parser parser_;
  bool deep_ = false;
};

// Members of an object; nothing when the value is no object, the member is missing or of another type.
std::optional<JsonValue> member(JsonValue object, std::string_view key);
std::optional<std::string_view> text_member(JsonValue object, std::string_view key);
std::optional<std::int64_t> int_member(JsonValue object, std::string_view key);
std::optional<double> number_member(JsonValue object, std::string_view key);
bool bool_member(JsonValue object, std::string_view key, bool fallback = false);
std::optional<simdjson::dom::array> array_member(JsonValue object, std::string_view key);

/// A number as JavaScript would write it, "" for true, strings as they are; nothing for false, null and
/// structures.
std::optional<std::string> attribute_text(JsonValue value);

/// Sets one serialised attribute, the recorder's own (rr_…, _cssText) included. `whole`: it comes with the
/// node, so that values of controls are what they showed; else it is a change of the attribute alone.
void apply_attribute(Node& node, std::string_view name, JsonValue value, bool whole);

/// A node of its own, children not looked at. Null (and `why`) when it is none or its id is taken.
Node* make_node(Tree& tree, JsonValue serialized, std::string& why);
/// The node with everything below it, unlinked.
Node* make_subtree(Tree& tree, JsonValue serialized, std::string& why, std::int64_t& left_out);

}  // namespace browx::archive
