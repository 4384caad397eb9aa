#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mcp/schema/validator.hpp"

namespace browx::mcp {
namespace {

/// Parameters that bound work or output: too much of them is cut, not refused.
constexpr std::array<std::string_view, 6> kLimits{"limit",    "timeoutMs",  "maxResultTokens",
                                                  "maxNodes", "maxMatches", "maxCandidates"};

bool wants(const Json& schema, std::string_view type) {
  const Json& declared = json_member(schema, "type");
  if (declared.is_string()) return declared == type;
  return declared.is_array() && std::find(declared.begin(), declared.end(), type) != declared.end();
}

void clamp(Json& value, const Json& schema, const std::string& name, std::vector<std::string>& warnings) {
  if (!value.is_number() || std::find(kLimits.begin(), kLimits.end(), name) == kLimits.end()) return;
  const Json& maximum = json_member(schema, "maximum");
  const Json& minimum = json_member(schema, "minimum");
  if (maximum.is_number() && value.get<double>() > maximum.get<double>()) {
    warnings.push_back(fmt::format("{} {} was clamped to {}", name, dump_json(value), dump_json(maximum)));
    value = maximum;
  } else if (name == "timeoutMs" && minimum.is_number() && value.get<double>() < minimum.get<double>()) {
    warnings.push_back(fmt::format("{} {} was clamped to {}", name, dump_json(value), dump_json(minimum)));
    value = minimum;
  }
}

void walk(Json& value, const Json& schema, const std::string& name, std::vector<std::string>& warnings) {
  if (value.is_number_float() && wants(schema, "integer")) {
    const double number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) < 9.0e15) value = static_cast<std::int64_t>(number);
  }
  clamp(value, schema, name, warnings);
  if (value.is_object()) {
    const Json& properties = json_member(schema, "properties");
    for (auto& [key, member] : value.items())
      if (properties.contains(key)) walk(member, properties.at(key), key, warnings);
  } else if (value.is_array()) {
    const Json& items = json_member(schema, "items");
    if (items.is_object())
      for (Json& item : value) walk(item, items, name, warnings);
  }
}

std::string number_range(const Json& schema, std::string_view noun) {
  const Json& low = json_member(schema, "minimum");
  const Json& high = json_member(schema, "maximum");
  if (low.is_number() && high.is_number())
    return fmt::format("{} from {} to {}", noun, dump_json(low), dump_json(high));
  if (low.is_number()) return fmt::format("{} of at least {}", noun, dump_json(low));
  if (high.is_number()) return fmt::format("{} of at most {}", noun, dump_json(high));
  return std::string(noun);
}

std::string describe_string(const Json& schema) {
  std::string text = "a string";
  if (json_int(schema, "minLength") > 0) text = "a string that is not empty";
  if (schema.contains("maxLength"))
    text += fmt::format(" of at most {} characters", json_int(schema, "maxLength"));
  if (schema.contains("pattern")) text += " matching " + json_string(schema, "pattern");
  return text;
}

std::string describe_array(const Json& schema) {
  std::string text = "an array";
  if (schema.contains("minItems") || schema.contains("maxItems"))
    text += fmt::format(" of {} to {} items", json_int(schema, "minItems"),
                        dump_json(json_member(schema, "maxItems")));
  if (json_bool(schema, "uniqueItems")) text += ", no two equal";
  return text;
}

}  // namespace

std::vector<std::string> normalize(Json& value, const Json& schema) {
  std::vector<std::string> warnings;
  walk(value, schema, "", warnings);
  return warnings;
}

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return token;
}

const Json& schema_at(const Json& schema, std::string_view pointer) {
  const Json* at = &schema;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = pointer.find('/');
    std::string key(pointer.substr(0, slash));
    pointer = slash == std::string_view::npos ? std::string_view() : pointer.substr(slash);
    for (std::size_t i = 0; (i = key.find('~', i)) != std::string::npos; ++i)
      key.replace(i, 2, key.compare(i, 2, "~1") == 0 ? "/" : "~");
    const Json& properties = json_member(*at, "properties");
    at = properties.contains(key) ? &properties.at(key) : &json_member(*at, "items");
    if (!at->is_object()) return json_member(Json(), "");
  }
  return *at;
}

std::string describe_schema(const Json& schema) {
  if (schema.contains("enum")) {
    std::string options;
    for (const Json& option : schema.at("enum")) options += (options.empty() ? "" : ", ") + dump_json(option);
    return (schema.at("enum").size() == 1 ? "" : "one of ") + options;
  }
  if (wants(schema, "string")) return describe_string(schema);
  if (wants(schema, "integer")) return number_range(schema, "an integer");
  if (wants(schema, "number")) return number_range(schema, "a number");
  if (wants(schema, "boolean")) return "true or false";
  if (wants(schema, "array")) return describe_array(schema);
  if (wants(schema, "object")) return "an object";
  return "another value";
}

}  // namespace browx::mcp
