#pragma once
// An Engine on real Chromium for tests: one event loop and one browser a test program, a session of its own a
// test.

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "capture/session.hpp"
#include "tests/support/page_server.hpp"
#include "tests/support/run_task.hpp"

namespace browx::testing {

/// Shared by all tests of a program. Shut down by EngineTest's environment.
struct EngineWorld {
  asio::io_context io;
  std::unique_ptr<capture::Engine> engine;
  PageServer server;
  int last_session = 0;

  static EngineWorld& get();
  static void end();
};

class EngineTest : public ::testing::Test {
 protected:
  EngineTest();
  void TearDown() override;

  /// Runs a task to its end; the default limit is far above every deadline used in tests.
  template <class T>
  Result<T> run(Task<T> task, std::chrono::milliseconds limit = std::chrono::seconds(30)) {
    return run_task(world.io, std::move(task), limit);
  }
  /// The same, failing the test on an Error.
  template <class T>
  T must(Task<T> task, std::chrono::milliseconds limit = std::chrono::seconds(30)) {
    auto answer = run(std::move(task), limit);
    if (!answer) {
      ADD_FAILURE() << answer.error().message();
      throw std::runtime_error(answer.error().message());
    }
    return std::move(answer).value();
  }
  template <class Ready>
  bool until(Ready ready, std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    return run_until(world.io, ready, limit);
  }

  /// A session of this test's own, closed at its end.
  std::shared_ptr<capture::Session> open(capture::SessionOptions options = {});
  std::shared_ptr<capture::Tab> open_tab() { return open()->current_tab(); }
  capture::Navigation go(capture::Tab& tab, const std::string& url) {
    return must(tab.navigate(url, Deadline::in(std::chrono::seconds(10))));
  }
  /// A value of the page's own world.
  Json eval(capture::Frame& frame, const std::string& expression) {
    return must(frame.evaluate(expression, true, Deadline::in(std::chrono::seconds(5))));
  }
  /// The child frame that shows `path`, waited for.
  std::shared_ptr<capture::Frame> frame_showing(capture::Tab& tab, const std::string& path);

  EngineWorld& world;
  PageServer& server;
  capture::Engine& engine;

 private:
  std::vector<std::string> opened_;
};

}  // namespace browx::testing
