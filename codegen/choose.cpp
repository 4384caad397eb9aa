#include "codegen/choose.hpp"

#include <fmt/format.h>

namespace browx::codegen {
namespace {

std::string fragility(const Candidate& candidate) {
  if (candidate.stability != "low") return {};
  if (candidate.kind == "css") return "only its place in the page tells it apart";
  return fmt::format("it is found by its {} alone", candidate.kind);
}

}  // namespace

std::optional<Choice> choose(const std::vector<Candidate>& candidates, std::string_view expected) {
  std::vector<Choice> unique;
  std::optional<Choice> numbered;
  for (const auto& candidate : candidates) {
    auto chain = parse_chain(candidate.playwright);
    if (!chain || candidate.index < 0 || candidate.count < 1) continue;
    if (candidate.unique()) {
      unique.push_back({&candidate, *std::move(chain), fragility(candidate)});
    } else if (!numbered) {
      chain->push_back({"nth", {number_literal(candidate.index)}});
      numbered = Choice{&candidate, *std::move(chain),
                        fmt::format("{} elements match without nth()", candidate.count)};
    }
  }
  for (const bool plain : {true, false}) {
    if (plain && expected.empty()) continue;
    for (auto& choice : unique)
      if (choice.candidate->stability != "low" && (!plain || !mentions(choice.chain, expected)))
        return std::move(choice);
  }
  // A name with its place among its likes reads better than a path, and breaks no sooner.
  if (numbered && numbered->candidate->kind != "css") return numbered;
  if (!unique.empty()) return std::move(unique.front());
  return numbered;
}

std::string expected_text(const Step& step) {
  return step.tool == "verify_text" ? json_string(step.arguments, "text") : std::string();
}

}  // namespace browx::codegen
