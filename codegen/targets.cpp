#include "codegen/targets.hpp"

#include <fmt/format.h>

#include "codegen/targets/generators.hpp"

namespace browx::codegen {

Json Stats::json() const {
  const auto notes = [](const std::vector<Note>& list) {
    Json out = Json::array();
    for (const auto& note : list) out.push_back({{"step", note.step}, {"reason", note.reason}});
    return out;
  };
  return {
      {"steps", steps}, {"handled", handled}, {"unhandled", notes(unhandled)}, {"fragile", notes(fragile)}};
}

const std::vector<Target>& targets() {
  static const std::vector<Target> list{
      {"playwright", ".spec.ts", "spec.ts", "text/typescript", "a Playwright test in TypeScript",
       generate_playwright},
      {"yaml", ".flow.yaml", "flow.yaml", "application/yaml", "a flow, as end_recording answers it",
       generate_yaml},
      {"json", ".flow.json", "", "application/json", "the model that the others are printed from",
       generate_json},
  };
  return list;
}

Result<const Target*> find_target(std::string_view name) {
  std::string known;
  for (const auto& target : targets()) {
    if (target.name == name) return &target;
    known += (known.empty() ? "" : ", ") + std::string(target.name);
  }
  return Error{Code::invalid_argument, fmt::format("There is no target \"{}\"", name),
               "The targets are " + known + ".", "unknown-target"};
}

}  // namespace browx::codegen
