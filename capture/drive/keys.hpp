#pragma once
// Key names as Playwright and the W3C write them, and what a keyboard event of each carries. Thread: any;
// pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace browx::capture {

/// Bits of CDP's Input `modifiers`.
enum Modifier : int { kAlt = 1, kControl = 2, kMeta = 4, kShift = 8 };

/// One key of a US keyboard (or a character no such keyboard has: `code` empty, `key` and `text` that
/// character).
struct Key {
  std::string key;   ///< KeyboardEvent.key
  std::string code;  ///< KeyboardEvent.code
  int key_code = 0;  ///< Windows virtual key code
  std::string text;  ///< what it types without Control, Alt, Meta; empty: nothing
  int location = 0;  ///< 1 left, 2 right, 3 numpad
  int modifier = 0;  ///< the bit when the key is a modifier itself
};

/// "Control+Shift+A": the modifiers to hold, in that order, and the key to strike.
struct Chord {
  std::vector<Key> held;
  Key key;
  int modifiers() const;
};

/// Reads "Enter", "a", "é", "Shift+Tab", "Control++". Letters take Shift's form while Shift is held.
/// Error `invalid_argument`, kind "invalid-key", saying how keys are named.
Result<Chord> parse_chord(std::string_view text);

/// Each character of `text` as a key to strike; line breaks are Enter.
std::vector<Chord> chords_of_text(std::string_view text);

/// The bit of "Alt", "Control", "Meta", "Shift" or "ControlOrMeta". Error `invalid_argument`, kind
/// "invalid-key".
Result<int> modifier_bit(std::string_view name);

}  // namespace browx::capture
