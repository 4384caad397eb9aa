#include "mcp/schema/validator.hpp"

#include <gtest/gtest.h>

namespace browx::mcp {
namespace {

Json schema() {
  return Json::parse(R"({"type":"object","additionalProperties":false,"required":["url"],"properties":{
    "url":{"type":"string","minLength":1},
    "button":{"enum":["left","right"]},
    "count":{"type":"integer","minimum":1,"maximum":3},
    "limit":{"type":"integer","minimum":1,"maximum":500},
    "timeoutMs":{"type":"integer","minimum":1,"maximum":3600000},
    "scale":{"type":"number"},
    "coords":{"type":"object","additionalProperties":false,"required":["x"],"properties":{"x":{"type":"number"},"y":{"type":"number"}}},
    "calls":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"a/b":{"type":"string"}}}}}})");
}

struct Row {
  const char* value;
  const char* pointer;
  const char* expected;  // a part of it
};

TEST(Validator, WhatFitsPasses) {
  Validator validator(schema());
  EXPECT_FALSE(validator.check(
      Json::parse(R"({"url":"x","button":"left","coords":{"x":1.5},"calls":[{"a/b":"c"}]})")));
}

TEST(Validator, TheMisfitIsNamedByItsPointerAndWhatWasExpected) {
  Validator validator(schema());
  const Row rows[] = {
      {R"({})", "/url", "a string that is not empty"},
      {R"({"url":3})", "/url", "a string"},
      {R"({"url":""})", "/url", "not empty"},
      {R"({"url":"x","speed":1})", "/speed", "one of the parameters"},
      {R"({"url":"x","button":"middle"})", "/button", "one of \"left\", \"right\""},
      {R"({"url":"x","count":7})", "/count", "an integer from 1 to 3"},
      {R"({"url":"x","count":1.5})", "/count", "an integer"},
      {R"({"url":"x","coords":{}})", "/coords/x", "a number"},
      {R"({"url":"x","coords":{"x":"left"}})", "/coords/x", "a number"},
      {R"({"url":"x","coords":{"x":1,"z":1}})", "/coords/z", "x, y"},
      {R"({"url":"x","calls":[{},{"a/b":1}]})", "/calls/1/a~1b", "a string"},
      {R"({"url":"x","calls":{}})", "/calls", "an array"},
      {R"({"url":null})", "/url", "a string"},
  };
  for (const Row& row : rows) {
    const auto misfit = validator.check(Json::parse(row.value));
    ASSERT_TRUE(misfit) << row.value;
    EXPECT_EQ(misfit->pointer, row.pointer) << row.value << " " << misfit->error;
    EXPECT_NE(misfit->expected.find(row.expected), std::string::npos) << row.value << " " << misfit->expected;
    EXPECT_FALSE(misfit->error.empty());
  }
}

TEST(Normalize, AnIntegralNumberIsAnIntegerWhereOneIsWanted) {
  Json value = Json::parse(R"({"count":2.0,"scale":2.0})");
  EXPECT_TRUE(normalize(value, schema()).empty());
  EXPECT_TRUE(value["count"].is_number_integer());
  EXPECT_TRUE(value["scale"].is_number_float());
}

TEST(Normalize, LimitsAreClampedWithAWarningAndOtherNumbersAreLeftToBeRefused) {
  Json value = Json::parse(R"({"limit":100000,"timeoutMs":-5,"count":9})");
  const auto warnings = normalize(value, schema());
  EXPECT_EQ(value["limit"], 500);
  EXPECT_EQ(value["timeoutMs"], 1);
  EXPECT_EQ(value["count"], 9);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "limit 100000 was clamped to 500");
}

TEST(Normalize, ALimitTooLowIsLeftToBeRefused) {
  Json value = Json::parse(R"({"limit":0})");
  EXPECT_TRUE(normalize(value, schema()).empty());
  EXPECT_EQ(value["limit"], 0);
}

}  // namespace
}  // namespace browx::mcp
