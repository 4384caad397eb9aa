#include "mcp/rpc/stdio.hpp"

#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace browx::mcp {
namespace {

class StdioTest : public testing::Test {
 protected:
  StdioTest() {
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  }
  ~StdioTest() override {
    for (const int fd : {in[0], in[1], out[0], out[1]})
      if (fd >= 0) ::close(fd);
  }
  Stdio::Handlers handlers() {
    return {.on_line = [this](std::string line) { lines.push_back(std::move(line)); },
            .on_too_long = [this] { ++too_long; },
            .on_end = [this] { ended = true; }};
  }
  void write(std::string_view bytes) {
    ASSERT_EQ(::write(in[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void close_input() {
    ::close(in[1]);
    in[1] = -1;
  }
  template <class Ready>
  void run_until(Ready ready) {
    const Deadline deadline = Deadline::in(std::chrono::seconds(10));
    while (!ready() && !deadline.passed()) io.run_one_for(std::chrono::milliseconds(50));
    ASSERT_TRUE(ready());
  }

  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  int in[2], out[2];
  std::vector<std::string> lines;
  int too_long = 0;
  bool ended = false;
};

TEST_F(StdioTest, LinesArriveInOrderHoweverTheyAreCutUp) {
  Stdio stdio(io.get_executor(), in[0], out[1]);
  stdio.start(handlers());
  write("one\ntw");
  write("o\r\n\n  \nthree");
  close_input();
  run_until([&] { return ended; });
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(StdioTest, ALineOverTheLimitIsDroppedAndReadingGoesOnBehindIt) {
  Stdio stdio(io.get_executor(), in[0], out[1], 100);
  stdio.start(handlers());
  write(std::string(100, 'a') + "\n" + std::string(250, 'b') + "\nlast\n");
  run_until([&] { return lines.size() == 2; });
  EXPECT_EQ(too_long, 1);
  EXPECT_EQ(lines[0].size(), 100u);
  EXPECT_EQ(lines[1], "last");
}

TEST_F(StdioTest, WhatIsSentIsWrittenBeforeTheEnd) {
  std::string big(1 << 20, 'x');
  std::string read;
  std::thread reader([&] {
    std::vector<char> buffer(65536);
    while (read.size() < big.size() + 7) {
      const ssize_t n = ::read(out[0], buffer.data(), buffer.size());
      if (n <= 0) break;
      read.append(buffer.data(), static_cast<std::size_t>(n));
    }
  });
  {
    Stdio stdio(io.get_executor(), in[0], out[1]);
    stdio.start(handlers());
    stdio.send("first");
    stdio.send(big);
    stdio.finish(std::chrono::seconds(10));
  }
  reader.join();
  EXPECT_EQ(read, "first\n" + big + "\n");
}

TEST_F(StdioTest, APeerThatReadsNoMoreIsTheEnd) {
  Stdio stdio(io.get_executor(), in[0], out[1]);
  ::close(out[0]);
  out[0] = -1;
  stdio.start(handlers());
  stdio.send("nobody");
  run_until([&] { return ended; });
}

TEST_F(StdioTest, AReaderThatIsStuckHoldsUpNobodyAtTheEnd) {
  const auto began = SteadyClock::now();
  {
    Stdio stdio(io.get_executor(), in[0], out[1]);
    stdio.start(handlers());
    stdio.send(std::string(4 << 20, 'x'));
    stdio.finish(std::chrono::milliseconds(50));
  }
  EXPECT_LT(SteadyClock::now() - began, std::chrono::seconds(5));
  ::close(out[0]);  // lets the writer's thread go before its descriptor is closed
  out[0] = -1;
}

}  // namespace
}  // namespace browx::mcp
