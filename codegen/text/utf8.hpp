#pragma once
// Walking through text by code points. Pure.

#include <cstddef>
#include <string_view>

namespace browx::codegen {

/// The code point at `at`, which moves behind it. `text` is valid UTF-8.
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  char32_t point = length == 1 ? first : first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) point = (point << 6) | (byte(at + i) & 0x3f);
  at += length;
  return point;
}

/// What an editor, a diff or a parser might refuse, fold or show in another order: controls, line and
/// paragraph separators, marks of direction and width zero, private and unassigned ends of the planes.
inline bool needs_escape(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || (c >= 0xd800 && c <= 0xf8ff) ||
         c == 0xfeff || (c >= 0xfff0 && c <= 0xffff);
}

}  // namespace browx::codegen
