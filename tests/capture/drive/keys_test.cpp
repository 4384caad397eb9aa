#include "capture/drive/keys.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

Chord chord(std::string_view text) {
  auto parsed = parse_chord(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed ? *parsed : Chord{};
}

struct Expected {
  std::string name, key, code;
  int key_code;
  std::string text;
};

class OneKey : public testing::TestWithParam<Expected> {};

TEST_P(OneKey, CarriesWhatAKeyboardWouldSend) {
  const auto& want = GetParam();
  const Chord got = chord(want.name);
  EXPECT_TRUE(got.held.empty());
  EXPECT_EQ(got.key.key, want.key);
  EXPECT_EQ(got.key.code, want.code);
  EXPECT_EQ(got.key.key_code, want.key_code);
  EXPECT_EQ(got.key.text, want.text);
}

INSTANTIATE_TEST_SUITE_P(
    Keys, OneKey,
    testing::Values(Expected{"Enter", "Enter", "Enter", 13, "\r"}, Expected{"Tab", "Tab", "Tab", 9, ""},
                    Expected{"Escape", "Escape", "Escape", 27, ""},
                    Expected{"ArrowDown", "ArrowDown", "ArrowDown", 40, ""},
                    Expected{"F5", "F5", "F5", 116, ""}, Expected{"F24", "F24", "F24", 135, ""},
                    Expected{"a", "a", "KeyA", 65, "a"}, Expected{"A", "A", "KeyA", 65, "A"},
                    Expected{"KeyQ", "q", "KeyQ", 81, "q"}, Expected{"7", "7", "Digit7", 55, "7"},
                    Expected{"&", "&", "Digit7", 55, "&"}, Expected{"?", "?", "Slash", 191, "?"},
                    Expected{"Space", " ", "Space", 32, " "}, Expected{" ", " ", "Space", 32, " "},
                    Expected{"+", "+", "Equal", 187, "+"}, Expected{"é", "é", "", 0, "é"},
                    Expected{"日", "日", "", 0, "日"}, Expected{"👍", "👍", "", 0, "👍"},
                    Expected{"Numpad4", "4", "Numpad4", 100, "4"},
                    Expected{"NumpadEnter", "Enter", "NumpadEnter", 13, "\r"}));

TEST(ParseChord, HoldsModifiersInTheOrderGiven) {
  const Chord c = chord("Control+Shift+ArrowLeft");
  ASSERT_EQ(c.held.size(), 2u);
  EXPECT_EQ(c.held[0].key, "Control");
  EXPECT_EQ(c.held[1].code, "ShiftLeft");
  EXPECT_EQ(c.modifiers(), kControl | kShift);
  EXPECT_EQ(c.key.key, "ArrowLeft");
}

TEST(ParseChord, ShiftChangesWhatAKeyTypes) {
  EXPECT_EQ(chord("Shift+a").key.key, "A");
  EXPECT_EQ(chord("Shift+1").key.text, "!");
  EXPECT_EQ(chord("Control+a").key.key, "a");
}

TEST(ParseChord, APlusIsAKeyWhereNothingFollowsIt) {
  const Chord c = chord("Control++");
  ASSERT_EQ(c.held.size(), 1u);
  EXPECT_EQ(c.key.key, "+");
}

TEST(ParseChord, AModifierAloneIsAKey) {
  const Chord c = chord("Shift");
  EXPECT_TRUE(c.held.empty());
  EXPECT_EQ(c.key.modifier, kShift);
  EXPECT_EQ(chord("ControlOrMeta+a").modifiers(), kControl);
}

TEST(ParseChord, RefusesWhatIsNoKeyAndSaysHowKeysAreNamed) {
  for (const auto* bad :
       {"", "Entr", "F25", "F0", "hello", "Foo+a", "a+b", "Control+", "Control+Entr", "\x01"}) {
    auto parsed = parse_chord(bad);
    ASSERT_FALSE(parsed.ok()) << bad;
    EXPECT_EQ(parsed.error().code, Code::invalid_argument);
    EXPECT_EQ(parsed.error().kind, "invalid-key");
    EXPECT_NE(parsed.error().hint.find("ArrowDown"), std::string::npos);
  }
}

TEST(ChordsOfText, StrikesEachCharacterOnce) {
  const auto chords = chords_of_text("aé\r\n1");
  ASSERT_EQ(chords.size(), 4u);
  EXPECT_EQ(chords[0].key.code, "KeyA");
  EXPECT_EQ(chords[1].key.text, "é");
  EXPECT_EQ(chords[2].key.key, "Enter");
  EXPECT_EQ(chords[3].key.code, "Digit1");
}

TEST(ModifierBit, KnowsTheFourAndNoOthers) {
  EXPECT_EQ(*modifier_bit("Alt"), kAlt);
  EXPECT_EQ(*modifier_bit("Meta"), kMeta);
  EXPECT_FALSE(modifier_bit("Enter").ok());
  EXPECT_FALSE(modifier_bit("Hyper").ok());
}

}  // namespace
}  // namespace browx::capture
