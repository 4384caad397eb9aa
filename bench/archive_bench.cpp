// The archive's writer and reader. The figures that DESIGN's budgets name: writer throughput beside `zstd -3`
// on the same bytes, opening a file of 200,000 events, small rows a second.

#include <benchmark/benchmark.h>
#include <unistd.h>
#include <zstd.h>
#include <filesystem>
#include <future>
#include <random>

#include <fmt/format.h>

#include "archive/reader.hpp"
#include "archive/writer.hpp"

namespace browx::archive {
namespace {
namespace fs = std::filesystem;

fs::path scratch(const char* name) {
  return fs::temp_directory_path() / fmt::format("browx-bench-{}-{}.browx", getpid(), name);
}

/// What a churning table makes a recorder say: adds, removes, texts, attributes, with the repetition of the
/// real thing.
std::vector<DomEvents> churn(int events, int per_batch) {
  std::mt19937 random(7);
  const auto number = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  std::vector<DomEvents> out;
  for (int i = 0; i < events; ++i) {
    if (i % per_batch == 0) out.push_back(DomEvents{DocumentId(1), {}});
    const std::int64_t us = i * 500LL;
    std::string json;
    if (i % 4 == 3)
      json = fmt::format(
          R"({{"type":3,"data":{{"source":1,"positions":[{{"x":{},"y":{},"id":{},"timeOffset":0}}]}},"timestamp":{}}})",
          number(1280), number(800), number(9000), 1764500000000 + us / 1000);
    else
      json = fmt::format(
          R"({{"type":3,"data":{{"source":0,"texts":[{{"id":{},"value":"{} items at {}.{:02} EUR"}}],"attributes":[{{"id":{},"attributes":{{"class":"row row-{} {}"}}}}],"removes":[],"adds":[{{"parentId":{},"nextId":null,"node":{{"type":2,"tagName":"td","attributes":{{"data-key":"k{}"}},"childNodes":[],"id":{}}}}}]}},"timestamp":{}}})",
          number(9000), number(500), number(90), number(100), number(9000), number(40),
          number(2) ? "odd" : "even", number(9000), random() % 1000000, 10000 + i, 1764500000000 + us / 1000);
    out.back().events.push_back({{us}, std::move(json)});
  }
  return out;
}

std::size_t bytes_of(const std::vector<DomEvents>& batches) {
  std::size_t bytes = 0;
  for (const auto& batch : batches)
    for (const auto& one : batch.events) bytes += one.json.size();
  return bytes;
}

void zstd_3(benchmark::State& state) {
  std::string all;
  for (const auto& batch : churn(50000, 100))
    for (const auto& one : batch.events) all += one.json + "\n";
  std::string out(ZSTD_compressBound(256 << 10), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::size_t packed = 0;
  for (auto _ : state) {
    packed = 0;
    for (std::size_t at = 0; at < all.size(); at += 256 << 10)
      packed += ZSTD_compressCCtx(context, out.data(), out.size(), all.data() + at,
                                  std::min<std::size_t>(256 << 10, all.size() - at), 3);
  }
  ZSTD_freeCCtx(context);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * all.size()));
  state.counters["ratio"] = static_cast<double>(all.size()) / static_cast<double>(packed);
}
BENCHMARK(zstd_3)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// Queue, compression, SQLite, digest and seal.
void writer_dom(benchmark::State& state) {
  const auto batches = churn(50000, 100);
  const std::size_t bytes = bytes_of(batches);
  const fs::path path = scratch("writer");
  std::int64_t size = 0;
  for (auto _ : state) {
    state.PauseTiming();
    fs::remove(path);
    auto copy = batches;
    auto writer = Writer::create(path, {}).value();
    state.ResumeTiming();
    for (auto& batch : copy) writer->add(std::move(batch));
    const auto report = writer->seal({0}, "bench");
    if (!report.ok() || report->truncated)
      state.SkipWithError("the recording is truncated");
    else
      size = report->bytes;
  }
  fs::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
  state.counters["ratio"] = static_cast<double>(bytes) / static_cast<double>(size);
}
BENCHMARK(writer_dom)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void writer_rows(benchmark::State& state) {
  constexpr int kRows = 50000;
  const fs::path path = scratch("rows");
  for (auto _ : state) {
    state.PauseTiming();
    fs::remove(path);
    auto writer = Writer::create(path, {}).value();
    state.ResumeTiming();
    for (int i = 0; i < kRows; ++i) {
      Event event;
      event.t = {i * 100};
      event.kind = "console";
      event.payload = {{"level", "log"}, {"text", "row"}, {"n", i}};
      writer->add(std::move(event));
    }
    if (!writer->seal({0}, "bench").ok()) state.SkipWithError("not sealed");
  }
  fs::remove(path);
  state.SetItemsProcessed(state.iterations() * kRows);
}
BENCHMARK(writer_rows)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// An acknowledged step: add and wait for its commit.
void acknowledged_step(benchmark::State& state) {
  const fs::path path = scratch("step");
  fs::remove(path);
  auto writer = Writer::create(path, {}).value();
  std::int64_t t = 0;
  for (auto _ : state) {
    Event event;
    event.t = {t += 1000};
    event.kind = "action";
    event.payload = {{"tool", "click"}, {"ok", true}};
    writer->add(std::move(event));
    std::promise<void> done;
    writer->flush([&](Status) { done.set_value(); });
    done.get_future().wait();
  }
  writer.reset();
  fs::remove(path);
}
BENCHMARK(acknowledged_step)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime()->UseRealTime();

/// 200,000 events: opened, and the first content (manifest and steps) read; then with the digest chain
/// verified.
void open_200k(benchmark::State& state) {
  const bool verify = state.range(0) != 0;
  const fs::path path = scratch("open");
  fs::remove(path);
  {
    auto writer = Writer::create(path, {}).value();
    int n = 0;
    for (auto& batch : churn(200000, 400)) {
      writer->add(std::move(batch));
      Event event;
      event.t = {n * 200000};
      event.kind = "action";
      event.payload = {{"id", fmt::format("click-{}", ++n)}, {"tool", "click"}, {"ok", true}};
      writer->add(std::move(event));
    }
    (void)writer->seal({0}, "bench");
  }
  for (auto _ : state) {
    auto reader = Reader::open(path).value();
    const auto manifest = reader->manifest();
    const auto steps = reader->steps();
    if (!manifest.ok() || !steps.ok() || steps->size() != 500) state.SkipWithError("not what was written");
    if (verify && !reader->sealed()) state.SkipWithError("not sealed");
  }
  state.counters["bytes"] = static_cast<double>(fs::file_size(path));
  fs::remove(path);
}
BENCHMARK(open_200k)
    ->ArgName("verify")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void read_200k_dom_events(benchmark::State& state) {
  const fs::path path = scratch("dom");
  fs::remove(path);
  {
    auto writer = Writer::create(path, {}).value();
    for (auto& batch : churn(200000, 400)) writer->add(std::move(batch));
    (void)writer->seal({0}, "bench");
  }
  for (auto _ : state) {
    auto reader = Reader::open(path).value();
    const auto rows = reader->dom_events(DocumentId(1));
    if (!rows.ok() || rows->size() != 200000) state.SkipWithError("not what was written");
  }
  fs::remove(path);
  state.SetItemsProcessed(state.iterations() * 200000);
}
BENCHMARK(read_200k_dom_events)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace browx::archive

BENCHMARK_MAIN();
