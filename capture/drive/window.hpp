#pragma once
// The window of an action: everything the session tells between its start and its settled end, and what is
// still to come of it.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "capture/journal.hpp"
#include "capture/session.hpp"

namespace browx::capture {

/// A main-frame navigation on its way.
enum class Leaving {
  none,
  requested,  ///< the page asked for it; it may yet come to nothing
  started,    ///< the browser is loading it
};

/// Listens from its construction on, and notifies Tab::changed() with every fact that may end a wait.
/// Thread: the engine's. Must not outlive session and tab.
class Window {
 public:
  Window(Session& session, Tab& tab);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Time began() const { return began_; }
  SteadyClock::time_point began_at() const { return began_at_; }
  Leaving leaving() const { return state_->leaving; }
  /// A dialog of leaving was refused, or the wait for it given up.
  void stay() { state_->leaving = Leaving::none; }
  /// Requests of script begun in the window that have no answer yet.
  int pending_requests() const;
  /// Until when the body of one that is answered may still be awaited.
  std::optional<SteadyClock::time_point> bodies_until() const;
  /// Windows that the page opened and that are no tab yet, or one without its URL.
  bool tab_expected() const;
  bool download_running() const;

  /// Ready-made parts of ActionResult. URLs redacted.
  Json network() const;  ///< {summary{total,byType,failed}, requests, mutations, wsFrames}
  Json downloads() const;
  /// Tabs of the session that were not there at the start.
  std::vector<std::shared_ptr<Tab>> new_tabs() const;
  std::vector<std::string> console_errors() const;
  int console_warnings() const;
  std::vector<std::string> page_errors() const;

  /// Waits for the answers of getResponseBody that were asked for, at most until the deadline.
  asio::awaitable<void> bodies(Deadline deadline);

 private:
  struct Request {
    RequestId id;
    std::string method, url, type, cdp_id, mime, cdp_session;
    Time begin, end;
    int status = 0;
    std::optional<SteadyClock::time_point> answered;
    bool finished = false, failed = false;
    Json shape;  ///< responseShape, or null
  };
  struct State {
    explicit State(asio::any_io_executor executor) : bodies(executor) {}
    Signal bodies;
    std::deque<Request> requests;
    std::vector<Json> frames;
    std::vector<Json> downloads;
    std::vector<std::string> opened;  ///< URLs of the windows the page asked for
    int bodies_open = 0;
    bool download_asked = false;
    Leaving leaving = Leaving::none;
    Request* find(RequestId id);
  };

  void on_fact(const Fact& fact);
  void on_page_event(const cdp::Event& event);
  bool ours(std::optional<TargetId> target) const;
  std::string session_of(std::optional<TargetId> target) const;
  void ask_body(const Request& request);
  static asio::awaitable<void> fetch_body(std::shared_ptr<State> state, cdp::Connection& connection,
                                          std::string cdp_session, std::string cdp_id, RequestId id);

  Session& session_;
  Tab& tab_;
  Time began_;
  SteadyClock::time_point began_at_;
  std::vector<int> tabs_before_;
  std::shared_ptr<State> state_;  // shared with body requests, which may outlive the window
  std::unique_ptr<Journal::Subscription> facts_;
  std::unique_ptr<cdp::Connection::Subscription> events_;
};

}  // namespace browx::capture
