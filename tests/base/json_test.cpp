#include "base/json.hpp"

#include <gtest/gtest.h>

namespace browx {
namespace {

TEST(Json, ALoneSurrogateEscapeIsReplacedAndAPairIsKept) {
  const std::string lone = R"({"a":"x\ud83d","b":"\ud83d\udc4d","c":"\\ud83d","d":"\udc4dz"})";
  EXPECT_TRUE(has_lone_surrogate(lone));
  const std::string repaired = repair_surrogates(lone);
  EXPECT_FALSE(has_lone_surrogate(repaired));
  const auto parsed = parse_json(repaired);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ((*parsed)["a"], "x\xEF\xBF\xBD");
  EXPECT_EQ((*parsed)["b"], "\xF0\x9F\x91\x8D");
  EXPECT_EQ((*parsed)["c"], "\\ud83d");
  EXPECT_EQ((*parsed)["d"], "\xEF\xBF\xBDz");
}

TEST(Json, MalformedTextIsAnErrorWithItsPosition) {
  const auto parsed = parse_json("{\"a\":}");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code, Code::corrupt);
  EXPECT_NE(parsed.error().what.find("byte 6"), std::string::npos) << parsed.error().what;
}

TEST(Json, InvalidUtf8BecomesReplacementCharacters) {
  EXPECT_EQ(to_valid_utf8("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(to_valid_utf8("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(to_valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Json, MembersOfAnotherTypeAnswerTheFallback) {
  const Json object = {{"n", 3}, {"s", "x"}, {"f", 1e300}};
  EXPECT_EQ(json_string(object, "n", "none"), "none");
  EXPECT_EQ(json_int(object, "n"), 3);
  EXPECT_EQ(json_int(object, "f", -1), -1);
  EXPECT_EQ(json_string(object, "s"), "x");
}

}  // namespace
}  // namespace browx
