#include "mcp/rpc/peer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "tests/mcp/official_schemas.hpp"

namespace browx::mcp {
namespace {

/// Tools: `echo` answers at once, `wait` when released, `fail` fails, `bug` throws.
class FakeService final : public Service {
 public:
  explicit FakeService(asio::any_io_executor executor) : released(executor) {}

  std::string instructions() const override { return "Open a session first."; }
  OrderedJson list_tools() override {
    OrderedJson tool = {{"name", "echo"},
                        {"title", "Echo"},
                        {"description", "Answers."},
                        {"inputSchema", {{"type", "object"}}},
                        {"outputSchema", {{"type", "object"}}}};
    return OrderedJson::array({tool});
  }
  bool has_tool(std::string_view name) override {
    return name == "echo" || name == "wait" || name == "fail" || name == "bug";
  }
  asio::awaitable<CallOutcome> call_tool(ToolCall call) override {
    started.push_back(call.name);
    call.progress(1, 2, "half");
    if (call.name == "bug") throw std::runtime_error("secret detail");
    const auto is_open = [this] { return open; };
    if (call.name == "wait") co_await released.wait_for(is_open, Deadline::in(std::chrono::minutes(1)));
    CallOutcome outcome;
    OrderedJson text = {{"type", "text"}, {"text", dump_json(call.arguments)}};
    outcome.content.push_back(std::move(text));
    outcome.structured = OrderedJson(call.arguments);
    outcome.is_error = call.name == "fail";
    co_return outcome;
  }
  OrderedJson list_resources() override { return OrderedJson::array(); }
  OrderedJson list_resource_templates() override { return OrderedJson::array(); }
  Result<OrderedJson> read_resource(const std::string& uri) override {
    return Error{Code::not_found, "No resource " + uri};
  }

  Signal released;
  bool open = false;
  std::vector<std::string> started;
};

class PeerTest : public testing::Test {
 protected:
  void say(const Json& message) {
    peer.receive(dump_json(message));
    run();
  }
  void run() {
    io.restart();
    io.poll();
  }
  Json modern(std::string method, Json params = Json::object(), Json id = 1) {
    params["_meta"][std::string(kMetaVersion)] = kModernVersion;
    params["_meta"][std::string(kMetaCapabilities)] = Json::object();
    return {{"jsonrpc", "2.0"},
            {"id", std::move(id)},
            {"method", std::move(method)},
            {"params", std::move(params)}};
  }
  Json legacy(std::string method, Json params = Json::object(), Json id = 1) {
    return {{"jsonrpc", "2.0"},
            {"id", std::move(id)},
            {"method", std::move(method)},
            {"params", std::move(params)}};
  }
  void handshake(std::string version) {
    say(legacy("initialize",
               {{"protocolVersion", version},
                {"capabilities", Json::object()},
                {"clientInfo", {{"name", "t"}, {"version", "1"}}}},
               "hello"));
    ASSERT_EQ(last()["result"]["protocolVersion"], version);
    EXPECT_EQ(misfit_of("2025-11-25", "InitializeResult", last()["result"]), "");
    sent.clear();
  }
  OrderedJson last() {
    EXPECT_FALSE(sent.empty());
    return sent.empty() ? OrderedJson() : sent.back();
  }
  int error_code() { return last().contains("error") ? last()["error"]["code"].get<int>() : 0; }

  asio::io_context io{1};
  FakeService service{io.get_executor()};
  std::vector<OrderedJson> sent;
  Peer peer{io.get_executor(), service,
            [this](std::string text) { sent.push_back(OrderedJson::parse(text)); }};
};

TEST_F(PeerTest, DiscoverSaysTheOneModernVersion) {
  say(modern("server/discover", Json::object(), "d1"));
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(last()["result"]["supportedVersions"], OrderedJson::array({"2026-07-28"}));
  EXPECT_EQ(misfit_of("2026-07-28", "DiscoverResultResponse", last()), "");
}

TEST_F(PeerTest, ModernAnswersFitTheirSchemas) {
  const std::pair<Json, const char*> rows[] = {
      {modern("tools/list"), "ListToolsResultResponse"},
      {modern("resources/list"), "ListResourcesResultResponse"},
      {modern("resources/templates/list"), "ListResourceTemplatesResultResponse"},
      {modern("tools/call", {{"name", "echo"}, {"arguments", {{"a", 1}}}}), "CallToolResultResponse"},
      {modern("tools/call", {{"name", "fail"}}), "CallToolResultResponse"},
  };
  for (const auto& [message, type] : rows) {
    say(message);
    EXPECT_TRUE(last().contains("result")) << last();
    EXPECT_EQ(misfit_of("2026-07-28", type, last()), "") << last();
  }
  EXPECT_EQ(last()["result"]["isError"], true);
}

TEST_F(PeerTest, LegacyAnswersFitTheirSchemasAndHaveNoModernKeys) {
  handshake("2025-11-25");
  const std::pair<Json, const char*> rows[] = {
      {legacy("ping"), "Result"},
      {legacy("tools/list"), "ListToolsResult"},
      {legacy("resources/list"), "ListResourcesResult"},
      {legacy("resources/templates/list"), "ListResourceTemplatesResult"},
      {legacy("tools/call", {{"name", "echo"}, {"arguments", {{"a", 1}}}}), "CallToolResult"},
  };
  for (const auto& [message, type] : rows) {
    say(message);
    EXPECT_EQ(misfit_of("2025-11-25", type, last()["result"]), "") << last();
    for (const char* key : {"resultType", "ttlMs", "cacheScope", "_meta"})
      EXPECT_FALSE(last()["result"].contains(key)) << key;
  }
}

TEST_F(PeerTest, EveryErrorHasItsCodeAndFitsTheSchema) {
  handshake("2025-11-25");
  struct Row {
    Json message;
    int code;
  };
  const Row rows[] = {
      {legacy("no/such"), -32601},
      {legacy("server/discover"), -32601},
      {legacy("logging/setLevel", {{"level", "info"}}), -32601},
      {legacy("resources/subscribe", {{"uri", "x"}}), -32601},
      {modern("initialize"), -32601},
      {modern("ping"), -32601},
      {modern("subscriptions/listen"), -32601},
      {modern("prompts/list"), -32601},
      {modern("tools/call", {{"name", "nosuch"}}), -32602},
      {legacy("tools/call", {{"name", "nosuch"}}), -32602},
      {modern("tools/call", {{"arguments", Json::object()}}), -32602},
      {modern("tools/call", {{"name", "echo"}, {"arguments", 3}}), -32602},
      {modern("tools/call", {{"name", "echo"}, {"requestState", "forged"}}), -32602},
      {modern("tools/list", {{"cursor", "x"}}), -32602},
      {legacy("tools/list", {{"cursor", ""}}), -32602},
      {modern("resources/read", {{"uri", "browx://nothing"}}), -32602},
      {legacy("resources/read", {{"uri", "browx://nothing"}}), -32002},
      {modern("resources/read"), -32602},
      {legacy("initialize", {{"protocolVersion", 3}}), -32602},
      {Json::array({legacy("ping")}), -32600},
  };
  for (const Row& row : rows) {
    sent.clear();
    say(row.message);
    ASSERT_EQ(sent.size(), 1u) << row.message;
    EXPECT_EQ(error_code(), row.code) << row.message;
    if (row.message.is_object()) {
      EXPECT_EQ(misfit_of("2026-07-28", "JSONRPCErrorResponse", last()), "");
    }
  }
  say(modern("resources/read", {{"uri", "browx://nothing"}}));
  EXPECT_EQ(last()["error"]["data"]["uri"], "browx://nothing");
}

TEST_F(PeerTest, AnUnparsableLineIsAnsweredAndTheNextOneServed) {
  peer.receive("{\"jsonrpc\":");
  EXPECT_EQ(error_code(), -32700);
  EXPECT_FALSE(last().contains("id"));
  EXPECT_EQ(misfit_of("2026-07-28", "JSONRPCErrorResponse", last()), "");
  say(modern("server/discover"));
  EXPECT_TRUE(last().contains("result"));
}

TEST_F(PeerTest, ABugIsAnInternalErrorWithoutItsDetails) {
  say(modern("tools/call", {{"name", "bug"}}));
  EXPECT_EQ(error_code(), -32603);
  EXPECT_EQ(dump_json(last()).find("secret detail"), std::string::npos);
}

TEST_F(PeerTest, ACancelledRequestIsNeverAnswered) {
  say(modern("tools/call", {{"name", "wait"}}, "w"));
  EXPECT_TRUE(sent.empty());
  EXPECT_EQ(peer.in_flight(), 1u);
  say({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "other"}}}});
  EXPECT_EQ(peer.in_flight(), 1u);
  say({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "w"}}}});
  EXPECT_EQ(peer.in_flight(), 0u);
  EXPECT_TRUE(sent.empty());
  say(modern("tools/call", {{"name", "echo"}}, "w"));
  EXPECT_EQ(last()["id"], "w") << "the id is free again";
}

TEST_F(PeerTest, ASecondRequestWithARunningIdIsRefused) {
  say(modern("tools/call", {{"name", "wait"}}, 5));
  say(modern("tools/call", {{"name", "echo"}}, 5));
  EXPECT_EQ(error_code(), -32600);
  service.open = true;
  service.released.notify();
  run();
  EXPECT_TRUE(last().contains("result"));
}

TEST_F(PeerTest, AWaitingCallHoldsUpNoOther) {
  say(modern("tools/call", {{"name", "wait"}}, 1));
  say(modern("tools/call", {{"name", "echo"}}, 2));
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(last()["id"], 2);
}

TEST_F(PeerTest, ProgressIsToldBeforeTheAnswerAndOnlyToThoseWhoAsked) {
  say(modern("tools/call", {{"name", "echo"}}, 1));
  EXPECT_EQ(sent.size(), 1u);
  sent.clear();
  say(modern("tools/call", {{"name", "echo"}, {"_meta", {{"progressToken", "tok"}}}}, 2));
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(misfit_of("2026-07-28", "ProgressNotification", sent[0]), "");
  EXPECT_EQ(sent[0]["params"]["progressToken"], "tok");
  EXPECT_EQ(sent[1]["id"], 2);
}

TEST_F(PeerTest, ABatchIsServedToAPeerOf20250326AsOneAnswer) {
  handshake("2025-03-26");
  say(Json::array({legacy("ping", Json::object(), 1),
                   {{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}},
                   legacy("tools/call", {{"name", "echo"}}, 2),
                   Json("garbage")}));
  ASSERT_EQ(sent.size(), 1u);
  ASSERT_TRUE(last().is_array());
  EXPECT_EQ(last().size(), 3u);
  sent.clear();
  say(Json::array({{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}}));
  EXPECT_TRUE(sent.empty());
  say(Json::array());
  EXPECT_EQ(error_code(), -32600);
}

TEST_F(PeerTest, APeerOf20250326GetsNoStructuredContent) {
  handshake("2025-03-26");
  say(legacy("tools/call", {{"name", "echo"}}, 2));
  EXPECT_FALSE(last()["result"].contains("structuredContent"));
}

TEST_F(PeerTest, NotificationsAndResponsesAreNotAnswered) {
  say({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  say({{"jsonrpc", "2.0"}, {"method", "no/such"}});
  say({{"jsonrpc", "2.0"}, {"id", 4}, {"result", Json::object()}});
  EXPECT_TRUE(sent.empty());
}

TEST_F(PeerTest, EverythingEndsWhenAllAreCancelled) {
  say(modern("tools/call", {{"name", "wait"}}, 1));
  say(modern("tools/call", {{"name", "wait"}}, 2));
  peer.cancel_all();
  run();
  EXPECT_EQ(peer.in_flight(), 0u);
  EXPECT_TRUE(sent.empty());
}

}  // namespace
}  // namespace browx::mcp
