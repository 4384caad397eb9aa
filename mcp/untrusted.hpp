#pragma once
// Page text that reads like instructions to an AI is said to be page text.

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace browx::mcp {

/// The part of `text` that reads like instructions to an AI (at most 120 bytes of it), or nothing. The
/// heuristic: text lower-cased, white space folded, then searched for the phrases listed in untrusted.cpp. It
/// misses what is worded otherwise, and a page about prompt injection sets it off: a warning, never a
/// refusal.
std::optional<std::string> instruction_like(std::string_view text);

/// instruction_like() of the strings inside `answer`, leaving out what the caller itself sent.
std::optional<std::string> instruction_like_in(const Json& answer);

}  // namespace browx::mcp
