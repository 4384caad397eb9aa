#include "codegen/locator.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "codegen/choose.hpp"
#include "codegen/names.hpp"

namespace browx::codegen {
namespace {

std::size_t rank(std::string_view stability) {
  static constexpr std::array<std::string_view, 3> kOrder{"low", "medium", "high"};
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end() - 1, stability) - kOrder.begin());
}

}  // namespace

std::optional<LocatorCode> locator_code(const std::vector<Candidate>& candidates,
                                        const std::vector<std::vector<Candidate>>& frames) {
  LocatorCode out;
  out.playwright = "page";
  out.stability = "high";
  out.components = Json::array();
  const auto weigh = [&](const Choice& choice) {
    const bool unique = choice.candidate->unique();
    const std::string stability = unique ? choice.candidate->stability : "low";
    if (rank(stability) >= rank(out.stability)) return;
    out.stability = stability;
    out.reason = choice.reason.empty() ? why_not_high(*choice.candidate) : choice.reason;
  };
  for (const auto& frame : frames) {
    auto choice = choose(frame);
    if (!choice) return std::nullopt;
    weigh(*choice);
    const Chain chain = frame_chain(std::move(choice->chain));
    const std::string code = chain_code(chain);
    out.playwright += "." + code;
    out.components.push_back({{"kind", "frame"}, {"value", code}});
  }
  auto choice = choose(candidates);
  if (!choice) return std::nullopt;
  weigh(*choice);
  out.playwright += "." + chain_code(choice->chain);
  for (auto& component : chain_components(choice->chain)) out.components.push_back(std::move(component));
  return out;
}

}  // namespace browx::codegen
