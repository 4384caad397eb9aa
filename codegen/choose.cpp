#include "codegen/choose.hpp"

#include <fmt/format.h>

namespace browx::codegen {
namespace {

std::string fragility(const Candidate& candidate) {
  if (candidate.stability != "low") return {};
  if (candidate.kind == "css") return "only its place in the page tells it apart";
  return fmt::format("it is found by its {} alone", candidate.kind);
}

/// It is found by a text of its own, not by its role or place alone.
bool names(const Choice& choice) {
  if (choice.candidate->kind == "css") return false;
  const MethodCall& last = choice.chain[choice.chain.size() - 2];  // before nth()
  return last.method != "getByRole" || last.arguments.size() > 1;
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
  if (numbered && names(*numbered)) return numbered;
  if (!unique.empty()) return std::move(unique.front());
  return numbered;
}

Chain frame_chain(Chain chain) {
  if (chain.size() == 1 && chain.front().method == "locator")
    chain.front().method = "frameLocator";
  else
    chain.push_back({"contentFrame", {}});
  return chain;
}

std::string expected_text(const Step& step) {
  return step.tool == "verify_text" ? json_string(step.arguments, "text") : std::string();
}

}  // namespace browx::codegen
