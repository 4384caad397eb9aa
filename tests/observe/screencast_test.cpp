#include "capture/observe/screencast.hpp"

#include "base/bytes.hpp"
#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

using testing::Recorded;
using testing::Stage;

class ScreencastTest : public ::testing::Test {
 protected:
  ScreencastTest() : screencast(stage.hub) { stage.host.targets = {{"page2", TargetId(1)}}; }
  /// The commands sent so far, acknowledgements aside.
  std::vector<std::string> sent() const {
    std::vector<std::string> out;
    for (const auto& call : stage.host.posted)
      if (call.method != "Page.screencastFrameAck") out.push_back(call.method);
    return out;
  }
  void frame(const std::string& bytes) {
    Json params = {{"sessionId", 1}, {"data", base64_encode(bytes)}};
    params["metadata"] = {{"timestamp", 1796055703.0}};
    stage.play(Recorded{"page2", "Page.screencastFrame", 1193.5, params});
  }
  std::size_t pictures() const { return stage.host.all<archive::Frame>().size(); }

  Stage stage;
  Screencast screencast;
};

TEST_F(ScreencastTest, APauseStopsItAndItsEndStartsItAgain) {
  screencast.start("page2");
  screencast.pause("page2");
  screencast.pause("page2");
  screencast.resume("page2");
  EXPECT_EQ(sent(), (std::vector<std::string>{"Page.startScreencast", "Page.stopScreencast"}));
  screencast.resume("page2");
  EXPECT_EQ(sent().back(), "Page.startScreencast");
  EXPECT_EQ(sent().size(), 3u);
}

TEST_F(ScreencastTest, APictureThatComesDuringAPauseIsNotTold) {
  screencast.start("page2");
  frame("one");
  screencast.pause("page2");
  frame("two");
  EXPECT_EQ(pictures(), 1u);
  screencast.resume("page2");
  frame("three");
  EXPECT_EQ(pictures(), 2u);
}

TEST_F(ScreencastTest, OneThatStartsOrEndsDuringAPauseIsAsWantedAfterIt) {
  screencast.pause("page2");
  screencast.start("page2");
  EXPECT_TRUE(sent().empty());
  screencast.resume("page2");
  EXPECT_EQ(sent(), std::vector<std::string>{"Page.startScreencast"});
  screencast.pause("page2");
  screencast.stop("page2");
  screencast.resume("page2");
  EXPECT_EQ(sent(), (std::vector<std::string>{"Page.startScreencast", "Page.stopScreencast"}));
}

}  // namespace
}  // namespace browx::capture
