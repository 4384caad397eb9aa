#pragma once
// One connection: takes messages in, runs requests side by side, sends answers out. Knows no transport.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/rpc/protocol.hpp"
#include "mcp/rpc/service.hpp"

namespace browx::mcp {

/// Thread: the engine's. Destroying it cancels what runs and silences `send`.
class Peer {
 public:
  /// `send` gets one whole JSON text without newline.
  Peer(asio::any_io_executor executor, Service& service, std::function<void(std::string)> send);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// One message, or a batch where the handshake allows it. Malformed ones are answered.
  void receive(std::string_view line);
  /// A message longer than the transport takes; it was dropped.
  void refuse_too_long(std::size_t limit);

  std::size_t in_flight() const;
  /// True when everything that ran has ended, false at the deadline.
  asio::awaitable<bool> idle(Deadline deadline);
  void cancel_all();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace browx::mcp
