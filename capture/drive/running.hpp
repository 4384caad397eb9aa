#pragma once
// A task that runs beside its starter, so that several page calls share one round trip and a command that a
// dialog holds up does not hold up the action. Thread: the engine's.

#include <memory>
#include <optional>
#include <utility>

#include "base/async.hpp"

namespace browx::capture {

/// The result may be left uncollected: the task then runs to its end alone, so it must own what it uses.
template <class T>
class Running {
 public:
  /// `also`, when given, is notified at the end too: one signal for the first of several tasks.
  static Running start(asio::any_io_executor executor, Task<T> task, std::shared_ptr<Signal> also = nullptr) {
    Running running(executor);
    spawn(executor, drive(running.state_, std::move(task), std::move(also)));
    return running;
  }

  bool done() const { return state_->result.has_value(); }
  /// The result once done, left in place.
  const Result<T>* peek() const { return state_->result ? &*state_->result : nullptr; }
  /// Notified when the task has ended.
  Signal& ended() { return state_->ended; }

  /// Waits for the end. Error `timeout` at the deadline. Call once.
  Task<T> get(Deadline deadline) { return wait(state_, deadline); }

 private:
  struct State {
    explicit State(asio::any_io_executor executor) : ended(executor) {}
    Signal ended;
    std::optional<Result<T>> result;
  };
  explicit Running(asio::any_io_executor executor) : state_(std::make_shared<State>(executor)) {}

  static asio::awaitable<void> drive(std::shared_ptr<State> state, Task<T> task,
                                     std::shared_ptr<Signal> also) {
    Result<T> result = co_await std::move(task);
    state->result.emplace(std::move(result));
    state->ended.notify();
    if (also) also->notify();
  }
  static Task<T> wait(std::shared_ptr<State> state, Deadline deadline) {
    while (!state->result) {
      const bool woken = co_await state->ended.wait(deadline);
      if (!woken && !state->result) co_return Error{Code::timeout, "the page did not answer in time", {}, {}};
    }
    co_return std::move(*state->result);
  }

  std::shared_ptr<State> state_;
};

}  // namespace browx::capture
