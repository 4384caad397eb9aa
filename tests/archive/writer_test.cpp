// What ends a recording early, and what stays of it.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <mutex>

#include "tests/archive/sample.hpp"

namespace browx::archive {
namespace {
namespace fs = std::filesystem;

TEST(Writer, AtTheSizeCapItKeepsWhatItHasAndCountsTheRest) {
  const Folder folder;
  WriterOptions options;
  options.size_cap = 400 << 10;
  auto writer = writer_at(folder / "a.browx", options);
  int acknowledged = 0;
  for (int i = 0; i < 200; ++i) {
    writer->add(event(i * 1000, "console", {{"text", random_hex(4000)}}));
    if (flushed(*writer).ok()) ++acknowledged;
  }
  writer->add(Artifact{"flow.yaml", "application/yaml", "name: kept\n"});
  const auto report = writer->seal({200000}, "end_recording");
  ASSERT_TRUE(report.ok());
  ASSERT_TRUE(report->truncated);
  EXPECT_EQ(report->truncated->reason, "size-cap");
  EXPECT_LE(report->bytes, options.size_cap);
  EXPECT_GT(report->bytes, options.size_cap / 2) << "the cap is used";
  auto reader = reader_at(folder / "a.browx");
  EXPECT_TRUE(reader->sealed()) << reader->partial_reason();
  EXPECT_EQ(reader->events("")->size(), static_cast<std::size_t>(acknowledged));
  EXPECT_EQ(acknowledged + report->truncated->dropped, 200);
  const Json truncated = reader->manifest()->at("truncated");
  EXPECT_EQ(truncated["reason"], "size-cap");
  EXPECT_EQ(truncated["dropped"], report->truncated->dropped);
  EXPECT_EQ(truncated["at"], (acknowledged - 1) * 1000);
  EXPECT_EQ((*reader->artifact("flow.yaml"))->bytes, "name: kept\n") << "a flow is kept whatever the cap";
}

TEST(Writer, AtTheEventCapItKeepsExactlyThatMany) {
  const Folder folder;
  WriterOptions options;
  options.event_cap = 25;
  auto writer = writer_at(folder / "a.browx", options);
  writer->add(event(1, "console", {{"text", "a"}}));
  writer->add(dom(1, 1000, 20));
  writer->add(dom(1, 100000, 20));
  writer->add(event(200000, "console", {{"text", "late"}}));
  const Status status = flushed(*writer);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, "recording-truncated");
  EXPECT_TRUE(flushed(*writer).ok()) << "nothing was lost since the last flush";
  const auto report = writer->seal({200000}, "end_recording");
  ASSERT_TRUE(report->truncated);
  EXPECT_EQ(report->truncated->reason, "event-cap");
  EXPECT_EQ(report->truncated->dropped, 17);
  EXPECT_EQ(report->truncated->at, Time{103000});
  EXPECT_EQ(report->events, 25);
  EXPECT_EQ(reader_at(folder / "a.browx")->dom_events(DocumentId(1))->size(), 24u);
}

TEST(Writer, AssetsOverTheirCapsAreGapsAndTheRestGoesOn) {
  const Folder folder;
  WriterOptions options;
  options.asset_cap = 1000;
  options.assets_cap = 2500;
  auto writer = writer_at(folder / "a.browx", options);
  const auto add = [&](const char* url, std::string bytes) {
    writer->add(Asset{DocumentId(1), url, {5}, "image/png", std::move(bytes), ""});
  };
  add("1", std::string(1000, 'a'));
  add("2", std::string(1001, 'b'));
  add("3", std::string(1000, 'c'));
  add("4", std::string(1000, 'd'));
  add("5", std::string(1000, 'a'));
  add("6", std::string(500, 'e'));
  ASSERT_TRUE(writer->seal({6}, "x").ok());
  auto reader = reader_at(folder / "a.browx");
  std::string answer;
  const auto assets = *reader->assets(true);
  for (const auto& asset : assets) answer += asset.url + (asset.bytes ? "+" : "-" + asset.why_missing) + " ";
  EXPECT_EQ(answer, "1+ 2-too-large 3+ 4-assets-cap 5+ 6+ ");
  const auto gaps = *reader->gaps();
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].reason, "asset-missing");
  EXPECT_EQ(gaps[0].document, DocumentId(1));
  EXPECT_NE(gaps[0].detail.find("too-large"), std::string::npos);
}

TEST(Writer, WhenTheQueueIsFullDomEventsAreDroppedAndSaidWhileStepsAreKept) {
  const Folder folder;
  WriterOptions options;
  options.queue_cap = 200 << 10;
  auto writer = writer_at(folder / "a.browx", options);
  std::mutex mutex;
  std::vector<bool> notices;
  writer->on_pressure([&](bool over) {
    const std::lock_guard lock(mutex);
    notices.push_back(over);
  });
  // The writer's thread waits in a flush while the queue fills: no race about who is faster.
  std::promise<void> entered, leave;
  writer->flush([&](Status) {
    entered.set_value();
    leave.get_future().wait();
  });
  entered.get_future().wait();
  for (int i = 0; i < 40; ++i) {
    writer->add(dom(3, 1000000 + i * 100000, 10, 1000));
    writer->add(event(1000000 + i * 100000, "action", {{"tool", "click"}, {"n", i}, {"ok", true}}));
  }
  EXPECT_GT(writer->queued_bytes(), options.queue_cap / 2);
  leave.set_value();
  ASSERT_TRUE(flushed(*writer).ok()) << "backpressure is no failure of a flush";
  const auto cut = writer->truncated();
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->reason, "backpressure");
  writer->add(dom(3, 9000000, 10));
  const auto report = writer->seal({9100000}, "end_recording");
  {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(notices, (std::vector<bool>{true, false}));
  }
  auto reader = reader_at(folder / "a.browx");
  EXPECT_EQ(reader->steps()->size(), 40u);
  const auto rows = *reader->dom_events(DocumentId(3));
  EXPECT_EQ(static_cast<std::int64_t>(rows.size()) + report->truncated->dropped, 410);
  EXPECT_GT(report->truncated->dropped, 100);
  EXPECT_EQ(rows.back().t, Time{9009000}) << "it goes on once the queue has drained";
  const auto gaps = *reader->gaps();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].reason, "backpressure");
  EXPECT_EQ(gaps[0].document, DocumentId(3));
  EXPECT_EQ(gaps[0].from, cut->at);
  EXPECT_EQ(gaps[0].to, Time{1000000 + 39 * 100000 + 9000});
  EXPECT_TRUE(reader->sealed());
}

TEST(Writer, AFullDiskLeavesWhatIsCommittedAndSaysSo) {
  const Folder folder;
  const fs::path path = folder / "a.browx";
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};  // no file larger than a mebibyte: the real failure of write()
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
    auto writer = Writer::create(path, {});
    if (!writer.ok()) _exit(8);
    int acknowledged = 0;
    for (int i = 0; i < 1000; ++i) {
      (*writer)->add(event(i * 1000, "console", {{"n", i}, {"text", random_hex(4000)}}));
      const Status status = flushed(**writer);
      if (status.ok())
        ++acknowledged;
      else if (status.error().kind != "recording-truncated")
        _exit(7);
    }
    const auto cut = (*writer)->truncated();
    if (!cut || cut->reason != "disk-full" || cut->at.us != (acknowledged - 1) * 1000 ||
        cut->dropped != 1000 - acknowledged)
      _exit(6);
    const auto report = (*writer)->seal({1000000}, "end_recording");
    if (!report.ok() || !report->truncated || report->truncated->reason != "disk-full") _exit(5);
    write_file(folder / "acknowledged", std::to_string(acknowledged));
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
  const int acknowledged = std::stoi(contents(folder / "acknowledged"));
  EXPECT_GT(acknowledged, 20);
  EXPECT_LT(acknowledged, 1000);
  auto reader = reader_at(path);
  const auto events = *reader->events("");
  ASSERT_EQ(events.size(), static_cast<std::size_t>(acknowledged));
  EXPECT_EQ(events.back().payload["n"], acknowledged - 1);
}

/// Writes steps and tells each acknowledged number through a pipe, until it is killed.
[[noreturn]] void record_until_killed(const fs::path& path, int pipe) {
  WriterOptions options;
  options.session = "killed";
  auto writer = Writer::create(path, options);
  if (!writer.ok()) _exit(1);
  (*writer)->add(Target{TargetId(1), "tab", {}, {}, "s", "T", "https://a.test/", {0}});
  (*writer)->add(Document{DocumentId(1), TargetId(1), "F", {}, "https://a.test/", {0}, 0, "rrweb/2"});
  for (std::int32_t n = 1;; ++n) {
    (*writer)->add(dom(1, n * 10000, 5, 400));
    (*writer)->add(event(n * 10000, "action", {{"tool", "click"}, {"n", n}, {"ok", true}}));
    if (!flushed(**writer).ok() || write(pipe, &n, sizeof n) != sizeof n) _exit(1);
    (*writer)->add(dom(1, n * 10000 + 6000, 50, 400));  // never flushed: may be lost
  }
}

TEST(Writer, AKilledWriterLeavesEveryAcknowledgedStep) {
  for (int round = 0; round < 10; ++round) {
    const Folder folder;
    const fs::path path = folder / "a.browx";
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      record_until_killed(path, ends[1]);
    }
    close(ends[1]);
    std::int32_t acknowledged = 0, n = 0;
    ASSERT_EQ(read(ends[0], &n, sizeof n), static_cast<ssize_t>(sizeof n));
    const auto wait = std::chrono::milliseconds(std::hash<std::string>{}(random_hex(8)) % 400);
    std::this_thread::sleep_for(wait);  // the moment of the kill is what this test varies
    kill(child, SIGKILL);
    acknowledged = n;
    while (read(ends[0], &n, sizeof n) == static_cast<ssize_t>(sizeof n)) acknowledged = n;
    close(ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << status;

    const auto names = folder.names();
    std::vector<std::string> before;
    for (const auto& name : names) before.push_back(contents(folder / name));
    {
      auto reader = reader_at(path);
      ASSERT_TRUE(reader);
      EXPECT_FALSE(reader->live());
      EXPECT_TRUE(reader->partial());
      EXPECT_NE(reader->partial_reason().find("not sealed"), std::string::npos) << reader->partial_reason();
      const auto steps = *reader->steps();
      EXPECT_GE(steps.size(), static_cast<std::size_t>(acknowledged))
          << "killed after " << wait.count() << " ms";
      for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].payload["n"], i + 1);
      // The five events flushed with each acknowledged step.
      const auto rows = *reader->dom_events(DocumentId(1));
      EXPECT_GE(rows.size(), static_cast<std::size_t>(acknowledged) * 55 - 50);
      EXPECT_TRUE(reader->verify().ok());
      EXPECT_GE(*reader->end(), Time{acknowledged * 10000});
    }
    EXPECT_EQ(folder.names(), names) << "nothing was added or removed";
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_TRUE(contents(folder / names[i]) == before[i]) << names[i] << " was touched";
  }
}

TEST(Writer, AnotherProcessReadsALiveFileWithoutHarmingIt) {
  const Folder folder;
  const fs::path path = folder / "a.browx";
  auto writer = writer_at(path);
  writer->add(event(1, "action", {{"tool", "click"}, {"ok", true}}));
  ASSERT_TRUE(flushed(*writer).ok());
  for (int round = 0; round < 3; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      // A new process: the list of files written here was inherited by fork(), so look from a program of its
      // own.
      execl(BROWX_READ_LIVE, BROWX_READ_LIVE, path.c_str(), nullptr);
      _exit(9);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    writer->add(event(2 + round, "action", {{"tool", "click"}, {"ok", true}}));
    ASSERT_TRUE(flushed(*writer).ok());
  }
  ASSERT_TRUE(writer->seal({9}, "x").ok());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.browx"});
  auto reader = reader_at(path);
  EXPECT_TRUE(reader->sealed());
  EXPECT_EQ(reader->steps()->size(), 4u);
}

TEST(Writer, SealingALongRecordingTakesUnderASecond) {
  const Folder folder;
  auto writer = writer_at(folder / "a.browx");
  for (int i = 0; i < 400; ++i) writer->add(dom(1, i * 100000, 100, 300));
  const auto report = [&] {
    const auto began = SteadyClock::now();
    auto sealed = writer->seal({40000000}, "end_recording");
    EXPECT_LT(SteadyClock::now() - began, std::chrono::seconds(5));  // a second on a quiet machine
    return sealed;
  }();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->events, 40000);
  auto reader = reader_at(folder / "a.browx");
  EXPECT_EQ(reader->dom_events(DocumentId(1))->size(), 40000u);
  EXPECT_TRUE(reader->sealed());
}

TEST(Writer, WhatIsRecordedCanBeReadWhileItRuns) {
  Folder folder;
  for (const std::filesystem::path& path : {folder / "a.browx", std::filesystem::path(":memory:")}) {
    auto writer = writer_at(path);
    for (auto& fact : sample_facts()) writer->add(std::move(fact));
    const auto steps_now = [&writer] {
      const auto reader = writer->read();
      EXPECT_TRUE(reader) << (reader ? "" : reader.error().message());
      return reader ? (*reader)->steps()->size() : 0;
    };
    EXPECT_EQ(steps_now(), 2u);
    writer->add(event(2950000, "action", {{"id", "click-3"}, {"tool", "click"}, {"ok", true}}));
    EXPECT_EQ(steps_now(), 3u);
    ASSERT_TRUE(writer->seal({3100000}, "ended"));
    const auto sealed = writer->read();
    ASSERT_TRUE(sealed) << sealed.error().message();
    EXPECT_TRUE((*sealed)->sealed());
    EXPECT_EQ((*sealed)->steps()->size(), 3u);
  }
}

}  // namespace
}  // namespace browx::archive
