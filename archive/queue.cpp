#include "archive/queue.hpp"

#include <algorithm>

namespace browx::archive {
namespace {

std::int64_t cost_of(const Json& value) {
  if (value.is_string()) return 32 + static_cast<std::int64_t>(value.get_ref<const std::string&>().size());
  std::int64_t cost = 32;
  if (value.is_array())
    for (const auto& item : value) cost += cost_of(item);
  if (value.is_object())
    for (const auto& [key, member] : value.items())
      cost += 64 + static_cast<std::int64_t>(key.size()) + cost_of(member);
  return cost;
}

std::int64_t cost_of(const Headers& headers) {
  std::int64_t cost = 0;
  for (const auto& [name, value] : headers)
    cost += 64 + static_cast<std::int64_t>(name.size() + value.size());
  return cost;
}

std::int64_t size_of(const std::optional<std::string>& bytes) {
  return bytes ? static_cast<std::int64_t>(bytes->size()) : 0;
}

}  // namespace

std::int64_t fact_cost(const Fact& fact) {
  struct Cost {
    std::int64_t operator()(const DomEvents& f) const {
      std::int64_t cost = 0;
      for (const auto& one : f.events) cost += 48 + static_cast<std::int64_t>(one.json.size());
      return cost;
    }
    std::int64_t operator()(const Event& f) const { return cost_of(f.payload); }
    std::int64_t operator()(const Request& f) const {
      return static_cast<std::int64_t>(f.url.size()) + cost_of(f.headers) + size_of(f.body);
    }
    std::int64_t operator()(const Response& f) const { return cost_of(f.headers) + cost_of(f.timing); }
    std::int64_t operator()(const RequestEnd& f) const { return size_of(f.body); }
    std::int64_t operator()(const ChannelFrame& f) const {
      return static_cast<std::int64_t>(f.payload.size());
    }
    std::int64_t operator()(const Asset& f) const {
      return static_cast<std::int64_t>(f.url.size()) + size_of(f.bytes);
    }
    std::int64_t operator()(const Frame& f) const { return static_cast<std::int64_t>(f.bytes.size()); }
    std::int64_t operator()(const Artifact& f) const { return static_cast<std::int64_t>(f.bytes.size()); }
    std::int64_t operator()(const ManifestEntry& f) const { return cost_of(f.value); }
    std::int64_t operator()(const Document& f) const { return static_cast<std::int64_t>(f.url.size()); }
    std::int64_t operator()(const Target& f) const { return static_cast<std::int64_t>(f.url.size()); }
    std::int64_t operator()(const Gap& f) const { return static_cast<std::int64_t>(f.detail.size()); }
    std::int64_t operator()(const TargetEnd&) const { return 0; }
    std::int64_t operator()(const DocumentOwner&) const { return 0; }
    std::int64_t operator()(const DocumentEnd&) const { return 0; }
  };
  return 256 + std::visit(Cost{}, fact);
}

EventSeq FactQueue::push(Fact fact) {
  const std::int64_t cost = fact_cost(fact);
  const std::lock_guard lock(mutex_);
  if (closed_) return {};
  EventSeq seq;
  if (auto* event = std::get_if<Event>(&fact)) event->seq = seq = EventSeq(++last_seq_);
  if (auto* dom = std::get_if<DomEvents>(&fact)) {
    if (bytes_ + taken_ + cost > cap_) over_ = was_over_ = true;
    if (over_) {
      for (const auto& one : dom->events) {
        Refused& refused = refused_[dom->document];
        if (refused.events++ == 0) refused.from = refused.to = one.t;
        refused.to = std::max(refused.to, one.t);
      }
      changed_.notify_one();
      return {};
    }
  }
  push_item(std::move(fact), cost);
  if (bytes_ + taken_ > cap_) over_ = was_over_ = true;
  return seq;
}

void FactQueue::push(Flush flush) {
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) {
      push_item(std::move(flush), 0);
      return;
    }
  }
  if (flush.done) flush.done(Error{Code::conflict, "The archive is sealed already"});
}

void FactQueue::push(Seal seal) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  push_item(std::move(seal), 0);
  closed_ = true;
}

void FactQueue::push_item(Item item, std::int64_t cost) {
  items_.emplace_back(std::move(item), cost);
  bytes_ += cost;
  changed_.notify_one();
}

std::deque<FactQueue::Item> FactQueue::take(std::int64_t bytes,
                                            std::optional<SteadyClock::time_point> deadline) {
  std::unique_lock lock(mutex_);
  const auto some = [&] { return !items_.empty(); };
  if (deadline)
    changed_.wait_until(lock, *deadline, some);
  else
    changed_.wait(lock, some);
  std::deque<Item> out;
  while (!items_.empty() && (out.empty() || taken_ < bytes)) {
    taken_ += items_.front().second;
    bytes_ -= items_.front().second;
    out.push_back(std::move(items_.front().first));
    items_.pop_front();
  }
  return out;
}

void FactQueue::taken_done() {
  const std::lock_guard lock(mutex_);
  taken_ = 0;
  if (bytes_ <= cap_ / 4) over_ = false;
}

std::int64_t FactQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_ + taken_;
}
bool FactQueue::over() const {
  const std::lock_guard lock(mutex_);
  return over_;
}
bool FactQueue::take_was_over() {
  const std::lock_guard lock(mutex_);
  return std::exchange(was_over_, over_);
}
std::map<DocumentId, FactQueue::Refused> FactQueue::take_refused() {
  const std::lock_guard lock(mutex_);
  return std::exchange(refused_, {});
}

}  // namespace browx::archive
