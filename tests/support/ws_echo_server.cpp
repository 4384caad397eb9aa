#include "tests/support/ws_echo_server.hpp"

#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace browx::testing {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

struct WsEchoServer::Impl {
  asio::io_context io;
  tcp::acceptor acceptor{io, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  int port = acceptor.local_endpoint().port();
  mutable std::mutex mutex;
  std::vector<std::pair<bool, std::string>> received;
  std::vector<int> sockets;  // native handles, shut down to wake their threads
  std::list<std::thread> threads;
  std::thread acceptor_thread;

  void serve(tcp::socket socket) {
    boost::system::error_code error;
    boost::beast::websocket::stream<tcp::socket> stream(std::move(socket));
    stream.accept(error);
    while (!error) {
      boost::beast::flat_buffer buffer;
      stream.read(buffer, error);
      if (error) break;
      const auto data = buffer.cdata();
      {
        const std::lock_guard lock(mutex);
        received.emplace_back(stream.got_binary(),
                              std::string(static_cast<const char*>(data.data()), data.size()));
      }
      stream.binary(stream.got_binary());
      stream.write(data, error);
    }
  }

  void accept() {
    for (;;) {
      boost::system::error_code error;
      tcp::socket socket(io);
      acceptor.accept(socket, error);
      if (error) return;
      const std::lock_guard lock(mutex);
      sockets.push_back(socket.native_handle());
      threads.emplace_back(
          [this, moved = std::make_shared<tcp::socket>(std::move(socket))] { serve(std::move(*moved)); });
    }
  }
};

WsEchoServer::WsEchoServer() : impl_(std::make_unique<Impl>()) {
  impl_->acceptor_thread = std::thread([impl = impl_.get()] { impl->accept(); });
}

WsEchoServer::~WsEchoServer() {
  ::shutdown(impl_->acceptor.native_handle(), SHUT_RDWR);
  impl_->acceptor_thread.join();
  for (const int socket : impl_->sockets)
    ::shutdown(socket, SHUT_RDWR);  // harmless where it is closed already
  for (auto& thread : impl_->threads) thread.join();
}

std::string WsEchoServer::url() const { return "ws://127.0.0.1:" + std::to_string(impl_->port) + "/"; }

std::vector<std::pair<bool, std::string>> WsEchoServer::received() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->received;
}

}  // namespace browx::testing
