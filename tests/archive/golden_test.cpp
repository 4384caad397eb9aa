// Real files of format 1, kept for ever: an old one, one that a newer browx wrote compatibly, one from the
// future.

#include <sqlite3.h>

#include "tests/archive/sample.hpp"

namespace browx::archive {
namespace {

const std::filesystem::path kGolden = BROWX_GOLDEN;

TEST(Golden, ASealedFileOfFormat1StaysReadable) {
  const std::string before = contents(kGolden / "format1.browx");
  auto reader = reader_at(kGolden / "format1.browx");
  EXPECT_TRUE(reader->sealed()) << reader->partial_reason();
  EXPECT_FALSE(reader->partial());
  const auto steps = *reader->steps();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].span, "AC-1");
  EXPECT_EQ(steps[1].error, "no such text");
  EXPECT_EQ(reader->dom_events(DocumentId(1))->size(), 25u);
  EXPECT_EQ(reader->requests()->size(), 3u);
  EXPECT_EQ(reader->frames(true)->at(1).bytes, "JPEG-2");
  EXPECT_EQ((*reader->artifact("flow.yaml"))->bytes, "name: second\n");
  EXPECT_EQ(contents(kGolden / "format1.browx"), before);
}

TEST(Golden, UnknownTablesColumnsKindsAndKeysOfANewerWriterAreIgnored) {
  auto reader = reader_at(kGolden / "newer-compatible.browx");
  EXPECT_TRUE(reader->sealed()) << reader->partial_reason()
                                << ": the digest covers what this reader does not know";
  EXPECT_EQ(reader->steps()->size(), 2u);
  const auto events = *reader->events("");
  EXPECT_EQ(events.back().kind, "telepathy");
  EXPECT_EQ((*reader->manifest())["novel"]["a"], 1);
}

TEST(Golden, AFileFromTheFutureIsRefusedNamingBothVersions) {
  const auto reader = Reader::open(kGolden / "from-the-future.browx");
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().kind, "archive-too-new");
  EXPECT_NE(reader.error().what.find("format 2"), std::string::npos) << reader.error().what;
  EXPECT_NE(reader.error().what.find("format 1"), std::string::npos) << reader.error().what;
}

/// Rows of a query of the file's own views, columns joined by '|'.
std::vector<std::string> rows_of(const std::filesystem::path& path, const std::string& sql) {
  std::vector<std::string> out;
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(("file:" + path.string() + "?immutable=1").c_str(), &db,
                            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr),
            SQLITE_OK);
  const auto row = [](void* rows, int count, char** values, char**) {
    std::string line;
    for (int i = 0; i < count; ++i) line += std::string(i ? "|" : "") + (values[i] ? values[i] : "NULL");
    static_cast<std::vector<std::string>*>(rows)->push_back(line);
    return 0;
  };
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), row, &out, &message), SQLITE_OK) << (message ? message : "");
  sqlite3_free(message);
  sqlite3_close(db);
  return out;
}

TEST(Golden, TheDocumentedViewsAnswerWhatTheReaderDoes) {
  const auto path = kGolden / "format1.browx";
  EXPECT_EQ(rows_of(path, "SELECT seq, t_ms, duration_ms, kind, tool, ok, error, span FROM steps"),
            (std::vector<std::string>{"4|1000.0|24.5|action|click|1|NULL|AC-1",
                                      "6|1200.0|0.9|assert|verify_text|0|no such text|NULL"}));
  EXPECT_EQ(rows_of(path, "SELECT id, status, ok, duration_ms, redirected_from FROM requests"),
            (std::vector<std::string>{"1|302|1|11.0|NULL", "2|404|0|18.0|1", "3|NULL|NULL|NULL|NULL"}));
  EXPECT_EQ(rows_of(path, "SELECT kind, error FROM failures"),
            (std::vector<std::string>{"assert|no such text", "console|boom \xF0\x9F\x91\x8D",
                                      "response|404 Not Found", "request|net::ERR_ABORTED"}));
  EXPECT_EQ(rows_of(path, "SELECT document, url, title FROM pages"),
            std::vector<std::string>{"1|https://shop.test/|Shop"});
  EXPECT_EQ(rows_of(path, "SELECT t_ms, kind FROM timeline ORDER BY t_ms LIMIT 2"),
            (std::vector<std::string>{"1.0|target", "1.5|document"}));
}

TEST(Golden, AnEmptyRecordingIsSmall) {
  const Folder folder;
  const auto report = writer_at(folder / "a.browx")->seal({0}, "x");
  ASSERT_TRUE(report.ok());
  EXPECT_LT(report->bytes, 48 << 10);
}

}  // namespace
}  // namespace browx::archive
