#include "capture/observe/console.hpp"

#include <cstring>

#include "capture/observe/console_text.hpp"
#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

using testing::fixture;
using testing::Stage;

class ConsoleTest : public ::testing::Test {
 protected:
  ConsoleTest() : console(stage.hub) {
    stage.host.targets = {{"page2", TargetId(1)},
                          {"iframe1", TargetId(2)},
                          {"worker1", TargetId(3)},
                          {"service_worker1", TargetId(4)},
                          {"service_worker2", TargetId(4)}};
    for (const char* session : {"page2", "iframe1", "worker1"})
      stage.hub.attached(session, std::string(session, std::strlen(session) - 1));
    for (const char* session : {"service_worker1", "service_worker2"})
      stage.hub.attached(session, "service_worker");
    stage.play(fixture("console"));
  }
  Stage stage;
  Console console;
};

TEST_F(ConsoleTest, LinesOfFramesAndWorkersComeInOrderWithTheirTargetAndFrame) {
  std::vector<std::string> lines;
  for (const auto& event : stage.host.events("console")) {
    const Json& p = event.payload;
    if (p["source"] != "console-api") continue;
    lines.push_back(std::to_string(event.target ? event.target->value() : 0) + " " +
                    json_string(p, "frame", "-").substr(0, 4) + " " + json_string(p, "level") + " " +
                    json_string(p, "text"));
  }
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "1 558C log one x 4 {a: 1, b: Array(2)}", "1 558C warning warn",
                       "1 558C error Error: boom\n    at http://127.0.0.1:8080/:4:86", "1 A4AF log same",
                       "2 D34C log cross", "3 - log inworker",
                       "4 - log insw",  // though both of its sessions told
                   }));
}

TEST_F(ConsoleTest, TheBrowsersOwnComplaintsAreLinesAndAWorkersEchoIsNot) {
  std::vector<std::string> texts;
  for (const auto& event : stage.host.events("console"))
    if (event.payload["source"] != "console-api")
      texts.push_back(json_string(event.payload, "source") + ": " + json_string(event.payload, "text"));
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0],
            "network: Failed to load resource: the server responded with a status of 404 (Not Found)");
  EXPECT_TRUE(texts[2].starts_with("javascript: Access to fetch at")) << texts[2];
}

TEST_F(ConsoleTest, ExceptionsHaveMessageStackAndPlace) {
  const auto thrown = stage.host.events("exception");
  ASSERT_EQ(thrown.size(), 2u);
  EXPECT_EQ(thrown[0].payload["text"], "Uncaught TypeError: late");
  EXPECT_EQ(thrown[0].payload["line"], 25);
  EXPECT_EQ(thrown[0].payload["column"], 24);
  EXPECT_EQ(thrown[0].payload["url"], "http://127.0.0.1:8080/");
  EXPECT_NE(json_string(thrown[0].payload, "stack").find("at http://127.0.0.1:8080/:25:24"),
            std::string::npos);
  EXPECT_EQ(thrown[1].payload["text"], "Uncaught (in promise) Error: rej");
}

TEST_F(ConsoleTest, LinesHaveTheTimeAtWhichTheyWerePrinted) {
  const auto lines = stage.host.events("console");
  EXPECT_EQ(lines[1].t.us, 509'342);  // wall 1796055702719.342, session began at …210
  EXPECT_EQ(lines[1].payload["line"], 4);
}

Json parsed(const char* text) {
  auto json = parse_json(text);
  EXPECT_TRUE(json.ok()) << text;
  return json ? *json : Json();
}

TEST(ConsoleText, SubstitutionsFollowDevTools) {
  const Json v1 =
      parsed(R"json([{"type":"string","value":"%s is %d%% of %i, %f and %o%c!"},{"type":"string","value":"x"},
      {"type":"number","value":41.9},{"type":"string","value":"7px"},{"type":"number","value":1.5},
      {"type":"object","subtype":"null","value":null},{"type":"string","value":"color:red"},{"type":"string","value":"rest"}])json");
  EXPECT_EQ(console_text(v1), "x is 41% of 7, 1.5 and null! rest");
  const Json v2 = parsed(R"json([{"type":"string","value":"100% %s %d"},{"type":"string","value":"a"}])json");
  EXPECT_EQ(console_text(v2), "100% a %d");
  const Json v3 = parsed(R"json([{"type":"string","value":"%d"},{"type":"string","value":"abc"}])json");
  EXPECT_EQ(console_text(v3), "NaN");
  const Json v4 = parsed(
      R"json([{"type":"number","value":1},{"type":"string","value":"%s"},{"type":"boolean","value":true}])json");
  EXPECT_EQ(console_text(v4), "1 %s true");
  EXPECT_EQ(console_text(Json::array()), "");
}

TEST(ConsoleText, ValuesAreShownByTheirPreviews) {
  const Json v5 = parsed(R"json({"type":"undefined"})json");
  EXPECT_EQ(console_value(v5), "undefined");
  const Json v6 = parsed(R"json({"type":"number","unserializableValue":"-0"})json");
  EXPECT_EQ(console_value(v6), "-0");
  const Json v7 = parsed(R"json({"type":"bigint","unserializableValue":"10n"})json");
  EXPECT_EQ(console_value(v7), "10n");
  const Json v8 = parsed(R"json({"type":"number","value":3})json");
  EXPECT_EQ(console_value(v8), "3");
  const Json v9 =
      parsed(R"json({"type":"object","subtype":"array","description":"Array(3)","preview":{"type":"object",
      "subtype":"array","description":"Array(3)","overflow":true,"properties":[{"name":"0","type":"number","value":"1"},
      {"name":"1","type":"string","value":"it's"},{"name":"length","type":"number","value":"3"}]}})json");
  EXPECT_EQ(console_value(v9), "[1, 'it\\'s', length: 3, …]");
  const Json v10 =
      parsed(R"json({"type":"object","subtype":"map","description":"Map(1)","preview":{"type":"object",
      "subtype":"map","description":"Map(1)","overflow":false,"properties":[{"name":"size","type":"number","value":"1"}],
      "entries":[{"key":{"type":"string","description":"k","overflow":false,"properties":[]},
                  "value":{"type":"number","description":"1","overflow":false,"properties":[]}}]}})json");
  EXPECT_EQ(console_value(v10), "Map(1) {'k' => 1}");
  const Json v11 =
      parsed(R"json({"type":"object","className":"Point","description":"Point","preview":{"type":"object",
      "description":"Point","overflow":false,"properties":[{"name":"x","type":"number","value":"1"},
      {"name":"f","type":"function","value":""},{"name":"n","type":"object","subtype":"null","value":"null"}]}})json");
  EXPECT_EQ(console_value(v11), "Point {x: 1, f: ƒ, n: null}");
  const Json v12 = parsed(R"json({"type":"function","description":"function f() {}"})json");
  EXPECT_EQ(console_value(v12), "function f() {}");
}

TEST(ConsoleText, AThrownValueThatIsNoErrorIsShownAsItIs) {
  const Json v13 = parsed(R"json({"text":"Uncaught","exception":{"type":"string","value":"plain"}})json");
  EXPECT_EQ(exception_text(v13), "Uncaught plain");
  const Json v14 = parsed(R"json({"text":"Uncaught SyntaxError: bad"})json");
  EXPECT_EQ(exception_text(v14), "Uncaught SyntaxError: bad");
}

}  // namespace
}  // namespace browx::capture
