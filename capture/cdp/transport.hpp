#pragma once
// Where the browser begins: a message pipe. The websocket is the product's, a scripted peer is the tests'.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/async.hpp"

namespace browx::cdp {

/// One connection that carries whole text messages. Thread: the executor's. After on_closed nothing more is
/// called.
class Transport {
 public:
  struct Handlers {
    /// The view is valid during the call and has at least kPadding readable bytes behind its end (for
    /// simdjson).
    std::function<void(std::string_view message)> on_message;
    std::function<void(Error why)> on_closed;
  };
  static constexpr std::size_t kPadding = 64;

  virtual ~Transport() = default;
  /// Begins reading. Called once.
  virtual void start(Handlers handlers) = 0;
  /// Queues a message; one write is outstanding at a time. Ignored after close.
  virtual void send(std::string message) = 0;
  virtual void close() = 0;
};

/// Connects to ws://host:port/path (read_message_max 256 MiB). Errors `unavailable`, `timeout`.
Task<std::unique_ptr<Transport>> connect_websocket(std::string url, Deadline deadline);

/// GET http://host:port/path as text, for /json/version. Errors `unavailable`, `timeout`.
Task<std::string> http_get(std::string url, Deadline deadline);

}  // namespace browx::cdp
