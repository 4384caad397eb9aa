#include "archive/writer.hpp"

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "archive/held.hpp"
#include "archive/queue.hpp"
#include "archive/reader.hpp"
#include "archive/rows.hpp"
#include "archive/schema.hpp"
#include "archive/seal.hpp"
#include "archive/sqlite.hpp"
#include "base/log.hpp"

namespace browx::archive {
namespace {

constexpr std::int64_t kBatchBytes = 4 << 20;   // between two looks at pressure and clock
constexpr std::int64_t kEndReserve = 16 << 10;  // of size_cap, for what sealing writes
constexpr const char* kMemory = ":memory:";

const char* tier_name(Tier tier) {
  switch (tier) {
    case Tier::actions:
      return "actions";
    case Tier::replay:
      return "replay";
    case Tier::reexecutable:
      return "reexecutable";
  }
  return "replay";
}

class WriterImpl final : public Writer {
 public:
  WriterImpl(std::filesystem::path path, WriterOptions options, Hold hold, Database db)
      : path_(std::move(path)),
        options_(std::move(options)),
        hold_(std::move(hold)),
        db_(std::move(db)),
        queue_(options_.queue_cap) {}

  ~WriterImpl() override {
    if (thread_.joinable()) (void)seal(Time{-1}, "destroyed");
  }

  /// Schema and the first manifest entries, in the file itself; then WAL and the thread.
  Status begin() {
    const bool file = path_ != kMemory;
    BROWX_TRY(db_.run("PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA trusted_schema=OFF"));
    BROWX_TRY(create_schema(db_));
    auto rows = Rows::make(db_, {options_.asset_cap, options_.assets_cap});
    if (!rows) return std::move(rows).error();
    rows_ = std::move(*rows);
    const std::pair<const char*, Json> first[] = {{"format", kFormat},
                                                  {"browx", BROWX_VERSION},
                                                  {"session", options_.session},
                                                  {"title", options_.title},
                                                  {"tier", tier_name(options_.tier)},
                                                  {"started_wall_ms", options_.started_wall_ms},
                                                  {"caps", Json{{"size", options_.size_cap},
                                                                {"events", options_.event_cap},
                                                                {"asset", options_.asset_cap},
                                                                {"assets", options_.assets_cap}}}};
    for (const auto& [key, value] : first) BROWX_TRY(rows_->put(ManifestEntry{key, value}));
    BROWX_TRY(rows_->commit(system_clock().wall_ms()));
    if (file) {
      auto mode = db_.text("PRAGMA journal_mode=WAL");
      if (!mode) return std::move(mode).error();
      if (*mode != "wal")
        return Error{Code::unavailable,
                     fmt::format("{} cannot be written with a write-ahead log", path_.string()),
                     "Record to a folder on a local file system"};
      BROWX_TRY(db_.run(
          "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4096; PRAGMA journal_size_limit=8388608"));
    }
    measure();
    thread_ = std::thread([this] { run(); });
    return {};
  }

  void add(Fact fact) override { (void)queue_.push(std::move(fact)); }
  EventSeq add_event(Event event) override { return queue_.push(std::move(event)); }
  void flush(std::function<void(Status)> done) override { queue_.push(FactQueue::Flush{std::move(done)}); }
  Result<std::unique_ptr<Reader>> read() override {
    std::promise<Result<std::string>> done;
    auto answer = done.get_future();
    {
      const std::lock_guard once(seal_mutex_);
      if (!thread_.joinable())
        return path_ == kMemory ? Reader::open_image(report_.image) : Reader::open(path_);
      queue_.push(FactQueue::Flush{[this, &done](Status) {
        // What was not kept is missing for the reader as well.
        done.set_value(path_ == kMemory ? image() : Result<std::string>(std::string()));
      }});
      answer.wait();
    }
    auto bytes = answer.get();
    if (!bytes) return std::move(bytes).error();
    return path_ == kMemory ? Reader::open_image(*std::move(bytes)) : Reader::open(path_);
  }
  std::int64_t queued_bytes() const override { return queue_.bytes(); }
  void on_pressure(std::function<void(bool over)> notice) override {
    const std::lock_guard lock(mutex_);
    pressure_notice_ = std::move(notice);
  }
  std::optional<Truncation> truncated() const override {
    const std::lock_guard lock(mutex_);
    return truncated_;
  }
  const std::filesystem::path& path() const override { return path_; }

  Result<SealReport> seal(Time ended, std::string reason) override {
    const std::lock_guard once(seal_mutex_);
    if (thread_.joinable()) {
      queue_.push(FactQueue::Seal{ended, std::move(reason)});
      thread_.join();
    }
    if (seal_error_) return *seal_error_;
    return report_;
  }

 private:
  void run() {
    std::optional<SteadyClock::time_point> due;
    std::optional<FactQueue::Seal> sealing;
    while (!sealing) {
      std::vector<FactQueue::Flush> flushes;
      auto items = queue_.take(kBatchBytes, due);
      watch_pressure();
      for (auto& item : items) {
        if (auto* fact = std::get_if<Fact>(&item))
          store(*fact);
        else if (auto* flush = std::get_if<FactQueue::Flush>(&item))
          flushes.push_back(std::move(*flush));
        else
          sealing = std::get<FactQueue::Seal>(std::move(item));
      }
      queue_.taken_done();
      watch_pressure();
      if (rows_->uncommitted() > 0 && !due) due = SteadyClock::now() + options_.commit_every;
      if (!flushes.empty() || (due && SteadyClock::now() >= *due)) {
        const Status status = commit();
        due.reset();
        const Status answer = status.ok() && lost_since_flush_ > 0 ? Status(lost_error()) : status;
        if (!flushes.empty()) lost_since_flush_ = 0;
        for (auto& flush : flushes)
          if (flush.done) flush.done(answer);
      }
    }
    finish(*sealing);
  }

  void store(Fact& fact) {
    const bool keeps = std::holds_alternative<Artifact>(fact) || std::holds_alternative<ManifestEntry>(fact);
    auto* dom = std::get_if<DomEvents>(&fact);
    const std::int64_t events = dom ? static_cast<std::int64_t>(dom->events.size())
                                : std::holds_alternative<Event>(fact) ? 1
                                                                      : 0;
    if (!keeps) {
      if (!ended_early_ && options_.size_cap > 0 &&
          file_bytes_ + rows_->uncommitted_bytes() + fact_cost(fact) / (dom ? 4 : 1) + kEndReserve >
              options_.size_cap)
        end_early("size-cap", rows_->last());
      if (!ended_early_ && options_.event_cap > 0 && events > 0 &&
          events_seen_ + events > options_.event_cap) {
        const std::int64_t room = options_.event_cap - events_seen_;
        if (dom && room > 0) {
          DomEvents rest{dom->document, {}};
          rest.events.assign(std::make_move_iterator(dom->events.begin() + room),
                             std::make_move_iterator(dom->events.end()));
          dom->events.resize(static_cast<std::size_t>(room));
          put(fact);
          fact = std::move(rest);
        }
        if (!ended_early_) end_early("event-cap", rows_->last());
      }
      if (ended_early_) {
        drop(fact);
        return;
      }
    } else if (disk_failed_) {
      drop(fact);
      return;
    }
    events_seen_ += events;
    put(fact);
  }

  void put(const Fact& fact) {
    const Status status = rows_->put(fact);
    if (!status) disk_error(status.error(), 1);
  }

  void drop(const Fact& fact) {
    const auto* dom = std::get_if<DomEvents>(&fact);
    count_lost(dom ? static_cast<std::int64_t>(dom->events.size()) : 1);
  }

  void count_lost(std::int64_t facts) {
    lost_since_flush_ += facts;
    const std::lock_guard lock(mutex_);
    if (truncated_) truncated_->dropped += facts;
  }

  /// `why` replaces "backpressure", after which a recording goes on.
  void end_early(const char* why, Time at) {
    ended_early_ = true;
    log_warning("the archive {} is truncated at {:.3f} s: {}", path_.string(), at.ms() / 1000, why);
    const std::lock_guard lock(mutex_);
    truncated_ = Truncation{at, why, truncated_ ? truncated_->dropped : 0};
  }

  void disk_error(const Error& error, std::int64_t also_lost) {
    const std::int64_t lost = rows_->uncommitted() + also_lost;
    rows_->rollback();
    disk_failed_ = true;
    disk_error_ = error.what;
    log_error("the archive {} cannot be written: {}", path_.string(), error.what);
    end_early("disk-full", rows_->last_committed());
    count_lost(lost);
  }

  Error lost_error() const {
    const auto cut = truncated();
    return {
        Code::unavailable,
        fmt::format("The recording is truncated ({}) and {} facts since the last flush were not kept{}{}",
                    cut ? cut->reason : "?", lost_since_flush_, disk_error_.empty() ? "" : ": ", disk_error_),
        disk_failed_ ? "Free some room and start a new recording"
                     : "Start a new recording, with a larger cap",
        "recording-truncated"};
  }

  Status commit() {
    if (disk_failed_) return lost_since_flush_ > 0 ? Status(lost_error()) : Status();
    const Status status = rows_->commit(system_clock().wall_ms());
    if (!status) {
      disk_error(status.error(), 0);
      return lost_error();
    }
    measure();
    return {};
  }

  void measure() {
    const auto pages = db_.integer("PRAGMA page_count");
    if (pages) file_bytes_ = *pages * kPageSize;
  }

  void watch_pressure() {
    if (!pressed_ && queue_.take_was_over()) notify_pressure(true);
    if (!pressed_ || queue_.over()) return;
    (void)queue_.take_was_over();
    note_refused();
    notify_pressure(false);
  }

  void notify_pressure(bool over) {
    pressed_ = over;
    std::function<void(bool)> notice;
    {
      const std::lock_guard lock(mutex_);
      notice = pressure_notice_;
    }
    if (notice) notice(over);
  }

  void note_refused() {
    for (const auto& [document, refused] : queue_.take_refused()) {
      {
        const std::lock_guard lock(mutex_);
        if (!truncated_) truncated_ = Truncation{refused.from, "backpressure", 0};
        truncated_->dropped += refused.events;
      }
      Gap gap;
      gap.document = document;
      gap.from = refused.from;
      gap.to = refused.to;
      gap.reason = "backpressure";
      gap.detail = fmt::format("{} DOM events dropped", refused.events);
      if (!ended_early_) put(gap);
    }
  }

  void finish(const FactQueue::Seal& sealing) {
    note_refused();
    (void)commit();
    const bool file = path_ != kMemory;
    if (file) (void)make_durable(db_);
    const std::int64_t wall = system_clock().wall_ms();
    const auto cut = truncated();
    const Time ended = sealing.ended.us < 0 ? rows_->last() : sealing.ended;
    std::vector<ManifestEntry> last;
    if (cut)
      last.push_back(
          {"truncated", Json{{"at", cut->at.us}, {"reason", cut->reason}, {"dropped", cut->dropped}}});
    Json counts = rows_->counts();
    last.push_back({"counts", counts});
    last.push_back({"ended", Json{{"t", ended.us}, {"reason", sealing.reason}, {"wall_ms", wall}}});
    Status status;
    for (const auto& entry : last)
      if (status.ok()) status = rows_->put(entry);
    if (status.ok()) status = rows_->commit(wall);
    if (!status.ok()) {
      rows_->rollback();
      if (!disk_failed_) disk_error(status.error(), 0);
    }
    report_.path = path_;
    report_.events = rows_->events();
    report_.counts = rows_->counts();
    rows_.reset();
    if (file)
      close_file();
    else
      keep_image();
    report_.truncated = truncated();
  }

  void close_file() {
    const Status left = leave_wal(db_, std::chrono::milliseconds(500));
    if (!left) log_warning("the archive {} keeps its -wal: {}", path_.string(), left.error().what);
    db_.close();
    hold_ = Hold();
    std::error_code error;
    report_.bytes = static_cast<std::int64_t>(std::filesystem::file_size(path_, error));
  }

  /// The database in memory as the bytes of a file.
  Result<std::string> image() {
    sqlite3_int64 size = 0;
    unsigned char* bytes = sqlite3_serialize(db_.get(), "main", &size, 0);
    if (!bytes) return Error{Code::unavailable, "There is no memory for the archive"};
    std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return out;
  }

  void keep_image() {
    auto bytes = image();
    if (bytes)
      report_.image = *std::move(bytes);
    else
      seal_error_ = bytes.error();
    report_.bytes = static_cast<std::int64_t>(report_.image.size());
    db_.close();
  }

  const std::filesystem::path path_;
  const WriterOptions options_;
  Hold hold_;
  Database db_;
  FactQueue queue_;
  std::thread thread_;

  // The writer's thread alone.
  std::unique_ptr<Rows> rows_;
  std::int64_t file_bytes_ = 0, events_seen_ = 0, lost_since_flush_ = 0;
  bool ended_early_ = false, disk_failed_ = false, pressed_ = false;
  std::string disk_error_;

  mutable std::mutex mutex_;  // of the two below
  std::optional<Truncation> truncated_;
  std::function<void(bool)> pressure_notice_;

  std::mutex seal_mutex_;
  SealReport report_;
  std::optional<Error> seal_error_;
};

}  // namespace

Result<std::unique_ptr<Writer>> Writer::create(std::filesystem::path path, WriterOptions options) {
  Hold hold;
  const bool file = path != kMemory;
  if (file) {
    auto held = Hold::create(path);
    if (!held) return std::move(held).error();
    hold = std::move(*held);
  }
  const auto undo = [&](Error error) {
    std::error_code ignored;
    if (file)
      for (const char* suffix : {"", "-wal", "-shm", "-journal"})
        std::filesystem::remove(path.string() + suffix, ignored);
    if (error.hint.empty())
      error.hint =
          fmt::format("Check that the folder {} can be written and has room", path.parent_path().string());
    error.code = Code::unavailable;
    return error;
  };
  auto db = Database::open(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!db) return undo(std::move(db).error());
  auto writer = std::make_unique<WriterImpl>(path, std::move(options), std::move(hold), std::move(*db));
  if (Status begun = writer->begin(); !begun) return undo(begun.error());
  return std::unique_ptr<Writer>(std::move(writer));
}

}  // namespace browx::archive
