#include "mcp/turns.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace browx::mcp {
namespace {

class TurnsTest : public testing::Test {
 protected:
  static asio::awaitable<void> work(TurnsTest* self, std::string line, std::string name, Signal* until,
                                    bool* open) {
    Turns::Turn turn(self->turns, std::move(line));
    co_await turn.come();
    self->log += name + "(";
    const auto is_open = [open] { return *open; };
    if (until) co_await until->wait_for(is_open, Deadline::in(std::chrono::minutes(1)));
    self->log += ")";
  }
  void start(std::string line, std::string name, Signal* until = nullptr, bool* open = nullptr,
             asio::cancellation_signal* stop = nullptr) {
    const auto done = [](std::exception_ptr) {};
    if (stop)
      asio::co_spawn(io, work(this, line, name, until, open),
                     asio::bind_cancellation_slot(stop->slot(), done));
    else
      asio::co_spawn(io, work(this, line, name, until, open), done);
  }
  void run() {
    io.restart();
    io.poll();
  }
  asio::io_context io{1};
  Turns turns{io.get_executor()};
  std::string log;
};

TEST_F(TurnsTest, CallsOfOneSessionRunOneAfterTheOtherAndThoseOfAnotherBeside) {
  Signal gate(io.get_executor());
  bool open = false;
  start("a", "1", &gate, &open);
  start("a", "2");
  start("a", "3");
  start("b", "x");
  run();
  EXPECT_EQ(log, "1(x()");
  open = true;
  gate.notify();
  run();
  EXPECT_EQ(log, "1(x())2()3()");
}

TEST_F(TurnsTest, OneThatGivesUpWhileWaitingIsPassedOver) {
  Signal gate(io.get_executor());
  bool open = false;
  asio::cancellation_signal stop;
  start("a", "1", &gate, &open);
  start("a", "2", nullptr, nullptr, &stop);
  start("a", "3");
  run();
  stop.emit(asio::cancellation_type::terminal);
  run();
  open = true;
  gate.notify();
  run();
  EXPECT_EQ(log, "1()3()");
}

TEST_F(TurnsTest, TheOneInFrontThatIsCancelledLetsTheNextIn) {
  Signal gate(io.get_executor());
  bool open = false;
  asio::cancellation_signal stop;
  start("a", "1", &gate, &open, &stop);
  start("a", "2");
  run();
  stop.emit(asio::cancellation_type::terminal);
  run();
  EXPECT_EQ(log, "1()2()") << "its wait ends at once, and the next one begins";
}

}  // namespace
}  // namespace browx::mcp
