#pragma once
// Everything that Chromium tells of a session, turned into facts of its journal: one file per CDP domain, one
// list of them in observers.cpp. Times are converted here (clock.hpp) and nowhere else.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "capture/journal.hpp"

namespace browx::capture {

class Session;
class Tab;

/// What is known of a request when it has been loaded and its body could be asked for.
struct RequestFacts {
  RequestId id;
  std::string method, url, resource_type,
      mime;  ///< resource_type as CDP names it: Document, Stylesheet, Fetch, …
  int status = 0;
  std::int64_t bytes = 0;  ///< of the decoded body, as far as it was reported
};

struct Download {
  std::string id;  ///< CDP guid
  std::string url, suggested_filename;
  std::string state;  ///< "inProgress" | "completed" | "canceled" | "denied" (no workspace to keep it in)
  std::int64_t bytes = 0;
  std::optional<std::filesystem::path> path;  ///< of the finished file, inside the workspace
  Time began, changed;
};

/// Publishes requests, channel frames, console lines, exceptions, lifecycle, downloads and (on demand)
/// screencast frames of one session. Lives as long as the session; made before its first target attaches.
/// Thread: the engine's.
class Observers {
 public:
  virtual ~Observers() = default;

  /// Who wants response bodies. Asked once for each finished request; when anyone does, its RequestEnd is
  /// published after the body came or is known to be lost. Ends with the returned token.
  using WantsBody = std::function<bool(const RequestFacts&)>;
  class Want;
  [[nodiscard]] virtual std::unique_ptr<Want> want_bodies(WantsBody wants) = 0;
  /// Waits until no body is being fetched and no request waits for its headers. False at the deadline.
  virtual Task<bool> bodies_settled(Deadline deadline) = 0;

  /// Downloads that began or changed at or after `from`, in order of beginning.
  virtual std::vector<Download> downloads_since(Time from) const = 0;

  /// Called before a navigation of the tab is asked for: what its page sends while it is left is then surely
  /// seen. Navigations that pages begin themselves are noticed when they start.
  virtual void about_to_leave(Tab& tab) = 0;

  /// Frames of the tab's screencast become archive::Frame facts, unmasked, equal neighbours dropped. Masking
  /// is the recording's. Starting twice changes nothing.
  virtual void start_screencast(Tab& tab) = 0;
  virtual void stop_screencast(Tab& tab) = 0;
  /// No picture of the tab is taken until resume_screencast(); pauses nest. For as long as the browser lays
  /// the page out otherwise than it stands in its window: such a picture could not be masked.
  virtual void pause_screencast(Tab& tab) = 0;
  virtual void resume_screencast(Tab& tab) = 0;
};

class Observers::Want {
 public:
  explicit Want(std::function<void()> release) : release_(std::move(release)) {}
  ~Want() { release_(); }
  Want(const Want&) = delete;
  Want& operator=(const Want&) = delete;

 private:
  std::function<void()> release_;
};

/// Subscribes to the session (on_cdp, on_target, the browser's own events). Call it from the session's
/// constructor's end, before any target attaches, and destroy it before the session.
std::unique_ptr<Observers> observe(Session& session);

}  // namespace browx::capture
