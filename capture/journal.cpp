#include "capture/journal.hpp"

namespace browx::capture {

Journal::Journal(const Clock& clock)
    : clock_(clock),
      started_(clock.steady()),
      started_wall_ms_(clock.wall_ms()),
      listeners_(std::make_shared<std::list<Listener>>()) {}

Time Journal::now() const { return at(clock_.steady()); }

Time Journal::at(SteadyClock::time_point when) const {
  return Time{std::chrono::duration_cast<std::chrono::microseconds>(when - started_).count()};
}

std::unique_ptr<Journal::Subscription> Journal::listen(Listener listener) {
  listeners_->push_back(std::move(listener));
  const auto place = std::prev(listeners_->end());
  const std::weak_ptr<std::list<Listener>> weak = listeners_;
  return std::make_unique<Subscription>([weak, place] {
    // Emptied now and erased at the end of publish(): the listener may be ending itself from inside its call.
    if (weak.lock()) *place = nullptr;
  });
}

void Journal::publish(const Fact& fact) {
  const auto listeners = listeners_;
  ++depth_;
  for (auto& place : *listeners) {
    if (!place) continue;
    const Listener listener = place;  // kept alive should it end itself
    listener(fact);
  }
  if (--depth_ == 0) listeners->remove_if([](const Listener& listener) { return !listener; });
}

}  // namespace browx::capture
