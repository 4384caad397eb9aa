#pragma once
// A small HTTP server for tests: pages as lambdas, several origins, and a log of its own that witnesses what
// the browser really asked for.

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace browx::testing {

struct PageRequest {
  std::string method, target, path, query, host, body;
  std::map<std::string, std::string> headers;  ///< names in lower case
};

struct PageResponse {
  int status = 200;
  std::string body;
  std::string content_type = "text/html; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;
  std::chrono::milliseconds delay{0};  ///< before the answer begins
  bool drop = false;                   ///< close the connection without an answer
};

/// Serves on 127.0.0.1, on a port of its own; "localhost" reaches the same server as another site, a second
/// PageServer is another origin of the same site. Handlers run on the server's threads, one connection each:
/// what they share is theirs to protect. Thread: any.
class PageServer {
 public:
  using Handler = std::function<PageResponse(const PageRequest&)>;

  PageServer();
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// Exact path without query. Later registrations win. Everything else answers 404, /favicon.ico 204.
  void on(std::string path, Handler handler);
  /// A fixed HTML page.
  void page(std::string path, std::string html);

  int port() const { return port_; }
  /// "http://127.0.0.1:PORT" + path, and the same content on another site.
  std::string url(std::string_view path) const;
  std::string other_site(std::string_view path) const;

  /// What was asked for, in order: "METHOD host target".
  std::vector<std::string> log() const;
  /// How often `path` was asked for, whatever the host and query.
  int count(std::string_view path) const;

 private:
  void accept_loop();
  void serve(int connection);

  int listener_ = -1, port_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, Handler> handlers_;
  std::vector<PageRequest> log_;
  std::vector<int> open_;
  std::list<std::thread> threads_;
  std::atomic<bool> ending_{false};
  std::thread acceptor_;
};

}  // namespace browx::testing
