#pragma once
// Text of pages and clients, made fit to be shown: bounded, on one line, without what would be drawn as a box
// or would reorder its neighbours. Thread: any.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/reader.hpp"

namespace browx::player {

/// True for a code point that the font has. Must be callable from the calling thread.
using HasGlyph = std::function<bool(char32_t)>;

/// The code points of `text`; malformed UTF-8 becomes U+FFFD.
std::u32string code_points(std::string_view text);
std::string utf8(char32_t code);

/// At most `longest` code points of `text`, then "…". Line breaks and tabs become spaces (`lines`: are kept);
/// other controls, format characters (direction overrides, zero-width) and what `has_glyph` does not know
/// become \u{1F600}. An escape counts as one.
std::string shown(std::string_view text, std::size_t longest, const HasGlyph& has_glyph = {},
                  bool lines = false);

/// How a candidate locator of a step was counted.
struct LocatorRow {
  std::string kind, playwright, stability, reason;
  std::int64_t count = 0, index = 0;
};
std::vector<LocatorRow> locators_of(const archive::Step& step);

/// What a step addressed, in the words a reader knows best: the first candidate that is unique, else as it
/// was asked.
std::string subject_of(const archive::Step& step);
/// What it was given: the value filled, the key pressed, the text expected; or empty.
std::string value_of(const archive::Step& step);

/// The last part of a URL's path, or its host; the query's keys stay.
std::string short_url(std::string_view url);

}  // namespace browx::player
