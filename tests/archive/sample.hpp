#pragma once
// A small recording with every kind of fact, and a folder that goes away.

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "archive/reader.hpp"
#include "archive/writer.hpp"
#include "base/bytes.hpp"

namespace browx::archive {

class Folder {
 public:
  Folder()
      : path_(std::filesystem::canonical(std::filesystem::temp_directory_path()) /
              ("browx-test-" + random_hex(6))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Sorted names of what lies in it.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Flushes and waits for the answer.
inline Status flushed(Writer& writer) {
  std::promise<Status> promise;
  writer.flush([&](Status status) { promise.set_value(std::move(status)); });
  return promise.get_future().get();
}

inline std::unique_ptr<Writer> writer_at(const std::filesystem::path& path, WriterOptions options = {}) {
  if (options.session.empty()) options.session = "test";
  auto writer = Writer::create(path, std::move(options));
  EXPECT_TRUE(writer.ok()) << (writer.ok() ? "" : writer.error().message());
  return writer.ok() ? std::move(*writer) : nullptr;
}
inline std::unique_ptr<Reader> reader_at(const std::filesystem::path& path) {
  auto reader = Reader::open(path);
  EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message());
  return reader.ok() ? std::move(*reader) : nullptr;
}

inline Event event(std::int64_t us, std::string kind, Json payload, std::int64_t target = 1) {
  Event out;
  out.t = {us};
  out.kind = std::move(kind);
  out.payload = std::move(payload);
  if (target) out.target = TargetId(target);
  return out;
}
inline DomEvents dom(std::int64_t document, std::int64_t from_us, int count, std::size_t size = 40) {
  DomEvents out{DocumentId(document), {}};
  for (int i = 0; i < count; ++i)
    out.events.push_back(
        {{from_us + i * 1000}, Json{{"type", 3}, {"n", i}, {"text", random_hex(size / 2)}}.dump()});
  return out;
}

/// Every kind of fact once or more, over three seconds; two documents, a span with a step in it, a redirect.
inline std::vector<Fact> sample_facts() {
  std::vector<Fact> out;
  out.push_back(Target{TargetId(1), "tab", {}, {}, "test", "CDP-1", "https://shop.test/", {1000}});
  out.push_back(Target{TargetId(2), "iframe", TargetId(1), {}, "test", "CDP-2", "https://pay.test/", {2000}});
  out.push_back(
      Document{DocumentId(1), TargetId(1), "F1", {}, "https://shop.test/", {1500}, -250, "rrweb/2.1.6"});
  out.push_back(
      Document{DocumentId(2), TargetId(2), "F2", DocumentId(1), "https://pay.test/", {2500}, 90, "none"});
  out.push_back(DocumentOwner{DocumentId(2), DocumentId(1), 77, {2600}});
  out.push_back(
      event(3000, "lifecycle", {{"name", "navigated"}, {"url", "https://shop.test/"}, {"frame", "F1"}}));
  out.push_back(event(3500, "lifecycle", {{"name", "title"}, {"title", "Shop"}}));
  out.push_back(dom(1, 4000, 20));
  out.push_back(event(900000, "annotation", {{"label", "AC-1"}, {"phase", "start"}}));
  out.push_back(event(1000000, "action",
                      {{"id", "click-1"},
                       {"tool", "click"},
                       {"target", {{"ref", "e7"}}},
                       {"ok", true},
                       {"duration_us", 24500}}));
  out.push_back(event(1100000, "annotation", {{"label", "AC-1"}, {"phase", "end"}}));
  out.push_back(event(1200000, "assert",
                      {{"id", "assert-2"},
                       {"tool", "verify_text"},
                       {"ok", false},
                       {"error", "no such text"},
                       {"duration_us", 900}}));
  out.push_back(event(1250000, "console", {{"level", "error"}, {"text", "boom \xF0\x9F\x91\x8D"}}));
  Request first{RequestId(1), {1300000},
                TargetId(1),  DocumentId(1),
                {},           "R1",
                "GET",        "https://shop.test/old",
                "Document",   {{"accept", "*/*"}, {"x-long", std::string(300, 'h')}},
                {},           "other"};
  out.push_back(first);
  out.push_back(Response{RequestId(1),
                         {1310000},
                         302,
                         "Found",
                         "text/html",
                         "h2",
                         "127.0.0.1:443",
                         false,
                         false,
                         {{"location", "/new"}},
                         {},
                         nullptr});
  out.push_back(RequestEnd{RequestId(1), {1311000}, true, "", 120, {}, ""});
  Request second{RequestId(2),
                 {1312000},
                 TargetId(1),
                 DocumentId(1),
                 RequestId(1),
                 "R1",
                 "POST",
                 "https://shop.test/new",
                 "Fetch",
                 {},
                 std::string("a=1\0b", 5),
                 "script"};
  out.push_back(second);
  out.push_back(Response{RequestId(2),
                         {1320000},
                         404,
                         "Not Found",
                         "application/json",
                         "h2",
                         "127.0.0.1:443",
                         true,
                         false,
                         {{"content-type", "application/json"}},
                         {{"cookie", "[masked value]"}},
                         {{"dnsStart", 1.5}}});
  out.push_back(
      RequestEnd{RequestId(2), {1330000}, false, "net::ERR_ABORTED", 99, std::string(5000, 'b'), ""});
  out.push_back(Request{RequestId(3),
                        {1400000},
                        TargetId(1),
                        {},
                        {},
                        "R3",
                        "GET",
                        "wss://shop.test/ws",
                        "WebSocket",
                        {},
                        {},
                        "script"});
  out.push_back(ChannelFrame{RequestId(3), {1410000}, true, "ws", 1, "", "hello", 5, false});
  out.push_back(
      ChannelFrame{RequestId(3), {1420000}, false, "ws", 2, "", std::string("\0\1\2", 3), 3, false});
  out.push_back(
      ChannelFrame{RequestId(3), {1430000}, false, "sse", 1, "tick", std::string(4000, 's'), 9000, true});
  out.push_back(
      Asset{DocumentId(1), "https://cdn.test/a.css", {1440000}, "text/css", std::string(3000, 'c'), ""});
  out.push_back(
      Asset{DocumentId(2), "https://cdn.test/copy.css", {1441000}, "text/css", std::string(3000, 'c'), ""});
  out.push_back(Asset{DocumentId(1), "https://cdn.test/b.png", {1442000}, "image/png", {}, "blocked"});
  out.push_back(Frame{TargetId(1), {1500000}, "image/jpeg", "JPEG-1", 800, 600, "screencast"});
  out.push_back(Frame{TargetId(1), {1600000}, "image/jpeg", "JPEG-1", 800, 600, "screencast"});
  out.push_back(Frame{TargetId(1), {1700000}, "image/jpeg", "JPEG-2", 800, 600, "screencast"});
  out.push_back(Frame{TargetId(1), {1800000}, "image/png", "PNG-1", 800, 600, "screenshot"});
  Gap gap;
  gap.document = DocumentId(2);
  gap.node = 12;
  gap.from = {1900000};
  gap.to = Time{2000000};
  gap.reason = "closed-shadow-root";
  gap.detail = "x-card";
  out.push_back(gap);
  out.push_back(dom(1, 2100000, 5));
  out.push_back(DocumentEnd{DocumentId(1), {2900000}, "navigated"});
  out.push_back(TargetEnd{TargetId(2), {3000000}, "detached"});
  out.push_back(ManifestEntry{"browser", {{"product", "Chromium/1"}}});
  out.push_back(ManifestEntry{"browser", {{"product", "Chromium/2"}}});
  out.push_back(Artifact{"flow.yaml", "application/yaml", "name: first\n"});
  out.push_back(Artifact{"flow.yaml", "application/yaml", "name: second\n"});
  return out;
}

/// A sealed archive of sample_facts(), in several commits.
inline SealReport record_sample(const std::filesystem::path& path, WriterOptions options = {}) {
  options.commit_every = std::chrono::hours(1);  // commits at the flushes alone
  auto writer = writer_at(path, std::move(options));
  int count = 0;
  for (auto& fact : sample_facts()) {
    writer->add(std::move(fact));
    if (++count % 7 == 0) {
      EXPECT_TRUE(flushed(*writer).ok());
    }
  }
  auto report = writer->seal({3100000}, "end_recording");
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
  return report.ok() ? *report : SealReport{};
}

}  // namespace browx::archive
