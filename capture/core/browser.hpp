#pragma once
// One running browser and its connection: routes what the browser itself says to the session it concerns.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/async.hpp"
#include "capture/cdp/chromium.hpp"
#include "capture/cdp/connection.hpp"
#include "capture/session.hpp"

namespace browx::capture {

class SessionImpl;

/// Thread: the engine's. Shared by the engine and the browser's sessions.
class Browser : public std::enable_shared_from_this<Browser> {
 public:
  /// Starts Chromium (or connects to BROWX_ATTACH_CDP) and attaches to everything that appears in it.
  static Task<std::shared_ptr<Browser>> start(asio::any_io_executor executor, EngineOptions options,
                                              bool headless, Deadline deadline);
  Browser(asio::any_io_executor executor, std::unique_ptr<cdp::Chromium> process,
          std::unique_ptr<cdp::Connection>);
  ~Browser();

  asio::any_io_executor executor() const { return executor_; }
  cdp::Connection& connection() const { return *connection_; }
  const std::string& version() const { return version_; }
  bool lost() const { return lost_; }

  void add(const std::string& context, SessionImpl& session) { sessions_[context] = &session; }
  void remove(const std::string& context) { sessions_.erase(context); }
  /// Ends it at once.
  void stop();

 private:
  Task<bool> begin(Deadline deadline);
  void on_event(const cdp::Event& event);
  void on_lost();

  asio::any_io_executor executor_;
  std::unique_ptr<cdp::Chromium> process_;
  std::unique_ptr<cdp::Connection> connection_;
  std::unique_ptr<cdp::Connection::Subscription> subscription_;
  std::map<std::string, SessionImpl*> sessions_;  // by browser context
  std::string version_;
  bool lost_ = false;
};

/// What auto-attach reports: documents and workers. `nested`: below a page, where service and shared workers
/// are left to the browser's own attachment, which sees each once.
Json auto_attach_params(bool nested);

}  // namespace browx::capture
