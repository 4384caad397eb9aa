#pragma once
// Runs a coroutine on an io_context to its end, for tests.

#include <chrono>
#include <memory>
#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/async.hpp"

namespace browx::testing {

/// How bounds are written: speed is measured in bench/, never here. What shall end by its cause gets this
/// deadline, at least twice the limit of every run(): had it waited for the deadline, the answer would be
/// "test-timeout". What shall end at its deadline is told by the answer's kind, and by what it would else
/// have waited for (a page that is busy, a server that is silent for kFar) still being to come.
inline constexpr std::chrono::milliseconds kFar = std::chrono::seconds(60);

namespace detail {
template <class T>
asio::awaitable<void> keep_answer(Task<T> task, std::shared_ptr<std::optional<Result<T>>> answer) {
  answer->emplace(co_await std::move(task));
}
}  // namespace detail

/// The task's answer; an Error of code `timeout`, kind "test-timeout", when it took longer than `limit`.
template <class T>
Result<T> run_task(asio::io_context& io, Task<T> task,
                   std::chrono::milliseconds limit = std::chrono::seconds(20)) {
  // Shared: a task that outlives its limit still finds them.
  auto answer = std::make_shared<std::optional<Result<T>>>();
  asio::co_spawn(io, detail::keep_answer(std::move(task), answer), [](std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
  });
  io.restart();
  const auto end = SteadyClock::now() + limit;
  while (!*answer && SteadyClock::now() < end) io.run_one_until(end);
  if (!*answer) return Error{Code::timeout, "the task did not end", "", "test-timeout"};
  return std::move(**answer);
}

/// Runs the loop until `ready()` or `limit`.
template <class Ready>
bool run_until(asio::io_context& io, Ready ready,
               std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  io.restart();
  const auto end = SteadyClock::now() + limit;
  while (!ready() && SteadyClock::now() < end)
    io.run_one_until(std::min(end, SteadyClock::now() + std::chrono::milliseconds(20)));
  return ready();
}

}  // namespace browx::testing
