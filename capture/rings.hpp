#pragma once
// What the read tools look back on: the last 500 console lines, requests and channel frames of a session.

#include <deque>
#include <memory>
#include <string>
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
  std::string cdp_id, cdp_session;
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
  std::int64_t pending_requests() const { return pending_; }

 private:
  void on_fact(const Fact& fact);
  std::deque<ConsoleLine> console_;
  std::deque<RequestRecord> requests_;
  std::int64_t pending_ = 0;
  std::unique_ptr<Journal::Subscription> subscription_;
};

}  // namespace browx::capture
