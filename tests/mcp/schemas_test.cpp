// The schema files themselves: complete, in the subset that valijson understands, and small enough.
#include <gtest/gtest.h>

#include <set>

#include "core_tool_schemas/embedded.hpp"
#include "mcp/schema/validator.hpp"

namespace browx::mcp {
namespace {

/// Calls `visit(pointer, schema)` for each schema inside the input schema, the root apart.
template <class Visit>
void each_parameter(const Json& schema, const std::string& pointer, Visit visit) {
  for (const auto& [name, property] : json_member(schema, "properties").items()) {
    visit(pointer + "/" + name, property);
    each_parameter(property, pointer + "/" + name, visit);
  }
  if (const Json& items = json_member(schema, "items"); items.is_object()) {
    visit(pointer + "[]", items);
    each_parameter(items, pointer + "[]", visit);
  }
}

class SchemaFile : public testing::TestWithParam<std::size_t> {
 protected:
  const core_schemas::EmbeddedFile& file() { return core_schemas::embedded_files()[GetParam()]; }
  Json spec() { return Json::parse(file().content); }
};

TEST_P(SchemaFile, HasEveryMemberAndItsOwnName) {
  const Json tool = spec();
  EXPECT_EQ(tool.at("name").get<std::string>() + ".json", file().name);
  for (const char* key : {"title", "description", "capability"}) EXPECT_TRUE(tool.at(key).is_string()) << key;
  for (const char* hint : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
    EXPECT_TRUE(tool.at("annotations").at(hint).is_boolean()) << hint;
  EXPECT_EQ(tool.at("outputSchema").at("type"), "object");
  EXPECT_EQ(tool.at("inputSchema").at("type"), "object");
  EXPECT_EQ(tool.at("inputSchema").at("additionalProperties"), false);
}

TEST_P(SchemaFile, DescribesEveryParameterAndRefusesOthers) {
  each_parameter(spec().at("inputSchema"), "", [](const std::string& pointer, const Json& schema) {
    EXPECT_GE(json_string(schema, "description").size(), 5u) << pointer;
    if (schema.contains("properties")) {
      EXPECT_EQ(json_member(schema, "additionalProperties"), Json(false)) << pointer;
    }
  });
}

TEST_P(SchemaFile, UsesNoKeywordThatIsSilentlyIgnored) {
  static const std::set<std::string> known{"type",        "properties", "required",   "additionalProperties",
                                           "description", "items",      "enum",       "minLength",
                                           "maxLength",   "minimum",    "maximum",    "minItems",
                                           "maxItems",    "pattern",    "uniqueItems"};
  each_parameter(spec().at("inputSchema"), "", [](const std::string& pointer, const Json& schema) {
    for (const auto& [key, value] : schema.items()) EXPECT_TRUE(known.contains(key)) << pointer << " " << key;
  });
}

TEST_P(SchemaFile, ADescriptionIsOneToThreeSentencesAndAtMost320Characters) {
  const std::string text = spec().at("description");
  std::size_t sentences = text.back() == '.' ? 1 : 0;
  for (std::size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1)) ++sentences;
  EXPECT_GE(sentences, 1u);
  EXPECT_LE(sentences, 3u) << text;
  EXPECT_LE(text.size(), 320u);
}

TEST_P(SchemaFile, RefusesAnUnknownParameterAndSaysWhichThereAre) {
  Validator validator(spec().at("inputSchema"));
  const auto misfit = validator.check(Json{{"no_such_parameter", 1}});
  ASSERT_TRUE(misfit);
  EXPECT_EQ(misfit->pointer, "/no_such_parameter");
}

TEST_P(SchemaFile, AFailureFitsTheOutputSchema) {
  const Json failure = {{"ok", false},
                        {"error", "x"},
                        {"code", "timeout"},
                        {"failure", {{"source", "browx"}, {"kind", "timeout"}}}};
  EXPECT_FALSE(Validator(spec().at("outputSchema")).check(failure));
  const Json refusal = {
      {"ok", false}, {"error", "x"}, {"code", "invalid-argument"}, {"pointer", "/a"}, {"expected", "b"}};
  EXPECT_FALSE(Validator(spec().at("outputSchema")).check(refusal));
}

INSTANTIATE_TEST_SUITE_P(Core, SchemaFile,
                         testing::Range(std::size_t{0}, core_schemas::embedded_files().size()),
                         [](const auto& param) {
                           const std::string_view name = core_schemas::embedded_files()[param.param].name;
                           return std::string(name.substr(0, name.find('.')));
                         });

TEST(Schemas, TheWholeListStaysSmall) {
  std::size_t bytes = 0;
  for (const auto& file : core_schemas::embedded_files()) bytes += Json::parse(file.content).dump().size();
  EXPECT_LE(bytes, 52u << 10);
}

}  // namespace
}  // namespace browx::mcp
