#pragma once
// A running recording: the only part of capture that sees the archive's writer.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/model/facts.hpp"
#include "archive/model/seal_report.hpp"
#include "base/async.hpp"
#include "base/secrets.hpp"
#include "capture/locator.hpp"
#include "capture/session.hpp"

namespace browx::archive {
class Reader;
}

namespace browx::capture {

/// Steps and annotations that may be missing from the archive, since a cap or the disk ended it before they
/// came.
using LateEvents = std::vector<archive::Event>;

/// What is made of a recording and kept in it (flow.yaml, spec.ts). The secrets are those registered by now:
/// their values must not be in what it answers. Called on a thread of its own, or at the program's end on the
/// engine's.
using MakeArtifacts = std::function<Result<std::vector<archive::Artifact>>(archive::Reader&, const Secrets&,
                                                                           const LateEvents&)>;

struct RecordingOptions {
  std::string flow_name;
  bool automatic = false;  ///< BROWX_RECORD began it
  /// Absent: no capability; the same model goes into an in-memory archive.
  std::optional<archive::Tier> tier;
  std::int64_t size_cap = 0, event_cap = 0;
  std::vector<std::string> redact_headers, redact_body_paths, mask_selectors;
  std::filesystem::path directory;  ///< inside the workspace
  MakeArtifacts make_artifacts;     ///< called once, before the archive is sealed; may be empty
};

/// One step as the tools tell it. `arguments` are the tool's own, secrets already as `<NAME>`.
struct StepRecord {
  std::string kind;  ///< action | read | assert
  std::string tool;
  Json arguments = Json::object();
  std::optional<Element>
      element;  ///< the resolved target: candidate locators are counted for it at begin_step
  bool ok = true;
  std::string error, code;
  Json result =
      Json::object();  ///< of an action: navigation, element.value…; of a read: nothing (never page data)
};

struct Annotation {
  std::string copy, arrow, label, phase;  ///< phase: "start" | "end" | "" (a point)
  std::optional<Element> target;
  std::string step_id;
};

/// Thread: the engine's. Steps are acknowledged only after the commit that holds them and the DOM events
/// flushed before.
class Recording {
 public:
  /// Makes the file, tells what exists already (targets, documents), starts recorders in every document until
  /// `deadline`. Errors as Writer::create, and `conflict`, kind "recording-active". A start that is cancelled
  /// leaves no recording running: its file is sealed with the reason "abandoned".
  static Task<Recording*> start(Session& session, RecordingOptions options,
                                Deadline deadline = Deadline::in(std::chrono::seconds(10)));
  virtual ~Recording() = default;

  virtual const RecordingOptions& options() const = 0;
  virtual const std::filesystem::path& path() const = 0;  ///< empty for the in-memory archive

  /// Before a step acts: flushes the recorders and notes the position. Answers the step's token. `element`
  /// may come later.
  virtual Task<std::int64_t> begin_step(std::string tool, std::optional<Element> element,
                                        Deadline deadline) = 0;
  /// Candidate locators of the step's target, counted in the page now (before the action changes it).
  virtual Task<bool> locate_step(std::int64_t token, Element element, Deadline deadline) = 0;
  /// After it: flushes (200 ms at most, else a gap `flush-timeout`), stores the step, waits for the commit.
  /// Answers the step's id ("click-4").
  virtual Task<std::string> end_step(std::int64_t token, StepRecord step) = 0;
  /// Error `not_found`, kind "step-not-found" or "label-not-open".
  virtual Task<std::string> annotate(Annotation annotation) = 0;
  virtual int step_count() const = 0;
  /// A secret registered from now on; sets manifest.unmasked_until.
  virtual void secret_registered() = 0;

  /// Runs `work` on a thread of its own, with everything recorded so far.
  virtual Task<bool> read(std::function<Status(archive::Reader&, const LateEvents&)> work) = 0;

  struct Ended {
    std::string name, yaml;
    std::string warning;  ///< why the artifacts could not be made; empty when they were
    int step_count = 0;
    std::optional<archive::SealReport> replay;
  };
  /// Flushes, makes the artifacts (`yaml` is that of the name flow.yaml), seals. The recording is over; the
  /// session's slot is empty afterwards. Pages and bodies that have not answered by `pages` are said to be
  /// missing; sealing itself is not cut short.
  virtual Task<Ended> end(std::string reason,
                          Deadline pages = Deadline::in(std::chrono::milliseconds(1200))) = 0;
};

}  // namespace browx::capture
