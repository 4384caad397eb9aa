#include "mcp/rpc/stdio.hpp"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <boost/asio/post.hpp>

namespace browx::mcp {
namespace {

constexpr std::size_t kReadSize = 64u << 10;
/// What may wait for the engine before the reader pauses, so that a flood costs the sender and not our
/// memory.
constexpr std::size_t kUnhandledLimit = 128u << 20;

}  // namespace

struct Stdio::Impl : std::enable_shared_from_this<Stdio::Impl> {
  Impl(asio::any_io_executor e, int i, int o, std::size_t limit)
      : executor(std::move(e)), in(i), out(o), line_limit(limit) {}

  asio::any_io_executor executor;
  const int in, out;
  const std::size_t line_limit;
  Handlers handlers;  // touched on the executor only, after start()
  int wake = -1;      // eventfd that ends the reader's and the writer's poll
  std::thread reader, writer;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> outgoing;
  std::size_t unhandled = 0;
  bool writing = false, stop = false, broken = false, ended = false;

  void post(std::function<void(Impl&)> what) {
    asio::post(executor, [weak = weak_from_this(), what = std::move(what)] {
      if (const auto self = weak.lock()) what(*self);
    });
  }

  void end() {
    post([](Impl& self) {
      if (self.ended) return;
      self.ended = true;
      if (self.handlers.on_end) self.handlers.on_end();
    });
  }

  bool stopping() {
    std::lock_guard lock(mutex);
    return stop;
  }

  /// False when it is time to stop.
  bool wait_for(int fd, short events) {
    pollfd fds[2] = {{fd, events, 0}, {wake, POLLIN, 0}};
    while (::poll(fds, 2, -1) < 0)
      if (errno != EINTR) return false;
    return !stopping();
  }

  void deliver(std::string line) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) return;
    const std::size_t size = line.size();
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return stop || unhandled < kUnhandledLimit; });
      unhandled += size;
    }
    post([line = std::move(line), size](Impl& self) mutable {
      if (self.handlers.on_line) self.handlers.on_line(std::move(line));
      {
        std::lock_guard lock(self.mutex);
        self.unhandled -= size;
      }
      self.changed.notify_all();
    });
  }

  void read_all() {
    std::string line;
    bool skipping = false;  // inside a line that is too long
    std::vector<char> buffer(kReadSize);
    while (wait_for(in, POLLIN)) {
      const ssize_t n = ::read(in, buffer.data(), buffer.size());
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) break;
      std::string_view chunk(buffer.data(), static_cast<std::size_t>(n));
      while (!chunk.empty()) {
        const std::size_t newline = chunk.find('\n');
        const std::string_view part = chunk.substr(0, newline);
        if (!skipping && line.size() + part.size() > line_limit) {
          skipping = true;
          line = std::string();
          post([](Impl& self) {
            if (self.handlers.on_too_long) self.handlers.on_too_long();
          });
        }
        if (!skipping) line += part;
        if (newline == std::string_view::npos) break;
        if (!skipping) deliver(std::exchange(line, {}));
        skipping = false;
        chunk.remove_prefix(newline + 1);
      }
    }
    if (!skipping && !line.empty() && !stopping()) deliver(std::move(line));
    end();
  }

  bool write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(out, bytes.data(), bytes.size());
      if (n >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(n));
      } else if (errno == EAGAIN) {
        pollfd fd{out, POLLOUT, 0};
        ::poll(&fd, 1, -1);
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  }

  void write_loop() {
    // A peer that has gone is told by EPIPE, whatever the program does with the signal.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stop || !outgoing.empty(); });
      if (outgoing.empty()) return;
      const std::string message = std::move(outgoing.front());
      outgoing.pop_front();
      writing = true;
      lock.unlock();
      const bool written = write_all(message);
      lock.lock();
      writing = false;
      if (!written) {
        broken = true;
        outgoing.clear();
      }
      changed.notify_all();
      if (!written) break;
    }
    lock.unlock();
    end();
  }
};

Stdio::Stdio(asio::any_io_executor executor, int in, int out, std::size_t line_limit)
    : impl_(std::make_shared<Impl>(std::move(executor), in, out, line_limit)) {}

void Stdio::start(Handlers handlers) {
  impl_->handlers = std::move(handlers);
  impl_->wake = ::eventfd(0, EFD_CLOEXEC);
  impl_->reader = std::thread([impl = impl_.get()] { impl->read_all(); });
  impl_->writer = std::thread([impl = impl_] { impl->write_loop(); });
}

void Stdio::send(std::string message) {
  message += '\n';
  {
    std::lock_guard lock(impl_->mutex);
    if (impl_->broken || impl_->stop) return;
    impl_->outgoing.push_back(std::move(message));
  }
  impl_->changed.notify_all();
}

void Stdio::finish(std::chrono::milliseconds grace) {
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait_for(lock, grace,
                          [&] { return impl_->broken || (impl_->outgoing.empty() && !impl_->writing); });
  impl_->stop = true;
  const bool stuck = impl_->writing;  // in a write() that nobody reads: only the end of the process ends it
  impl_->outgoing.clear();
  lock.unlock();
  impl_->changed.notify_all();
  const std::uint64_t one = 1;
  if (impl_->wake >= 0) [[maybe_unused]]
    const ssize_t n = ::write(impl_->wake, &one, sizeof one);
  if (impl_->reader.joinable()) impl_->reader.join();
  if (!impl_->writer.joinable()) return;
  if (stuck)
    impl_->writer.detach();  // it holds the state, and is cut off when the process exits
  else
    impl_->writer.join();
}

Stdio::~Stdio() {
  finish(std::chrono::milliseconds(0));
  if (impl_->wake >= 0) ::close(impl_->wake);
}

}  // namespace browx::mcp
