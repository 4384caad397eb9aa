#include "mcp/schema/validator.hpp"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "base/check.hpp"

namespace browx::mcp {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// valijson writes a path as "<root>", "[key]", "[0]"…
std::string to_pointer(const std::vector<std::string>& context) {
  std::string pointer;
  for (std::string step : context) {
    if (step == "<root>") continue;
    if (step.size() >= 2 && step.front() == '[' && step.back() == ']') step = step.substr(1, step.size() - 2);
    pointer += "/" + pointer_token(step);
  }
  return pointer;
}

const Json* value_at(const Json& value, const std::string& pointer) {
  try {
    return &value.at(Json::json_pointer(pointer));
  } catch (const Json::exception&) {
    return nullptr;
  }
}

std::string known_names(const Json& schema) {
  std::string names;
  for (const auto& [name, property] : json_member(schema, "properties").items())
    names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no parameters" : "one of the parameters " + names;
}

/// The object at `pointer` has a member that is not declared, or lacks a required one: the two cases where
/// the pointer is better than the one valijson reports.
std::optional<Misfit> member_misfit(const Json& value, const Json& schema, const std::string& pointer) {
  const Json* object = value_at(value, pointer);
  const Json& at = schema_at(schema, pointer);
  if (!object || !object->is_object() || !at.is_object()) return std::nullopt;
  const Json& properties = json_member(at, "properties");
  const Json& additional = json_member(at, "additionalProperties");
  if (additional.is_boolean() && !additional.get<bool>())
    for (const auto& [name, member] : object->items())
      if (!properties.contains(name))
        return Misfit{pointer + "/" + pointer_token(name), known_names(at), "Unknown parameter " + name};
  const Json& required = json_member(at, "required");
  if (required.is_array())
    for (const Json& name : required)
      if (!object->contains(name.get<std::string>())) {
        const std::string key = name.get<std::string>();
        return Misfit{pointer + "/" + pointer_token(key), describe_schema(json_member(properties, key)),
                      "Missing parameter " + key};
      }
  return std::nullopt;
}

std::string shown(const Json& value) {
  std::string text = dump_json(value);
  if (text.size() > 80) text = to_valid_utf8(text.substr(0, 77)) + "…";
  return text;
}

}  // namespace

struct Validator::Compiled {
  valijson::Schema schema;
};

Validator::Validator(Json schema) : schema_(std::move(schema)) {}
Validator::~Validator() = default;
Validator::Validator(Validator&&) noexcept = default;
Validator& Validator::operator=(Validator&&) noexcept = default;

std::optional<Misfit> Validator::check(const Json& value) {
  try {
    if (!compiled_) {
      auto compiled = std::make_unique<Compiled>();
      valijson::SchemaParser parser;
      parser.populateSchema(Adapter(schema_), compiled->schema);
      compiled_ = std::move(compiled);
    }
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(compiled_->schema, Adapter(value), &results)) return std::nullopt;

    // The deepest complaint is the one closest to the cause.
    valijson::ValidationResults::Error error, deepest;
    while (results.popError(error))
      if (error.context.size() > deepest.context.size()) deepest = error;
    std::string pointer = to_pointer(deepest.context);
    for (std::string at = pointer;; at = at.substr(0, at.rfind('/'))) {
      if (auto misfit = member_misfit(value, schema_, at)) return misfit;
      if (at.empty()) break;
    }
    const Json* found = value_at(value, pointer);
    Misfit misfit{pointer, describe_schema(schema_at(schema_, pointer)), ""};
    misfit.error = (pointer.empty() ? std::string("The arguments") : pointer) + " must be " +
                   misfit.expected + (found && !pointer.empty() ? ", not " + shown(*found) : "");
    return misfit;
  } catch (const std::exception& e) {
    // Only a broken schema gets here.
    check_failed(e.what(), __FILE__, __LINE__);
  }
}

}  // namespace browx::mcp
