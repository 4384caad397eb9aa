#pragma once
// What the read tools look back on: the last 500 console lines, requests and channel frames of a session.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/json.hpp"
#include "capture/journal.hpp"

namespace browx::capture {

struct ConsoleLine {
  Time t;
  std::string level, text, url;
  int tab = 0;
  bool exception = false;
};

struct RequestRecord {
  RequestId id;
  Time t;
  std::string method, url, type;  ///< type as CDP names it: Document, Fetch, XHR, …
  int status = 0;
  double ms = 0;
  bool finished = false, failed = false;
  std::string error, mime;
  std::int64_t bytes = 0;
  std::string cdp_id;
  std::optional<TargetId> target;  ///< in whose CDP session `cdp_id` means it
};

/// Listens to a journal. Thread: the engine's.
class Rings {
 public:
  static constexpr std::size_t kSize = 500;
  explicit Rings(Journal& journal);

  const std::deque<ConsoleLine>& console() const { return console_; }
  const std::deque<RequestRecord>& requests() const { return requests_; }
  /// All that began at or after `from`.
  std::vector<RequestRecord> requests_since(Time from) const;
  std::vector<ConsoleLine> console_since(Time from) const;
  /// The session says which number the tab of a target bears, before the target's fact is published.
  void tab_opened(TargetId target, int tab) { tab_of_[target] = tab; }
  std::int64_t pending_requests() const { return static_cast<std::int64_t>(open_.size()); }

 private:
  void on_fact(const Fact& fact);
  RequestRecord* request(RequestId id);
  std::deque<ConsoleLine> console_;
  std::deque<RequestRecord> requests_;
  std::unordered_set<RequestId> open_;
  std::unordered_map<TargetId, int> tab_of_;  // of every target, a frame's and worker's being its tab's
  std::unique_ptr<Journal::Subscription> subscription_;
};

}  // namespace browx::capture
