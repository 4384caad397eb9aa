#pragma once
// Writes one `.browx` file (format 1) while a session runs.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "archive/model/facts.hpp"
#include "archive/model/seal_report.hpp"
#include "base/result.hpp"
#include "base/secrets.hpp"

namespace browx::archive {

class Reader;

struct WriterOptions {
  Tier tier = Tier::replay;
  std::string session;
  std::string title;
  std::int64_t started_wall_ms = 0;
  std::int64_t size_cap = 0;   ///< bytes of the file; 0: none
  std::int64_t event_cap = 0;  ///< DOM and other events; 0: none
  std::int64_t queue_cap = 64LL << 20;
  std::int64_t asset_cap = 2LL << 20, assets_cap = 32LL << 20;
  std::chrono::milliseconds commit_every{250};
};

/// The queue, the one thread and the one connection behind a recording. add*() and flush() may be called from
/// any single thread at a time and never block on disk: facts are queued by value, compressed and written by
/// the writer's thread, and committed at least every `commit_every`. The database file is flocked (exclusive)
/// for the writer's lifetime. A disk error truncates: what is committed stays, later facts are dropped and
/// counted.
class Writer {
 public:
  /// Makes a new file; never overwrites. ":memory:" keeps it in memory (what codegen reads when nothing is
  /// stored). Errors: `conflict` (exists), `unavailable` (cannot write; the hint names the folder).
  static Result<std::unique_ptr<Writer>> create(std::filesystem::path path, WriterOptions options);
  /// seal() if nobody did, with reason "destroyed".
  virtual ~Writer() = default;

  virtual void add(Fact fact) = 0;
  /// Like add(), answering the order number given to the event.
  virtual EventSeq add_event(Event event) = 0;

  /// `done` is called on the writer's thread once everything added before is committed (or failed to be: kind
  /// "recording-truncated" when something added since the flush before was not kept).
  virtual void flush(std::function<void(Status)> done) = 0;

  /// Commits and answers a reader on everything added so far, of a file or of memory. Blocks until the
  /// writer's thread has come to it: up to a second while the disk is slow.
  virtual Result<std::unique_ptr<Reader>> read() = 0;

  /// Bytes waiting in the queue.
  virtual std::int64_t queued_bytes() const = 0;
  /// Called (on the writer's thread) with true when the queue exceeds queue_cap, with false when it has
  /// drained to a quarter. While over the cap, DomEvents are dropped and counted; other facts are kept.
  virtual void on_pressure(std::function<void(bool over)> notice) = 0;

  virtual std::optional<Truncation> truncated() const = 0;
  virtual const std::filesystem::path& path() const = 0;

  /// Commits, writes `ended` and the digest, checkpoints the WAL and closes: one file, within a second
  /// whatever its length. Blocks. Later add() calls are ignored. Calling it again answers the first report.
  virtual Result<SealReport> seal(Time ended, std::string reason) = 0;
};

}  // namespace browx::archive
