#include "mcp/arguments.hpp"

#include <gtest/gtest.h>

namespace browx::mcp {
namespace {

const Json kSchema =
    Json::parse(R"({"type":"object","properties":{"ref":{},"selector":{},"named":{},"text":{},"contextRef":{},
  "coords":{"properties":{"x":{},"y":{}}},"flag":{},"n":{},"list":{},"calls":{"items":{"properties":{"tool":{}}}}}})");

std::optional<Misfit> check(const char* values, TargetUse use, std::vector<std::string_view> others = {}) {
  const Json parsed = Json::parse(values);
  return check_target(Arguments(parsed, kSchema), use, std::move(others));
}

TEST(Arguments, AreTypedAndNestedAsTheSchemaDeclares) {
  const Json values = Json::parse(
      R"({"ref":"e1","flag":true,"n":3,"list":["a","b"],"coords":{"x":1.5},"calls":[{"tool":"click"}]})");
  const Arguments arguments(values, kSchema);
  EXPECT_EQ(arguments.text("ref"), "e1");
  EXPECT_EQ(arguments.text("text", "none"), "none");
  EXPECT_TRUE(arguments.flag("flag"));
  EXPECT_EQ(arguments.integer("n"), 3);
  EXPECT_EQ(arguments.texts("list"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(arguments.object("coords").number("x"), 1.5);
  ASSERT_EQ(arguments.objects("calls").size(), 1u);
  EXPECT_EQ(arguments.objects("calls")[0].text("tool"), "click");
}

TEST(ArgumentsDeathTest, ReadingAParameterThatNoSchemaDeclaresIsABug) {
  const Json values = Json::object();
  EXPECT_DEATH(Arguments(values, kSchema).text("undeclared"), "internal error");
  EXPECT_DEATH(Arguments(values, kSchema).object("coords").number("z"), "internal error");
}

TEST(Targets, ExactlyOneIsTaken) {
  EXPECT_FALSE(check(R"({"ref":"e1"})", TargetUse::required));
  EXPECT_FALSE(check(R"({"selector":"a","contextRef":"e2"})", TargetUse::required));
  EXPECT_FALSE(check(R"({"coords":{"x":1,"y":2}})", TargetUse::required));
  EXPECT_FALSE(check(R"({})", TargetUse::optional));
  EXPECT_FALSE(check(R"({"text":"x"})", TargetUse::required, {"text"}));
}

TEST(Targets, NoneOrSeveralAreRefusedNamingThem) {
  EXPECT_NE(check(R"({})", TargetUse::required)->expected.find("ref, selector, named, coords"),
            std::string::npos);
  EXPECT_NE(check(R"({"ref":"e1","selector":"a"})", TargetUse::optional)->error.find("ref and selector"),
            std::string::npos);
  EXPECT_TRUE(check(R"({"ref":"e1","text":"a"})", TargetUse::required, {"text"}));
  EXPECT_EQ(check(R"({"ref":"e1","contextRef":"e2"})", TargetUse::required)->pointer, "/contextRef");
}

TEST(Targets, AreReadAsTheyStand) {
  const Json values = Json::parse(R"({"selector":"a","contextRef":"e2"})");
  const auto address = read_target(Arguments(values, kSchema));
  ASSERT_TRUE(address);
  EXPECT_EQ(address->selector, "a");
  EXPECT_EQ(address->context_ref, "e2");
}

}  // namespace
}  // namespace browx::mcp
