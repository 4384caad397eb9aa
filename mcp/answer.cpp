#include "mcp/answer.hpp"

#include <fmt/format.h>

namespace browx::mcp {
namespace {

const char* source_of(const Error& error) {
  if (error.kind == "page-exception") return "app";
  switch (error.code) {
    case Code::invalid_argument:
    case Code::denied:
    case Code::unavailable:
    case Code::internal:
    case Code::conflict:
      return "browx";
    default:
      return "unknown";
  }
}

}  // namespace

Answer succeed(Json object) {
  Answer answer;
  answer.object = std::move(object);
  answer.object["ok"] = true;
  return answer;
}

Answer fail(const Error& error) {
  Answer answer;
  Json failure = {{"source", source_of(error)}, {"kind", error.kind_or_code()}};
  if (!error.hint.empty()) failure["hint"] = error.hint;
  answer.object = {
      {"ok", false}, {"error", error.message()}, {"code", error.kind_or_code()}, {"failure", failure}};
  return answer;
}

Answer refuse_input(std::string pointer, std::string expected, std::string error) {
  Answer answer;
  answer.object = {{"ok", false},
                   {"code", "invalid-argument"},
                   {"pointer", std::move(pointer)},
                   {"expected", std::move(expected)},
                   {"error", std::move(error)}};
  return answer;
}

Answer refuse_capability(std::string_view what, std::string_view capability) {
  Answer answer;
  answer.object = {
      {"ok", false},
      {"error", fmt::format("{} needs the capability {}, which is off. Whoever starts the server can add it "
                            "to BROWX_CAPABILITIES.",
                            what, capability)},
      {"code", "capability-denied"},
      {"requiredCapability", capability}};
  return answer;
}

}  // namespace browx::mcp
