#pragma once
// Coroutines of browx: Boost.Asio's awaitable carrying a Result, and the one thing to wait on, Signal.
// All of capture and mcp runs on one thread, the one that runs the io_context; nothing here is thread-safe.
//
// g++ 12 and co_await: it cannot compile a braced list inside the expression, and it miscompiles a co_await
// that stands in the condition of an `if` or `while` (the frame's state is lost: crashes far away). Name the
// value first.

#include <chrono>
#include <list>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "base/time.hpp"

namespace browx {

namespace asio = boost::asio;

/// What every asynchronous function answers. Parameters go by value: a reference may not outlive a
/// suspension.
template <class T>
using Task = asio::awaitable<Result<T>>;

/// A condition to wait for, with a deadline. Waiters are woken by notify(); each re-checks what it waits for.
/// Destroying the Signal wakes all waiters with `false`.
class Signal {
 public:
  explicit Signal(asio::any_io_executor executor);
  ~Signal();
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  /// Wakes everyone who waits now.
  void notify();
  /// True when notified, false when the deadline passed first or the Signal died. Cancellation of the
  /// coroutine wakes it too and answers false; Asio throws at the next co_await.
  asio::awaitable<bool> wait(Deadline deadline);

  /// Waits until `ready()` holds. False at the deadline.
  template <class Ready>
  asio::awaitable<bool> wait_for(Ready ready, Deadline deadline) {
    while (!ready()) {
      const bool notified = co_await wait(deadline);  // named: see above
      if (!notified) co_return ready();
    }
    co_return true;
  }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Suspends for `span`. For rates and time-outs only; never as a stand-in for a cause that can be awaited.
asio::awaitable<void> sleep_for(std::chrono::milliseconds span);

/// Runs `task` on `executor`, owning it to its end; an escaping exception is logged as a bug.
void spawn(asio::any_io_executor executor, asio::awaitable<void> task);

}  // namespace browx
