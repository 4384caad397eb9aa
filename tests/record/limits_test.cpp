// What becomes of a recording when the disk cannot follow, and when its start is given up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

#include "archive/reader.hpp"
#include "archive/writer.hpp"
#include "capture/record/core.hpp"
#include "capture/recording.hpp"
#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using ::testing::HasSubstr;

/// A writer that says when its queue is full, and is a real one otherwise.
class PressedWriter final : public archive::Writer {
 public:
  explicit PressedWriter(std::unique_ptr<archive::Writer> real) : real_(std::move(real)) {}
  void add(archive::Fact fact) override { real_->add(std::move(fact)); }
  EventSeq add_event(archive::Event event) override { return real_->add_event(std::move(event)); }
  void flush(std::function<void(Status)> done) override { real_->flush(std::move(done)); }
  Result<std::unique_ptr<archive::Reader>> read() override { return real_->read(); }
  std::int64_t queued_bytes() const override { return real_->queued_bytes(); }
  void on_pressure(std::function<void(bool over)> notice) override { press = std::move(notice); }
  std::optional<archive::Truncation> truncated() const override { return real_->truncated(); }
  const std::filesystem::path& path() const override { return real_->path(); }
  Result<archive::SealReport> seal(Time ended, std::string reason) override {
    return real_->seal(ended, std::move(reason));
  }

  std::function<void(bool over)> press;

 private:
  std::unique_ptr<archive::Writer> real_;
};

class LimitsTest : public browx::testing::EngineTest {
 protected:
  void SetUp() override {
    options.flow_name = "limits";
    options.tier = archive::Tier::replay;
    options.directory =
        std::filesystem::temp_directory_path() / ("browx-limits-" + std::to_string(::getpid()));
    std::filesystem::create_directories(options.directory);
    session = open();
    tab = session->current_tab();
  }
  void TearDown() override {
    EngineTest::TearDown();
    std::filesystem::remove_all(options.directory);
  }
  bool recorder_runs() {
    Json none = Json::object();
    const auto answer =
        must(tab->main_frame().page("recorderFlush", none, Deadline::in(std::chrono::seconds(5))));
    return json_bool(answer, "recording");
  }

  static asio::awaitable<void> start_only(std::shared_ptr<Session> session, RecordingOptions options) {
    auto started = co_await Recording::start(*session, std::move(options));
    (void)started;
  }

  RecordingOptions options;
  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
};

TEST_F(LimitsTest, WhenTheQueueIsFullTheRecordersStopAndGoOnWithASnapshotWhenItHasDrained) {
  server.page("/full", "<!doctype html><title>F</title><p id=p>one</p>");
  go(*tab, server.url("/full"));
  auto made = archive::Writer::create(options.directory / "full.browx", {});
  ASSERT_TRUE(made.ok());
  auto owned = std::make_unique<PressedWriter>(*std::move(made));
  PressedWriter& writer = *owned;
  const auto core = std::make_shared<RecordingCore>(*session, options, std::move(owned));
  must(core->begin(Deadline::in(std::chrono::seconds(10))));
  ASSERT_TRUE(until([&] { return recorder_runs(); }));

  writer.press(true);
  ASSERT_TRUE(until([&] { return !recorder_runs(); })) << "the page goes on paying";
  eval(tab->main_frame(), "p.textContent = 'unseen'; 1");
  writer.press(false);
  ASSERT_TRUE(until([&] { return recorder_runs(); })) << "the recorder does not go on";
  eval(tab->main_frame(), "p.textContent = 'two'; 1");
  must(core->end("ended", Deadline::in(std::chrono::seconds(5))));

  const auto reader = std::move(archive::Reader::open(options.directory / "full.browx")).value();
  int told = 0;
  const auto gaps = reader->gaps().value();
  for (const auto& gap : gaps) {
    if (gap.reason != "backpressure") continue;
    ++told;
    ASSERT_TRUE(gap.to);
    EXPECT_LT(gap.from, *gap.to);
  }
  EXPECT_EQ(told, 1);
  const auto documents = reader->documents().value();
  std::string stream;
  int snapshots = 0;
  for (const auto& document : documents) {
    const auto events = reader->dom_events(document.id).value();
    for (const auto& one : events) {
      stream += one.json;
      if (json_int(parse_json(one.json).value(), "type") == 2) ++snapshots;
    }
  }
  EXPECT_EQ(snapshots, 2) << "one at the start and one after the pause";
  EXPECT_THAT(stream, HasSubstr("one"));
  EXPECT_THAT(stream, HasSubstr("two"));
}

TEST_F(LimitsTest, AStartThatIsCancelledLeavesNoRecordingAndASealedFile) {
  asio::cancellation_signal stop;
  bool over = false;
  const auto ended = [&over](std::exception_ptr) { over = true; };
  asio::co_spawn(world.io, start_only(session, options), asio::bind_cancellation_slot(stop.slot(), ended));
  ASSERT_TRUE(until([&] { return session->recording() != nullptr; }));
  ASSERT_FALSE(over) << "it has started already; nothing is left to cancel";
  stop.emit(asio::cancellation_type::terminal);
  ASSERT_TRUE(until([&] { return over; }));
  EXPECT_EQ(session->recording(), nullptr);
  const auto reader = std::move(archive::Reader::open(options.directory / "limits.browx")).value();
  EXPECT_TRUE(reader->sealed());
  const auto manifest = reader->manifest().value();
  EXPECT_EQ(json_string(json_member(manifest, "ended"), "reason"), "abandoned");

  auto& next = *must(Recording::start(*session, options));
  must(next.end("ended"));
}

}  // namespace
}  // namespace browx::capture
