#include "capture/observe/screencast.hpp"

#include <tuple>

#include "base/bytes.hpp"
#include "base/pictures.hpp"

namespace browx::capture {

Screencast::Screencast(Hub& hub) : hub_(hub) {
  hub.on_gone([this](const std::string& session) {
    running_.erase(session);
    paused_.erase(session);
  });
  hub.on("Page.screencastFrame", [this](const Incoming& e) { frame(e); });
}

void Screencast::start(const std::string& session) {
  if (running_.try_emplace(session).second && !paused_.contains(session)) post_start(session);
}

void Screencast::stop(const std::string& session) {
  if (running_.erase(session) != 0 && !paused_.contains(session)) post_stop(session);
}

void Screencast::pause(const std::string& session) {
  if (++paused_[session] == 1 && running_.contains(session)) post_stop(session);
}

void Screencast::resume(const std::string& session) {
  const auto paused = paused_.find(session);
  if (paused == paused_.end() || --paused->second > 0) return;
  paused_.erase(paused);
  if (running_.contains(session)) post_start(session);
}

void Screencast::post_start(const std::string& session) {
  Json options = {
      {"format", "jpeg"}, {"quality", 60}, {"maxWidth", 800}, {"maxHeight", 800}, {"everyNthFrame", 1}};
  hub_.host().post(session, "Page.startScreencast", std::move(options));
}

void Screencast::post_stop(const std::string& session) {
  hub_.host().post(session, "Page.stopScreencast", Json::object());
}

void Screencast::frame(const Incoming& event) {
  Json seen = {{"sessionId", json_int(event.params, "sessionId")}};
  hub_.host().post(event.session, "Page.screencastFrameAck",
                   std::move(seen));  // without it no next one comes
  const auto running = running_.find(event.session);
  const auto target = hub_.host().target_of(event.session);
  if (running == running_.end() || paused_.contains(event.session) || !target) return;
  const Json& data = json_member(event.params, "data");
  if (!data.is_string()) return;
  std::string digest = sha256_hex(data.get_ref<const std::string&>());
  if (running->second == digest) return;
  auto bytes = base64_decode(data.get_ref<const std::string&>());
  if (!bytes) return;
  running->second = std::move(digest);
  const Json& metadata = json_member(event.params, "metadata");
  archive::Frame row;
  row.target = *target;
  row.t = hub_.clock().wall(json_number(metadata, "timestamp") * 1000, event.received);
  row.mime = "image/jpeg";
  row.bytes = std::move(*bytes);
  if (const auto size = picture_size(row.bytes)) std::tie(row.width, row.height) = *size;
  hub_.host().publish(row);
}

}  // namespace browx::capture
