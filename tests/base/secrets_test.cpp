#include "base/secrets.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace browx {
namespace {

Secrets with(std::string name, std::string value) {
  Secrets secrets;
  EXPECT_TRUE(secrets.add(std::move(name), std::move(value)).ok());
  return secrets;
}

TEST(Secrets, AnOddNameOrAnEmptyValueIsRefused) {
  Secrets secrets;
  for (const char* name : {"", "9a", "a-b", "a b", "<A>", "é"}) {
    const auto added = secrets.add(name, "hunter22");
    ASSERT_FALSE(added.ok()) << name;
    EXPECT_EQ(added.error().code, Code::invalid_argument);
  }
  EXPECT_FALSE(secrets.add(std::string(65, 'A'), "hunter22").ok());
  EXPECT_FALSE(secrets.add("EMPTY", "").ok());
  EXPECT_TRUE(secrets.empty());
  EXPECT_TRUE(secrets.add(std::string(64, 'A'), "hunter22").ok());
}

TEST(Secrets, ANameRegisteredAgainReplacesItsValue) {
  Secrets secrets = with("PASSWORD", "first-value");
  ASSERT_TRUE(secrets.add("PASSWORD", "second-value").ok());
  EXPECT_EQ(secrets.names(), std::vector<std::string>{"PASSWORD"});
  EXPECT_EQ(secrets.mask("first-value second-value"), "first-value <PASSWORD>");
}

TEST(Secrets, ReferencesAreSubstitutedOnceAndOnlyWhenKnown) {
  Secrets secrets = with("USER", "<PASSWORD>");
  ASSERT_TRUE(secrets.add("PASSWORD", "hunter22").ok());
  EXPECT_EQ(secrets.substitute("<USER>/<PASSWORD>/<OTHER>/<"), "<PASSWORD>/hunter22/<OTHER>/<");
  EXPECT_TRUE(secrets.has_reference("a<PASSWORD>"));
  EXPECT_FALSE(secrets.has_reference("<OTHER> PASSWORD"));
}

TEST(Secrets, EveryEncodedFormOfALongValueIsMasked) {
  const std::string value = "p\"a\\s & <w>'ö/👍+ d";
  const Secrets secrets = with("PASSWORD", value);
  const std::string forms[] = {
      value,
      "p%22a%5Cs%20%26%20%3Cw%3E'%C3%B6%2F%F0%9F%91%8D%2B%20d",
      "p%22a%5cs%20%26%20%3cw%3e%27%c3%b6/%f0%9f%91%8d%2b%20d",
      "p%22a%5Cs+%26+%3Cw%3E%27%C3%B6%2F%F0%9F%91%8D%2B+d",
      "p%2522a%255Cs%2520%2526%2520%253Cw%253E%2527%25C3%25B6%252F%25F0%259F%2591%258D%252B%2520d",
      Json(value).dump().substr(1, Json(value).dump().size() - 2),
      Json(value).dump(-1, ' ', true).substr(1, Json(value).dump(-1, ' ', true).size() - 2),
      "p\\u0022a\\u005cs \\u0026 \\u003Cw\\u003e\\u0027\\u00F6\\/\\uD83D\\udc4d+ d",
      "p&quot;a\\s &amp; &lt;w&gt;&#39;ö/👍+ d",
      "p&#34;a&#x5C;s&#32;&#x26; &lt;w>&apos;&#246;/&#x1F44D;+ d",
  };
  for (const auto& form : forms) EXPECT_EQ(secrets.mask("[" + form + "]"), "[<PASSWORD>]") << form;
  const std::string twice = Json(Json(value).dump()).dump();
  EXPECT_EQ(secrets.mask(twice), "\"\\\"<PASSWORD>\\\"\"");
}

TEST(Secrets, Base64IsMaskedInAllThreeAlignmentsAndBothAlphabets) {
  const std::string value = "correct?horse~battery>staple\xFB\xFF\xFE";
  const Secrets secrets = with("PHRASE", value);
  for (const std::string prefix : {"", "a", "ab", "user:"}) {
    std::string text = base64_encode(prefix + value + " and more");
    EXPECT_NE(secrets.mask(text).find("<PHRASE>"), std::string::npos) << prefix;
    const auto at = secrets.mask(text).find("<PHRASE>");
    EXPECT_LE(at, (prefix.size() * 8 + 5) / 6) << "what precedes the mask belongs to the prefix";
    for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
    EXPECT_NE(secrets.mask(text).find("<PHRASE>"), std::string::npos) << prefix;
  }
}

TEST(Secrets, AMaskedJsonTextIsStillJson) {
  Secrets secrets = with("A", "name\\");
  ASSERT_TRUE(secrets.add("B", "\"quoted\"").ok());
  ASSERT_TRUE(secrets.add("C", "nothing").ok());
  const Json cases = {"name\\",         "name\\\n",  "x\\\"quoted\"\\", "\nothing",
                      "a\nothing else", "\\nothing", "u0022nothing"};
  for (const auto& one : cases) {
    const std::string masked = secrets.mask(one.dump());
    EXPECT_TRUE(parse_json(masked).ok()) << one.dump() << " became " << masked;
  }
}

TEST(Secrets, ALongerValueWinsOverItsSubstringsAndOverlapsLeaveNothing) {
  Secrets secrets = with("SHORTER", "swordfish");
  ASSERT_TRUE(secrets.add("LONGER", "swordfish-42-x").ok());
  EXPECT_EQ(secrets.mask("swordfish-42-x, swordfish"), "<LONGER>, <SHORTER>");
  Secrets overlapping = with("ONE", "abcdef");
  ASSERT_TRUE(overlapping.add("TWO", "defghijkl").ok());
  EXPECT_EQ(overlapping.mask("-abcdefghijkl-"), "-<TWO>-");
  EXPECT_EQ(with("REPEAT", "ababab").mask("abababab!"), "<REPEAT>!");
}

TEST(Secrets, AShortValueIsMaskedOnlyWhereItsOwnFieldIs) {
  Secrets secrets = with("PIN", "4711");
  ASSERT_TRUE(secrets.add("PASSWORD", "hunter22").ok());
  EXPECT_EQ(secrets.mask("pin 4711 hunter22"), "pin 4711 <PASSWORD>");
  EXPECT_EQ(secrets.mask_short("pin 4711 hunter22"), "pin <PIN> <PASSWORD>");
  Secrets odd = with("S", "S");
  ASSERT_TRUE(odd.add("SECRET", "hunter22").ok());
  EXPECT_EQ(odd.mask_short("hunter22 S"), "<SECRET> <S>");
}

TEST(Secrets, SixCharactersAreCountedInCharactersNotBytes) {
  EXPECT_EQ(with("FIVE", "ööööö").mask("ööööö"), "ööööö");
  EXPECT_EQ(with("SIX", "öööööö").mask("öööööö"), "<SIX>");
}

TEST(Secrets, JsonIsMaskedInStringsAndKeysAtAnyDepth) {
  const Secrets secrets = with("TOKEN", "abc-123-def");
  Json value = {{"abc-123-def", {1, "x abc-123-def y", {{"deep", "abc-123-def"}}}}, {"n", 5}};
  secrets.mask_json(value);
  EXPECT_EQ(value.dump(), R"({"<TOKEN>":[1,"x <TOKEN> y",{"deep":"<TOKEN>"}],"n":5})");
}

TEST(Secrets, NoValueMakesMaskingSlow) {
  const Secrets secrets = with("SLASHES", std::string(100, '\\'));
  const std::string text(5000, '\\');
  const auto began = std::chrono::steady_clock::now();
  EXPECT_NE(secrets.mask(text).find("<SLASHES>"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

}  // namespace
}  // namespace browx
