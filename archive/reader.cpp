#include "archive/reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "archive/derive.hpp"
#include "archive/scan.hpp"
#include "archive/schema.hpp"
#include "archive/source.hpp"
#include "archive/stored.hpp"
#include "archive/verify.hpp"

namespace browx::archive {
namespace {

std::string seconds(Time t) { return fmt::format("{:.3f} s", static_cast<double>(t.us) / 1e6); }

class ReaderImpl final : public Reader {
 public:
  ReaderImpl(std::filesystem::path path, std::unique_ptr<Source> source)
      : path_(std::move(path)), source_(std::move(source)) {}

  /// Finds out whether anything answers.
  Status begin() {
    if (source_->state() == Source::State::live) {
      auto db = source_->connect(false);
      if (!db) return std::move(db).error();
      const auto manifest = stored_manifest(*db);
      return manifest.rows.empty() ? nothing(manifest.damage) : Status();
    }
    bool salvage = !source_->cut().empty();
    Status why;
    for (int attempt = 0; attempt < 2; ++attempt, salvage = true) {
      auto db = source_->connect(salvage);
      if (!db) return std::move(db).error();
      db_ = std::move(*db);
      const auto manifest = stored_manifest(db_);
      if (manifest.damage.ok()) return {};
      why = manifest.damage;
      if (why.error().code == Code::unavailable) return why;
      if (salvage && (!manifest.rows.empty() || !stored_events(db_, {}).rows.empty())) {
        note(why);
        return {};
      }
    }
    return nothing(why);
  }

  Result<Json> manifest() override {
    auto entries = read<ManifestEntry>([](const Database& db) { return stored_manifest(db); });
    if (!entries) return std::move(entries).error();
    Json out = Json::object();
    for (auto& entry : *entries) out[entry.key] = std::move(entry.value);
    return out;
  }

  bool live() const override { return settle_state(), source_->state() == Source::State::live; }
  bool sealed() const override {
    return !live() && source_->cut().empty() && ended() && chain().broken.empty();
  }
  bool partial() const override { return !sealed() || !damage_.empty(); }

  std::string partial_reason() const override {
    if (live()) return fmt::format("the recording goes on; it reaches until {} so far", seconds(reach()));
    if (!partial()) return {};
    const Chain& found = chain();
    std::string what = source_->cut();
    const auto add = [&](const std::string& more) {
      if (!more.empty() && what.find(more) == std::string::npos) what += (what.empty() ? "" : "; ") + more;
    };
    if (!found.broken.empty())
      add("the file is damaged: " + found.broken);
    else
      add(damage_);
    if (what.empty())
      return fmt::format("the recording was not sealed; it reaches until {}", seconds(found.intact_until));
    return fmt::format("{}; it is intact until {}", what, seconds(found.intact_until));
  }

  Result<Time> end() override {
    std::optional<Time> last;
    const Status status = with([&](const Database& db) {
      return scan(db, "commits", "n, t", [&](Statement& row) {
        last = std::max(last.value_or(Time{row.integer(1)}), Time{row.integer(1)});
        return true;
      });
    });
    if (last) return *last;
    auto all = events("");
    if (!all) return status.ok() ? all.error() : status.error();
    Time most;
    for (const auto& event : *all) most = std::max(most, event.t);
    return most;
  }

  Result<std::vector<Step>> steps() override {
    std::vector<Step> out;
    const Status status = with([&](const Database& db) {
      auto facts = stored_events(db, {"action", "read", "assert", "annotation", "lifecycle"});
      auto documents = stored_documents(db);
      out = derive_steps(facts.rows, documents.rows);
      return facts.damage.ok() ? documents.damage : facts.damage;
    });
    if (!status) return status.error();
    return out;
  }
  Result<std::vector<Page>> pages() override {
    std::vector<Page> out;
    const Status status = with([&](const Database& db) {
      auto facts = stored_events(db, {"lifecycle"});
      auto documents = stored_documents(db);
      auto all_targets = stored_targets(db);
      out = derive_pages(facts.rows, documents.rows, all_targets.rows);
      return !documents.damage.ok() ? documents.damage
             : facts.damage.ok()    ? all_targets.damage
                                    : facts.damage;
    });
    if (!status) return status.error();
    return out;
  }
  Result<std::vector<Event>> events(std::string kind) override {
    std::set<std::string> kinds;
    if (!kind.empty()) kinds.insert(std::move(kind));
    return read<Event>([&](const Database& db) { return stored_events(db, kinds); });
  }
  Result<std::vector<Target>> targets() override {
    return read<Target>([](const Database& db) { return stored_targets(db); });
  }
  Result<std::vector<Document>> documents() override {
    return read<Document>([](const Database& db) { return stored_documents(db); });
  }
  Result<std::vector<DocumentOwner>> document_owners() override {
    return read<DocumentOwner>([](const Database& db) { return stored_document_owners(db); });
  }
  Result<std::vector<DocumentEnd>> document_ends() override {
    return read<DocumentEnd>([](const Database& db) { return stored_document_ends(db); });
  }
  Result<std::vector<Gap>> gaps() override {
    return read<Gap>([](const Database& db) { return stored_gaps(db); });
  }
  Result<std::vector<RequestRow>> requests() override {
    return read<RequestRow>([](const Database& db) { return stored_requests(db); });
  }
  Result<std::vector<ChannelFrame>> channel_frames(RequestId request) override {
    return read<ChannelFrame>([&](const Database& db) { return stored_channel_frames(db, request); });
  }
  Result<std::vector<DomEventRow>> dom_events(DocumentId document) override {
    return read<DomEventRow>([&](const Database& db) { return stored_dom_events(db, document); });
  }
  Result<std::vector<Asset>> assets(bool with_bytes) override {
    return read<Asset>([&](const Database& db) { return stored_assets(db, with_bytes); });
  }
  Result<std::vector<Frame>> frames(bool with_bytes) override {
    return read<Frame>([&](const Database& db) { return stored_frames(db, with_bytes); });
  }
  Result<std::optional<Frame>> screencast_at(TargetId tab, Time t) override {
    auto found = read<Frame>([&](const Database& db) { return stored_screencast_at(db, tab, t); });
    if (!found) return std::move(found).error();
    return found->empty() ? std::nullopt : std::optional(std::move(found->front()));
  }
  Result<std::optional<Artifact>> artifact(std::string name) override {
    auto found = read<Artifact>([&](const Database& db) { return stored_artifacts(db, name); });
    if (!found) return std::move(found).error();
    if (found->empty()) return std::optional<Artifact>();
    return std::optional<Artifact>(std::move(found->back()));
  }

  Result<Json> counts() override {
    Json out = Json::object();
    const Status status = with([&](const Database& db) {
      Status damage;
      for (const auto& info : kTableInfo) {
        std::int64_t rows = 0, dom_events = 0;
        const bool chunks = info.name == "dom_chunk";
        const Status read = scan(db, info.name,
                                 chunks                 ? "n, events, keyframe"
                                 : info.name == "event" ? "seq"
                                                        : "n",
                                 [&](Statement& row) {
                                   ++rows;
                                   if (chunks && row.integer(2) == 0) dom_events += row.integer(1);
                                   return true;
                                 });
        out[std::string(info.name)] = rows;
        if (chunks) out["dom_events"] = dom_events;
        if (damage.ok()) damage = read;
      }
      return damage;
    });
    if (!status) return status.error();
    return out;
  }

  Status verify() override {
    Chain found;
    if (live()) {
      const Status status = with([&](const Database& db) {
        found = verify_chain(db);
        return Status();
      });
      if (!status) return status;
    } else {
      found = chain();
    }
    if (found.broken.empty() && source_->cut().empty()) return {};
    const std::string what = found.broken.empty() ? source_->cut() : found.broken;
    return Error{Code::corrupt, fmt::format("{} does not verify: {}", path_.string(), what),
                 fmt::format("What precedes {} is as it was recorded", seconds(found.intact_until)),
                 "archive-corrupt"};
  }

 private:
  Status nothing(const Status& why) const {
    const bool cut = !source_->cut().empty();
    return Error{
        Code::corrupt,
        fmt::format("{}: {}", path_.string(),
                    cut ? source_->cut()
                        : "the archive is damaged: " + (why.ok() ? "it is empty" : why.error().what)),
        "Get the file again from where it was recorded; nothing in it can be read",
        cut ? "archive-truncated" : "archive-corrupt"};
  }

  /// A recording may have ended since the last call: then the file is opened for good.
  void settle_state() const {
    if (source_->state() != Source::State::live) return;
    auto now = Source::of(path_);
    if (!now || (*now)->state() == Source::State::live) return;
    auto db = (*now)->connect(!(*now)->cut().empty());
    if (!db) return;
    source_ = std::move(*now);
    db_ = std::move(*db);
  }

  /// Runs `query` on the rows as they are now. Damage is noted; what the disk or a lock refuses is an error.
  Status with(const std::function<Status(const Database&)>& query) const {
    settle_state();
    Status status;
    if (source_->state() == Source::State::live) {
      auto db = source_->connect(false);
      if (!db) return std::move(db).error();
      BROWX_TRY(db->run("BEGIN"));
      status = query(*db);
    } else {
      status = query(db_);
    }
    if (status.ok()) return {};
    if (status.error().code == Code::unavailable) return status;
    note(status);
    return {};
  }

  template <class T>
  Result<std::vector<T>> read(const std::function<Stored<T>(const Database&)>& query) const {
    Stored<T> stored;
    const Status status = with([&](const Database& db) {
      stored = query(db);
      return stored.damage;
    });
    if (!status) return status.error();
    return std::move(stored.rows);
  }

  void note(const Status& damage) const {
    if (!damage.ok() && damage_.empty()) damage_ = "the file is damaged: " + damage.error().what;
  }

  bool ended() const {
    bool found = false;
    (void)with([&](const Database& db) {
      const auto entries = stored_manifest(db);
      for (const auto& entry : entries.rows) found = found || entry.key == "ended";
      return entries.damage;
    });
    return found;
  }

  /// Of a file that nobody writes; computed once.
  const Chain& chain() const {
    if (!chain_) chain_ = verify_chain(db_);
    return *chain_;
  }

  Time reach() const {
    Time last;
    (void)with([&](const Database& db) {
      return scan(db, "commits", "n, t", [&](Statement& row) {
        last = std::max(last, Time{row.integer(1)});
        return true;
      });
    });
    return last;
  }

  const std::filesystem::path path_;
  mutable std::unique_ptr<Source> source_;
  mutable Database db_;  ///< unless live
  mutable std::optional<Chain> chain_;
  mutable std::string damage_;
};

Result<std::unique_ptr<Reader>> open_source(const std::filesystem::path& path,
                                            Result<std::unique_ptr<Source>> source) {
  if (!source) return std::move(source).error();
  auto reader = std::make_unique<ReaderImpl>(path, std::move(*source));
  if (Status begun = reader->begin(); !begun) return begun.error();
  return std::unique_ptr<Reader>(std::move(reader));
}

}  // namespace

Result<std::unique_ptr<Reader>> Reader::open(const std::filesystem::path& path) {
  return open_source(path, Source::of(path));
}
Result<std::unique_ptr<Reader>> Reader::open_image(std::string image) {
  return open_source("the recording in memory", Source::of_image(std::move(image)));
}

}  // namespace browx::archive
