#pragma once
// Which of a step's candidate locators to write. Private to this folder. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/expression.hpp"
#include "codegen/flow.hpp"

namespace browx::codegen {

struct Choice {
  const Candidate* candidate = nullptr;
  Chain chain;         ///< with .nth() where several match
  std::string reason;  ///< why it may find another element tomorrow; empty when it is stable
};

/// The best candidate that found the element alone; else one with its place among the matches. Nothing when
/// none can be written. An expectation about `expected` is not asked of an element that is found by that very
/// text, when there is another stable way to it.
std::optional<Choice> choose(const std::vector<Candidate>& candidates, std::string_view expected = {});

/// The way into the frame whose element `chain` finds: frameLocator('…'), or ….contentFrame().
Chain frame_chain(Chain chain);

/// The text that a step expects of its target, for choose().
std::string expected_text(const Step& step);

}  // namespace browx::codegen
