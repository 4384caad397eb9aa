#include "capture/drive/keys.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace browx::capture {
namespace {

struct Named {
  std::string_view name, key, code;
  int key_code;
  std::string_view text = {};
  int location = 0;
  int modifier = 0;
};

// Keys that have a name. W3C UI Events values; virtual key codes as Windows has them.
constexpr std::array kNamed = {
    Named{"Enter", "Enter", "Enter", 13, "\r"},
    Named{"Tab", "Tab", "Tab", 9},
    Named{"Backspace", "Backspace", "Backspace", 8},
    Named{"Delete", "Delete", "Delete", 46},
    Named{"Escape", "Escape", "Escape", 27},
    Named{"Esc", "Escape", "Escape", 27},
    Named{"Space", " ", "Space", 32, " "},
    Named{"ArrowLeft", "ArrowLeft", "ArrowLeft", 37},
    Named{"ArrowUp", "ArrowUp", "ArrowUp", 38},
    Named{"ArrowRight", "ArrowRight", "ArrowRight", 39},
    Named{"ArrowDown", "ArrowDown", "ArrowDown", 40},
    Named{"Home", "Home", "Home", 36},
    Named{"End", "End", "End", 35},
    Named{"PageUp", "PageUp", "PageUp", 33},
    Named{"PageDown", "PageDown", "PageDown", 34},
    Named{"Insert", "Insert", "Insert", 45},
    Named{"Shift", "Shift", "ShiftLeft", 16, {}, 1, kShift},
    Named{"ShiftLeft", "Shift", "ShiftLeft", 16, {}, 1, kShift},
    Named{"ShiftRight", "Shift", "ShiftRight", 16, {}, 2, kShift},
    Named{"Control", "Control", "ControlLeft", 17, {}, 1, kControl},
    Named{"ControlLeft", "Control", "ControlLeft", 17, {}, 1, kControl},
    Named{"ControlRight", "Control", "ControlRight", 17, {}, 2, kControl},
    Named{"ControlOrMeta", "Control", "ControlLeft", 17, {}, 1, kControl},
    Named{"Alt", "Alt", "AltLeft", 18, {}, 1, kAlt},
    Named{"AltLeft", "Alt", "AltLeft", 18, {}, 1, kAlt},
    Named{"AltRight", "Alt", "AltRight", 18, {}, 2, kAlt},
    Named{"AltGraph", "AltGraph", "AltRight", 225, {}, 2},
    Named{"Meta", "Meta", "MetaLeft", 91, {}, 1, kMeta},
    Named{"MetaLeft", "Meta", "MetaLeft", 91, {}, 1, kMeta},
    Named{"MetaRight", "Meta", "MetaRight", 92, {}, 2, kMeta},
    Named{"CapsLock", "CapsLock", "CapsLock", 20},
    Named{"NumLock", "NumLock", "NumLock", 144},
    Named{"ScrollLock", "ScrollLock", "ScrollLock", 145},
    Named{"Pause", "Pause", "Pause", 19},
    Named{"PrintScreen", "PrintScreen", "PrintScreen", 44},
    Named{"ContextMenu", "ContextMenu", "ContextMenu", 93},
    Named{"Help", "Help", "Help", 47},
    Named{"NumpadEnter", "Enter", "NumpadEnter", 13, "\r", 3},
    Named{"NumpadAdd", "+", "NumpadAdd", 107, "+", 3},
    Named{"NumpadSubtract", "-", "NumpadSubtract", 109, "-", 3},
    Named{"NumpadMultiply", "*", "NumpadMultiply", 106, "*", 3},
    Named{"NumpadDivide", "/", "NumpadDivide", 111, "/", 3},
    Named{"NumpadDecimal", ".", "NumpadDecimal", 110, ".", 3},
};

// Keys that type a character: unshifted, shifted, code, virtual key code.
struct Typing {
  char plain, shifted;
  std::string_view code;
  int key_code;
};
constexpr std::array kTyping = {
    Typing{'1', '!', "Digit1", 49},       Typing{'2', '@', "Digit2", 50},
    Typing{'3', '#', "Digit3", 51},       Typing{'4', '$', "Digit4", 52},
    Typing{'5', '%', "Digit5", 53},       Typing{'6', '^', "Digit6", 54},
    Typing{'7', '&', "Digit7", 55},       Typing{'8', '*', "Digit8", 56},
    Typing{'9', '(', "Digit9", 57},       Typing{'0', ')', "Digit0", 48},
    Typing{'-', '_', "Minus", 189},       Typing{'=', '+', "Equal", 187},
    Typing{'[', '{', "BracketLeft", 219}, Typing{']', '}', "BracketRight", 221},
    Typing{'\\', '|', "Backslash", 220},  Typing{';', ':', "Semicolon", 186},
    Typing{'\'', '"', "Quote", 222},      Typing{'`', '~', "Backquote", 192},
    Typing{',', '<', "Comma", 188},       Typing{'.', '>', "Period", 190},
    Typing{'/', '?', "Slash", 191},       Typing{' ', ' ', "Space", 32},
};

Key typed(char character, std::string code, int key_code) {
  return {std::string(1, character), std::move(code), key_code, std::string(1, character), 0, 0};
}

/// The bytes of one UTF-8 character at the front of `text`; 0 when there is none.
std::size_t character_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80       ? 1
                             : lead >> 5 == 6  ? 2
                             : lead >> 4 == 14 ? 3
                             : lead >> 3 == 30 ? 4
                                               : 1;
  return std::min(length, text.size());
}

std::optional<Key> ascii_key(char c, bool shift) {
  if (c >= 'a' && c <= 'z') {
    const char upper = static_cast<char>(c - 'a' + 'A');
    return typed(shift ? upper : c, std::string("Key") + upper, upper);
  }
  if (c >= 'A' && c <= 'Z') return typed(c, std::string("Key") + c, c);
  for (const auto& t : kTyping) {
    if (t.plain == c) return typed(shift ? t.shifted : c, std::string(t.code), t.key_code);
    if (t.shifted == c) return typed(c, std::string(t.code), t.key_code);
  }
  return std::nullopt;
}

std::optional<Key> named_key(std::string_view name, bool shift) {
  for (const auto& n : kNamed)
    if (n.name == name)
      return Key{std::string(n.key),  std::string(n.code), n.key_code,
                 std::string(n.text), n.location,          n.modifier};
  // F1 … F24
  if (name.size() >= 2 && name.size() <= 3 && name[0] == 'F' &&
      std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const int n = std::stoi(std::string(name.substr(1)));
    if (n >= 1 && n <= 24 && name[1] != '0')
      return Key{std::string(name), std::string(name), 111 + n, {}, 0, 0};
  }
  // Codes of typing keys: KeyA, Digit1, Minus, Numpad5
  if (name.size() == 4 && name.substr(0, 3) == "Key" && name[3] >= 'A' && name[3] <= 'Z')
    return ascii_key(static_cast<char>(name[3] - 'A' + 'a'), shift);
  if (name.size() == 7 && name.substr(0, 6) == "Numpad" && name[6] >= '0' && name[6] <= '9') {
    Key key = typed(name[6], std::string(name), 96 + (name[6] - '0'));
    key.location = 3;
    return key;
  }
  for (const auto& t : kTyping)
    if (t.code == name) return ascii_key(t.plain, shift);
  return std::nullopt;
}

std::optional<Key> key_of(std::string_view name, bool shift) {
  if (name.empty()) return std::nullopt;
  if (name == "\n" || name == "\r") return named_key("Enter", shift);
  if (name == "\t") return named_key("Tab", shift);
  if (name.size() == 1) {
    if (auto key = ascii_key(name[0], shift)) return key;
    return std::nullopt;  // a control character
  }
  if (auto key = named_key(name, shift)) return key;
  if (character_length(name) == name.size()) return Key{std::string(name), {}, 0, std::string(name), 0, 0};
  return std::nullopt;
}

Error bad_key(std::string_view text) {
  return {Code::invalid_argument, "\"" + std::string(text) + "\" is not a key",
          "name one key as in Enter, Tab, ArrowDown, Escape, F5, a, é, or a combination as in Control+A, "
          "Shift+Tab; "
          "text goes into a field with fill",
          "invalid-key"};
}

}  // namespace

int Chord::modifiers() const {
  int bits = 0;
  for (const auto& k : held) bits |= k.modifier;
  return bits;
}

Result<Chord> parse_chord(std::string_view text) {
  Chord chord;
  std::string_view rest = text;
  // A '+' separates only when something stands on both sides: "Control++" holds Control and strikes '+'.
  for (std::size_t plus; (plus = rest.find('+', 1)) != std::string_view::npos && plus + 1 < rest.size();) {
    auto held = named_key(rest.substr(0, plus), false);
    if (!held || held->modifier == 0) return bad_key(text);
    chord.held.push_back(*std::move(held));
    rest.remove_prefix(plus + 1);
  }
  auto key = key_of(rest, (chord.modifiers() & kShift) != 0);
  if (!key) return bad_key(text);
  chord.key = *std::move(key);
  return chord;
}

std::vector<Chord> chords_of_text(std::string_view text) {
  std::vector<Chord> out;
  while (!text.empty()) {
    std::size_t length = character_length(text);
    if (text.substr(0, 2) == "\r\n") length = 2;
    const std::string_view one = length == 2 && text[0] == '\r' ? "\n" : text.substr(0, length);
    if (auto key = key_of(one, false)) out.push_back({{}, *std::move(key)});
    text.remove_prefix(length);
  }
  return out;
}

Result<int> modifier_bit(std::string_view name) {
  for (const auto& n : kNamed)
    if (n.name == name && n.modifier != 0) return n.modifier;
  return Error{Code::invalid_argument, "\"" + std::string(name) + "\" is not a modifier",
               "use Alt, Control, Meta or Shift", "invalid-key"};
}

}  // namespace browx::capture
