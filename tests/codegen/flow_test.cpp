// From an archive to a flow, and what is made of it.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "codegen/normalise.hpp"
#include "codegen/targets.hpp"
#include "codegen/text/yaml.hpp"
#include "tests/codegen/cases.hpp"
#include "tests/codegen/recorded.hpp"

namespace browx::codegen {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string yaml_of(const Flow& flow) { return (*find_target("yaml"))->generate(flow).content; }
Generated spec_of(const Flow& flow) { return (*find_target("playwright"))->generate(flow); }

std::vector<std::string> hard_names() {
  std::ifstream file(std::filesystem::path(BROWX_TEST_CASES) / "b11-code-quoting/names.json");
  std::vector<std::string> names;
  for (const auto& name : Json::parse(file)) names.push_back(name.get<std::string>());
  return names;
}

Flow hard_flow() {
  for (const Case& one : cases())
    if (one.name == "quoting") return one.make();
  return {};
}

TEST(Flow, ATabBelongsToTheStepThatOpenedIt) {
  Recorded it("tabs");
  it.document(1, 1, "about:blank", 0, 0);
  Recorded::Options opening;
  opening.result = {{"structure", {{"newTabs", Json::array({{{"tab", 2}}})}}}};
  it.tab(2, 1, it.next_step_us() + 10);
  it.step("action", "click", {{"selector", "a"}}, opening);
  it.tab(3, 1, it.next_step_us() + 10);
  it.act("click", {{"selector", "b"}});
  const Flow flow = it.flow();
  ASSERT_EQ(flow.pages.size(), 2u) << "a tab that no step tells of and no step uses is none of the flow's";
  EXPECT_EQ(flow.pages[1].opened_by, 0u);
}

TEST(Flow, ASecretThatWasRegisteredLateIsNoValue) {
  Secrets late;
  ASSERT_TRUE(late.add("TOKEN", "s3cr3t-token").ok());
  Recorded it("late");
  it.act("fill", {{"ref", "e1"}, {"value", "s3cr3t-token"}}, Json::array({role("textbox", "Token")}));
  const Flow flow = it.flow(late);
  EXPECT_THAT(flow.secrets, ElementsAre("TOKEN"));
  for (const Target& target : targets()) EXPECT_THAT(target.generate(flow).content, Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(spec_of(flow).content, HasSubstr(".fill(process.env.TOKEN!)"));
}

TEST(Flow, AStepThatTheArchiveLacksHasItsPlace) {
  auto writer = *archive::Writer::create(":memory:", {});
  const auto event = [](std::int64_t seq, const std::string& id) {
    archive::Event made;
    made.seq = EventSeq(seq);
    made.kind = "action";
    made.payload = {{"id", id}, {"tool", "reload"}};
    return made;
  };
  writer->add_event(event(0, "reload-1"));
  writer->add_event(event(0, "reload-2"));
  const auto reader = writer->read();
  ASSERT_TRUE(reader.ok());
  const auto flow = read_flow(**reader, {}, {event(2, "reload-2"), event(3, "reload-3")});
  ASSERT_TRUE(flow.ok());
  std::vector<std::string> ids;
  for (const auto& step : flow->steps) ids.push_back(step.id);
  EXPECT_THAT(ids, ElementsAre("reload-1", "reload-2", "reload-3"));
}

TEST(Flow, ATextThatOnlyLooksLikeASecretIsText) {
  Recorded it("text");
  it.act("fill", {{"ref", "e1"}, {"value", "<b>"}}, Json::array({role("textbox", "Note")}));
  const Flow flow = it.flow();
  EXPECT_TRUE(flow.secrets.empty());
  EXPECT_THAT(spec_of(flow).content, HasSubstr(".fill('<b>')"));
}

TEST(Flow, AnEmptyRecordingIsATestWithoutSteps) {
  const Flow flow = Recorded("", false).flow();
  EXPECT_THAT(spec_of(flow).content, HasSubstr("test('test', async ({ page }) => {"));
  EXPECT_EQ(YAML::Load(yaml_of(flow))["steps"].size(), 0u);
}

TEST(Flow, EveryStepIsWrittenOrNamed) {
  for (const Case& one : cases()) {
    const Flow flow = one.make();
    const Generated spec = spec_of(flow);
    EXPECT_EQ(spec.stats.steps, static_cast<int>(flow.steps.size()));
    for (const Note& note : spec.stats.unhandled)
      EXPECT_THAT(spec.content, ContainsRegex("// Not (written|repeated): " + note.step + "[: ]"))
          << one.name;
    EXPECT_EQ(spec.stats.handled + static_cast<int>(spec.stats.unhandled.size()), spec.stats.steps);
  }
}

TEST(Normalise, AFieldThatIsFilledTwiceIsFilledOnce) {
  Recorded it("fills");
  const Json field = Json::array({role("textbox", "Name")}), other = Json::array({role("textbox", "Town")});
  it.act("fill", {{"ref", "e1"}, {"value", "A"}}, field);
  it.read("snapshot", Json::object());
  it.act("fill", {{"ref", "e1"}, {"value", "Ada"}}, field);
  it.act("fill", {{"ref", "e2"}, {"value", "Rome"}}, other);
  it.act("fill", {{"ref", "e1"}, {"value", "Eve"}}, field);
  const Flow flow = normalise(it.flow());
  std::vector<std::string> values;
  for (const auto& step : flow.steps)
    if (step.tool == "fill") values.push_back(json_string(step.arguments, "value"));
  EXPECT_THAT(values, ElementsAre("Ada", "Rome", "Eve"));
}

TEST(Normalise, AFailureThatWasRetriedSaysSo) {
  Recorded it("retry");
  Recorded::Options failed;
  failed.ok = false;
  failed.locators = Json::array({role("button", "Save")});
  it.step("action", "click", {{"ref", "e1"}}, failed);
  it.act("click", {{"ref", "e1"}}, failed.locators);
  it.step("action", "click", {{"ref", "e1"}}, failed);
  const Flow flow = normalise(it.flow());
  EXPECT_TRUE(flow.steps[0].retried);
  EXPECT_FALSE(flow.steps[2].retried);
  const Generated spec = spec_of(flow);
  ASSERT_EQ(spec.stats.unhandled.size(), 1u);
  EXPECT_EQ(spec.stats.unhandled[0].step, "click-3");
}

TEST(Normalise, DroppedStepsDoNotMoveTabs) {
  Recorded it("tabs");
  it.document(1, 1, "about:blank", 0, 0);
  it.act("set_viewport", {{"width", 800}, {"height", 600}});
  Recorded::Options opening;
  opening.locators = Json::array({role("link", "Help")});
  opening.result = {{"structure", {{"newTabs", Json::array({{{"tab", 2}}})}}}};
  it.tab(2, 1, it.next_step_us() + 10);
  it.step("action", "click", {{"ref", "e1"}}, opening);
  const Flow flow = normalise(it.flow());
  ASSERT_EQ(flow.steps.size(), 1u);
  EXPECT_EQ(flow.pages.at(1).opened_by, 0u);
  EXPECT_EQ(flow.viewport->width, 800);
}

TEST(Targets, AnUnknownOneIsNamedWithThoseThereAre) {
  const auto none = find_target("cypress");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, "unknown-target");
  EXPECT_THAT(none.error().hint, HasSubstr("playwright, yaml, json"));
}

TEST(Targets, AThousandStepsAreWrittenInAMoment) {
  Recorded it("many");
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "Button " + std::to_string(i % 200);
    it.act("click", {{"ref", "e1"}},
           Json::array({role("button", name),
                        candidate("text", "getByText('" + name + "')", "text=" + name, "medium"),
                        candidate("css", "locator('div > button')", "div > button", "low")}));
  }
  const Flow flow = it.flow();
  const auto began = std::chrono::steady_clock::now();
  const Generated spec = spec_of(flow);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(spec.stats.handled, 1000);
  RecordProperty("ms", static_cast<int>(took.count()));
  std::printf("1000 steps: %.1f ms\n", took.count());
}

TEST(FlowYaml, EveryHardNameSurvivesAYaml12Reader) {
  const auto names = hard_names();
  ASSERT_EQ(names.size(), 45u);
  const YAML::Node flow = YAML::Load(yaml_of(hard_flow()));
  ASSERT_EQ(flow["steps"].size(), 1 + 3 * names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const YAML::Node row = flow["steps"][1 + 3 * i];
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
  std::ofstream(yaml) << yaml_of(hard_flow());
  const std::string command =
      "python3 -c 'import sys,yaml,json; f=yaml.safe_load(open(sys.argv[1],encoding=\"utf-8\")); "
      "json.dump([[s[\"value\"],s[\"criterion\"],list(s)] for s in f[\"steps\"] if "
      "s.get(\"action\")==\"fill\"],open(sys.argv[2],\"w\"))' '" +
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
    Flow flow;
    flow.name = name;
    EXPECT_EQ(YAML::Load(yaml_of(flow))["name"].as<std::string>(), name);
  }
}

TEST(FlowYaml, HasLocatorsStepsAndTheBaseUrl) {
  Recorded it("sign-in");
  it.act("navigate", {{"url", "https://app.example.com/login?x=1"}});
  it.annotate("AC-1", "start");
  Recorded::Options click;
  click.locators = Json::array(
      {candidate("role", "getByRole('button', { name: 'Sign in' })", "role=button[name*=\"Sign in\" i]")});
  click.result = {{"dialogs", Json::array({{{"type", "confirm"}, {"accepted", true}}})}};
  it.step("action", "click", {{"ref", "e7"}}, click);
  it.annotate("AC-1", "end");
  it.act("click", {{"selector", "text=Sign in"}}, click.locators);
  it.act("click", {{"ref", "e9"}},
         Json::array({candidate("css", "locator('li > button')", "li:nth-of-type(2) > button", "low", 2)}));
  it.verify("verify_text", {{"ref", "e3"}, {"text", "Approved"}},
            Json::array({candidate("testid", "getByTestId('status')", "[data-testid=\"status\"]")}));
  const YAML::Node flow = YAML::Load(yaml_of(it.flow()));
  EXPECT_EQ(flow["recorded"]["baseURL"].as<std::string>(), "https://app.example.com");
  EXPECT_EQ(flow["recorded"]["at"].as<std::string>(), "2026-11-30T12:00:00.000Z");
  EXPECT_EQ(flow["steps"][0]["value"].as<std::string>(), "/login?x=1");
  EXPECT_EQ(flow["steps"][1]["target"].as<std::string>(), "$button_sign_in");
  EXPECT_EQ(flow["steps"][1]["dialog"].as<std::string>(), "accept");
  EXPECT_EQ(flow["steps"][1]["criterion"].as<std::string>(), "AC-1");
  EXPECT_FALSE(flow["steps"][1]["ref"]);
  EXPECT_EQ(flow["steps"][2]["target"].as<std::string>(), "$button_sign_in");
  EXPECT_FALSE(flow["steps"][2]["criterion"]);
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
  Recorded it("secrets");
  it.manifest("secrets", Json::array({"API_KEY", "UNUSED"}));
  it.act("fill", {{"ref", "e1"}, {"value", "[masked value]"}}, Json::array({role("textbox", "Password")}));
  it.act("fill", {{"selector", "#key"}, {"value", "<API_KEY>"}});
  const YAML::Node flow = YAML::Load(yaml_of(it.flow()));
  EXPECT_EQ(flow["steps"][0]["value"].as<std::string>(), "<BROWX_TEXTBOX_PASSWORD>");
  EXPECT_EQ(flow["steps"][1]["value"].as<std::string>(), "<API_KEY>");
  EXPECT_EQ(flow["inputs"]["API_KEY"]["type"].as<std::string>(), "secret");
  EXPECT_EQ(flow["inputs"]["BROWX_TEXTBOX_PASSWORD"]["type"].as<std::string>(), "secret");
  EXPECT_FALSE(flow["inputs"]["UNUSED"]);
}

TEST(FlowYaml, AFailedStepSaysSoAndReadsKeepTheirRequest) {
  Recorded it("f");
  Recorded::Options failed;
  failed.ok = false;
  failed.error = "nothing matches";
  it.step("action", "click", {{"selector", "#gone"}}, failed);
  it.read("find", {{"query", "the approve button"}, {"maxCandidates", 3}, {"visibleOnly", true}});
  const YAML::Node flow = YAML::Load(yaml_of(it.flow()));
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
}  // namespace browx::codegen
