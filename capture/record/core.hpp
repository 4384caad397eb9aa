#pragma once
// The inside of a recording: listens to the session, masks, feeds the writer. Shared by the Recording that
// the session owns and by the tasks it has started; `over` is true once the session must not be touched any
// more.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/writer.hpp"
#include "capture/observers.hpp"
#include "capture/record/assets.hpp"
#include "capture/record/fact_mask.hpp"
#include "capture/record/field_values.hpp"
#include "capture/record/streams.hpp"
#include "capture/recording.hpp"

namespace browx::capture {

/// Thread: the engine's.
class RecordingCore : public std::enable_shared_from_this<RecordingCore> {
 public:
  RecordingCore(Session& session, RecordingOptions options, std::unique_ptr<archive::Writer> writer);
  ~RecordingCore();

  /// Tells what exists, listens from then on, puts recorders into every document.
  Task<bool> begin(Deadline deadline);
  Task<std::int64_t> begin_step(std::string tool, std::optional<Element> element, Deadline deadline);
  Task<bool> locate_step(std::int64_t token, Element element, Deadline deadline);
  Task<std::string> end_step(std::int64_t token, StepRecord step);
  Task<std::string> annotate(Annotation annotation);
  void secret_registered();
  Task<bool> read(std::function<Status(archive::Reader&, const LateEvents&)> work);
  Task<Recording::Ended> end(std::string reason, Deadline pages);

  /// The session goes away without an end(): what is known is written and sealed. Blocks for up to a second.
  void abandon(const std::string& reason);

  const RecordingOptions& options() const { return options_; }
  const std::filesystem::path& path() const { return path_; }
  int step_count() const { return static_cast<int>(step_ids_.size()); }
  bool over() const { return over_; }

 private:
  friend class Pictures;
  struct Begun {
    std::string tool;
    Time at;
    Json before = Json::array(), locators = Json::array(), target = Json::object();
    std::optional<TargetId> tab;
  };

  bool records_dom() const { return tier_ != archive::Tier::actions; }
  Time now() const;
  Time rebased(Time t) const { return Time{t.us - start_.us}; }
  void add(archive::Fact fact) { writer_->add(std::move(fact)); }
  void gap(std::optional<DocumentId> document, std::string reason, std::string detail);

  void tell_existing();
  /// The names of the secrets, which steps refer to as `<NAME>`.
  void tell_secrets();
  /// Candidates for the elements of the frames around `frame`, from the outside in.
  asio::awaitable<Json> locate_frames(std::shared_ptr<Frame> frame, Deadline deadline);
  void on_fact(const Fact& fact);
  void store(archive::Fact fact);
  void store_asset(std::optional<archive::Asset> asset);
  void on_message(Frame& frame, std::string_view payload);
  void on_pressure(bool over);
  Task<bool> install(Deadline deadline);
  void want_bodies();

  /// Calls a recorder function in every frame at once; waits for all of them or the limit.
  asio::awaitable<void> each_frame(std::string function, std::chrono::milliseconds limit);
  static asio::awaitable<void> call_frame(std::shared_ptr<RecordingCore> self, std::shared_ptr<Frame> frame,
                                          std::string function, Deadline deadline,
                                          std::shared_ptr<Signal> done, std::shared_ptr<int> left);
  void answered(Frame& frame, DocumentId document, const Result<Json>& answer);
  /// Of a document in which nothing of ours answers: whether its CSP forbids scripts, as the browser tells
  /// it.
  static asio::awaitable<void> tell_why_silent(std::shared_ptr<RecordingCore> self,
                                               std::shared_ptr<Frame> frame, std::string what);
  /// Flushes all recorders; 200 ms at most.
  asio::awaitable<void> flush_recorders(std::chrono::milliseconds limit = std::chrono::milliseconds(200));
  static asio::awaitable<void> find_owner(std::shared_ptr<RecordingCore> self, std::shared_ptr<Frame> frame);
  static asio::awaitable<void> load_earlier_assets(std::shared_ptr<RecordingCore> self,
                                                   std::shared_ptr<Tab> tab);
  /// Waits until the writer has committed everything added so far.
  Task<bool> committed();
  /// Last rows, `over`. No page is asked any more.
  Recording::Ended close();
  struct Sealed {
    Result<archive::SealReport> report;
    std::string yaml, warning;
  };
  /// Makes the artifacts, and seals. Blocks. Thread: any, and nobody else adds to the writer.
  static Sealed seal(archive::Writer& writer, const MakeArtifacts& make, const Secrets& secrets,
                     const LateEvents& late, Time ended, const std::string& reason);
  /// Stores a step or annotation, waits for its commit, and keeps it for the flow when the archive may not.
  Task<bool> stored(archive::Event event);
  Task<Sealed> sealed(std::string reason);

  Session* session_;
  RecordingOptions options_;
  archive::Tier tier_;
  std::unique_ptr<archive::Writer> writer_;
  std::filesystem::path path_;
  Time start_;
  std::int64_t started_wall_ms_;
  FieldValues fields_;
  FactMask mask_;
  Streams streams_;
  Assets assets_;
  int assets_loading_ = 0;  // tabs whose earlier assets are still being asked for
  Signal assets_loaded_{session_->executor()};
  std::unique_ptr<class Pictures> pictures_;
  std::unique_ptr<Journal::Subscription> subscription_;
  std::unique_ptr<Observers::Want> want_;
  std::vector<std::int64_t> scripts_;
  bool over_ = false, pressed_ = false;
  Time pressed_since_;

  std::map<std::int64_t, Begun> begun_;
  std::int64_t last_token_ = 0;
  std::vector<std::string> step_ids_;
  LateEvents late_;
  std::vector<std::string> open_labels_;
  int annotations_ = 0;
  std::map<DocumentId, int> owner_tries_;
  std::map<DocumentId, std::string> told_gaps_;  // of documents without a recorder
};

}  // namespace browx::capture
