#include "capture/record/streams.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace browx::capture {

Streams::Streams(Time start, std::string recorder, Mask mask, Add add)
    : start_(start), recorder_(std::move(recorder)), mask_(std::move(mask)), add_(std::move(add)) {}

void Streams::began(archive::Document document) {
  const auto id = document.id;
  held_.insert_or_assign(id, std::move(document));
  // Its recorder may have been quicker than the browser's word that it exists.
  if (const auto stream = streams_.find(id); stream != streams_.end())
    write(id, stream->second.offset_us, recorder_);
}

void Streams::ended(archive::DocumentEnd end) {
  settle(end.id);
  if (const auto stream = streams_.find(end.id); stream != streams_.end()) stream->second.ended = true;
  add_(std::move(end));
}

Result<Streams::Heard> Streams::message(archive::DocumentId current, Time now, std::string_view payload) {
  auto parsed = parse_message(payload);
  if (!parsed) return std::move(parsed).error();
  RecorderMessage& message = *parsed;
  const std::int64_t offset = now.us - std::llround(message.now_ms * 1000) - start_.us;
  Heard heard;
  auto found = recorders_.find(message.document);
  if (found == recorders_.end()) {
    heard.first = true;
    found = recorders_.emplace(message.document, Recorder{current, offset, 0}).first;
    write(current, offset, recorder_);
  }
  Recorder& recorder = found->second;
  Stream& stream = streams_[recorder.document];
  if (heard.first) stream.offset_us = offset;
  // A message is never early: the smallest difference is nearest to the truth.
  recorder.offset_us = std::min(recorder.offset_us, offset);
  heard.document = recorder.document;
  heard.name = message.document;
  heard.fields = std::move(message.fields);
  heard.asset = std::move(message.asset);

  if (message.first != recorder.received) {
    add_(archive::Gap{recorder.document, std::nullopt, std::nullopt, Time{now.us - start_.us}, std::nullopt,
                      "dom-events-lost",
                      fmt::format("{} events did not arrive", message.first - recorder.received)});
    recorder.received = message.first;
  }
  if (!message.events.empty()) {
    archive::DomEvents events{recorder.document, {}};
    events.events.reserve(message.events.size());
    for (const auto& event : message.events) {
      stream.last = std::max(stream.last, Time{std::llround(event.page_ms * 1000) + recorder.offset_us});
      events.events.push_back({stream.last, mask_(event.json)});
    }
    recorder.received += static_cast<std::int64_t>(message.events.size());
    stream.events += static_cast<std::int64_t>(message.events.size());
    add_(std::move(events));
  }
  for (auto& gap : message.gaps)
    add_(archive::Gap{recorder.document, std::nullopt, gap.node,
                      Time{std::max<std::int64_t>(0, now.us - start_.us)}, std::nullopt,
                      std::move(gap.reason), std::move(gap.detail)});
  return heard;
}

std::int64_t Streams::count(archive::DocumentId document) const {
  const auto stream = streams_.find(document);
  return stream == streams_.end() ? 0 : stream->second.events;
}

bool Streams::has_stream(archive::DocumentId document) const { return streams_.contains(document); }

Json Streams::positions() const {
  Json out = Json::array();
  for (const auto& [document, stream] : streams_)
    if (!stream.ended) out.push_back(Json{{"document", document.value()}, {"event", stream.events}});
  return out;
}

std::vector<archive::DocumentId> Streams::silent() const {
  std::vector<archive::DocumentId> out;
  for (const auto& [id, document] : held_) out.push_back(id);
  return out;
}

void Streams::settle(archive::DocumentId document) { write(document, 0, "none"); }

void Streams::settle_all() {
  for (const auto id : silent()) settle(id);
}

void Streams::write(archive::DocumentId id, std::int64_t offset_us, const std::string& recorder) {
  auto held = held_.extract(id);
  if (held.empty()) return;
  held.mapped().clock_offset_us = offset_us;
  held.mapped().recorder = recorder;
  add_(std::move(held.mapped()));
}

}  // namespace browx::capture
