#include <sys/stat.h>

#include "tests/archive/sample.hpp"

namespace browx::archive {
namespace {

/// Everything the reader answers of a sample recording.
void expect_sample(Reader& reader) {
  const auto manifest = reader.manifest();
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ((*manifest)["browser"]["product"], "Chromium/2") << "the later value wins";
  EXPECT_EQ((*manifest)["tier"], "replay");
  EXPECT_EQ((*manifest)["format"], 1);

  const auto targets = *reader.targets();
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[1].kind, "iframe");
  EXPECT_EQ(targets[1].parent, TargetId(1));
  EXPECT_FALSE(targets[0].parent);
  EXPECT_EQ(targets[1].cdp_id, "CDP-2");
  EXPECT_EQ(targets[1].t, Time{2000});

  const auto documents = *reader.documents();
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].clock_offset_us, -250);
  EXPECT_EQ(documents[1].parent, DocumentId(1));
  EXPECT_EQ(documents[1].recorder, "none");
  EXPECT_EQ(documents[1].frame, "F2");
  EXPECT_EQ(reader.document_owners()->at(0).owner_node, 77);
  EXPECT_EQ(reader.document_ends()->at(0).reason, "navigated");

  std::vector<std::string> kinds;
  const auto events = *reader.events("");
  for (const auto& event : events) kinds.push_back(event.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"lifecycle", "lifecycle", "annotation", "action", "annotation",
                                             "assert", "console"}));
  EXPECT_EQ(reader.events("console")->at(0).payload["text"], "boom \xF0\x9F\x91\x8D");

  const auto steps = *reader.steps();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].tool, "click");
  EXPECT_EQ(steps[0].span, "AC-1");
  EXPECT_DOUBLE_EQ(steps[0].duration_ms, 24.5);
  EXPECT_EQ(steps[0].url, "https://shop.test/");
  EXPECT_EQ(steps[0].target["ref"], "e7");
  EXPECT_TRUE(steps[0].ok);
  EXPECT_EQ(steps[1].span, "");
  EXPECT_FALSE(steps[1].ok);
  EXPECT_EQ(steps[1].error, "no such text");
  const auto pages = *reader.pages();
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].title, "Shop");

  const auto dom_events = *reader.dom_events(DocumentId(1));
  ASSERT_EQ(dom_events.size(), 25u);
  EXPECT_EQ(dom_events[0].t, Time{4000});
  EXPECT_EQ(dom_events[19].t, Time{23000});
  EXPECT_EQ(dom_events[20].t, Time{2100000});
  EXPECT_EQ(parse_json(dom_events[24].json)->at("n"), 4);
  EXPECT_TRUE(reader.dom_events(DocumentId(2))->empty());

  const auto requests = *reader.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].status, 302);
  EXPECT_TRUE(requests[0].ok);
  EXPECT_DOUBLE_EQ(requests[1].duration_ms, 18);
  EXPECT_FALSE(requests[1].ok);
  EXPECT_EQ(requests[1].error, "net::ERR_ABORTED");
  EXPECT_EQ(requests[1].mime, "application/json");
  EXPECT_FALSE(requests[2].finished);

  const auto channel = *reader.channel_frames(RequestId(3));
  ASSERT_EQ(channel.size(), 3u);
  EXPECT_EQ(channel[0].payload, "hello");
  EXPECT_TRUE(channel[0].sent);
  EXPECT_EQ(channel[1].payload, std::string("\0\1\2", 3));
  EXPECT_EQ(channel[1].opcode, 2);
  EXPECT_EQ(channel[2].payload, std::string(4000, 's'));
  EXPECT_EQ(channel[2].event, "tick");
  EXPECT_TRUE(channel[2].truncated);
  EXPECT_EQ(channel[2].full_size, 9000);

  const auto assets = *reader.assets(true);
  ASSERT_EQ(assets.size(), 3u);
  EXPECT_EQ(assets[0].bytes, std::string(3000, 'c'));
  EXPECT_EQ(assets[1].bytes, std::string(3000, 'c'));
  EXPECT_FALSE(assets[2].bytes);
  EXPECT_EQ(assets[2].why_missing, "blocked");

  const auto frames = *reader.frames(true);
  ASSERT_EQ(frames.size(), 3u) << "a frame equal to the one before is not kept";
  EXPECT_EQ(frames[0].bytes, "JPEG-1");
  EXPECT_EQ(frames[1].bytes, "JPEG-2");
  EXPECT_EQ(frames[2].source, "screenshot");
  EXPECT_EQ(frames[2].width, 800);

  const auto gaps = *reader.gaps();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].reason, "closed-shadow-root");
  EXPECT_EQ(gaps[0].node, 12);
  EXPECT_EQ(gaps[0].to, Time{2000000});

  const auto artifact = *reader.artifact("flow.yaml");
  ASSERT_TRUE(artifact);
  EXPECT_EQ(artifact->bytes, "name: second\n");
  EXPECT_EQ(artifact->mime, "application/yaml");
  EXPECT_FALSE(*reader.artifact("spec.ts"));
}

TEST(Archive, EveryKindOfFactComesBackFromASealedFile) {
  const Folder folder;
  const auto report = record_sample(folder / "a.browx");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.browx"}) << "sealing leaves one file";
  EXPECT_EQ(report.bytes, static_cast<std::int64_t>(std::filesystem::file_size(folder / "a.browx")));
  EXPECT_EQ(report.events, 32);
  EXPECT_EQ(report.counts["request"], 3);
  EXPECT_FALSE(report.truncated);
  const std::string before = contents(folder / "a.browx");
  {
    auto reader = reader_at(folder / "a.browx");
    expect_sample(*reader);
    EXPECT_TRUE(reader->sealed()) << reader->partial_reason();
    EXPECT_FALSE(reader->partial()) << reader->partial_reason();
    EXPECT_EQ(reader->partial_reason(), "");
    EXPECT_FALSE(reader->live());
    EXPECT_TRUE(reader->verify().ok());
    EXPECT_EQ(*reader->end(), Time{3000000});
    EXPECT_EQ((*reader->manifest())["ended"]["t"], 3100000);
    EXPECT_EQ((*reader->manifest())["ended"]["reason"], "end_recording");
    const auto counts = *reader->counts();
    EXPECT_EQ(counts["blob"], report.counts["blob"]);
    EXPECT_EQ(counts["dom_events"], 25);
  }
  EXPECT_EQ(contents(folder / "a.browx"), before);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.browx"});
}

TEST(Archive, TheSameComesBackFromMemory) {
  const auto report = record_sample(":memory:");
  EXPECT_FALSE(report.image.empty());
  auto reader = Reader::open_image(report.image);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  expect_sample(**reader);
  EXPECT_TRUE((*reader)->sealed()) << (*reader)->partial_reason();
  EXPECT_FALSE(std::filesystem::exists(":memory:"));
}

TEST(Archive, ALiveFileIsReadWhileItIsWrittenAndAfterItIsSealed) {
  const Folder folder;
  auto writer = writer_at(folder / "a.browx");
  std::unique_ptr<Reader> reader = reader_at(folder / "a.browx");
  EXPECT_TRUE(reader->live());
  EXPECT_EQ(reader->steps()->size(), 0u);
  for (auto& fact : sample_facts()) writer->add(std::move(fact));
  ASSERT_TRUE(flushed(*writer).ok());
  expect_sample(*reader);
  EXPECT_TRUE(reader->partial());
  EXPECT_NE(reader->partial_reason().find("3.000 s"), std::string::npos) << reader->partial_reason();
  EXPECT_TRUE(reader->verify().ok());
  ASSERT_TRUE(writer->seal({3000000}, "end_recording").ok());
  EXPECT_FALSE(reader->live());
  EXPECT_TRUE(reader->sealed()) << reader->partial_reason();
  expect_sample(*reader);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.browx"}) << "an open reader does not keep the -wal";
}

TEST(Archive, SequenceNumbersAreGivenInTheOrderOfAdding) {
  const Folder folder;
  auto writer = writer_at(folder / "a.browx");
  EXPECT_EQ(writer->add_event(event(5, "console", {{"text", "a"}})), EventSeq(1));
  writer->add(event(3, "console", {{"text", "b"}}));
  EXPECT_EQ(writer->add_event(event(4, "console", {{"text", "c"}})), EventSeq(3));
  ASSERT_TRUE(writer->seal({5}, "x").ok());
  std::string order;
  const auto events = *reader_at(folder / "a.browx")->events("");
  for (const auto& one : events) order += one.payload["text"].get<std::string>();
  EXPECT_EQ(order, "abc");
}

TEST(Archive, AnExistingFileIsNeverOverwritten) {
  const Folder folder;
  write_file(folder / "a.browx", "mine");
  const auto writer = Writer::create(folder / "a.browx", {});
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().code, Code::conflict);
  EXPECT_EQ(contents(folder / "a.browx"), "mine");
}

TEST(Archive, AFolderThatIsNotThereIsNamedWithTheRemedy) {
  const Folder folder;
  const auto writer = Writer::create(folder / "missing/a.browx", {});
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().code, Code::unavailable);
  EXPECT_NE(writer.error().hint.find((folder / "missing").string()), std::string::npos)
      << writer.error().hint;
}

TEST(Archive, AWriterThatIsDroppedSealsItsFile) {
  const Folder folder;
  writer_at(folder / "a.browx")->add(event(7000, "console", {{"text", "a"}}));
  auto reader = reader_at(folder / "a.browx");
  EXPECT_TRUE(reader->sealed());
  EXPECT_EQ((*reader->manifest())["ended"]["reason"], "destroyed");
  EXPECT_EQ((*reader->manifest())["ended"]["t"], 7000);
}

TEST(Archive, SealingTwiceAnswersTheSameAndLaterFactsAreIgnored) {
  const Folder folder;
  auto writer = writer_at(folder / "a.browx");
  writer->add(event(1, "console", {{"text", "a"}}));
  const auto first = writer->seal({2}, "one");
  writer->add(event(3, "console", {{"text", "late"}}));
  const auto second = writer->seal({9}, "two");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->bytes, second->bytes);
  EXPECT_FALSE(flushed(*writer).ok());
  auto reader = reader_at(folder / "a.browx");
  EXPECT_EQ(reader->events("")->size(), 1u);
  EXPECT_EQ((*reader->manifest())["ended"]["reason"], "one");
}

TEST(Archive, ACommitComesWithoutAFlush) {
  const Folder folder;
  auto writer = writer_at(folder / "a.browx");
  auto reader = reader_at(folder / "a.browx");
  writer->add(event(1, "console", {{"text", "a"}}));
  const auto began = SteadyClock::now();
  while (reader->events("")->empty() && SteadyClock::now() - began < std::chrono::seconds(10))
    std::this_thread::yield();
  EXPECT_EQ(reader->events("")->size(), 1u);
}

TEST(Archive, ABlobIsStoredOnce) {
  const Folder folder;
  const auto report = record_sample(folder / "a.browx");
  // The stylesheet twice, one body, one request body, one channel frame, three pictures, two artifacts.
  EXPECT_EQ(report.counts["blob"], 9);
}

TEST(Archive, ANewFileIsForItsOwnerAlone) {
  const Folder folder;
  record_sample(folder / "a.browx");
  struct stat status {};
  ASSERT_EQ(stat((folder / "a.browx").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace browx::archive
