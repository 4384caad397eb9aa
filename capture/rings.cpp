#include "capture/rings.hpp"

#include <algorithm>

namespace browx::capture {
namespace {

template <class T>
void push_bounded(std::deque<T>& ring, T value) {
  ring.push_back(std::move(value));
  if (ring.size() > Rings::kSize) ring.pop_front();
}

template <class T>
std::vector<T> since(const std::deque<T>& ring, Time from) {
  std::vector<T> out;
  std::copy_if(ring.begin(), ring.end(), std::back_inserter(out),
               [from](const T& one) { return one.t >= from; });
  return out;
}

}  // namespace

Rings::Rings(Journal& journal) : subscription_(journal.listen([this](const Fact& fact) { on_fact(fact); })) {}

std::vector<RequestRecord> Rings::requests_since(Time from) const { return since(requests_, from); }
std::vector<ConsoleLine> Rings::console_since(Time from) const { return since(console_, from); }

RequestRecord* Rings::request(RequestId id) {
  // Ids rise along the ring; answers concern recent requests.
  const auto found =
      std::find_if(requests_.rbegin(), requests_.rend(), [id](const auto& r) { return r.id == id; });
  return found == requests_.rend() ? nullptr : &*found;
}

void Rings::on_fact(const Fact& fact) {
  if (const auto* target = std::get_if<archive::Target>(&fact)) {
    // A worker's or frame's lines belong to the tab above it.
    const auto parent = target->parent ? tab_of_.find(*target->parent) : tab_of_.end();
    if (parent != tab_of_.end()) tab_of_[target->id] = parent->second;
  } else if (const auto* event = std::get_if<archive::Event>(&fact)) {
    if (event->kind != "console" && event->kind != "exception") return;
    ConsoleLine line;
    line.t = event->t;
    line.exception = event->kind == "exception";
    line.level = line.exception ? "error" : json_string(event->payload, "level", "info");
    line.text = json_string(event->payload, "text");
    line.url = json_string(event->payload, "url");
    if (event->target)
      if (const auto tab = tab_of_.find(*event->target); tab != tab_of_.end()) line.tab = tab->second;
    push_bounded(console_, std::move(line));
  } else if (const auto* request = std::get_if<archive::Request>(&fact)) {
    RequestRecord record;
    record.id = request->id;
    record.t = request->t;
    record.method = request->method;
    record.url = request->url;
    record.type = request->resource_type;
    record.cdp_id = request->cdp_id;
    record.target = request->target;
    open_.insert(request->id);
    push_bounded(requests_, std::move(record));
  } else if (const auto* response = std::get_if<archive::Response>(&fact)) {
    if (auto* record = this->request(response->request)) {
      record->status = response->status;
      record->mime = response->mime;
    }
  } else if (const auto* end = std::get_if<archive::RequestEnd>(&fact)) {
    open_.erase(end->request);
    if (auto* record = this->request(end->request)) {
      record->finished = true;
      record->failed = !end->ok;
      record->error = end->error;
      record->bytes = end->encoded_bytes;
      record->ms = (end->t.us - record->t.us) / 1000.0;
    }
  }
}

}  // namespace browx::capture
