#pragma once
// The stdio transport: one JSON message a line, nothing else on stdout.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/async.hpp"

namespace browx::mcp {

/// A reader and a writer thread around two descriptors; the handlers are called on the executor. Blocking
/// reads and writes never hold up the engine. Thread: the engine's for every call. The descriptors are not
/// closed.
class Stdio {
 public:
  static constexpr std::size_t kLineLimit = 64u << 20;
  struct Handlers {
    std::function<void(std::string line)> on_line;
    std::function<void()> on_too_long;  ///< a line over kLineLimit was dropped; reading goes on behind it
    std::function<void()> on_end;       ///< end of input, or nobody reads the output any more; called once
  };

  Stdio(asio::any_io_executor executor, int in, int out, std::size_t line_limit = kLineLimit);
  ~Stdio();
  Stdio(const Stdio&) = delete;
  Stdio& operator=(const Stdio&) = delete;

  void start(Handlers handlers);
  /// Queues `message` and a newline.
  void send(std::string message);
  /// Stops reading and waits until everything queued is written or `grace` has passed. Blocks; for the end
  /// only.
  void finish(std::chrono::milliseconds grace);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace browx::mcp
