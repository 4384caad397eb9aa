#pragma once
// A browser that says what the test scripts it to say, faults included.

#include <functional>
#include <string>
#include <vector>

#include "capture/cdp/transport.hpp"

namespace browx::cdp {

/// The test's end of the pipe; outlives the transport.
struct FakePeer {
  Transport::Handlers handlers;
  std::vector<Json> sent;
  std::function<void(const Json&)> on_command;
  bool closed = false;

  void say(std::string text) {
    const std::size_t size = text.size();
    text.append(Transport::kPadding, '\0');
    if (handlers.on_message) handlers.on_message({text.data(), size});
  }
  void cut() {
    auto handler = std::exchange(handlers, {}).on_closed;
    if (handler) handler(Error{Code::unavailable, "cut by the test", "", "browser-lost"});
  }
};

class FakeTransport final : public Transport {
 public:
  explicit FakeTransport(std::shared_ptr<FakePeer> peer) : peer_(std::move(peer)) {}
  void start(Handlers handlers) override { peer_->handlers = std::move(handlers); }
  void send(std::string message) override {
    auto command = parse_json(message);
    BROWX_CHECK(command.ok());
    peer_->sent.push_back(*command);
    if (peer_->on_command) peer_->on_command(*command);
  }
  void close() override {
    peer_->closed = true;
    peer_->handlers = {};
  }

 private:
  std::shared_ptr<FakePeer> peer_;
};

}  // namespace browx::cdp
