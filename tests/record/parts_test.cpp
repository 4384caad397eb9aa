// The parts of a recording that need no browser: messages, clocks, masking.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "capture/record/assets.hpp"
#include "capture/record/fact_mask.hpp"
#include "capture/record/field_values.hpp"
#include "capture/record/message.hpp"
#include "capture/record/streams.hpp"

namespace browx::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RecorderMessage, IsSplitWithoutParsingItsEvents) {
  const std::string payload =
      R"({"doc":"d1","now":12.5,"first":3,"gaps":[{"reason":"canvas","node":7}],"fields":{"values":["hunter22"],"typing":true,"recent":["hunt"]}})"
      "\n10.250 {\"type\":4}\n11.000 {not even json}";
  const auto message = parse_message(payload);
  ASSERT_TRUE(message) << message.error().message();
  EXPECT_EQ(message->document, "d1");
  EXPECT_EQ(message->first, 3);
  ASSERT_EQ(message->events.size(), 2u);
  EXPECT_DOUBLE_EQ(message->events[0].page_ms, 10.25);
  EXPECT_EQ(message->events[1].json, "{not even json}");
  ASSERT_EQ(message->gaps.size(), 1u);
  EXPECT_EQ(message->gaps[0].node, 7);
  EXPECT_TRUE(message->fields->typing);
  EXPECT_THAT(message->fields->recent, ElementsAre("hunt"));
}

TEST(RecorderMessage, CarriesTheBytesOfABlob) {
  const auto message = parse_message(
      R"({"doc":"d","now":1,"first":0,"asset":{"url":"blob:x","mime":"image/png","base64":"aGk="}})");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->asset->bytes, "hi");
}

TEST(RecorderMessage, RefusesWhatIsNotARecorders) {
  for (const char* payload : {"", "no header", "{}", "[1]", "{\"doc\":\"d\"}\nx {}", "{\"doc\":\"d\"}\n1.0"})
    EXPECT_FALSE(parse_message(payload)) << payload;
}

struct StreamsTest : ::testing::Test {
  std::vector<archive::Fact> out;
  Streams streams{Time{1'000'000}, "rrweb/x",
                  [](std::string_view json) { return "masked " + std::string(json); },
                  [this](archive::Fact fact) { out.push_back(std::move(fact)); }};
  template <class Row>
  std::vector<Row> rows() const {
    std::vector<Row> found;
    for (const auto& fact : out)
      if (const auto* row = std::get_if<Row>(&fact)) found.push_back(*row);
    return found;
  }
  static std::string message(const std::string& doc, double now, int first, const std::string& lines) {
    return "{\"doc\":\"" + doc + "\",\"now\":" + std::to_string(now) + ",\"first\":" + std::to_string(first) +
           "}" + lines;
  }
  void begin(int id) {
    archive::Document document;
    document.id = archive::DocumentId(id);
    streams.began(document);
  }
};

TEST_F(StreamsTest, ADocumentsRowWaitsForItsRecorderAndHasItsClock) {
  begin(1);
  EXPECT_TRUE(out.empty());
  // Session time 1.5 s, the page's clock at 100 ms: recording time is page time + 400 ms.
  auto heard = streams.message(archive::DocumentId(1), Time{1'500'000}, message("a", 100, 0, "\n50.0 {}"));
  ASSERT_TRUE(heard);
  EXPECT_TRUE(heard->first);
  ASSERT_EQ(rows<archive::Document>().size(), 1u);
  EXPECT_EQ(rows<archive::Document>()[0].clock_offset_us, 400'000);
  EXPECT_EQ(rows<archive::Document>()[0].recorder, "rrweb/x");
  EXPECT_EQ(rows<archive::DomEvents>()[0].events[0].t.us, 450'000);
  EXPECT_EQ(rows<archive::DomEvents>()[0].events[0].json, "masked {}");
}

TEST_F(StreamsTest, TimesRiseWhileTheClockIsLearnt) {
  begin(1);
  // The first message was delayed by 300 ms, the second by nothing: its events would fall before those of the
  // first.
  (void)streams.message(archive::DocumentId(1), Time{1'500'000}, message("a", 100, 0, "\n90.0 {}"));
  (void)streams.message(archive::DocumentId(1), Time{1'250'000},
                        message("a", 150, 1, "\n140.0 {}\n145.0 {}"));
  const auto events = rows<archive::DomEvents>();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].events[0].t.us, 490'000);
  EXPECT_EQ(events[1].events[0].t.us, 490'000);
  EXPECT_EQ(events[1].events[1].t.us, 490'000);
}

TEST_F(StreamsTest, ARecorderMayBeQuickerThanTheWordOfItsDocument) {
  (void)streams.message(archive::DocumentId(1), Time{1'500'000}, message("a", 100, 0, ""));
  begin(1);
  ASSERT_EQ(rows<archive::Document>().size(), 1u);
  EXPECT_EQ(rows<archive::Document>()[0].recorder, "rrweb/x");
  EXPECT_EQ(rows<archive::Document>()[0].clock_offset_us, 400'000);
}

TEST_F(StreamsTest, ALateMessageBelongsToTheDocumentThatSentIt) {
  begin(1);
  begin(2);
  (void)streams.message(archive::DocumentId(1), Time{1'100'000}, message("a", 1, 0, ""));
  (void)streams.message(archive::DocumentId(2), Time{1'200'000}, message("b", 1, 0, ""));
  auto late = streams.message(archive::DocumentId(2), Time{1'300'000}, message("a", 200, 0, "\n150.0 {}"));
  EXPECT_EQ(late->document, archive::DocumentId(1));
  EXPECT_EQ(streams.count(archive::DocumentId(1)), 1);
  EXPECT_EQ(streams.count(archive::DocumentId(2)), 0);
}

TEST_F(StreamsTest, EventsThatDidNotArriveAreSaid) {
  begin(1);
  (void)streams.message(archive::DocumentId(1), Time{1'100'000}, message("a", 1, 0, "\n1.0 {}"));
  (void)streams.message(archive::DocumentId(1), Time{1'200'000}, message("a", 2, 5, "\n2.0 {}"));
  ASSERT_EQ(rows<archive::Gap>().size(), 1u);
  EXPECT_EQ(rows<archive::Gap>()[0].reason, "dom-events-lost");
  EXPECT_THAT(rows<archive::Gap>()[0].detail, HasSubstr("4 events"));
}

TEST_F(StreamsTest, ADocumentWithoutARecorderIsWrittenWhenItEndsOrIsSettled) {
  begin(1);
  begin(2);
  streams.ended({archive::DocumentId(1), Time{5}, "navigated"});
  streams.settle_all();
  ASSERT_EQ(rows<archive::Document>().size(), 2u);
  EXPECT_EQ(rows<archive::Document>()[0].recorder, "none");
  EXPECT_EQ(rows<archive::DocumentEnd>().size(), 1u);
  EXPECT_TRUE(streams.positions().empty());
}

struct FactMaskTest : ::testing::Test {
  Secrets secrets;
  FieldValues fields;
  FactMask replay{archive::Tier::replay, {"X-Token"}, {"user.token", "items[].id"}, secrets, fields};
  FactMask whole{archive::Tier::reexecutable, {"X-Token"}, {"user.token", "items[].id"}, secrets, fields};
  void SetUp() override { ASSERT_TRUE(secrets.add("API_KEY", "s3cr3t-value")); }
};

TEST_F(FactMaskTest, HeadersThatIdentifyPeopleNeverStay) {
  archive::Request request;
  request.url = "https://a.example/p?token=abc";
  request.headers = {{"Authorization", "Bearer x"},
                     {"COOKIE", "a=b"},
                     {"x-token", "t"},
                     {"Accept", "*/*"},
                     {"Referer", "https://a.example/?q=private"},
                     {":path", "/p?token=abc"},
                     {"x-note", "has s3cr3t-value inside"}};
  const auto out = std::get<archive::Request>(replay.masked(request));
  EXPECT_EQ(out.url, "https://a.example/p?token=…");
  EXPECT_EQ(out.headers[0].second, kMaskedValue);
  EXPECT_EQ(out.headers[1].second, kMaskedValue);
  EXPECT_EQ(out.headers[2].second, kMaskedValue);
  EXPECT_EQ(out.headers[3].second, "*/*");
  EXPECT_EQ(out.headers[4].second, "https://a.example/?q=…");
  EXPECT_EQ(out.headers[5].second, "/p?token=…");
  EXPECT_EQ(out.headers[6].second, "has <API_KEY> inside");
}

TEST_F(FactMaskTest, TierReexecutableKeepsWholeUrlsAndBodiesWithoutSecrets) {
  archive::Request request;
  request.id = archive::RequestId(1);
  request.url = "https://a.example/p?token=s3cr3t-value&x=1";
  request.headers = {{"content-type", "application/json"}};
  request.body = R"({"user":{"token":"t1","name":"n"},"items":[{"id":1},{"id":2}],"note":"s3cr3t-value"})";
  auto out = std::get<archive::Request>(whole.masked(request));
  EXPECT_EQ(out.url, "https://a.example/p?token=<API_KEY>&x=1");
  const Json body = *parse_json(*out.body);
  EXPECT_EQ(body["user"]["token"], kMaskedValue);
  EXPECT_EQ(body["user"]["name"], "n");
  EXPECT_EQ(body["items"][1]["id"], kMaskedValue);
  EXPECT_EQ(body["note"], "<API_KEY>");
  EXPECT_FALSE(std::get<archive::Request>(replay.masked(request)).body);
}

TEST_F(FactMaskTest, WireHeadersThatComeLateWithTheResponseAreMaskedToo) {
  archive::Response response;
  response.request_headers = {{"authorization", "Bearer x"}, {"X-Token", "t"}, {"x-note", "s3cr3t-value"}};
  const auto out = std::get<archive::Response>(replay.masked(response)).request_headers;
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].second, "[masked value]");
  EXPECT_EQ(out[1].second, "[masked value]");
  EXPECT_EQ(out[2].second, "<API_KEY>");
}

TEST_F(FactMaskTest, ResponseBodiesAreKeptByTierAndKind) {
  const auto through = [](FactMask& mask, const std::string& mime) {
    archive::Response response;
    response.request = archive::RequestId(1);
    response.mime = mime;
    (void)mask.masked(response);
    archive::RequestEnd end;
    end.request = archive::RequestId(1);
    end.body = "{\"user\":{\"token\":\"t\"}}";
    return std::get<archive::RequestEnd>(mask.masked(end)).body;
  };
  EXPECT_FALSE(through(replay, "application/json"));
  EXPECT_FALSE(through(whole, "image/png"));
  EXPECT_THAT(*through(whole, "application/json"), HasSubstr(kMaskedValue));
}

TEST_F(FactMaskTest, ChannelsKeepTheirSizeOnlyInReplay) {
  archive::ChannelFrame frame;
  frame.payload = "login s3cr3t-value";
  frame.full_size = 18;
  const auto kept = std::get<archive::ChannelFrame>(replay.masked(frame));
  EXPECT_EQ(kept.payload, "");
  EXPECT_EQ(kept.full_size, 18);
  EXPECT_TRUE(kept.truncated);
  EXPECT_EQ(std::get<archive::ChannelFrame>(whole.masked(frame)).payload, "login <API_KEY>");
}

TEST_F(FactMaskTest, EveryStringOfAnEventIsMaskedAndItsAddressesCut) {
  archive::Event event;
  event.kind = "console";
  event.payload = Json{{"text", "key s3cr3t-value"},
                       {"args", {{{"v", "s3cr3t-value"}}}},
                       {"url", "https://a.example/?q=1"},
                       {"s3cr3t-value", 1}};
  const auto out = std::get<archive::Event>(replay.masked(event)).payload;
  EXPECT_THAT(dump_json(out), Not(HasSubstr("s3cr3t")));
  EXPECT_EQ(out["url"], "https://a.example/?q=…");
}

TEST_F(FactMaskTest, WhatASensitiveFieldHoldsIsMaskedInRequests) {
  fields.told("d", {{"correct horse"}, {"1234", "correct horse"}, false});
  archive::Request request;
  request.url = "https://a.example/?p=correct+horse";
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = "user=ada&pin=1234&room=12345&p=correct+horse";
  const auto out = std::get<archive::Request>(whole.masked(request));
  EXPECT_EQ(*out.body, "user=ada&pin=[masked value]&room=12345&p=[masked value]");
  EXPECT_THAT(out.url, Not(HasSubstr("horse")));
  EXPECT_EQ(whole.body(R"({"pin":1234,"room":"12345"})", "application/json"),
            R"({"pin":"[masked value]","room":"12345"})");
  EXPECT_EQ(whole.body("--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n1234\r\n--b--",
                       "multipart/form-data; boundary=b"),
            "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n[masked value]\r\n--b--");
}

TEST(FieldValues, RunsCountOnlyWhileTheFieldIsTypedInto) {
  FieldValues fields;
  fields.told("d", {{}, {"swordfish"}, true});
  EXPECT_EQ(fields.mask("check?part=sword&x=wor"), "check?part=[masked value]&x=wor");
  fields.told("d", {{}, {}, false});
  EXPECT_EQ(fields.mask("sword"), "sword");
  EXPECT_EQ(fields.mask("a swordfish b"), "a [masked value] b");
}

TEST(FieldValues, RunsNeverSplitACharacter) {
  const std::string masked = mask_runs("xxäöüßyy", {"äöüß"});
  EXPECT_EQ(masked, "xx[masked value]yy");
  EXPECT_EQ(to_valid_utf8(mask_runs("xéabcy", {"\xa9"
                                               "abc"})),
            mask_runs("xéabcy", {"\xa9"
                                 "abc"}));
}

TEST(BodyPath, ReadsTheUsualSpellings) {
  EXPECT_THAT(parse_body_path("user.token"), ElementsAre("user", "token"));
  EXPECT_THAT(parse_body_path("items[].id"), ElementsAre("items", "*", "id"));
  EXPECT_THAT(parse_body_path("$.a['b.c'][0]"), ElementsAre("a", "b.c", "0"));
}

TEST(Assets, AreTakenOncePerDocumentAndSayWhatIsMissing) {
  Assets assets;
  const auto load = [&](int id, const std::string& url, archive::RequestEnd end) {
    archive::Request request;
    request.id = archive::RequestId(id);
    request.document = archive::DocumentId(1);
    request.url = url;
    request.resource_type = "Stylesheet";
    assets.see(request);
    archive::Response response;
    response.request = request.id;
    response.mime = "text/css";
    response.status = 200;
    assets.see(response);
    end.request = request.id;
    return assets.see(end);
  };
  archive::RequestEnd good;
  good.body = ".a{}";
  EXPECT_EQ(load(1, "u", good)->bytes, ".a{}");
  EXPECT_FALSE(load(2, "u", good));
  archive::RequestEnd failed;
  failed.ok = false;
  failed.error = "net::ERR_FAILED";
  EXPECT_EQ(load(3, "v", failed)->why_missing, "net::ERR_FAILED");
  archive::RequestEnd large;
  large.body = std::string(Assets::kLargest + 1, 'x');
  const auto cut = load(4, "w", large);
  EXPECT_FALSE(cut->bytes);
  EXPECT_THAT(cut->why_missing, HasSubstr("larger"));
}

}  // namespace
}  // namespace browx::capture
