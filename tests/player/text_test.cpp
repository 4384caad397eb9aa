#include "player/model/text.hpp"

#include <gtest/gtest.h>

namespace browx::player {
namespace {

const HasGlyph kLatin = [](char32_t code) { return code < 0x250; };

TEST(Shown, WhatTheFontLacksIsEscaped) {
  EXPECT_EQ(shown("Zürich", 100, kLatin), "Zürich");
  EXPECT_EQ(shown("日本", 100, kLatin), "\\u{65E5}\\u{672C}");
  EXPECT_EQ(shown("日本", 100), "日本");
  EXPECT_EQ(shown("ok 👍", 100, kLatin), "ok \\u{1F44D}");
}

TEST(Shown, ControlsAndDirectionOverridesCannotDisturb) {
  EXPECT_EQ(shown("a\u202eb\u200bc\x1b[31m", 100), "a\\u{202E}b\\u{200B}c\\u{1B}[31m");
  EXPECT_EQ(shown("a\r\n\tb", 100), "a   b");
  EXPECT_EQ(shown("a\nb\tc", 100, {}, true), "a\nb c");
  EXPECT_EQ(shown(std::string_view("a\0b", 3), 100), "a\\u{0}b");
}

TEST(Shown, IsBounded) {
  EXPECT_EQ(shown(std::string(1 << 20, 'x'), 5), "xxxxx…");
  EXPECT_EQ(shown("xxxxx", 5), "xxxxx");
  EXPECT_EQ(shown("ααααα!", 5), "ααααα…");
  EXPECT_EQ(shown("", 5), "");
}

TEST(Shown, MalformedTextBecomesReplacementCharacters) {
  EXPECT_EQ(shown("a\xff\xc3", 10), "a\ufffd\ufffd");
  EXPECT_EQ(shown("\xed\xa0\xbd", 10), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(shown("\xc0\xaf", 10), "\ufffd\ufffd");
}

TEST(Shown, FormatsAndIdsAreJustText) { EXPECT_EQ(shown("%s%n##a###b", 100), "%s%n##a###b"); }

TEST(ShortUrl, IsTheLastPartOrTheHost) {
  EXPECT_EQ(short_url("https://a.test/x/y.js?v=1"), "y.js?v=1");
  EXPECT_EQ(short_url("https://a.test/"), "a.test/");
  EXPECT_EQ(short_url("https://a.test"), "a.test/");
  EXPECT_EQ(short_url("https://a.test/x/"), "x");
  EXPECT_EQ(short_url("about:blank"), "about:blank");
  EXPECT_EQ(short_url("data:image/png;base64,AAAA"), "data:image/png;base64");
}

archive::Step step(Json payload) {
  archive::Step out;
  out.target = json_member(payload, "target");
  out.payload = std::move(payload);
  return out;
}

TEST(Subject, IsTheFirstUniqueCandidateElseWhatWasAsked) {
  EXPECT_EQ(subject_of(step(
                {{"locators", {{{"playwright", "a"}, {"count", 2}}, {{"playwright", "b"}, {"count", 1}}}}})),
            "b");
  EXPECT_EQ(subject_of(step({{"locators", {{{"playwright", "a"}, {"count", 2}}}},
                             {"target", {{"ref", "e7"}, {"selector", "#x"}}}})),
            "#x");
  EXPECT_EQ(subject_of(step({{"arguments", {{"url", "https://a.test/"}}}})), "https://a.test/");
  EXPECT_EQ(subject_of(step({{"locators", 7}, {"target", "odd"}})), "");
}

TEST(Value, IsWhatTheStepWasGiven) {
  EXPECT_EQ(value_of(step({{"arguments", {{"value", "Ada"}}}})), "Ada");
  EXPECT_EQ(value_of(step({{"arguments", {{"values", {"Oslo"}}}}})), "[\"Oslo\"]");
  EXPECT_EQ(value_of(step({{"arguments", {{"n", 8}}}})), "8");
  EXPECT_EQ(value_of(step(Json::object())), "");
}

}  // namespace
}  // namespace browx::player
