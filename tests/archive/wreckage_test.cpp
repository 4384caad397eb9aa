// Files as they arrive from elsewhere: foreign, cut, damaged, in odd places.

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/archive/sample.hpp"

namespace browx::archive {
namespace {
namespace fs = std::filesystem;

const fs::path kWreckage = BROWX_WRECKAGE;

Error error_of(const fs::path& path) {
  const auto began = SteadyClock::now();
  auto reader = Reader::open(path);
  EXPECT_LT(SteadyClock::now() - began, std::chrono::seconds(2));
  EXPECT_FALSE(reader.ok()) << path;
  return reader.ok() ? Error{} : reader.error();
}

void run_sql(const fs::path& path, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << (message ? message : "");
  sqlite3_free(message);
  sqlite3_close(db);
}

/// Everything a reader answers, in one text.
std::string everything(Reader& reader) {
  Json out;
  const auto manifest = reader.manifest();
  out["manifest"] = manifest.ok() ? *manifest : Json(manifest.error().what);
  const auto steps = reader.steps();
  if (steps.ok())
    for (const auto& step : *steps) out["steps"].push_back({step.tool, step.t.us, step.span, step.url});
  const auto events = reader.events("");
  if (events.ok())
    for (const auto& one : *events) out["events"].push_back(one.payload);
  const auto requests = reader.requests();
  if (requests.ok())
    for (const auto& one : *requests) out["requests"].push_back({one.url, one.status, one.error, one.mime});
  const auto rows = reader.dom_events(DocumentId(1));
  if (rows.ok())
    for (const auto& one : *rows) out["dom"].push_back(sha256_hex(one.json));
  const auto assets = reader.assets(true);
  if (assets.ok())
    for (const auto& one : *assets) out["assets"].push_back(sha256_hex(one.bytes.value_or("none")));
  const auto frames = reader.frames(true);
  if (frames.ok())
    for (const auto& one : *frames) out["frames"].push_back(sha256_hex(one.bytes));
  const auto pages = reader.pages();
  if (pages.ok())
    for (const auto& one : *pages) out["pages"].push_back(one.url + one.title);
  const auto gaps = reader.gaps();
  if (gaps.ok())
    for (const auto& one : *gaps) out["gaps"].push_back(one.reason);
  const auto channel = reader.channel_frames(RequestId(3));
  if (channel.ok())
    for (const auto& one : *channel) out["channel"].push_back(sha256_hex(one.payload));
  const auto artifact = reader.artifact("flow.yaml");
  if (artifact.ok() && *artifact) out["flow"] = (*artifact)->bytes;
  (void)reader.targets();
  (void)reader.documents();
  (void)reader.document_owners();
  (void)reader.document_ends();
  (void)reader.counts();
  (void)reader.end();
  return dump_json(out);
}

class Wreckage : public testing::Test {
 protected:
  void SetUp() override {
    record_sample(path_);
    whole_ = contents(path_);
  }
  /// The damaged file is open, says it is partial and until when; it is not touched.
  std::unique_ptr<Reader> expect_partial(const std::string& bytes, std::string_view reason) {
    const fs::path path = folder_ / "damaged.browx";
    write_file(path, bytes);
    const auto began = SteadyClock::now();
    auto reader = reader_at(path);
    if (!reader) return nullptr;
    (void)everything(*reader);
    EXPECT_TRUE(reader->partial());
    EXPECT_FALSE(reader->sealed());
    EXPECT_NE(reader->partial_reason().find(reason), std::string::npos) << reader->partial_reason();
    EXPECT_NE(reader->partial_reason().find(" s"), std::string::npos) << reader->partial_reason();
    EXPECT_LT(SteadyClock::now() - began, std::chrono::seconds(2));
    const Status verified = reader->verify();
    EXPECT_FALSE(verified.ok());
    if (!verified.ok()) {
      EXPECT_EQ(verified.error().kind, "archive-corrupt");
    }
    EXPECT_TRUE(contents(path) == bytes) << "the file is not touched";
    EXPECT_EQ(folder_.names(), (std::vector<std::string>{"a.browx", "damaged.browx"}));
    return reader;
  }
  const Folder folder_;
  const fs::path path_ = folder_ / "a.browx";
  std::string whole_;
};

TEST(ForeignFile, SaysWhatItLooksLike) {
  const std::pair<const char*, const char*> files[] = {
      {"empty.browx", "empty"},
      {"login-page.browx", "HTML page"},
      {"zipped.browx", "ZIP"},
      {"lfs-pointer.browx", "Git LFS pointer"},
      {"foreign.browx", "SQLite database of another program"},
      {"header-only.browx", "SQLite header and nothing else"}};
  for (const auto& [name, looks_like] : files) {
    const std::string before = contents(kWreckage / name);
    const Error error = error_of(kWreckage / name);
    EXPECT_EQ(error.kind, "not-an-archive") << name;
    EXPECT_NE(error.what.find(looks_like), std::string::npos) << error.what;
    EXPECT_FALSE(error.hint.empty()) << name;
    EXPECT_EQ(contents(kWreckage / name), before);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(kWreckage), fs::directory_iterator()), 6)
      << "nothing is left beside them";
}

TEST(ForeignFile, OtherFormatsAreNamedToo) {
  const Folder folder;
  const std::pair<std::string, const char*> files[] = {{"\x1F\x8B rest", "gzip"},
                                                       {"[{\"type\":4}]", "JSON"},
                                                       {"just words\n", "text file"},
                                                       {std::string("\x7F"
                                                                    "ELF\0\1\2",
                                                                    7),
                                                        "no SQLite database"},
                                                       {"\n  <HTML>", "HTML page"}};
  for (const auto& [bytes, looks_like] : files) {
    write_file(folder / "x.browx", bytes);
    const Error error = error_of(folder / "x.browx");
    EXPECT_EQ(error.kind, "not-an-archive");
    EXPECT_NE(error.what.find(looks_like), std::string::npos) << error.what;
  }
}

TEST(ForeignFile, WhatIsNoFileIsSaidToBeNone) {
  const Folder folder;
  EXPECT_EQ(error_of(folder / "nothing.browx").kind, "not-found");
  EXPECT_EQ(error_of(folder.path()).kind, "not-a-file");
  ASSERT_EQ(mkfifo((folder / "fifo.browx").c_str(), 0600), 0);
  const Error fifo = error_of(folder / "fifo.browx");
  EXPECT_EQ(fifo.kind, "not-a-file");
  EXPECT_NE(fifo.what.find("FIFO"), std::string::npos);
  fs::create_symlink("loop", folder / "loop");
  EXPECT_FALSE(error_of(folder / "loop").kind.empty());
  write_file(folder / "file", "x");
  EXPECT_EQ(error_of(folder / "file/below.browx").kind, "not-found");
}

TEST(ForeignFile, ThreeGibibytesOfZerosAreAnsweredAtOnce) {
  const Folder folder;
  write_file(folder / "zeros.browx", "");
  fs::resize_file(folder / "zeros.browx", 3LL << 30);
  const Error error = error_of(folder / "zeros.browx");
  EXPECT_EQ(error.kind, "not-an-archive");
  EXPECT_NE(error.what.find("zero bytes"), std::string::npos);
}

TEST_F(Wreckage, ACutFileAnswersWhatPrecedesTheCut) {
  auto reader = expect_partial(whole_.substr(0, whole_.size() * 6 / 10), "cut");
  EXPECT_FALSE(reader->manifest()->empty());
  EXPECT_FALSE(reader->targets()->empty());
}

TEST_F(Wreckage, OneByteLessIsNoticed) { expect_partial(whole_.substr(0, whole_.size() - 1), "cut"); }

TEST_F(Wreckage, AnyCutIsEitherAnErrorOrPartial) {
  const fs::path path = folder_ / "cut.browx";
  int partial = 0, refused = 0;
  for (std::size_t size = 101; size < whole_.size(); size += 512 + size % 7) {
    write_file(path, whole_.substr(0, size));
    auto reader = Reader::open(path);
    if (reader.ok()) {
      (void)everything(**reader);
      EXPECT_TRUE((*reader)->partial()) << size;
      ++partial;
    } else {
      EXPECT_EQ(reader.error().kind, "archive-truncated") << size << ": " << reader.error().message();
      ++refused;
    }
  }
  EXPECT_GT(partial, refused) << "most of a cut file can be used";
}

TEST_F(Wreckage, ZeroesAnywhereNeverChangeAnAnswerInSilence) {
  const fs::path path = folder_ / "zeroed.browx";
  const std::string whole_answer = everything(*reader_at(path_));
  int partial = 0;
  for (std::size_t at = 4096; at + 4096 <= whole_.size(); at += 1024) {
    std::string bytes = whole_;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 4096, '\0');
    write_file(path, bytes);
    auto reader = Reader::open(path);
    if (!reader.ok()) {
      EXPECT_EQ(reader.error().kind, "archive-corrupt") << at << ": " << reader.error().message();
      continue;
    }
    const std::string answer = everything(**reader);
    if ((*reader)->partial())
      ++partial;
    else
      EXPECT_EQ(answer, whole_answer) << "zeroes at " << at;
  }
  EXPECT_GT(partial, 10);
}

TEST_F(Wreckage, RandomBytesAnywhereNeverCrashOrChangeAnAnswerInSilence) {
  const fs::path path = folder_ / "noise.browx";
  const std::string whole_answer = everything(*reader_at(path_));
  for (int round = 0; round < 200; ++round) {
    std::string bytes = whole_;
    const auto noise = random_hex(24);
    const std::size_t at = 100 + std::hash<std::string>{}(noise) % (bytes.size() - 150);
    bytes.replace(at, 24, *base64_decode(noise.substr(0, 32)));
    write_file(path, bytes);
    auto reader = Reader::open(path);
    if (!reader.ok()) continue;
    const std::string answer = everything(**reader);
    if (!(*reader)->partial()) {
      EXPECT_EQ(answer, whole_answer) << "noise " << noise << " at " << at;
    }
  }
}

TEST_F(Wreckage, AnArchiveFromTheFutureNamesBothVersions) {
  std::string bytes = whole_;
  bytes.replace(60, 4, "\x7F\xFF\xFF\xFF");
  write_file(folder_ / "future.browx", bytes);
  const Error error = error_of(folder_ / "future.browx");
  EXPECT_EQ(error.kind, "archive-too-new");
  EXPECT_NE(error.what.find("2147483647"), std::string::npos) << error.what;
  EXPECT_NE(error.what.find("up to format 1"), std::string::npos) << error.what;
  EXPECT_NE(error.hint.find("newer browx"), std::string::npos);
}

TEST_F(Wreckage, AMissingTableIsNamedAndTheOthersAnswer) {
  fs::copy_file(path_, folder_ / "b");
  run_sql(folder_ / "b", "PRAGMA journal_mode=DELETE; DROP TABLE request");
  const std::string bytes = contents(folder_ / "b");
  fs::remove(folder_ / "b");
  auto reader = expect_partial(bytes, "the table request is missing");
  EXPECT_EQ(reader->steps()->size(), 2u);
  EXPECT_TRUE(reader->requests()->empty());
}

TEST_F(Wreckage, AnOverwrittenChunkEndsItsStreamAndIsReported) {
  fs::copy_file(path_, folder_ / "b");
  run_sql(folder_ / "b",
          "UPDATE dom_chunk SET data = randomblob(length(data)) WHERE n = (SELECT max(n) FROM dom_chunk)");
  const std::string bytes = contents(folder_ / "b");
  fs::remove(folder_ / "b");
  auto reader = expect_partial(bytes, "damaged");
  EXPECT_EQ(reader->dom_events(DocumentId(1))->size(), 20u) << "the first chunk precedes the damage";
  EXPECT_EQ(reader->steps()->size(), 2u);
}

TEST_F(Wreckage, AChangedRowBreaksTheDigestAtItsCommit) {
  fs::copy_file(path_, folder_ / "b");
  run_sql(folder_ / "b",
          "UPDATE event SET payload = replace(payload, 'no such text', 'ok') WHERE kind = 'assert'");
  const std::string bytes = contents(folder_ / "b");
  fs::remove(folder_ / "b");
  auto reader = expect_partial(bytes, "the digest of commit 3 differs");
  EXPECT_NE(reader->partial_reason().find("intact until 0.004 s"), std::string::npos)
      << reader->partial_reason();
}

TEST_F(Wreckage, AddedAndRemovedRowsBreakTheDigestToo) {
  for (const char* sql :
       {"INSERT INTO event VALUES(999, 3000001, 1, 'action', '{}')", "DELETE FROM gap",
        "DELETE FROM commits WHERE n = 2", "DELETE FROM commits WHERE n = (SELECT max(n) FROM commits)",
        "UPDATE blob SET data = x'00' WHERE n = 1"}) {
    fs::copy_file(path_, folder_ / "b");
    run_sql(folder_ / "b", sql);
    const std::string bytes = contents(folder_ / "b");
    fs::remove(folder_ / "b");
    SCOPED_TRACE(sql);
    expect_partial(bytes, "damaged");
  }
}

TEST_F(Wreckage, ACopyWithoutItsWalIsPartialUpToItsLastCheckpoint) {
  auto writer = writer_at(folder_ / "live.browx");
  for (auto& fact : sample_facts()) writer->add(std::move(fact));
  ASSERT_TRUE(flushed(*writer).ok());
  const std::string bytes = contents(folder_ / "live.browx");
  ASSERT_TRUE(writer->seal({1}, "x").ok());
  fs::remove(folder_ / "live.browx");
  write_file(folder_ / "copy.browx", bytes);
  auto reader = reader_at(folder_ / "copy.browx");
  EXPECT_TRUE(reader->partial());
  EXPECT_NE(reader->partial_reason().find("not sealed"), std::string::npos) << reader->partial_reason();
  EXPECT_EQ((*reader->manifest())["session"], "test");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"a.browx", "copy.browx"}));
}

TEST_F(Wreckage, AReadOnlyFolderWorksForAnotherUser) {
  fs::permissions(path_, fs::perms(0444));
  fs::permissions(folder_.path(), fs::perms(0555));
  const pid_t child = fork();
  if (child == 0) {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
    auto reader = Reader::open(path_);
    _exit(reader.ok() && (*reader)->sealed() && (*reader)->steps()->size() == 2 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Wreckage, APathWithOddCharactersIsOpened) {
  const fs::path odd = folder_ / "a b?c#d%20é&mode=rw.browx";
  fs::rename(path_, odd);
  EXPECT_TRUE(reader_at(odd)->sealed());
  fs::create_symlink(odd, folder_ / "link");
  EXPECT_TRUE(reader_at(folder_ / "link")->sealed());
}

TEST_F(Wreckage, AViewInPlaceOfATableIsNotRun) {
  fs::copy_file(path_, folder_ / "b");
  run_sql(folder_ / "b",
          "ALTER TABLE event RENAME TO event_; CREATE VIEW event AS WITH RECURSIVE c(seq) AS (SELECT 1 UNION "
          "ALL SELECT seq+1 FROM c) "
          "SELECT seq, 1 AS t, 1 AS target, 'action' AS kind, '{}' AS payload FROM c");
  const std::string bytes = contents(folder_ / "b");
  fs::remove(folder_ / "b");
  auto reader = expect_partial(bytes, "event is not the table that it should be");
  EXPECT_TRUE(reader->steps()->empty());
}

TEST_F(Wreckage, AComputedColumnIsNotComputed) {
  fs::copy_file(path_, folder_ / "b");
  run_sql(folder_ / "b",
          "DROP TABLE gap; CREATE TABLE gap(n INTEGER PRIMARY KEY, document, target, node, t_from, t_to, "
          "detail, reason AS (hex(zeroblob(400000000)))); "
          "INSERT INTO gap(n, t_from) VALUES(1, 1)");
  const std::string bytes = contents(folder_ / "b");
  fs::remove(folder_ / "b");
  auto reader = expect_partial(bytes, "gap is not the table that it should be");
  EXPECT_TRUE(reader->gaps()->empty());
}

TEST_F(Wreckage, DataThatClaimsToBeHugeIsRefused) {
  for (const char* sql :
       {"UPDATE dom_chunk SET raw_size = 4000000000", "UPDATE dom_chunk SET raw_size = -1",
        "UPDATE dom_chunk SET data = x'28b52ffda0ffffffff0100', raw_size = 67108863",
        "UPDATE blob SET size = 5000000000, codec = 'zstd', data = x'28b52ffde0ffffffffffffff00010000'"}) {
    fs::copy_file(path_, folder_ / "b");
    run_sql(folder_ / "b", sql);
    const std::string bytes = contents(folder_ / "b");
    fs::remove(folder_ / "b");
    SCOPED_TRACE(sql);
    expect_partial(bytes, "damaged");
  }
}

TEST_F(Wreckage, DeeplyNestedJsonIsRefused) {
  fs::copy_file(path_, folder_ / "b");
  const std::string deep(100000, '[');
  run_sql(folder_ / "b", "UPDATE event SET payload = '{\"a\":" + deep + std::string(100000, ']') +
                             "}' WHERE kind = 'console'");
  const std::string bytes = contents(folder_ / "b");
  fs::remove(folder_ / "b");
  auto reader = expect_partial(bytes, "damaged");
  EXPECT_EQ(reader->events("")->size(), 6u);
}

}  // namespace
}  // namespace browx::archive
