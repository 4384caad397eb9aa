#include "mcp/serve.hpp"

#include <csignal>
#include <cstdlib>
#include <thread>

#include <unistd.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "base/log.hpp"
#include "mcp/calls.hpp"
#include "mcp/rpc/peer.hpp"
#include "mcp/rpc/stdio.hpp"

namespace browx::mcp {
namespace {

using std::chrono::milliseconds;

/// What was asked right before the end of input may still be answered.
constexpr milliseconds kLastAnswers{150};
/// Calls that were cancelled end within this, or are left behind.
constexpr milliseconds kCancelled{150};
/// Clients send SIGTERM two seconds after closing stdin: by then we are gone, whatever hangs.
constexpr milliseconds kHardEnd{1800};

struct Server {
  explicit Server(Options given)
      : options(std::move(given)),
        engine(capture::Engine::create(io.get_executor(), options.engine)),
        calls(io.get_executor(), *engine, options),
        stdio(io.get_executor(), STDIN_FILENO, STDOUT_FILENO),
        peer(io.get_executor(), calls, [this](std::string message) { stdio.send(std::move(message)); }),
        signals(io, SIGTERM, SIGINT, SIGHUP) {}

  Options options;
  asio::io_context io{1};
  std::unique_ptr<capture::Engine> engine;
  Calls calls;
  Stdio stdio;
  Peer peer;
  asio::signal_set signals;
  bool ending = false;

  void start() {
    signals.async_wait([this](const boost::system::error_code& error, int) {
      if (!error) end(milliseconds(0));
    });
    stdio.start({.on_line =
                     [this](std::string line) {
                       if (!ending) peer.receive(line);
                     },
                 .on_too_long = [this] { peer.refuse_too_long(Stdio::kLineLimit); },
                 .on_end = [this] { end(kLastAnswers); }});
  }

  void end(milliseconds patience) {
    if (ending) return;
    ending = true;
    std::thread([] {
      std::this_thread::sleep_for(kHardEnd);
      log_error("The end took too long; what was recorded up to the last commit is kept");
      std::_Exit(1);
    }).detach();
    spawn(io.get_executor(), wind_up(this, patience));
  }

  static asio::awaitable<void> wind_up(Server* self, milliseconds patience) {
    co_await self->peer.idle(Deadline::in(patience));
    self->peer.cancel_all();
    co_await self->peer.idle(Deadline::in(kCancelled));
    auto ended = co_await self->engine->shutdown();
    if (!ended) log_error("{}", ended.error().message());
    self->io.stop();
  }
};

}  // namespace

int serve_stdio(Options options) {
  std::signal(SIGPIPE, SIG_IGN);
  for (const std::string& notice : options.notices) log_warning("{}", notice);
  Server server(std::move(options));
  server.start();
  server.io.run();
  server.stdio.finish(milliseconds(200));
  // A call that did not end although it was cancelled still refers to all of this: it is not taken apart
  // under it.
  if (server.peer.in_flight() > 0) std::_Exit(0);
  return 0;
}

}  // namespace browx::mcp
