#pragma once
// The official schemas, and whether a message fits one of their types.

#include <string>

#include "mcp/schema/validator.hpp"
#include "mcp_official_schemas/embedded.hpp"

namespace browx::mcp {

/// "" when `message` is a valid `type` of that revision, else why not.
inline std::string misfit_of(std::string_view revision, const std::string& type, const OrderedJson& message) {
  Json schema = Json::parse(mcp_official::embedded_file("schema-" + std::string(revision) + ".json"));
  if (!schema["$defs"].contains(type)) return "no type " + type;
  schema["$ref"] = "#/$defs/" + type;
  const auto misfit = Validator(schema).check(Json(message));
  return misfit ? misfit->pointer + ": " + misfit->error : "";
}

}  // namespace browx::mcp
