// The flow YAML: what is written is read back as the same values by readers of YAML 1.1 and 1.2.

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "capture/record/flow.hpp"
#include "capture/record/yaml.hpp"

namespace browx::capture {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> hard_names() {
  std::ifstream file(std::filesystem::path(BROWX_TEST_CASES) / "b11-code-quoting/names.json");
  std::vector<std::string> names;
  for (const auto& name : Json::parse(file)) names.push_back(name.get<std::string>());
  return names;
}

FlowStep step(std::string id, std::string kind, std::string tool, Json arguments) {
  FlowStep made;
  made.id = std::move(id);
  made.kind = std::move(kind);
  made.tool = std::move(tool);
  made.arguments = std::move(arguments);
  return made;
}

Json candidate(const std::string& kind, const std::string& selector, int count = 1,
               const std::string& stability = "high") {
  return Json{{"kind", kind},   {"selector", selector}, {"playwright", "x"},
              {"count", count}, {"index", 0},           {"stability", stability}};
}

/// A flow whose values and keys are every hard name.
std::string hard_flow() {
  std::vector<FlowStep> steps;
  for (const auto& name : hard_names()) {
    FlowStep made = step("fill-" + std::to_string(steps.size() + 1), "action", "fill",
                         Json{{"value", name}, {name, name}});
    made.locators = Json::array({candidate("role", "role=button[name=" + dump_json(Json(name)) + "]")});
    made.criterion = name;
    steps.push_back(std::move(made));
  }
  return flow_yaml(FlowHead{"flow", 0, {}}, steps);
}

TEST(FlowYaml, EveryHardNameSurvivesAYaml12Reader) {
  const auto names = hard_names();
  ASSERT_EQ(names.size(), 45u);
  const YAML::Node flow = YAML::Load(hard_flow());
  ASSERT_EQ(flow["steps"].size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const YAML::Node row = flow["steps"][i];
    EXPECT_EQ(row["value"].as<std::string>(), names[i]);
    EXPECT_EQ(row["value"].Tag(), "!") << "a quoted scalar is text";
    EXPECT_EQ(row["criterion"].as<std::string>(), names[i]);
    bool found = false;
    for (const auto& member : row)
      found = found ||
              (member.first.as<std::string>() == names[i] && member.second.as<std::string>() == names[i]);
    EXPECT_TRUE(found) << "as a key: " << names[i];
  }
}

TEST(FlowYaml, EveryHardNameSurvivesAYaml11Reader) {
  // PyYAML reads YAML 1.1.
  const auto folder = std::filesystem::path(::testing::TempDir());
  const auto yaml = folder / "flow.yaml", answer = folder / "flow.json";
  std::ofstream(yaml) << hard_flow();
  const std::string command =
      "python3 -c 'import sys,yaml,json; f=yaml.safe_load(open(sys.argv[1],encoding=\"utf-8\")); "
      "json.dump([[s[\"value\"],s[\"criterion\"],list(s)] for s in f[\"steps\"]],open(sys.argv[2],\"w\"))' "
      "'" +
      yaml.string() + "' '" + answer.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << "python3-yaml is needed: ./dev setup";
  std::ifstream file(answer);
  const Json read = Json::parse(file);
  const auto names = hard_names();
  ASSERT_EQ(read.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(read[i][0], Json(names[i]));
    EXPECT_EQ(read[i][1], Json(names[i]));
    EXPECT_NE(std::find(read[i][2].begin(), read[i][2].end(), Json(names[i])), read[i][2].end())
        << "as a key: " << names[i];
  }
}

TEST(FlowYaml, AnyNameMayNameTheFlow) {
  for (const auto& name : hard_names()) {
    const YAML::Node flow = YAML::Load(flow_yaml(FlowHead{name, 0, {}}, {}));
    EXPECT_EQ(flow["name"].as<std::string>(), name);
    EXPECT_EQ(flow["steps"].size(), 0u);
  }
}

TEST(FlowYaml, HasLocatorsStepsAndTheBaseUrl) {
  FlowStep click = step("click-2", "action", "click", Json{{"ref", "e7"}});
  click.locators = Json::array({candidate("role", "role=button[name*=\"Sign in\" i]")});
  click.criterion = "AC-1";
  click.result = Json{{"dialogs", {{{"type", "confirm"}, {"accepted", true}}}}};
  FlowStep again = step("click-3", "action", "click", Json{{"selector", "text=Sign in"}});
  again.locators = click.locators;
  FlowStep twin = step("click-4", "action", "click", Json{{"ref", "e9"}});
  twin.locators = Json::array({candidate("css", "li:nth-of-type(2) > button", 2, "low")});
  FlowStep text = step("assert-5", "assert", "verify_text", Json{{"ref", "e3"}, {"text", "Approved"}});
  text.locators = Json::array({candidate("testid", "[data-testid=\"status\"]")});
  const std::string yaml =
      flow_yaml(FlowHead{"sign-in", 1796040000000, {}},
                {step("navigate-1", "action", "navigate", Json{{"url", "https://app.example.com/login?x=1"}}),
                 click, again, twin, text});
  const YAML::Node flow = YAML::Load(yaml);
  EXPECT_EQ(flow["recorded"]["baseURL"].as<std::string>(), "https://app.example.com");
  EXPECT_EQ(flow["recorded"]["at"].as<std::string>(), "2026-11-30T12:00:00.000Z");
  EXPECT_EQ(flow["steps"][0]["value"].as<std::string>(), "/login?x=1");
  EXPECT_EQ(flow["steps"][1]["target"].as<std::string>(), "$button_sign_in");
  EXPECT_EQ(flow["steps"][1]["dialog"].as<std::string>(), "accept");
  EXPECT_EQ(flow["steps"][1]["criterion"].as<std::string>(), "AC-1");
  EXPECT_FALSE(flow["steps"][1]["ref"]);
  EXPECT_EQ(flow["steps"][2]["target"].as<std::string>(), "$button_sign_in");
  EXPECT_EQ(flow["steps"][4]["assert"].as<std::string>(), "text");
  EXPECT_EQ(flow["steps"][4]["value"].as<std::string>(), "Approved");
  ASSERT_EQ(flow["locators"].size(), 3u);
  EXPECT_EQ(flow["locators"]["button_sign_in"]["selectorHint"].as<std::string>(),
            "role=button[name*=\"Sign in\" i]");
  const std::string low = flow["steps"][3]["target"].as<std::string>().substr(1);
  EXPECT_EQ(flow["locators"][low]["stability"].as<std::string>(), "low");
  EXPECT_THAT(flow["locators"][low]["reason"].as<std::string>(), HasSubstr("2 elements"));
}

TEST(FlowYaml, ASecretHasANameAndNoValue) {
  FlowStep masked = step("fill-1", "action", "fill", Json{{"value", "[masked value]"}});
  masked.locators = Json::array({candidate("role", "role=textbox[name=\"Password\"]")});
  FlowStep named = step("fill-2", "action", "fill", Json{{"value", "<API_KEY>"}});
  const YAML::Node flow = YAML::Load(flow_yaml(FlowHead{"f", 0, {"API_KEY", "UNUSED"}}, {masked, named}));
  EXPECT_EQ(flow["steps"][0]["value"].as<std::string>(), "<BROWX_TEXTBOX_PASSWORD>");
  EXPECT_EQ(flow["steps"][1]["value"].as<std::string>(), "<API_KEY>");
  EXPECT_EQ(flow["inputs"]["API_KEY"]["type"].as<std::string>(), "secret");
  EXPECT_EQ(flow["inputs"]["BROWX_TEXTBOX_PASSWORD"]["type"].as<std::string>(), "secret");
  EXPECT_FALSE(flow["inputs"]["UNUSED"]);
}

TEST(FlowYaml, AFailedStepSaysSoAndReadsKeepTheirRequest) {
  FlowStep failed = step("click-1", "action", "click", Json{{"selector", "#gone"}});
  failed.ok = false;
  failed.error = "nothing matches";
  const FlowStep read =
      step("find-2", "read", "find",
           Json{{"query", "the approve button"}, {"maxCandidates", 3}, {"visibleOnly", true}});
  const YAML::Node flow = YAML::Load(flow_yaml(FlowHead{"f", 0, {}}, {failed, read}));
  EXPECT_EQ(flow["steps"][0]["failed"].as<std::string>(), "nothing matches");
  EXPECT_EQ(flow["steps"][0]["selector"].as<std::string>(), "#gone");
  EXPECT_EQ(flow["steps"][1]["read"].as<std::string>(), "find");
  EXPECT_EQ(flow["steps"][1]["maxCandidates"].as<int>(), 3);
  EXPECT_EQ(flow["steps"][1]["visibleOnly"].as<bool>(), true);
}

TEST(Yaml, NumbersStayNumbersForBothReaders) {
  EXPECT_EQ(yaml_inline(OrderedJson(1e300)), "1.0e+300");
  EXPECT_EQ(yaml_inline(OrderedJson(0.5)), "0.5");
  EXPECT_EQ(yaml_inline(OrderedJson(nullptr)), "null");
  EXPECT_EQ(yaml_key("no"), "\"no\"");
  EXPECT_EQ(yaml_key("selectorHint"), "selectorHint");
}

}  // namespace
}  // namespace browx::capture
