#include "base/async.hpp"

#include <algorithm>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.hpp"

namespace browx {

struct Signal::State {
  explicit State(asio::any_io_executor e) : executor(std::move(e)) {}
  asio::any_io_executor executor;
  struct Waiter {
    explicit Waiter(const asio::any_io_executor& e) : timer(e) {}
    asio::steady_timer timer;
    bool notified = false;
  };
  std::vector<Waiter*> waiters;
  bool dead = false;
};

Signal::Signal(asio::any_io_executor executor) : state_(std::make_shared<State>(std::move(executor))) {}

Signal::~Signal() {
  state_->dead = true;
  for (auto* waiter : state_->waiters) waiter->timer.cancel();
}

void Signal::notify() {
  for (auto* waiter : state_->waiters) {
    waiter->notified = true;
    waiter->timer.cancel();
  }
}

asio::awaitable<bool> Signal::wait(Deadline deadline) {
  const std::shared_ptr<State> state = state_;  // outlives the Signal
  if (state->dead || deadline.passed()) co_return false;
  State::Waiter waiter(state->executor);
  waiter.timer.expires_at(deadline.at());
  state->waiters.push_back(&waiter);
  struct Leave {
    State& state;
    State::Waiter* waiter;
    ~Leave() { std::erase(state.waiters, waiter); }
  } leave{*state, &waiter};
  boost::system::error_code ignored;
  co_await waiter.timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  co_return waiter.notified && !state->dead;
}

asio::awaitable<void> sleep_for(std::chrono::milliseconds span) {
  asio::steady_timer timer(co_await asio::this_coro::executor, span);
  boost::system::error_code ignored;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

void spawn(asio::any_io_executor executor, asio::awaitable<void> task) {
  asio::co_spawn(executor, std::move(task), [](std::exception_ptr error) {
    if (!error) return;
    try {
      std::rethrow_exception(error);
    } catch (const boost::system::system_error& e) {
      if (e.code() != asio::error::operation_aborted) log_error("a background task failed: {}", e.what());
    } catch (const std::exception& e) {
      log_error("a background task failed: {}", e.what());
    }
  });
}

}  // namespace browx
