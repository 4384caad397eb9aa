#include "capture/observe/channels.hpp"

#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

using testing::fixture;
using testing::Stage;

class ChannelsTest : public ::testing::Test {
 protected:
  ChannelsTest() : network(stage.hub), channels(stage.hub, network) {
    stage.host.targets = {{"page2", TargetId(1)}};
  }
  std::vector<archive::ChannelFrame> frames() const { return stage.host.all<archive::ChannelFrame>(); }
  Stage stage;
  Network network;
  Channels channels;
};

TEST_F(ChannelsTest, ASocketIsARequestWithItsHandshakeItsFramesBothWaysAndItsEnd) {
  stage.play(fixture("websocket"));
  const auto requests = stage.host.all<archive::Request>();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].url, "ws://127.0.0.1:8080/ws");
  EXPECT_EQ(requests[0].resource_type, "WebSocket");
  EXPECT_EQ(requests[0].target, TargetId(1));
  EXPECT_FALSE(requests[0].headers.empty());
  const auto responses = stage.host.all<archive::Response>();
  ASSERT_EQ(responses.size(), 1u);
  EXPECT_EQ(responses[0].status, 101);
  ASSERT_EQ(frames().size(), 4u);
  EXPECT_TRUE(frames()[0].sent);
  EXPECT_EQ(frames()[0].payload, "hello");
  EXPECT_EQ(frames()[1].opcode, 2);
  EXPECT_EQ(frames()[1].payload, "\x01\x02\x03");
  EXPECT_EQ(frames()[1].full_size, 3);
  EXPECT_FALSE(frames()[3].sent);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GE(frames()[i].t, frames()[i - 1].t);
  const auto ends = stage.host.all<archive::RequestEnd>();
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_TRUE(ends[0].ok);
}

TEST_F(ChannelsTest, ASocketThatFailsBeforeItsHandshakeIsToldWithItsError) {
  const auto events = fixture("websocket");
  const std::string id = json_string(events[0].params, "requestId");
  stage.play(events[0]);
  EXPECT_TRUE(stage.host.facts.empty());
  Json failure = {{"requestId", id}, {"timestamp", 1193.4}, {"errorMessage", "net::ERR_CONNECTION_REFUSED"}};
  stage.play({"page2", "Network.webSocketFrameError", 1193.4, failure});
  stage.play({"page2", "Network.webSocketClosed", 1193.4, failure});
  ASSERT_EQ(stage.host.all<archive::Request>().size(), 1u);
  ASSERT_EQ(stage.host.all<archive::RequestEnd>().size(), 1u);
  EXPECT_FALSE(stage.host.all<archive::RequestEnd>()[0].ok);
  EXPECT_EQ(stage.host.all<archive::RequestEnd>()[0].error, "net::ERR_CONNECTION_REFUSED");
}

TEST_F(ChannelsTest, ASocketEndsWithItsTarget) {
  for (const auto& event : fixture("websocket"))
    if (event.method != "Network.webSocketClosed") stage.play(event);
  stage.hub.gone("page2");
  ASSERT_EQ(stage.host.all<archive::RequestEnd>().size(), 1u);
  EXPECT_FALSE(stage.host.all<archive::RequestEnd>()[0].ok);
}

TEST_F(ChannelsTest, ServerSentEventsAreFramesOfTheirRequest) {
  stage.play(fixture("event_source"));
  const auto requests = stage.host.all<archive::Request>();
  ASSERT_EQ(requests.size(), 1u);
  ASSERT_EQ(frames().size(), 2u);
  EXPECT_EQ(frames()[0].request, requests[0].id);
  EXPECT_EQ(frames()[0].kind, "sse");
  EXPECT_EQ(frames()[0].event, "message");
  EXPECT_EQ(frames()[0].payload, "plain");
  EXPECT_EQ(frames()[1].event, "tick");
  EXPECT_EQ(frames()[1].payload, "t1");
  EXPECT_FALSE(frames()[1].sent);
}

TEST(ChannelFramePayload, LongTextIsCutBetweenCharactersAndItsSizeIsKept) {
  archive::ChannelFrame frame;
  std::string text(65535, 'a');
  text += "€€";  // the cut at 65536 would fall into the first one
  set_payload(frame, text);
  EXPECT_TRUE(frame.truncated);
  EXPECT_EQ(frame.payload.size(), 65535u);
  EXPECT_EQ(frame.full_size, 65541);
}

TEST(ChannelFramePayload, BinaryIsBytesAndCutToo) {
  archive::ChannelFrame frame;
  frame.opcode = 2;
  set_payload(frame, std::string(100000, 'A') + "AAA=");
  EXPECT_TRUE(frame.truncated);
  EXPECT_EQ(frame.payload, std::string(65536, '\0'));
  EXPECT_EQ(frame.full_size, 75002);
}

}  // namespace
}  // namespace browx::capture
