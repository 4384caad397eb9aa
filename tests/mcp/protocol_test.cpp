#include "mcp/rpc/protocol.hpp"

#include <gtest/gtest.h>

namespace browx::mcp {
namespace {

Json modern_meta(Json version = "2026-07-28") {
  Json meta;
  meta[std::string(kMetaVersion)] = std::move(version);
  meta[std::string(kMetaCapabilities)] = Json::object();
  return meta;
}

Json request(std::string method, Json params = nullptr) {
  Json message = {{"jsonrpc", "2.0"}, {"id", 7}, {"method", std::move(method)}};
  if (!params.is_null()) message["params"] = std::move(params);
  return message;
}

const Handshake kNone{};
const Handshake kDone{"2025-11-25"};

TEST(Era, AMessageWithTheVersionKeyIsModernWhateverItsMethodAndWhateverCameBefore) {
  for (const char* method : {"tools/list", "initialize", "ping"})
    for (const Handshake& handshake : {kNone, kDone}) {
      const Incoming in = classify(request(method, {{"_meta", modern_meta()}}), handshake);
      EXPECT_EQ(in.kind, Incoming::Kind::request) << method;
      EXPECT_EQ(in.era, Era::modern) << method;
    }
}

TEST(Era, AModernRequestThatLacksARequiredKeyIsInvalidParams) {
  Json without = modern_meta();
  without.erase(std::string(kMetaCapabilities));
  for (const Json& meta : {without, modern_meta(3), modern_meta(nullptr)}) {
    const Incoming in = classify(request("tools/list", {{"_meta", meta}}), kNone);
    ASSERT_EQ(in.kind, Incoming::Kind::invalid) << meta;
    EXPECT_EQ(in.error.code, RpcCode::invalid_params);
    EXPECT_EQ(in.id, 7);
  }
}

TEST(Era, AnotherModernVersionIsRefusedNamingTheOneServed) {
  const Incoming in = classify(request("tools/list", {{"_meta", modern_meta("2027-01-01")}}), kDone);
  ASSERT_EQ(in.kind, Incoming::Kind::invalid);
  EXPECT_EQ(in.error.code, RpcCode::unsupported_version);
  EXPECT_EQ(in.error.data, Json({{"supported", {"2026-07-28"}}, {"requested", "2027-01-01"}}));
}

TEST(Era, ALegacyVersionInTheMetaIsNotServedThere) {
  const Incoming in = classify(request("tools/list", {{"_meta", modern_meta("2025-11-25")}}), kDone);
  EXPECT_EQ(in.error.code, RpcCode::unsupported_version);
}

TEST(Era, WithoutTheKeyARequestNeedsAHandshakeButForInitializeAndPing) {
  EXPECT_EQ(classify(request("tools/list"), kNone).error.code, RpcCode::invalid_params);
  EXPECT_NE(classify(request("tools/list"), kNone).error.message.find("initialize first"), std::string::npos);
  EXPECT_EQ(classify(request("initialize"), kNone).kind, Incoming::Kind::request);
  EXPECT_EQ(classify(request("ping"), kNone).kind, Incoming::Kind::request);
  EXPECT_EQ(classify(request("tools/list"), kDone).kind, Incoming::Kind::request);
  EXPECT_EQ(classify(request("tools/list", {{"_meta", {{"progressToken", 1}}}}), kDone).era, Era::legacy);
}

TEST(Envelope, WhatIsNeitherRequestNorNotificationIsAnInvalidRequest) {
  for (const char* text :
       {R"("x")", R"(3)", R"({})", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":1,"method":7})",
        R"({"jsonrpc":"2.0","id":null,"method":"ping"})", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})"}) {
    const Incoming in = classify(Json::parse(text), kDone);
    ASSERT_EQ(in.kind, Incoming::Kind::invalid) << text;
    EXPECT_EQ(in.error.code, RpcCode::invalid_request) << text;
  }
}

TEST(Envelope, AnIdIsKeptWhenItCanBeRead) {
  EXPECT_EQ(classify(Json::parse(R"({"jsonrpc":"2.0","id":"a","method":7})"), kDone).id, "a");
  EXPECT_TRUE(classify(Json::parse(R"({"jsonrpc":"2.0","id":{},"method":"ping"})"), kDone).id.is_null());
}

TEST(Envelope, AResponseIsNoError) {
  EXPECT_EQ(classify(Json::parse(R"({"jsonrpc":"2.0","id":1,"result":{}})"), kDone).kind,
            Incoming::Kind::response);
}

TEST(Envelope, AnErrorLeavesTheIdOutUnlessALegacyPeerExpectsNull) {
  const RpcError error{RpcCode::parse_error, "x"};
  EXPECT_FALSE(error_message(nullptr, error, kNone).contains("id"));
  EXPECT_TRUE(error_message(nullptr, error, kDone).at("id").is_null());
  EXPECT_EQ(error_message("q", error, kNone).at("id"), "q");
}

TEST(Handshakes, AKnownVersionIsKeptAndAnUnknownOneAnsweredWithTheNewestLegacyOne) {
  EXPECT_EQ(negotiate("2025-03-26"), "2025-03-26");
  EXPECT_EQ(negotiate("2025-06-18"), "2025-06-18");
  EXPECT_EQ(negotiate("2024-11-05"), "2025-11-25");
  EXPECT_EQ(negotiate("2026-07-28"), "2025-11-25");
}

TEST(Handshakes, OnlyTheOldestVersionMayBatch) {
  EXPECT_TRUE(may_batch({"2025-03-26"}));
  EXPECT_FALSE(may_batch({"2025-06-18"}));
  EXPECT_FALSE(may_batch({}));
}

TEST(Results, ModernOnesSayThatTheyAreCompleteAndHowLongTheyHold) {
  const OrderedJson list = dress_result(Era::modern, "", "tools/list", {{"tools", OrderedJson::array()}});
  EXPECT_EQ(list["resultType"], "complete");
  EXPECT_EQ(list["cacheScope"], "public");
  EXPECT_TRUE(list["ttlMs"].is_number_integer());
  EXPECT_EQ(list["_meta"][std::string(kMetaServerInfo)]["name"], "browx");
  EXPECT_EQ(dress_result(Era::modern, "", "resources/list", OrderedJson::object())["cacheScope"], "private");
  const OrderedJson call = dress_result(Era::modern, "", "tools/call", {{"content", OrderedJson::array()}});
  EXPECT_FALSE(call.contains("ttlMs"));
}

TEST(Results, LegacyOnesHaveNoneOfIt) {
  const OrderedJson plain = {{"tools", OrderedJson::array()}};
  EXPECT_EQ(dress_result(Era::legacy, "2025-11-25", "tools/list", plain), plain);
}

TEST(Results, TheOldestVersionLosesTheKeysItDoesNotKnow) {
  const OrderedJson tool = {{"name", "t"},
                            {"title", "T"},
                            {"inputSchema", OrderedJson::object()},
                            {"outputSchema", OrderedJson::object()}};
  const OrderedJson list = dress_result(Era::legacy, "2025-03-26", "tools/list", {{"tools", {tool}}});
  EXPECT_EQ(list["tools"][0].size(), 2u) << list;
  const OrderedJson link = {{"type", "resource_link"}, {"uri", "browx://x"}, {"name", "x"}};
  const OrderedJson call = dress_result(Era::legacy, "2025-03-26", "tools/call",
                                        {{"content", {link}}, {"structuredContent", OrderedJson::object()}});
  EXPECT_FALSE(call.contains("structuredContent"));
  EXPECT_EQ(call["content"][0], OrderedJson({{"type", "text"}, {"text", "browx://x"}}));
}

TEST(Lines, BrokenUtf8AndLoneSurrogatesAreRepairedAndOtherGarbageIsAnError) {
  const auto bytes = parse_line("{\"a\":\"x\xFFy\"}");
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ((*bytes)["a"], "x\xEF\xBF\xBDy");
  const auto lone = parse_line(R"({"a":"\ud83d"})");
  ASSERT_TRUE(lone.ok());
  EXPECT_EQ((*lone)["a"], "\xEF\xBF\xBD");
  EXPECT_FALSE(parse_line("{\"a\":").ok());
}

TEST(Ids, OneAndQuotedOneAreDifferent) { EXPECT_NE(id_key(1), id_key("1")); }

}  // namespace
}  // namespace browx::mcp
