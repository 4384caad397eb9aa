#include "capture/observe/channels.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "capture/observe/headers.hpp"

namespace browx::capture {
namespace {

constexpr std::size_t kKept = 64 << 10;

}  // namespace

void set_payload(archive::ChannelFrame& frame, std::string payload) {
  const bool text = frame.opcode == 1;
  if (!text) {
    if (auto bytes = base64_decode(payload)) payload = std::move(*bytes);
  }
  frame.full_size = static_cast<std::int64_t>(payload.size());
  frame.truncated = payload.size() > kKept;
  if (frame.truncated) {
    std::size_t keep = kKept;
    while (text && keep > 0 && (static_cast<unsigned char>(payload[keep]) & 0xC0) == 0x80) --keep;
    payload.resize(keep);
  }
  frame.payload = std::move(payload);
}

Channels::Channels(Hub& hub, Network& network) : hub_(hub), network_(network) {
  hub.on("Network.webSocketCreated", [this](const Incoming& e) { created(e); });
  hub.on("Network.webSocketWillSendHandshakeRequest", [this](const Incoming& e) { handshake(e); });
  hub.on("Network.webSocketHandshakeResponseReceived", [this](const Incoming& e) { answered(e); });
  hub.on("Network.webSocketFrameSent", [this](const Incoming& e) { frame(e, true); });
  hub.on("Network.webSocketFrameReceived", [this](const Incoming& e) { frame(e, false); });
  hub.on("Network.webSocketFrameError", [this](const Incoming& e) { failed(e); });
  hub.on("Network.webSocketClosed", [this](const Incoming& e) { closed(e); });
  hub.on("Network.eventSourceMessageReceived", [this](const Incoming& e) { message(e); });
  hub.on_gone([this](const std::string& session) {
    for (auto at = sockets_.begin(); at != sockets_.end();) {
      if (at->second.session != session) {
        ++at;
        continue;
      }
      at->second.error = "its target has gone";
      end(at->second, hub_.host().now());
      at = sockets_.erase(at);
    }
  });
}

void Channels::created(const Incoming& event) {
  const std::string cdp_id = json_string(event.params, "requestId");
  if (cdp_id.empty() || sockets_.contains(cdp_id)) return;
  Socket socket;
  socket.session = event.session;
  socket.row.t = event.received;  // the event has no time; the handshake's is taken when it comes
  socket.row.target = hub_.host().target_of(event.session);
  socket.row.cdp_id = cdp_id;
  socket.row.method = "GET";
  socket.row.url = json_string(event.params, "url");
  socket.row.resource_type = "WebSocket";
  socket.row.initiator = json_string(json_member(event.params, "initiator"), "type");
  sockets_.emplace(cdp_id, std::move(socket));
}

void Channels::tell(Socket& socket) {
  if (socket.told) return;
  socket.told = true;
  socket.row.id = hub_.host().next_request();
  hub_.host().publish(socket.row);
}

void Channels::handshake(const Incoming& event) {
  const auto found = sockets_.find(json_string(event.params, "requestId"));
  if (found == sockets_.end() || found->second.told) return;
  found->second.row.t = hub_.monotonic(event);
  found->second.row.headers = headers_of(json_member(json_member(event.params, "request"), "headers"));
  tell(found->second);
}

void Channels::answered(const Incoming& event) {
  const auto found = sockets_.find(json_string(event.params, "requestId"));
  if (found == sockets_.end()) return;
  tell(found->second);
  const Json& response = json_member(event.params, "response");
  archive::Response row;
  row.request = found->second.row.id;
  row.t = std::max(hub_.monotonic(event), found->second.row.t);
  row.status = static_cast<int>(json_int(response, "status"));
  row.status_text = json_string(response, "statusText");
  row.protocol = "websocket";
  row.headers = headers_of(json_member(response, "headers"));
  hub_.host().publish(row);
}

void Channels::frame(const Incoming& event, bool sent) {
  const auto found = sockets_.find(json_string(event.params, "requestId"));
  if (found == sockets_.end()) return;
  tell(found->second);
  const Json& frame = json_member(event.params, "response");
  archive::ChannelFrame row;
  row.request = found->second.row.id;
  row.t = hub_.monotonic(event);
  row.sent = sent;
  row.kind = "ws";
  row.opcode = static_cast<int>(json_int(frame, "opcode", 1));
  set_payload(row, json_string(frame, "payloadData"));
  hub_.host().publish(row);
}

void Channels::failed(const Incoming& event) {
  const auto found = sockets_.find(json_string(event.params, "requestId"));
  if (found == sockets_.end()) return;
  found->second.error = json_string(event.params, "errorMessage", "failed");
}

void Channels::closed(const Incoming& event) {
  const auto found = sockets_.find(json_string(event.params, "requestId"));
  if (found == sockets_.end()) return;
  tell(found->second);
  end(found->second, hub_.monotonic(event));
  sockets_.erase(found);
}

void Channels::end(const Socket& socket, Time t) {
  if (!socket.told) return;
  archive::RequestEnd row;
  row.request = socket.row.id;
  row.t = std::max(t, socket.row.t);
  row.ok = socket.error.empty();
  row.error = socket.error;
  hub_.host().publish(row);
}

void Channels::message(const Incoming& event) {
  const RequestId request = network_.row_of(json_string(event.params, "requestId"));
  if (!request) return;
  archive::ChannelFrame row;
  row.request = request;
  row.t = hub_.monotonic(event);
  row.kind = "sse";
  row.event = json_string(event.params, "eventName");
  set_payload(row, json_string(event.params, "data"));
  hub_.host().publish(row);
}

}  // namespace browx::capture
