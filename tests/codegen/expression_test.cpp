// Locator expressions: what is read is written again as it was, and foreign code is refused.

#include <gtest/gtest.h>

#include "codegen/expression.hpp"
#include "codegen/text/typescript.hpp"

namespace browx::codegen {
namespace {

TEST(Expression, WhatThePageMakesIsWrittenAsItWas) {
  for (const char* code : {
           "getByRole('button', { name: 'Save' })",
           "getByRole('button', { name: 'O\\'Brien', exact: true })",
           "getByRole('listitem').filter({ hasText: /^\\s*Ada\\s+[\\/x]\\s*$/ }).getByRole('button')",
           "getByTestId('a\\\\b\\nc').nth(2)",
           "locator('[data-cy=\"x\"]').contentFrame().getByText('\\u2028')",
       }) {
    const auto chain = parse_chain(code);
    ASSERT_TRUE(chain) << code;
    EXPECT_EQ(chain_code(*chain), code);
  }
}

TEST(Expression, ForeignCodeIsRefused) {
  for (const char* code : {
           "",
           "page",
           "getByRole('x'",
           "getByRole('x');",
           "getByRole('x'); process.exit(1)",
           "evaluate('x')",
           "getByRole(process.env.X)",
           "getByRole(`x`)",
           "getByRole('x').click()",
           "getByText('a' + b)",
           "getByText(/x/) // y",
           "getByText('a\nb')",
           "filter({ has: page.locator('x') })",
           "getByText(\"a\\x41\")",
           "getByText(//)",
           "getByRole('x', {[y]: 1})",
           "getByText(/\n/)",
       })
    EXPECT_FALSE(parse_chain(code)) << code;
}

TEST(Expression, EscapesAreTheirCharacters) {
  const auto chain = parse_chain("getByText('\\ud83d\\ude00\\t\\ud83dx')");
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->front().arguments.front().text, "\xF0\x9F\x98\x80\t\xEF\xBF\xBDx");
}

TEST(Expression, ComponentsNameWhatTheChainIsMadeOf) {
  const auto chain = parse_chain(
      "getByRole('row', { name: 'Ada' "
      "}).getByTestId('x').locator('[data-cy=\"a\\\\\"b\"]').locator('#id').nth(1)");
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain_components(*chain), Json::parse(R"([
    {"kind":"role","value":"row","name":"Ada"}, {"kind":"testid","value":"x","attribute":"data-testid"},
    {"kind":"testid","value":"a\"b","attribute":"data-cy"}, {"kind":"css","value":"#id"}, {"kind":"nth","value":"1"}])"));
}

TEST(Expression, AGivenSelectorIsWrittenAsPeopleWould) {
  EXPECT_EQ(chain_code(chain_of_selector("role=button")), "getByRole('button')");
  EXPECT_EQ(chain_code(chain_of_selector("role=button[name=\"Save \\\"it\\\"\"]")),
            "getByRole('button', { name: 'Save \"it\"', exact: true })");
  EXPECT_EQ(chain_code(chain_of_selector("role=row >> role=button")), "locator('role=row >> role=button')");
  EXPECT_EQ(chain_code(chain_of_selector("tbody tr")), "locator('tbody tr')");
}

TEST(Expression, ATextThatIsLookedForIsFoundWhateverItsCase) {
  const auto chain = parse_chain("getByRole('row', { name: 'Invoice  7 Approved' })");
  EXPECT_TRUE(mentions(*chain, "approved"));
  EXPECT_TRUE(mentions(*chain, "invoice 7"));
  EXPECT_FALSE(mentions(*chain, "paid"));
  EXPECT_FALSE(mentions(*chain, ""));
}

TEST(TypeScript, QuotesAreThoseThatNeedFewerEscapes) {
  EXPECT_EQ(ts_string("plain"), "'plain'");
  EXPECT_EQ(ts_string("it's"), "\"it's\"");
  EXPECT_EQ(ts_string("it's \"x\""), "'it\\'s \"x\"'" + std::string())
      << "as many of both: single quotes win";
  EXPECT_EQ(ts_single_quoted("it's"), "'it\\'s'");
  EXPECT_EQ(ts_string("a\xE2\x80\xA8"
                      "b\xE2\x80\xAE"
                      "\xC2\xA0"),
            "'a\\u2028b\\u202e\\u00a0'");
}

TEST(TypeScript, AValueWithSecretsIsATemplate) {
  EXPECT_EQ(ts_value({"", "PASSWORD", ""}), "process.env.PASSWORD!");
  EXPECT_EQ(ts_value({"a`${x}\\", "TOKEN", ""}), "`a\\`\\${x}\\\\${process.env.TOKEN}`");
}

TEST(TypeScript, NothingLeavesAComment) {
  EXPECT_EQ(ts_comment("a\nb\r*/ \xE2\x80\xA9 c "), "a b */ \\u2029 c");
}

TEST(TypeScript, IdentifiersAreWords) {
  EXPECT_EQ(ts_identifier("pay.example.com:8443"), "payExampleCom8443");
  EXPECT_EQ(ts_identifier("127.0.0.1"), "n127001");
  EXPECT_EQ(ts_identifier("…"), "value");
  EXPECT_EQ(ts_identifier("page"), "page1");
}

}  // namespace
}  // namespace browx::codegen
