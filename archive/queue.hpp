#pragma once
// What waits for the writer's thread. Private to this folder. Thread: any.

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <variant>

#include "archive/model/facts.hpp"

namespace browx::archive {

class FactQueue {
 public:
  struct Flush {
    std::function<void(Status)> done;
  };
  struct Seal {
    Time ended;
    std::string reason;
  };
  using Item = std::variant<Fact, Flush, Seal>;
  /// DOM events that were refused while the queue was over its cap.
  struct Refused {
    std::int64_t events = 0;
    Time from, to;
  };

  explicit FactQueue(std::int64_t cap) : cap_(cap) {}

  /// Queues a fact, giving an Event its number; over the cap, DomEvents are refused and counted.
  EventSeq push(Fact fact);
  void push(Flush flush);
  /// The last item: what is pushed later is ignored.
  void push(Seal seal);

  /// Up to about `bytes` of items in order; waits for the first until `deadline` (for ever without one).
  std::deque<Item> take(std::int64_t bytes, std::optional<SteadyClock::time_point> deadline);
  /// Items taken count as queued until they are done.
  void taken_done();

  std::int64_t bytes() const;
  /// True between exceeding the cap and draining to a quarter of it.
  bool over() const;
  /// True when it has been over() since the last call, even if it is no more.
  bool take_was_over();
  /// What was refused since the last call, by document; only sensible when not over().
  std::map<DocumentId, Refused> take_refused();

 private:
  void push_item(Item item, std::int64_t cost);

  const std::int64_t cap_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<Item, std::int64_t>> items_;
  std::int64_t bytes_ = 0, taken_ = 0, last_seq_ = 0;
  bool over_ = false, was_over_ = false, closed_ = false;
  std::map<DocumentId, Refused> refused_;
};

/// About the memory that a fact holds.
std::int64_t fact_cost(const Fact& fact);

}  // namespace browx::archive
