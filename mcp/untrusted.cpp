#include "mcp/untrusted.hpp"

#include <algorithm>
#include <array>

namespace browx::mcp {
namespace {

struct Phrase {
  std::string_view head,
      tail;  // tail may be empty; both must occur, the tail within 40 bytes behind the head
};
constexpr std::array<Phrase, 22> kPhrases{{
    {"ignore", "previous instructions"},
    {"ignore", "prior instructions"},
    {"ignore", "above instructions"},
    {"ignore", "your instructions"},
    {"ignore all instructions", ""},
    {"disregard", "instructions"},
    {"forget", "previous instructions"},
    {"forget your instructions", ""},
    {"override your", "instructions"},
    {"new instructions for", "assistant"},
    {"new instructions for", "ai"},
    {"instructions for the ai", ""},
    {"instructions to the ai", ""},
    {"you are an ai", ""},
    {"as an ai assistant", ""},
    {"attention ai", ""},
    {"ai agents must", ""},
    {"ai agent:", ""},
    {"dear assistant", ""},
    {"system prompt", ""},
    {"do not tell the user", ""},
    {"without telling the user", ""},
}};

std::string fold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
  }
  return out;
}

/// What the caller sent itself, echoed back.
bool echoed(std::string_view key) {
  return key == "action" || key == "valueRequested" || key == "pointer" || key == "expected" ||
         key == "label" || key == "yaml" || key == "name";
}

}  // namespace

std::optional<std::string> instruction_like(std::string_view text) {
  if (text.size() < 12) return std::nullopt;
  const std::string folded = fold(text);
  for (const Phrase& phrase : kPhrases) {
    for (std::size_t at = folded.find(phrase.head); at != std::string::npos;
         at = folded.find(phrase.head, at + 1)) {
      const std::size_t behind = at + phrase.head.size();
      if (!phrase.tail.empty()) {
        const std::size_t tail = folded.find(phrase.tail, behind);
        if (tail == std::string::npos || tail - behind > 40) continue;
      }
      return to_valid_utf8(folded.substr(at, 120));
    }
  }
  return std::nullopt;
}

std::optional<std::string> instruction_like_in(const Json& answer) {
  if (answer.is_string()) return instruction_like(answer.get_ref<const std::string&>());
  if (answer.is_object()) {
    for (const auto& [key, value] : answer.items())
      if (!echoed(key))
        if (auto found = instruction_like_in(value)) return found;
  } else if (answer.is_array()) {
    for (const Json& value : answer)
      if (auto found = instruction_like_in(value)) return found;
  }
  return std::nullopt;
}

}  // namespace browx::mcp
