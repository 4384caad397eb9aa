#include "mcp/rpc/peer.hpp"

#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include "base/log.hpp"

namespace browx::mcp {
namespace {

/// Takes the response of one message; null when there is none (a notification, or a cancelled request).
using Reply = std::function<void(OrderedJson)>;

/// Gathers the responses of a batch and sends them as one array.
struct Batch {
  std::size_t waiting = 0;
  OrderedJson responses = OrderedJson::array();
  std::function<void(std::string)> send;
  void take(OrderedJson response) {
    if (!response.is_null()) responses.push_back(std::move(response));
    if (--waiting == 0 && !responses.empty()) send(dump_json(responses));
  }
};

OrderedJson call_result(CallOutcome outcome) {
  OrderedJson result;
  result["content"] = std::move(outcome.content);
  if (outcome.structured) result["structuredContent"] = std::move(*outcome.structured);
  if (outcome.is_error) result["isError"] = true;
  return result;
}

}  // namespace

struct Peer::Impl : std::enable_shared_from_this<Peer::Impl> {
  Impl(asio::any_io_executor e, Service& s, std::function<void(std::string)> out)
      : executor(e), service(s), send(std::move(out)), ended(e) {}

  asio::any_io_executor executor;
  Service& service;
  std::function<void(std::string)> send;
  Handshake handshake;
  std::unordered_map<std::string, std::shared_ptr<Abort>> running;  // by id_key
  Signal ended;
  bool closed = false;

  void emit(OrderedJson message) {
    if (!closed && !message.is_null()) send(dump_json(message));
  }

  void receive_one(const Json& message, Reply reply) {
    Incoming in = classify(message, handshake);
    switch (in.kind) {
      case Incoming::Kind::invalid:
        return reply(error_message(in.id, in.error, handshake));
      case Incoming::Kind::response:  // we send no requests
        return reply(nullptr);
      case Incoming::Kind::notification:
        on_notification(in);
        return reply(nullptr);
      case Incoming::Kind::request:
        return on_request(std::move(in), std::move(reply));
    }
  }

  void on_notification(const Incoming& in) {
    if (in.method != "notifications/cancelled") return;
    const Json& id = json_member(in.params, "requestId");
    if (!is_id(id)) return;
    const auto found = running.find(id_key(id));
    if (found == running.end()) return;
    const std::shared_ptr<Abort> abort = found->second;
    abort->now(Abort::Why::cancelled);
  }

  void answer(const Incoming& in, const Reply& reply, OrderedJson result) {
    reply(result_message(in.id, dress_result(in.era, handshake.version, in.method, std::move(result))));
  }
  void refuse(const Incoming& in, const Reply& reply, RpcCode code, std::string message,
              Json data = nullptr) {
    reply(error_message(in.id, RpcError{code, std::move(message), std::move(data)}, handshake));
  }

  void on_request(Incoming in, Reply reply) {
    if (in.era == Era::modern && in.method == "server/discover") return discover(in, reply);
    if (in.era == Era::legacy && in.method == "initialize") return initialize(in, reply);
    if (in.era == Era::legacy && in.method == "ping") return answer(in, reply, OrderedJson::object());
    if (in.method == "tools/list") return list(in, reply, "tools", [this] { return service.list_tools(); });
    if (in.method == "resources/list")
      return list(in, reply, "resources", [this] { return service.list_resources(); });
    if (in.method == "resources/templates/list")
      return list(in, reply, "resourceTemplates", [this] { return service.list_resource_templates(); });
    if (in.method == "resources/read") return read_resource(in, reply);
    if (in.method == "tools/call") return call(std::move(in), std::move(reply));
    refuse(in, reply, RpcCode::method_not_found, fmt::format("Unknown method {}", in.method));
  }

  static OrderedJson capabilities() {
    OrderedJson out;
    out["tools"] = OrderedJson::object();
    out["resources"] = OrderedJson::object();
    return out;
  }

  void discover(const Incoming& in, const Reply& reply) {
    OrderedJson result;
    result["supportedVersions"] = OrderedJson::array({std::string(kModernVersion)});
    result["capabilities"] = capabilities();
    result["instructions"] = service.instructions();
    answer(in, reply, std::move(result));
  }

  void initialize(const Incoming& in, const Reply& reply) {
    const Json& version = json_member(in.params, "protocolVersion");
    const Json& peer = json_member(in.params, "clientInfo");
    if (!version.is_string() || !json_member(in.params, "capabilities").is_object() || !peer.is_object())
      return refuse(
          in, reply, RpcCode::invalid_params,
          "initialize needs protocolVersion (string), capabilities (object) and clientInfo (object)");
    handshake.version = negotiate(version.get<std::string>());
    OrderedJson result;
    result["protocolVersion"] = handshake.version;
    result["capabilities"] = capabilities();
    result["serverInfo"] = server_info();
    result["instructions"] = service.instructions();
    answer(in, reply, std::move(result));
  }

  template <class Items>
  void list(const Incoming& in, const Reply& reply, const char* key, Items items) {
    // Every list is one page, so no cursor was ever given out.
    if (in.params.contains("cursor"))
      return refuse(in, reply, RpcCode::invalid_params, "Unknown cursor; ask again without one");
    OrderedJson result;
    result[key] = items();
    answer(in, reply, std::move(result));
  }

  void read_resource(const Incoming& in, const Reply& reply) {
    const Json& uri = json_member(in.params, "uri");
    if (!uri.is_string()) return refuse(in, reply, RpcCode::invalid_params, "uri must be a string");
    Result<OrderedJson> contents = service.read_resource(uri.get<std::string>());
    if (!contents) {
      Json data = {{"uri", uri}};
      const RpcCode code = contents.error().code != Code::not_found ? RpcCode::internal_error
                           : in.era == Era::modern                  ? RpcCode::invalid_params
                                                                    : RpcCode::resource_not_found;
      return refuse(in, reply, code, contents.error().message(), std::move(data));
    }
    OrderedJson result;
    result["contents"] = std::move(*contents);
    answer(in, reply, std::move(result));
  }

  void call(Incoming in, Reply reply) {
    const Json& name = json_member(in.params, "name");
    if (!name.is_string()) return refuse(in, reply, RpcCode::invalid_params, "name must be a string");
    ToolCall call;
    call.name = name.get<std::string>();
    if (in.params.contains("arguments")) {
      call.arguments = json_member(in.params, "arguments");
      if (!call.arguments.is_object())
        return refuse(in, reply, RpcCode::invalid_params, "arguments must be an object");
    }
    if (in.era == Era::modern && in.params.contains("requestState"))
      return refuse(in, reply, RpcCode::invalid_params, "requestState was not given out by this server");
    if (!service.has_tool(call.name))
      return refuse(in, reply, RpcCode::invalid_params, fmt::format("Unknown tool {}", call.name));
    const std::string key = id_key(in.id);
    if (running.contains(key))
      return refuse(in, reply, RpcCode::invalid_request, "A request with this id is still running");

    call.abort = std::make_shared<Abort>();
    running[key] = call.abort;
    call.progress = progress_of(json_member(json_member(in.params, "_meta"), "progressToken"), key);
    auto abort = call.abort;
    asio::co_spawn(executor, run(shared_from_this(), std::move(in), std::move(call), std::move(reply)),
                   asio::bind_cancellation_slot(abort->signal.slot(), [abort](std::exception_ptr) {}));
  }

  std::function<void(double, std::optional<double>, std::string)> progress_of(Json token, std::string key) {
    if (!is_id(token)) return [](double, std::optional<double>, std::string) {};
    return [weak = weak_from_this(), token = std::move(token), key = std::move(key)](
               double progress, std::optional<double> total, std::string message) {
      const auto self = weak.lock();
      if (!self) return;
      const auto found = self->running.find(key);
      if (found == self->running.end() || found->second->why == Abort::Why::cancelled) return;
      self->emit(progress_message(token, progress, total, message));
    };
  }

  static asio::awaitable<void> run(std::shared_ptr<Impl> self, Incoming in, ToolCall call, Reply reply) {
    const std::string key = id_key(in.id);
    const std::shared_ptr<Abort> abort = call.abort;
    std::optional<CallOutcome> outcome;
    std::string bug;
    try {
      outcome = co_await self->service.call_tool(std::move(call));
    } catch (const boost::system::system_error& e) {
      if (e.code() != asio::error::operation_aborted) bug = e.what();
    } catch (const std::exception& e) {
      bug = e.what();
    }
    self->running.erase(key);
    if (abort->why == Abort::Why::cancelled) {
      reply(nullptr);
    } else if (outcome) {
      self->answer(in, reply, call_result(std::move(*outcome)));
    } else {
      log_error("{} of a tool failed: {}", in.method, bug.empty() ? "aborted" : bug);
      self->refuse(in, reply, RpcCode::internal_error, "Internal error; the server's log has the details");
    }
    self->ended.notify();
  }
};

Peer::Peer(asio::any_io_executor executor, Service& service, std::function<void(std::string)> send)
    : impl_(std::make_shared<Impl>(executor, service, std::move(send))) {}

Peer::~Peer() {
  impl_->closed = true;
  cancel_all();
}

void Peer::receive(std::string_view line) {
  const Result<Json> message = parse_line(line);
  if (!message) {
    const RpcError error{RpcCode::parse_error, message.error().what};
    return impl_->emit(error_message(nullptr, error, impl_->handshake));
  }
  const std::shared_ptr<Impl> impl = impl_;
  if (!message->is_array() || !may_batch(impl->handshake))
    return impl->receive_one(*message, [impl](OrderedJson response) { impl->emit(std::move(response)); });
  if (message->empty()) {
    const RpcError error{RpcCode::invalid_request, "An empty batch"};
    return impl->emit(error_message(nullptr, error, impl->handshake));
  }
  auto batch = std::make_shared<Batch>();
  batch->waiting = message->size();
  batch->send = [impl](std::string text) {
    if (!impl->closed) impl->send(std::move(text));
  };
  for (const Json& one : *message)
    impl->receive_one(one, [batch](OrderedJson response) { batch->take(std::move(response)); });
}

void Peer::refuse_too_long(std::size_t limit) {
  const RpcError error{RpcCode::invalid_request, fmt::format("A message longer than {} MiB", limit >> 20)};
  impl_->emit(error_message(nullptr, error, impl_->handshake));
}

std::size_t Peer::in_flight() const { return impl_->running.size(); }

asio::awaitable<bool> Peer::idle(Deadline deadline) {
  const std::shared_ptr<Impl> impl = impl_;
  const auto ready = [impl] {
    return impl->running.empty();
  };  // named: g++ 12 destroys a temporary's captures twice
  const bool idle_now = co_await impl->ended.wait_for(ready, deadline);
  co_return idle_now;
}

void Peer::cancel_all() {
  std::vector<std::shared_ptr<Abort>> all;
  for (const auto& [key, abort] : impl_->running) all.push_back(abort);
  for (const auto& abort : all) abort->now(Abort::Why::cancelled);
}

}  // namespace browx::mcp
