#pragma once
// A WebSocket server for tests that sends back every frame as it came and remembers what it got.

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace browx::testing {

/// Listens on a port of 127.0.0.1. Thread: any; the log is its own copy.
class WsEchoServer {
 public:
  WsEchoServer();
  ~WsEchoServer();
  WsEchoServer(const WsEchoServer&) = delete;
  WsEchoServer& operator=(const WsEchoServer&) = delete;

  std::string url() const;  ///< "ws://127.0.0.1:PORT/"
  /// (binary?, payload) of every frame received, in order.
  std::vector<std::pair<bool, std::string>> received() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace browx::testing
