#pragma once
// Everything that happens in a session, told once, in order, to whoever listens: the rings behind the read
// tools, the window of an action, the recorder. Observers publish; they know no listener.

#include <functional>
#include <list>
#include <memory>

#include "archive/model/facts.hpp"
#include "base/time.hpp"

namespace browx::capture {

using Fact = archive::Fact;
using archive::DocumentId;
using archive::RequestId;
using archive::TargetId;

/// One session's facts and ids. Times are microseconds since the session was opened (a recording rebases
/// them). Thread: the engine's.
class Journal {
 public:
  explicit Journal(const Clock& clock = system_clock());

  Time now() const;
  /// A reading of the steady clock as session time.
  Time at(SteadyClock::time_point when) const;
  std::int64_t started_wall_ms() const { return started_wall_ms_; }

  TargetId next_target() { return TargetId(++targets_); }
  DocumentId next_document() { return DocumentId(++documents_); }
  RequestId next_request() { return RequestId(++requests_); }

  using Listener = std::function<void(const Fact&)>;
  class Subscription;
  [[nodiscard]] std::unique_ptr<Subscription> listen(Listener listener);
  void publish(const Fact& fact);

 private:
  const Clock& clock_;
  SteadyClock::time_point started_;
  std::int64_t started_wall_ms_;
  std::int64_t targets_ = 0, documents_ = 0, requests_ = 0;
  std::shared_ptr<std::list<Listener>> listeners_;
  int depth_ = 0;  // of publish() inside publish()
};

class Journal::Subscription {
 public:
  explicit Subscription(std::function<void()> release) : release_(std::move(release)) {}
  ~Subscription() { release_(); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  std::function<void()> release_;
};

}  // namespace browx::capture
