// The only translation unit that sees Beast.
#include <cstring>
#include <deque>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "capture/cdp/transport.hpp"

namespace browx::cdp {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

constexpr std::size_t kMessageMax = 256u << 20;
constexpr std::size_t kKeptBuffer = 4u << 20;  // a larger one is given back after the message
constexpr auto kCompletion = asio::as_tuple(asio::use_awaitable);

struct Endpoint {
  std::string host, port, path;
};

Result<Endpoint> split_endpoint(std::string_view url, std::string_view scheme) {
  const std::string prefix = fmt::format("{}://", scheme);
  if (url.substr(0, prefix.size()) != prefix)
    return Error{Code::invalid_argument, fmt::format("\"{}\" is not a {} URL", url, prefix),
                 fmt::format("Write it as {}host:port/path", prefix)};
  url.remove_prefix(prefix.size());
  const std::size_t slash = std::min(url.find('/'), url.size());
  std::string_view authority = url.substr(0, slash);
  Endpoint out;
  out.path = slash == url.size() ? "/" : std::string(url.substr(slash));
  const std::size_t colon = authority.rfind(':');
  const std::size_t bracket = authority.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  out.host = std::string(has_port ? authority.substr(0, colon) : authority);
  out.port = has_port ? std::string(authority.substr(colon + 1)) : "80";
  if (out.host.size() > 2 && out.host.front() == '[') out.host = out.host.substr(1, out.host.size() - 2);
  if (out.host.empty() || out.port.empty())
    return Error{Code::invalid_argument,
                 fmt::format("\"{}\" names no host and port", prefix + std::string(authority))};
  return out;
}

Error unreachable(std::string_view url, const beast::error_code& why) {
  return Error{Code::unavailable, fmt::format("Cannot connect to {}: {}", url, why.message()),
               "Check that the browser still runs and that the address is right"};
}

/// Connects; the stream's own expiry serves as the deadline of everything done on it afterwards.
asio::awaitable<beast::error_code> open_tcp(beast::tcp_stream& stream, std::string host, std::string port,
                                            Deadline deadline) {
  tcp::resolver resolver(stream.get_executor());
  stream.expires_at(deadline.at());
  auto [resolve_error, addresses] = co_await resolver.async_resolve(host, port, kCompletion);
  if (resolve_error) co_return resolve_error;
  auto [connect_error, where] = co_await stream.async_connect(addresses, kCompletion);
  if (!connect_error) stream.socket().set_option(tcp::no_delay(true));
  co_return connect_error;
}

class WebsocketTransport final : public Transport {
 public:
  using Stream = websocket::stream<beast::tcp_stream>;
  explicit WebsocketTransport(std::unique_ptr<Stream> stream) : state_(std::make_shared<State>()) {
    state_->stream = std::move(stream);
  }
  ~WebsocketTransport() override { close(); }

  void start(Handlers handlers) override {
    state_->handlers = std::move(handlers);
    State::read(state_);
  }
  void send(std::string message) override {
    if (state_->closed) return;
    state_->queue.push_back(std::move(message));
    if (state_->queue.size() == 1) State::write(state_);
  }
  void close() override {
    state_->handlers = {};
    state_->shut();
  }

 private:
  // Outlives the transport until the last completion has come.
  struct State {
    std::unique_ptr<Stream> stream;
    beast::flat_buffer buffer;
    Handlers handlers;
    std::deque<std::string> queue;
    bool closed = false;

    void shut() {
      if (closed) return;
      closed = true;
      beast::error_code ignored;
      stream->next_layer().socket().shutdown(tcp::socket::shutdown_both, ignored);
      stream->next_layer().close();
    }

    void fail(const beast::error_code& why) {
      if (closed) return;
      shut();
      if (auto handler = std::exchange(handlers, {}).on_closed)
        handler(Error{Code::unavailable,
                      fmt::format("The connection to the browser was lost: {}", why.message()),
                      "The browser has ended or was killed; the next call starts a new one", "browser-lost"});
    }

    static void read(std::shared_ptr<State> self) {
      auto& raw = *self;
      raw.stream->async_read(raw.buffer, [self = std::move(self)](beast::error_code error, std::size_t) {
        if (self->closed) return;
        if (error) return self->fail(error);
        const std::size_t size = self->buffer.size();
        const auto behind = self->buffer.prepare(kPadding);
        std::memset(behind.data(), 0, behind.size());
        if (self->handlers.on_message)
          self->handlers.on_message({static_cast<const char*>(self->buffer.data().data()), size});
        if (self->closed) return;
        self->buffer.consume(size);
        if (self->buffer.capacity() > kKeptBuffer) self->buffer.shrink_to_fit();
        read(self);
      });
    }

    static void write(std::shared_ptr<State> self) {
      auto& raw = *self;
      raw.stream->async_write(asio::buffer(raw.queue.front()),
                              [self = std::move(self)](beast::error_code error, std::size_t) {
                                if (self->closed) return;
                                if (error) return self->fail(error);
                                self->queue.pop_front();
                                if (!self->queue.empty()) write(self);
                              });
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace

Task<std::unique_ptr<Transport>> connect_websocket(std::string url, Deadline deadline) {
  auto endpoint = split_endpoint(url, "ws");
  if (!endpoint) co_return std::move(endpoint).error();
  auto stream = std::make_unique<WebsocketTransport::Stream>(co_await asio::this_coro::executor);
  auto& tcp_layer = beast::get_lowest_layer(*stream);
  beast::error_code error = co_await open_tcp(tcp_layer, endpoint->host, endpoint->port, deadline);
  if (!error) {
    stream->read_message_max(kMessageMax);
    stream->text(true);
    stream->auto_fragment(false);
    const std::string host = fmt::format("{}:{}", endpoint->host, endpoint->port);
    const std::string path = endpoint->path;
    auto [handshake_error] = co_await stream->async_handshake(host, path, kCompletion);
    error = handshake_error;
  }
  if (error == beast::error::timeout)
    co_return Error{Code::timeout, fmt::format("{} did not answer in time", url)};
  if (error) co_return unreachable(url, error);
  tcp_layer.expires_never();
  std::unique_ptr<Transport> transport = std::make_unique<WebsocketTransport>(std::move(stream));
  co_return std::move(transport);
}

Task<std::string> http_get(std::string url, Deadline deadline) {
  auto endpoint = split_endpoint(url, "http");
  if (!endpoint) co_return std::move(endpoint).error();
  beast::tcp_stream stream(co_await asio::this_coro::executor);
  beast::error_code error = co_await open_tcp(stream, endpoint->host, endpoint->port, deadline);
  http::request<http::empty_body> request(http::verb::get, endpoint->path, 11);
  request.set(http::field::host, fmt::format("{}:{}", endpoint->host, endpoint->port));
  request.set(http::field::connection, "close");
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  if (!error) {
    auto [write_error, sent] = co_await http::async_write(stream, request, kCompletion);
    error = write_error;
  }
  if (!error) {
    auto [read_error, received] = co_await http::async_read(stream, buffer, response, kCompletion);
    error = read_error;
  }
  if (error == beast::error::timeout)
    co_return Error{Code::timeout, fmt::format("{} did not answer in time", url)};
  if (error) co_return unreachable(url, error);
  if (response.result_int() != 200)
    co_return Error{Code::unavailable, fmt::format("{} answered HTTP {}", url, response.result_int())};
  co_return std::move(response.body());
}

}  // namespace browx::cdp
