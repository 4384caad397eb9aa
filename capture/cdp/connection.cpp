#include "capture/cdp/connection.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.hpp"
#include "capture/cdp/envelope.hpp"

namespace browx::cdp {
namespace {

/// One command in flight: either a coroutine waits on the timer, or `done` is called.
struct Pending {
  explicit Pending(const asio::any_io_executor& executor) : timer(executor) {}
  asio::steady_timer timer;
  std::optional<Result<std::string>> answer;
  std::function<void(Result<std::string>)> done;
  std::string session_id, method;

  void settle(Result<std::string> result) {
    if (answer) return;
    answer = std::move(result);
    timer.cancel();
    if (done)
      asio::post(timer.get_executor(), [f = std::move(done), r = *answer]() mutable { f(std::move(r)); });
  }
};

Error target_gone(std::string_view method) {
  return Error{Code::gone, fmt::format("{}: its tab, frame or worker has gone", method), "", "target-gone"};
}

Error browser_error(std::string_view method, std::string_view raw) {
  const auto parsed = parse_json(repair_surrogates(raw));
  std::string text = parsed ? json_string(*parsed, "message", "unknown error") : "unreadable error";
  if (parsed) {
    if (const std::string data = json_string(*parsed, "data"); !data.empty()) text += ": " + data;
  }
  const auto says = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  if (says("Session with given id not found") || says("Target closed")) return target_gone(method);
  if (says("Execution context was destroyed") || says("Inspected target navigated or closed") ||
      says("Frame was detached") || says("Promise was collected"))
    return Error{Code::gone, fmt::format("{}: {}", method, text), "", "context-gone"};
  static constexpr std::array kMissing = {"not find", "not found",   "Cannot find", "No frame",
                                          "No node",  "No resource", "No target",   "No dialog"};
  const bool missing = std::any_of(kMissing.begin(), kMissing.end(), says);
  return Error{missing ? Code::not_found : Code::internal, fmt::format("{}: {}", method, text), "",
               "cdp-error"};
}

}  // namespace

struct CallGroup::State {
  std::list<std::weak_ptr<Pending>> calls;
};

CallGroup::CallGroup() : state_(std::make_shared<State>()) {}

void CallGroup::fail(Error why) {
  auto calls = std::exchange(state_->calls, {});
  for (auto& call : calls)
    if (auto pending = call.lock()) pending->settle(why);
}

Json Event::json() const {
  auto parsed = parse_json(params.empty() ? "{}" : params);
  if (parsed) return std::move(parsed).value();
  log_warning("{} came with parameters that are not JSON: {}", method, parsed.error().what);
  return Json::object();
}

struct Connection::Impl {
  explicit Impl(asio::any_io_executor e) : executor(std::move(e)) {}

  struct Entry {
    Handler handler;
    bool live = true;
  };

  asio::any_io_executor executor;
  std::unique_ptr<Transport> transport;
  EnvelopeParser parser;
  std::unordered_map<std::int64_t, std::shared_ptr<Pending>> pending;
  std::unordered_map<std::string, std::vector<std::shared_ptr<Entry>>> handlers;
  std::function<void(Error)> closed_handler;
  std::optional<Error> closed;
  std::int64_t last_id = 0;

  std::shared_ptr<Pending> send(std::string session_id, std::string method, const Json& params,
                                std::int64_t* id_out) {
    auto call = std::make_shared<Pending>(executor);
    call->session_id = std::move(session_id);
    call->method = std::move(method);
    if (closed) {
      call->answer = *closed;
      return call;
    }
    const std::int64_t id = ++last_id;
    if (id_out) *id_out = id;
    std::string text = fmt::format(R"({{"id":{},"method":"{}")", id, call->method);
    if (!call->session_id.empty()) text += fmt::format(R"(,"sessionId":"{}")", call->session_id);
    if (params.is_object() && !params.empty()) text += ",\"params\":" + dump_json(params);
    text += '}';
    pending.emplace(id, call);
    transport->send(std::move(text));
    return call;
  }

  void on_message(std::string_view message) {
    const auto received = SteadyClock::now();
    const auto envelope = parser.parse(message);
    if (!envelope) {
      log_warning("{} ({} bytes)", envelope.error().what, message.size());
      return;
    }
    if (envelope->id) return on_answer(*envelope);
    on_event(*envelope, received);
  }

  void on_answer(const Envelope& envelope) {
    const auto found = pending.find(*envelope.id);
    if (found == pending.end()) {
      log_debug("an answer came for command {}, which nobody waits for", *envelope.id);
      return;
    }
    const auto call = found->second;
    pending.erase(found);
    if (!envelope.error.empty()) {
      Error error = browser_error(call->method, envelope.error);
      call->settle(std::move(error));
      return;
    }
    call->settle(has_lone_surrogate(envelope.result) ? repair_surrogates(envelope.result)
                                                     : std::string(envelope.result));
  }

  void on_event(const Envelope& envelope, SteadyClock::time_point received) {
    std::string repaired;
    Event event{envelope.session_id, envelope.method, envelope.params, received};
    if (has_lone_surrogate(envelope.params)) {
      repaired = repair_surrogates(envelope.params);
      event.params = repaired;
    }
    if (const auto found = handlers.find(std::string(event.session_id)); found != handlers.end()) {
      const auto snapshot = found->second;  // handlers may come and go while it runs
      for (const auto& entry : snapshot)
        if (entry->live) entry->handler(event);
    }
    if (event.method == "Target.detachedFromTarget")
      session_gone(raw_string_member(event.params, "sessionId"));
  }

  void session_gone(const std::string& session_id) {
    if (session_id.empty()) return;
    std::vector<std::shared_ptr<Pending>> ended;
    for (auto it = pending.begin(); it != pending.end();) {
      if (it->second->session_id != session_id) {
        ++it;
        continue;
      }
      ended.push_back(it->second);
      it = pending.erase(it);
    }
    for (const auto& call : ended) call->settle(target_gone(call->method));
    if (const auto found = handlers.find(session_id); found != handlers.end()) {
      for (const auto& entry : found->second) entry->live = false;
      handlers.erase(found);
    }
  }

  void lost(Error why) {
    if (closed) return;
    if (why.kind.empty()) why.kind = "browser-lost";
    closed = why;
    auto ended = std::exchange(pending, {});
    for (auto& [id, call] : ended) call->settle(why);
    if (auto handler = std::exchange(closed_handler, {})) handler(why);
  }
};

Connection::Connection(asio::any_io_executor executor, std::unique_ptr<Transport> transport)
    : impl_(std::make_shared<Impl>(std::move(executor))) {
  impl_->transport = std::move(transport);
  const std::weak_ptr<Impl> weak = impl_;
  Transport::Handlers handlers;
  handlers.on_message = [weak](std::string_view message) {
    if (auto impl = weak.lock()) impl->on_message(message);
  };
  handlers.on_closed = [weak](Error why) {
    if (auto impl = weak.lock()) impl->lost(std::move(why));
  };
  impl_->transport->start(std::move(handlers));
}

Connection::~Connection() { close(); }

void Connection::close() {
  impl_->closed_handler = {};
  impl_->transport->close();
  impl_->lost(Error{Code::unavailable, "The connection to the browser is closed", "", "browser-lost"});
}

bool Connection::closed() const { return impl_->closed.has_value(); }

void Connection::on_closed(std::function<void(Error)> handler) {
  if (impl_->closed) {
    asio::post(impl_->executor, [handler = std::move(handler), why = *impl_->closed] { handler(why); });
    return;
  }
  impl_->closed_handler = std::move(handler);
}

void Connection::session_gone(const std::string& session_id) { impl_->session_gone(session_id); }

void Connection::post(std::string session_id, std::string method, Json params) {
  post(std::move(session_id), std::move(method), std::move(params), [](Result<std::string> answer) {
    if (!answer) log_debug("{}", answer.error().what);
  });
}

void Connection::post(std::string session_id, std::string method, Json params,
                      std::function<void(Result<std::string>)> done) {
  auto call = impl_->send(std::move(session_id), std::move(method), params, nullptr);
  if (call->answer) {
    asio::post(impl_->executor,
               [done = std::move(done), answer = *call->answer]() mutable { done(std::move(answer)); });
    return;
  }
  call->done = std::move(done);
}

Task<std::string> Connection::call_raw(std::string session_id, std::string method, Json params,
                                       Deadline deadline) {
  return call_raw(std::move(session_id), std::move(method), std::move(params), deadline, CallGroup());
}

Task<std::string> Connection::call_raw(std::string session_id, std::string method, Json params,
                                       Deadline deadline, CallGroup group) {
  const std::shared_ptr<Impl> impl = impl_;
  std::int64_t id = 0;
  auto call = impl->send(std::move(session_id), std::move(method), params, &id);
  struct Leave {
    Impl& impl;
    CallGroup::State& group;
    const std::shared_ptr<Pending>& call;
    std::int64_t id;
    ~Leave() {
      impl.pending.erase(id);
      group.calls.remove_if([&](const auto& weak) { return weak.expired() || weak.lock() == call; });
    }
  } leave{*impl, *group.state_, call, id};
  if (!call->answer) {
    group.state_->calls.push_back(call);
    boost::system::error_code ignored;
    call->timer.expires_at(deadline.at());
    co_await call->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  if (call->answer) co_return std::move(*call->answer);
  co_return Error{Code::timeout, fmt::format("{} was not answered in time", call->method),
                  "The page may be busy; give the call a longer timeoutMs", "timeout"};
}

Task<Json> Connection::call(std::string session_id, std::string method, Json params, Deadline deadline) {
  return call(std::move(session_id), std::move(method), std::move(params), deadline, CallGroup());
}

Task<Json> Connection::call(std::string session_id, std::string method, Json params, Deadline deadline,
                            CallGroup group) {
  auto raw = co_await call_raw(std::move(session_id), std::move(method), std::move(params), deadline,
                               std::move(group));
  if (!raw) co_return std::move(raw).error();
  if (raw->empty()) co_return Json::object();
  co_return parse_json(*raw);
}

std::unique_ptr<Connection::Subscription> Connection::subscribe(std::string session_id, Handler handler) {
  auto entry = std::make_shared<Impl::Entry>();
  entry->handler = std::move(handler);
  impl_->handlers[session_id].push_back(entry);
  const std::weak_ptr<Impl> weak = impl_;
  return std::make_unique<Subscription>([weak, entry, session_id = std::move(session_id)] {
    entry->live = false;
    const auto impl = weak.lock();
    if (!impl) return;
    const auto found = impl->handlers.find(session_id);
    if (found == impl->handlers.end()) return;
    std::erase(found->second, entry);
    if (found->second.empty()) impl->handlers.erase(found);
  });
}

}  // namespace browx::cdp
