#pragma once
// One element as a Playwright expression that can be pasted into a test.

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "codegen/flow.hpp"

namespace browx::codegen {

struct LocatorCode {
  std::string playwright;  ///< "page.getByRole('button', { name: 'Save' })", strings in single quotes
  std::string stability;   ///< high | medium | low
  Json components;         ///< [{kind, value, name?, attribute?, exact?}], frames first
  std::string reason;      ///< why the stability is not high; empty when it is
};

/// From what was counted in the page: of the element, and of the frame elements around it from the outside
/// in. Nothing when there is no candidate to write. Pure.
std::optional<LocatorCode> locator_code(const std::vector<Candidate>& candidates,
                                        const std::vector<std::vector<Candidate>>& frames);

}  // namespace browx::codegen
