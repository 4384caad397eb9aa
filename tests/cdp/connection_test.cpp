#include "capture/cdp/connection.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/asio/post.hpp>

#include "tests/cdp/fake_transport.hpp"
#include "tests/support/run_task.hpp"

namespace browx::cdp {
namespace {

using std::chrono::milliseconds;

class ConnectionTest : public ::testing::Test {
 protected:
  ConnectionTest() : connection(io.get_executor(), std::make_unique<FakeTransport>(peer)) {}

  /// Answers each command with `make(command)` from the event loop.
  void answer_with(std::function<std::string(const Json&)> make) {
    peer->on_command = [this, make](const Json& command) {
      asio::post(io, [this, text = make(command)] { peer->say(text); });
    };
  }
  Result<Json> call(std::string session, std::string method, milliseconds limit = milliseconds(2000)) {
    Json params = {{"a", 1}};
    return testing::run_task(
        io, connection.call(std::move(session), std::move(method), std::move(params), Deadline::in(limit)));
  }

  asio::io_context io;
  std::shared_ptr<FakePeer> peer = std::make_shared<FakePeer>();
  Connection connection;
};

std::string answer_to(const Json& command, const std::string& rest) {
  return fmt::format(R"({{"id":{},{}}})", command["id"].get<int>(), rest);
}

TEST_F(ConnectionTest, ACommandCarriesItsSessionAndParametersAndGetsItsResult) {
  answer_with(
      [](const Json& c) { return answer_to(c, R"("result":{"value":[1,{"x":"}"}]},"sessionId":"S1")"); });
  const auto answer = call("S1", "Some.thing");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer)["value"][1]["x"], "}");
  ASSERT_EQ(peer->sent.size(), 1u);
  EXPECT_EQ(peer->sent[0]["sessionId"], "S1");
  EXPECT_EQ(peer->sent[0]["method"], "Some.thing");
  EXPECT_EQ(peer->sent[0]["params"]["a"], 1);
}

TEST_F(ConnectionTest, AnswersInAnotherOrderFindTheirCommands) {
  std::vector<Json> commands;
  peer->on_command = [&](const Json& command) {
    commands.push_back(command);
    if (commands.size() < 2) return;
    asio::post(io, [&] {
      peer->say(answer_to(commands[1], R"("result":{"n":2})"));
      peer->say(answer_to(commands[0], R"("result":{"n":1})"));
    });
  };
  std::vector<Json> got;
  for (int i = 0; i < 2; ++i)
    connection.post("", "X.y", Json::object(),
                    [&](Result<std::string> r) { got.push_back(*parse_json(*r)); });
  ASSERT_TRUE(testing::run_until(io, [&] { return got.size() == 2; }));
  EXPECT_EQ(got[0]["n"], 2);
  EXPECT_EQ(got[1]["n"], 1);
}

TEST_F(ConnectionTest, TheBrowsersErrorIsTypedAndKeepsItsText) {
  answer_with([](const Json& c) {
    const bool missing = c["method"] == "A.missing";
    return answer_to(
        c,
        missing
            ? R"("error":{"code":-32000,"message":"Could not find node with given id"})"
            : R"("error":{"code":-32602,"message":"Invalid parameters","data":"width: integer expected"})");
  });
  const auto missing = call("", "A.missing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Code::not_found);
  EXPECT_EQ(missing.error().kind, "cdp-error");
  const auto invalid = call("", "A.invalid");
  ASSERT_FALSE(invalid.ok());
  EXPECT_EQ(invalid.error().code, Code::internal);
  EXPECT_NE(invalid.error().what.find("width: integer expected"), std::string::npos);
}

TEST_F(ConnectionTest, ASocketCutMidCallAnswersEveryCallAndSaysSoOnce) {
  int closed = 0;
  connection.on_closed([&](Error) { ++closed; });
  std::vector<Result<std::string>> got;
  for (int i = 0; i < 3; ++i)
    connection.post("S", "X.y", Json::object(), [&](Result<std::string> r) { got.push_back(std::move(r)); });
  peer->cut();
  ASSERT_TRUE(testing::run_until(io, [&] { return got.size() == 3; }));
  for (const auto& one : got) EXPECT_EQ(one.error().kind, "browser-lost");
  EXPECT_EQ(closed, 1);
  EXPECT_TRUE(connection.closed());
  const auto later = call("S", "X.z");
  ASSERT_FALSE(later.ok());
  EXPECT_EQ(later.error().kind, "browser-lost");
}

TEST_F(ConnectionTest, AnAnswerForAnUnknownIdAndMalformedMessagesAreSurvived) {
  peer->say(R"({"id":4711,"result":{}})");
  peer->say(R"({"id":1,"result":)");
  peer->say("");
  peer->say("[1,2]");
  peer->say("{}");
  peer->say("not json at all");
  answer_with([](const Json& c) { return answer_to(c, R"("result":{"alive":true})"); });
  const auto answer = call("", "X.y");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer)["alive"], true);
}

TEST_F(ConnectionTest, LoneSurrogatesAreRepairedInAnswersAndEvents) {
  std::string heard;
  auto token =
      connection.subscribe("S", [&](const Event& event) { heard = json_string(event.json(), "text"); });
  peer->say(R"({"method":"Runtime.x","params":{"text":"a\ud83db"},"sessionId":"S"})");
  EXPECT_EQ(heard,
            "a\xEF\xBF\xBD"
            "b");
  answer_with([](const Json& c) { return answer_to(c, R"("result":{"text":"\ud83d"})"); });
  const auto answer = call("S", "X.y");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer)["text"], "\xEF\xBF\xBD");
}

TEST_F(ConnectionTest, ACallEndsAtItsDeadlineAndItsLateAnswerHarmsNobody) {
  const auto answer = call("", "X.slow", milliseconds(30));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::timeout);
  EXPECT_EQ(answer.error().kind, "timeout");  // its own, not the test's
  peer->say(R"({"id":1,"result":{}})");
  EXPECT_FALSE(connection.closed());
}

TEST_F(ConnectionTest, ATargetThatDetachesEndsItsCallsOnlyAndSilencesItsEvents) {
  std::optional<Result<std::string>> gone, stays;
  int events = 0, detached = 0;
  auto token = connection.subscribe("S1", [&](const Event&) { ++events; });
  auto root =
      connection.subscribe("", [&](const Event& e) { detached += e.method == "Target.detachedFromTarget"; });
  connection.post("S1", "X.y", Json::object(), [&](Result<std::string> r) { gone = std::move(r); });
  connection.post("S2", "X.y", Json::object(), [&](Result<std::string> r) { stays = std::move(r); });
  peer->say(R"({"method":"Target.detachedFromTarget","params":{"sessionId":"S1","targetId":"T"}})");
  ASSERT_TRUE(testing::run_until(io, [&] { return gone.has_value(); }));
  EXPECT_EQ(gone->error().kind, "target-gone");
  EXPECT_EQ(gone->error().code, Code::gone);
  EXPECT_FALSE(stays.has_value());
  EXPECT_EQ(detached, 1);
  peer->say(R"({"method":"Page.x","params":{},"sessionId":"S1"})");
  EXPECT_EQ(events, 0);
}

TEST_F(ConnectionTest, AGroupFailsItsOwnCallsAtOnce) {
  CallGroup group;
  peer->on_command = [&](const Json&) {
    asio::post(io, [&] { group.fail(Error{Code::conflict, "a dialog opened", "", "dialog-open"}); });
  };
  Json params = Json::object();
  const auto answer =
      testing::run_task(io, connection.call("S", "X.y", params, Deadline::in(testing::kFar), group));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, "dialog-open");
}

TEST_F(ConnectionTest, EventsReachTheHandlersOfTheirSessionInOrderAndMayChangeThem) {
  std::vector<std::string> log;
  std::unique_ptr<Connection::Subscription> second;
  auto first = connection.subscribe("S", [&](const Event& e) {
    log.push_back("first " + std::string(e.method));
    second.reset();
  });
  second =
      connection.subscribe("S", [&](const Event& e) { log.push_back("second " + std::string(e.method)); });
  auto other = connection.subscribe("T", [&](const Event&) { log.push_back("other"); });
  peer->say(R"({"method":"A.a","params":{},"sessionId":"S"})");
  peer->say(R"({"method":"A.b","sessionId":"S"})");
  EXPECT_EQ(log, (std::vector<std::string>{"first A.a", "first A.b"}));
}

TEST_F(ConnectionTest, ClosingAnswersWhatIsInFlight) {
  std::optional<Result<std::string>> got;
  connection.post("S", "X.y", Json::object(), [&](Result<std::string> r) { got = std::move(r); });
  connection.close();
  ASSERT_TRUE(testing::run_until(io, [&] { return got.has_value(); }));
  EXPECT_EQ(got->error().kind, "browser-lost");
  EXPECT_TRUE(peer->closed);
}

}  // namespace
}  // namespace browx::cdp
