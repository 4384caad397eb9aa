// Requests as a waterfall, and the messages of open channels.

#include <fmt/format.h>

#include "player/lanes/lanes.hpp"
#include "player/model/text.hpp"

namespace browx::player {

Tone tone_of(const archive::RequestRow& request) {
  if (request.status >= 400 || (request.finished && !request.ok)) return Tone::bad;
  if (request.resource_type == "Document") return Tone::accent;
  if (request.resource_type == "Fetch" || request.resource_type == "XHR" ||
      request.resource_type == "WebSocket" || request.resource_type == "EventSource")
    return Tone::info;
  return Tone::neutral;
}

Lane network_lane(const Session& session) {
  Lane lane;
  lane.name = "Network";
  lane.row_height = 9;
  lane.pick = Pick::request;
  for (std::size_t i = 0; i < session.requests.size(); ++i) {
    const auto& request = session.requests[i];
    const Time until = request.finished
                           ? Time{request.t.us + static_cast<std::int64_t>(request.duration_ms * 1000)}
                           : session.end;
    lane.items.push_back({request.t, until, tone_of(request), request.finished ? Shape::bar : Shape::open, 0,
                          static_cast<std::uint32_t>(i)});
  }
  lane.label = [](const Session& from, std::uint32_t i) { return short_url(from.requests[i].url); };
  lane.about = [](const Session& from, std::uint32_t i) {
    const auto& request = from.requests[i];
    std::string out = fmt::format("{} {}\n", request.method, request.url);
    if (request.status) out += fmt::format("{}  ", request.status);
    out += request.finished ? span_text(request.duration_ms) : "no end was recorded";
    if (!request.error.empty()) out += "\n" + request.error;
    return out;
  };
  lane.finish(5);
  return lane;
}

Lane messages_lane(const Session& session) {
  Lane lane;
  lane.name = "Messages";
  lane.row_height = 12;
  for (std::size_t i = 0; i < session.messages.size(); ++i) {
    const auto& message = session.messages[i];
    lane.items.push_back({message.t, message.t, message.sent ? Tone::accent : Tone::info, Shape::tick, 0,
                          static_cast<std::uint32_t>(i)});
  }
  lane.about = [](const Session& from, std::uint32_t i) {
    const auto& message = from.messages[i];
    return fmt::format("{} {}, {} bytes\n{}", message.kind, message.sent ? "sent" : "received", message.size,
                       message.text);
  };
  lane.finish(1);
  return lane;
}

}  // namespace browx::player
