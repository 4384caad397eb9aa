#include "capture/cdp/envelope.hpp"

#include <gtest/gtest.h>

#include "capture/cdp/transport.hpp"

namespace browx::cdp {
namespace {

struct Padded {
  explicit Padded(std::string t) : size(t.size()), text(std::move(t)) {
    text.append(Transport::kPadding, '\0');
  }
  std::string_view view() const { return {text.data(), size}; }
  std::size_t size;
  std::string text;
};

TEST(Envelope, TheResultIsTheRawSpanWhateverTheOrderOfMembers) {
  EnvelopeParser parser;
  const Padded message(R"({"result":{"a":"\"}","b":[{},[1.5e3]]},"sessionId":"S","id":7})");
  const auto envelope = parser.parse(message.view());
  ASSERT_TRUE(envelope.ok());
  EXPECT_EQ(envelope->id, 7);
  EXPECT_EQ(envelope->result, R"({"a":"\"}","b":[{},[1.5e3]]})");
  EXPECT_EQ(envelope->session_id, "S");
}

TEST(Envelope, AnEventHasMethodAndParameters) {
  EnvelopeParser parser;
  const Padded message(R"( {"method":"Page.x" , "params" : {"t": "ü"} } )");
  const auto envelope = parser.parse(message.view());
  ASSERT_TRUE(envelope.ok());
  EXPECT_FALSE(envelope->id.has_value());
  EXPECT_EQ(envelope->method, "Page.x");
  EXPECT_EQ(envelope->params, R"({"t": "ü"})");
}

TEST(Envelope, WhatIsNoProtocolMessageIsCorrupt) {
  EnvelopeParser parser;
  for (const char* text :
       {"", "1", "[]", "{}", R"({"id":"x"})", R"({"id":1,"result":{)", R"({"method":5})"}) {
    const Padded message(text);
    const auto envelope = parser.parse(message.view());
    ASSERT_FALSE(envelope.ok()) << text;
    EXPECT_EQ(envelope.error().code, Code::corrupt);
  }
}

TEST(Envelope, AParserSurvivesABrokenMessageAndGoesOn) {
  EnvelopeParser parser;
  EXPECT_FALSE(parser.parse(Padded(R"({"id":1,)").view()).ok());
  const Padded good(R"({"id":2,"result":{}})");
  EXPECT_TRUE(parser.parse(good.view()).ok());
}

TEST(Envelope, AStringMemberIsUnescapedWithoutATree) {
  EXPECT_EQ(raw_string_member(R"({"a":{"payload":"no"},"payload":"x\n\"y\" \u00fc"})", "payload"),
            "x\n\"y\" ü");
  EXPECT_EQ(raw_string_member(R"({"a":1})", "payload"), "");
  EXPECT_EQ(raw_string_member("nonsense", "payload"), "");
}

}  // namespace
}  // namespace browx::cdp
