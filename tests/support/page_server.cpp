#include "tests/support/page_server.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

namespace browx::testing {
namespace {

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 302:
      return "Found";
    case 404:
      return "Not Found";
    default:
      return "Status";
  }
}

/// Reads up to the end of the body. False when the peer went away.
bool read_request(int connection, PageRequest& out) {
  std::string text;
  char buffer[4096];
  std::size_t head = std::string::npos;
  while ((head = text.find("\r\n\r\n")) == std::string::npos) {
    const auto got = ::read(connection, buffer, sizeof buffer);
    if (got <= 0 || text.size() > (1u << 20)) return false;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  std::size_t at = text.find("\r\n");
  const std::string first = text.substr(0, at);
  const auto space = first.find(' '), second = first.rfind(' ');
  if (space == std::string::npos || second <= space) return false;
  out.method = first.substr(0, space);
  out.target = first.substr(space + 1, second - space - 1);
  const auto question = out.target.find('?');
  out.path = out.target.substr(0, question);
  if (question != std::string::npos) out.query = out.target.substr(question + 1);
  while (at < head) {
    const std::size_t begin = at + 2;
    at = text.find("\r\n", begin);
    const std::string line = text.substr(begin, at - begin);
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto value = line.find_first_not_of(' ', colon + 1);
    out.headers[name] = value == std::string::npos ? "" : line.substr(value);
  }
  out.host = out.headers["host"];
  const std::size_t length = std::strtoul(out.headers["content-length"].c_str(), nullptr, 10);
  out.body = text.substr(head + 4);
  while (out.body.size() < length) {
    const auto got = ::read(connection, buffer, sizeof buffer);
    if (got <= 0) return false;
    out.body.append(buffer, static_cast<std::size_t>(got));
  }
  return true;
}

void write_all(int connection, std::string_view text) {
  while (!text.empty()) {
    const auto sent = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

PageServer::PageServer() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    std::abort();
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_loop(); });
}

PageServer::~PageServer() {
  ending_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (int connection : open_) ::shutdown(connection, SHUT_RDWR);
  }
  for (auto& thread : threads_) thread.join();
  ::close(listener_);
}

void PageServer::on(std::string path, Handler handler) {
  const std::lock_guard lock(mutex_);
  handlers_[std::move(path)] = std::move(handler);
}

void PageServer::page(std::string path, std::string html) {
  on(std::move(path), [html = std::move(html)](const PageRequest&) {
    PageResponse response;
    response.body = html;
    return response;
  });
}

std::string PageServer::url(std::string_view path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}
std::string PageServer::other_site(std::string_view path) const {
  return fmt::format("http://localhost:{}{}", port_, path);
}

std::vector<std::string> PageServer::log() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& request : log_) out.push_back(request.method + " " + request.host + " " + request.target);
  return out;
}

int PageServer::count(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(
      std::count_if(log_.begin(), log_.end(), [&](const auto& r) { return r.path == path; }));
}

void PageServer::accept_loop() {
  while (!ending_) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const std::lock_guard lock(mutex_);
    open_.push_back(connection);
    threads_.emplace_back([this, connection] { serve(connection); });
  }
}

void PageServer::serve(int connection) {
  PageRequest request;
  if (read_request(connection, request)) {
    Handler handler;
    {
      const std::lock_guard lock(mutex_);
      log_.push_back(request);
      if (const auto found = handlers_.find(request.path); found != handlers_.end()) handler = found->second;
    }
    PageResponse response;
    if (handler) {
      response = handler(request);
    } else if (request.path == "/favicon.ico") {
      response.status = 204;  // the browser asks by itself, whenever it likes: no error in the page's console
    } else {
      response.status = 404;
      response.body = "<!doctype html><title>404</title>Not here";
    }
    const auto end = std::chrono::steady_clock::now() + response.delay;
    while (!ending_ && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (!response.drop) {
      std::string text =
          fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\n", response.status, reason(response.status));
      const bool own_caching =
          std::any_of(response.headers.begin(), response.headers.end(),
                      [](const auto& header) { return header.first == "Cache-Control"; });
      if (!own_caching) text += "Cache-Control: no-store\r\n";
      if (response.status != 204)
        text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", response.content_type,
                            response.body.size());
      for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
      write_all(connection, text + "\r\n" + response.body);
    }
    ::shutdown(connection, SHUT_WR);
    char rest[256];
    while (::read(connection, rest, sizeof rest) > 0) {
    }
  }
  const std::lock_guard lock(mutex_);
  std::erase(open_, connection);
  ::close(connection);
}

}  // namespace browx::testing
