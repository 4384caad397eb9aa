#include "capture/recording.hpp"

#include <fmt/format.h>

#include "base/workspace.hpp"
#include "capture/record/core.hpp"

namespace browx::capture {
namespace {

/// What the session owns; the work is the core's, which tasks under way share.
class RecordingImpl final : public Recording {
 public:
  RecordingImpl(Session& session, std::shared_ptr<RecordingCore> core)
      : session_(session), core_(std::move(core)) {}

  ~RecordingImpl() override { core_->abandon("session-ended"); }

  const RecordingOptions& options() const override { return core_->options(); }
  const std::filesystem::path& path() const override { return core_->path(); }
  Task<std::int64_t> begin_step(std::string tool, std::optional<Element> element,
                                Deadline deadline) override {
    return core_->begin_step(std::move(tool), std::move(element), deadline);
  }
  Task<bool> locate_step(std::int64_t token, Element element, Deadline deadline) override {
    return core_->locate_step(token, std::move(element), deadline);
  }
  Task<std::string> end_step(std::int64_t token, StepRecord step) override {
    return core_->end_step(token, std::move(step));
  }
  Task<std::string> annotate(Annotation annotation) override {
    return core_->annotate(std::move(annotation));
  }
  int step_count() const override { return core_->step_count(); }
  Task<bool> read(std::function<Status(archive::Reader&, const LateEvents&)> work) override {
    return core_->read(std::move(work));
  }
  void secret_registered() override { core_->secret_registered(); }
  Task<Ended> end(std::string reason, Deadline pages) override {
    return end_and_leave(session_, core_, std::move(reason), pages);
  }

 private:
  /// Does not touch this object after the first suspension: the slot that owns it is emptied here.
  static Task<Ended> end_and_leave(Session& session, std::shared_ptr<RecordingCore> core, std::string reason,
                                   Deadline pages) {
    auto ended = co_await core->end(std::move(reason), pages);
    if (auto& slot = session.recording(); slot && &slot->options() == &core->options()) slot.reset();
    co_return ended;
  }

  Session& session_;
  std::shared_ptr<RecordingCore> core_;
};

Result<std::unique_ptr<archive::Writer>> make_writer(Session& session, const RecordingOptions& options) {
  archive::WriterOptions writer;
  writer.tier = options.tier.value_or(archive::Tier::actions);
  writer.session = session.name();
  writer.title = session.secrets().mask(options.flow_name);
  writer.started_wall_ms = system_clock().wall_ms();
  writer.size_cap = options.size_cap;
  writer.event_cap = options.event_cap;
  if (!options.tier) return archive::Writer::create(":memory:", writer);
  std::error_code failed;  // told by the writer, which names the folder
  std::filesystem::create_directories(options.directory, failed);
  const std::string name = safe_file_name(options.flow_name);
  for (int n = 1;; ++n) {
    auto made = archive::Writer::create(
        options.directory / (n == 1 ? name + ".browx" : fmt::format("{}-{}.browx", name, n)), writer);
    if (made || made.error().code != Code::conflict || n >= 10000) return made;
  }
}

}  // namespace

Task<Recording*> Recording::start(Session& session, RecordingOptions options, Deadline deadline) {
  if (session.recording())
    co_return Error{Code::conflict,
                    fmt::format("The recording \"{}\" is running in this session",
                                session.recording()->options().flow_name),
                    "End it with end_recording first.", "recording-active"};
  auto writer = make_writer(session, options);
  if (!writer) co_return std::move(writer).error();
  const auto core = std::make_shared<RecordingCore>(session, std::move(options), *std::move(writer));
  session.recording() = std::make_unique<RecordingImpl>(session, core);
  // Unwound before its end, by a call that was cancelled: nobody would know of the recording.
  struct Start {
    Session& session;
    std::shared_ptr<RecordingCore> core;
    bool over = false;
    ~Start() {
      if (over) return;
      core->abandon("abandoned");
      if (auto& slot = session.recording(); slot && &slot->options() == &core->options()) slot.reset();
    }
  } start{session, core};
  auto begun = co_await core->begin(deadline);
  if (!begun) {
    auto ended = co_await core->end("failed-to-start", Deadline::in(std::chrono::milliseconds(500)));
    (void)ended;  // the reason it failed to start is the answer
    if (auto& slot = session.recording(); slot && &slot->options() == &core->options()) slot.reset();
    start.over = true;
    co_return std::move(begun).error();
  }
  start.over = true;
  co_return session.recording().get();
}

}  // namespace browx::capture
