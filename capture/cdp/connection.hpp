#pragma once
// Chrome DevTools Protocol over one transport: commands, answers, events by session.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/async.hpp"
#include "base/json.hpp"
#include "capture/cdp/transport.hpp"

namespace browx::cdp {

/// An event, parsed only as far as its envelope. The views live during the handler's call.
struct Event {
  std::string_view session_id;  ///< empty: the browser itself
  std::string_view method;
  std::string_view params;  ///< raw JSON object, surrogates already repaired
  SteadyClock::time_point received;

  /// Parses params. Malformed JSON answers an empty object (and is logged): the protocol forbids it.
  Json json() const;
};

/// Calls that can be answered early, all at once, by whoever learns that they will not be: a frame fails
/// those in flight when its document goes. A value held by reference; it may die before its calls. Thread:
/// the executor's.
class CallGroup {
 public:
  CallGroup();
  /// Every call in flight answers `why` now.
  void fail(Error why);

 private:
  friend class Connection;
  struct State;
  std::shared_ptr<State> state_;
};

/// Command answers carry errors of these kinds: the browser's own (`internal`/`not_found`, kind "cdp-error",
/// text of the browser), `gone` (kind "context-gone": the document left while the command ran there; kind
/// "target-gone"), `timeout`, and `unavailable` (kind "browser-lost") when the socket has gone. A call whose
/// session detaches answers at once with kind "target-gone". Thread: the executor's.
class Connection {
 public:
  Connection(asio::any_io_executor executor, std::unique_ptr<Transport> transport);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sends a command and waits for its result. `session_id` empty: the browser.
  Task<Json> call(std::string session_id, std::string method, Json params, Deadline deadline);
  Task<Json> call(std::string session_id, std::string method, Json params, Deadline deadline,
                  CallGroup group);
  /// The raw JSON text of `result`, for big answers (screenshots, bodies) parsed elsewhere.
  Task<std::string> call_raw(std::string session_id, std::string method, Json params, Deadline deadline);
  Task<std::string> call_raw(std::string session_id, std::string method, Json params, Deadline deadline,
                             CallGroup group);
  /// Sends without waiting; an error answer is logged at debug level.
  void post(std::string session_id, std::string method, Json params);
  /// Sends; `done` gets the answer (or the loss) from the event loop, never from inside post().
  void post(std::string session_id, std::string method, Json params,
            std::function<void(Result<std::string>)> done);

  using Handler = std::function<void(const Event&)>;
  /// Handlers of one session (or of the browser: ""), called in order of registration for every event of that
  /// session. Removed by the returned token's death.
  class Subscription;
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string session_id, Handler handler);
  /// Ends the waits of a session's calls with kind "target-gone"; its subscriptions stay silent. Done by
  /// itself for Target.detachedFromTarget, after that event's handlers.
  void session_gone(const std::string& session_id);

  bool closed() const;
  /// Called once when the transport closes, after pending calls were answered.
  void on_closed(std::function<void(Error)> handler);
  void close();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

class Connection::Subscription {
 public:
  explicit Subscription(std::function<void()> release) : release_(std::move(release)) {}
  ~Subscription() { release_(); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  std::function<void()> release_;
};

}  // namespace browx::cdp
