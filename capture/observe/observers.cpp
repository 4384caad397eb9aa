#include "capture/observe/observers.hpp"

#include <chrono>
#include <map>
#include <utility>

#include "capture/cdp/connection.hpp"
#include "capture/observe/body.hpp"
#include "capture/observe/channels.hpp"
#include "capture/observe/console.hpp"
#include "capture/observe/downloads.hpp"
#include "capture/observe/hub.hpp"
#include "capture/observe/leaving.hpp"
#include "capture/observe/lifecycle.hpp"
#include "capture/observe/network.hpp"
#include "capture/observe/screencast.hpp"
#include "capture/session.hpp"

namespace browx::capture {
namespace {

constexpr std::chrono::seconds kCommand{10};

CdpClock::Base clock_base(Session& session) {
  const auto us = [](auto since) {
    return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
  };
  const std::int64_t steady = us(SteadyClock::now().time_since_epoch());
  const std::int64_t wall = us(std::chrono::system_clock::now().time_since_epoch());
  const std::int64_t elapsed = session.journal().now().us;
  return {session.engine_options().attach_cdp.empty(), steady - elapsed, wall - elapsed};
}

/// The live session behind the domains.
class SessionHost : public ObserverHost {
 public:
  explicit SessionHost(Session& session) : session_(session), alive_(std::make_shared<bool>(true)) {}
  ~SessionHost() override { *alive_ = false; }

  void publish(const Fact& fact) override { session_.journal().publish(fact); }
  RequestId next_request() override { return session_.journal().next_request(); }
  Time now() const override { return session_.journal().now(); }

  std::optional<TargetId> target_of(const std::string& cdp_session) const override {
    return session_.target_of(cdp_session);
  }
  std::optional<DocumentId> document_of(const std::string& cdp_session,
                                        const std::string& cdp_frame) const override {
    const auto frame = frame_of(cdp_session, cdp_frame);
    if (!frame || !frame->document()) return std::nullopt;
    return frame->document();
  }

  void post(const std::string& cdp_session, const std::string& method, Json params) override {
    session_.connection().post(cdp_session, method, std::move(params));
  }
  void call(const std::string& cdp_session, const std::string& method, Json params,
            std::function<void(Result<Json>)> done) override {
    spawn(session_.executor(),
          run_call(session_.connection(), alive_, cdp_session, method, std::move(params), std::move(done)));
  }
  void body(const std::string& cdp_session, const std::string& request,
            std::function<void(Result<std::string>)> done) override {
    spawn(session_.executor(),
          run_body(session_.connection(), alive_, cdp_session, request, std::move(done)));
  }
  void after(std::chrono::milliseconds span, std::function<void()> run) override {
    spawn(session_.executor(), run_after(alive_, span, std::move(run)));
  }

 private:
  std::shared_ptr<Frame> frame_of(const std::string& cdp_session, const std::string& cdp_frame) const {
    if (cdp_frame.empty()) return nullptr;
    if (auto frame = session_.frame_of(cdp_session, cdp_frame)) return frame;
    for (const auto& tab : session_.tabs())  // it may live in another target by now
      if (auto frame = tab->frame_by_cdp_id(cdp_frame)) return frame;
    return nullptr;
  }

  static asio::awaitable<void> run_call(cdp::Connection& connection, std::shared_ptr<bool> alive,
                                        std::string session, std::string method, Json params,
                                        std::function<void(Result<Json>)> done) {
    auto answer = co_await connection.call(session, method, std::move(params), Deadline::in(kCommand));
    if (*alive) done(std::move(answer));
  }
  static asio::awaitable<void> run_body(cdp::Connection& connection, std::shared_ptr<bool> alive,
                                        std::string session, std::string request,
                                        std::function<void(Result<std::string>)> done) {
    Json params = Json::object();
    params["requestId"] = request;
    auto answer = co_await connection.call_raw(session, "Network.getResponseBody", std::move(params),
                                               Deadline::in(kCommand));
    if (!*alive) co_return;
    if (answer)
      done(decode_body(*answer));
    else
      done(answer.error());
  }
  static asio::awaitable<void> run_after(std::shared_ptr<bool> alive, std::chrono::milliseconds span,
                                         std::function<void()> run) {
    co_await sleep_for(span);
    if (*alive) run();
  }

  Session& session_;
  std::shared_ptr<bool> alive_;
};

class SessionObservers : public Observers {
 public:
  explicit SessionObservers(Session& session)
      : session_(session),
        host_(session),
        hub_(host_, CdpClock(clock_base(session))),
        settled_(session.executor()),
        // The list of domains. Order matters where one asks another.
        network_(hub_),
        channels_(hub_, network_),
        console_(hub_),
        lifecycle_(hub_, [this](const std::string& cdp_target) { return tab_target(cdp_target); }),
        downloads_(
            hub_, network_,
            {session.engine_options().workspace, session.name(), session.options().mode == "attached"}),
        leaving_(hub_, !session.engine_options().origins.restricts()),
        screencast_(hub_) {
    network_.on_settled([this] { settled_.notify(); });
    session.on_target([this](const std::string& cdp_session, const std::string& type) {
      sessions_[cdp_session] = session_.target_of(cdp_session);
      hub_.attached(cdp_session, type);
    });
    session.on_cdp([this](const cdp::Event& event) { deliver(event); });
    browser_ = session.connection().subscribe("", [this](const cdp::Event& event) { deliver(event); });
    journal_ = session.journal().listen([this](const Fact& fact) {
      if (const auto* end = std::get_if<archive::TargetEnd>(&fact)) target_ended(end->id);
    });
  }

  std::unique_ptr<Want> want_bodies(WantsBody wants) override {
    return network_.want_bodies(std::move(wants));
  }

  Task<bool> bodies_settled(Deadline deadline) override {
    const auto settled = [this] { return network_.settled(); };
    const bool in_time = co_await settled_.wait_for(settled, deadline);
    co_return in_time;
  }

  std::vector<Download> downloads_since(Time from) const override { return downloads_.since(from); }
  void about_to_leave(Tab& tab) override { leaving_.about_to_leave(tab.cdp_session(), tab.cdp_target()); }
  void start_screencast(Tab& tab) override { screencast_.start(tab.cdp_session()); }
  void stop_screencast(Tab& tab) override { screencast_.stop(tab.cdp_session()); }
  void pause_screencast(Tab& tab) override { screencast_.pause(tab.cdp_session()); }
  void resume_screencast(Tab& tab) override { screencast_.resume(tab.cdp_session()); }

 private:
  void deliver(const cdp::Event& event) {
    // Only what somebody listens to is parsed.
    if (event.method != "Target.detachedFromTarget" && !hub_.listens(event.method)) return;
    const Json params = event.json();
    hub_.deliver(
        {std::string(event.session_id), event.method, params, session_.journal().at(event.received)});
    if (event.method == "Target.detachedFromTarget") gone(json_string(params, "sessionId"));
  }
  void gone(const std::string& cdp_session) {
    if (sessions_.erase(cdp_session) != 0) hub_.gone(cdp_session);
  }
  void target_ended(TargetId target) {
    std::vector<std::string> over;
    for (const auto& [cdp_session, known] : sessions_)
      if ((known ? known : session_.target_of(cdp_session)) == target) over.push_back(cdp_session);
    for (const auto& cdp_session : over) gone(cdp_session);
  }
  std::optional<TargetId> tab_target(const std::string& cdp_target) const {
    for (const auto& tab : session_.tabs())
      if (tab->cdp_target() == cdp_target) return tab->target();
    return std::nullopt;
  }

  Session& session_;
  SessionHost host_;
  Hub hub_;
  Signal settled_;
  std::map<std::string, std::optional<TargetId>> sessions_;
  Network network_;
  Channels channels_;
  Console console_;
  Lifecycle lifecycle_;
  Downloads downloads_;
  Leaving leaving_;
  Screencast screencast_;
  std::unique_ptr<cdp::Connection::Subscription> browser_;
  std::unique_ptr<Journal::Subscription> journal_;
};

}  // namespace

std::unique_ptr<Observers> observe(Session& session) { return std::make_unique<SessionObservers>(session); }

}  // namespace browx::capture
