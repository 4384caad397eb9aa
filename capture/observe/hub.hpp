#pragma once
// What the domain observers share: where events come from, where facts go, and what may be asked of the
// browser.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "capture/journal.hpp"
#include "capture/observe/clock.hpp"

namespace browx::capture {

/// The session as observers see it; tests have one of their own. Callbacks come on the engine's thread and
/// never after the host's death.
class ObserverHost {
 public:
  virtual ~ObserverHost() = default;

  virtual void publish(const Fact& fact) = 0;
  virtual RequestId next_request() = 0;
  virtual Time now() const = 0;

  virtual std::optional<TargetId> target_of(const std::string& cdp_session) const = 0;
  /// The document that the frame shows now.
  virtual std::optional<DocumentId> document_of(const std::string& cdp_session,
                                                const std::string& cdp_frame) const = 0;

  virtual void post(const std::string& cdp_session, const std::string& method, Json params) = 0;
  virtual void call(const std::string& cdp_session, const std::string& method, Json params,
                    std::function<void(Result<Json>)> done) = 0;
  /// Network.getResponseBody, decoded. For big answers: parsed without a JSON tree.
  virtual void body(const std::string& cdp_session, const std::string& request,
                    std::function<void(Result<std::string>)> done) = 0;
  virtual void after(std::chrono::milliseconds span, std::function<void()> run) = 0;
};

/// One CDP event, parsed once for all who listen to its method.
struct Incoming {
  std::string session;  ///< CDP session id; empty: the browser itself
  std::string_view method;
  const Json& params;
  Time received;
};

/// Hands events to the domains. Thread: the engine's.
class Hub {
 public:
  using Handler = std::function<void(const Incoming&)>;
  using AttachHandler = std::function<void(const std::string& cdp_session, const std::string& type)>;
  using GoneHandler = std::function<void(const std::string& cdp_session)>;

  Hub(ObserverHost& host, CdpClock clock) : host_(host), clock_(clock) {}

  void on(std::string method, Handler handler) { handlers_[std::move(method)].push_back(std::move(handler)); }
  /// A target has attached and has not run yet; `type` as CDP names it (page, iframe, worker, service_worker,
  /// …).
  void on_attach(AttachHandler handler) { attach_.push_back(std::move(handler)); }
  void on_gone(GoneHandler handler) { gone_.push_back(std::move(handler)); }

  bool listens(std::string_view method) const { return handlers_.contains(std::string(method)); }
  void deliver(const Incoming& event) {
    const auto found = handlers_.find(std::string(event.method));
    if (found == handlers_.end()) return;
    for (const auto& handler : found->second) handler(event);
  }
  void attached(const std::string& cdp_session, const std::string& type) {
    for (const auto& handler : attach_) handler(cdp_session, type);
  }
  void gone(const std::string& cdp_session) {
    for (const auto& handler : gone_) handler(cdp_session);
  }

  ObserverHost& host() { return host_; }
  CdpClock& clock() { return clock_; }
  /// `params.timestamp` of Network and Page events.
  Time monotonic(const Incoming& event) {
    return clock_.monotonic(json_number(event.params, "timestamp"), event.received);
  }

 private:
  ObserverHost& host_;
  CdpClock clock_;
  std::unordered_map<std::string, std::vector<Handler>> handlers_;
  std::vector<AttachHandler> attach_;
  std::vector<GoneHandler> gone_;
};

/// A domain's observer: subscribes in its constructor, holds what it needs, nothing more.
class Domain {
 public:
  virtual ~Domain() = default;
};

}  // namespace browx::capture
