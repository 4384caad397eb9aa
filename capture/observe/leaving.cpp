#include "capture/observe/leaving.hpp"

#include <algorithm>

#include "capture/observe/headers.hpp"

namespace browx::capture {
namespace {

constexpr std::chrono::seconds kStart{5};
// A page of another process may still run its pagehide handlers when its successor has loaded.
constexpr std::chrono::seconds kLinger{1};
constexpr std::chrono::seconds kOutcome{10};  // how long a beacon's answer is waited for

Json patterns() {
  Json list = Json::array();
  for (const char* type : {"Ping", "XHR", "Fetch"}) {
    Json pattern = {{"urlPattern", "*"}, {"resourceType", type}, {"requestStage", "Request"}};
    list.push_back(std::move(pattern));
  }
  Json params = {{"patterns", std::move(list)}};
  return params;
}

archive::Headers listed(const Json& entries) {
  archive::Headers headers;
  for (const auto& entry : entries)
    headers.emplace_back(json_string(entry, "name"), json_string(entry, "value"));
  return headers;
}

}  // namespace

Leaving::Leaving(Hub& hub, bool fetch_is_ours) : hub_(hub), fetch_is_ours_(fetch_is_ours) {
  hub.on_attach([this](const std::string& session, const std::string& type) { types_[session] = type; });
  hub.on("Target.attachedToTarget", [this](const Incoming& e) {
    if (!e.session.empty()) parents_[json_string(e.params, "sessionId")] = e.session;
  });
  hub.on_gone([this](const std::string& session) {
    const auto parent = parents_.find(session);
    if (types_[session] == "iframe" && parent != parents_.end() && armed_.contains(parent->second)) {
      archive::Gap gap;
      gap.target = hub_.host().target_of(session);
      gap.from = hub_.host().now();
      gap.reason = "unload-unobserved";
      gap.detail =
          "requests that this out-of-process frame sent while its page was left are not told by the browser";
      hub_.host().publish(gap);
    }
    types_.erase(session);
    parents_.erase(session);
    armed_.erase(session);
    for (const auto& [id, sent] : sent_)
      if (sent->session == session) end(sent, hub_.host().now(), false, "its target has gone");
    std::erase_if(sent_, [](const auto& entry) { return entry.second->over; });
  });
  hub.on("Page.frameStartedNavigating", [this](const Incoming& e) {
    const std::string kind = json_string(e.params, "navigationType");
    if (kind == "sameDocument" || kind == "historySameDocument") return;
    const std::string frame = json_string(e.params, "frameId");
    announced_.erase(frame);
    started_.insert(frame);
    arm(e.session, frame);
  });
  hub.on("Page.frameStoppedLoading", [this](const Incoming& e) {
    const std::string frame = json_string(e.params, "frameId");
    if (!started_.erase(frame)) return;  // an earlier load's end, told late
    hub_.host().after(kLinger, [this, frame] {
      if (!started_.contains(frame) && !announced_.contains(frame)) left(frame);
    });
  });
  hub.on("Page.navigatedWithinDocument",
         [this](const Incoming& e) { left(json_string(e.params, "frameId")); });
  hub.on("Fetch.requestPaused", [this](const Incoming& e) { paused(e); });
}

/// The session and those of the out-of-process frames under it.
std::vector<std::string> Leaving::family(const std::string& session) const {
  std::vector<std::string> all{session};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& [child, parent] : parents_) {
      const auto type = types_.find(child);
      if (parent == all[i] && type != types_.end() && type->second == "iframe") all.push_back(child);
    }
  return all;
}

void Leaving::about_to_leave(const std::string& cdp_session, const std::string& main_frame) {
  announced_.insert(main_frame);
  arm(cdp_session, main_frame);
  // A navigation that never starts (a malformed URL, a download) tells of no end.
  hub_.host().after(kStart, [this, main_frame] {
    if (announced_.erase(main_frame) && !started_.contains(main_frame)) left(main_frame);
  });
}

void Leaving::arm(const std::string& cdp_session, const std::string& frame) {
  documents_[frame] = hub_.host().document_of(cdp_session, frame);
  if (!fetch_is_ours_) return;
  for (const auto& session : family(cdp_session)) {
    const bool fresh = armed_[session].empty();
    armed_[session].insert(frame);
    if (fresh) hub_.host().post(session, "Fetch.enable", patterns());
  }
}

void Leaving::left(const std::string& frame) {
  started_.erase(frame);
  announced_.erase(frame);
  documents_.erase(frame);
  for (auto at = armed_.begin(); at != armed_.end();) {
    at->second.erase(frame);
    // Off, unless an answer is still awaited: that one's arrival comes back here.
    const bool awaited = std::any_of(sent_.begin(), sent_.end(),
                                     [&](const auto& entry) { return entry.second->session == at->first; });
    if (!at->second.empty() || awaited) {
      ++at;
      continue;
    }
    hub_.host().post(at->first, "Fetch.disable", Json::object());
    at = armed_.erase(at);
  }
}

void Leaving::paused(const Incoming& event) {
  const Json& p = event.params;
  const std::string id = json_string(p, "requestId");
  const bool answered = p.contains("responseStatusCode") || p.contains("responseErrorReason");
  const bool unknown = !p.contains("networkId");
  if (fetch_is_ours_ && armed_.contains(event.session)) {
    Json go = {{"requestId", id}};
    if (unknown && !answered) go["interceptResponse"] = true;
    hub_.host().post(event.session, answered ? "Fetch.continueResponse" : "Fetch.continueRequest",
                     std::move(go));
  }
  if (answered) {
    const auto found = sent_.find(id);
    if (found == sent_.end()) return;
    const auto sent = found->second;
    const std::string error = json_string(p, "responseErrorReason");
    if (error.empty()) {
      archive::Response row;
      row.request = sent->row.id;
      row.t = event.received;
      row.status = static_cast<int>(json_int(p, "responseStatusCode"));
      row.status_text = json_string(p, "responseStatusText");
      row.headers = listed(json_member(p, "responseHeaders"));
      hub_.host().publish(row);
    }
    end(sent, event.received, error.empty(), error);
    sent_.erase(id);
    left("");
    return;
  }
  if (!unknown || sent_.contains(id)) return;
  const Json& request = json_member(p, "request");
  const std::string frame = json_string(p, "frameId");
  auto sent = std::make_shared<Sent>();
  sent->session = event.session;
  archive::Request& row = sent->row;
  row.id = hub_.host().next_request();
  row.t = event.received;
  row.target = hub_.host().target_of(event.session);
  const auto leaving = documents_.find(frame);
  row.document =
      leaving != documents_.end() ? leaving->second : hub_.host().document_of(event.session, frame);
  row.cdp_id = id;
  row.method = json_string(request, "method");
  row.url = json_string(request, "url");
  row.resource_type = json_string(p, "resourceType");
  if (row.resource_type == "XHR")
    row.resource_type = "Fetch";  // a keepalive fetch; XHR cannot outlive its page
  row.initiator = "script";
  row.headers = headers_of(json_member(request, "headers"));
  row.body = post_data(request);
  hub_.host().publish(row);
  if (!fetch_is_ours_) {  // whoever owns Fetch does not ask for the answer
    end(sent, event.received, true, "");
    return;
  }
  sent_[id] = sent;
  hub_.host().after(kOutcome, [this, id, sent] {
    if (sent->over) return;
    end(sent, hub_.host().now(), false, "its outcome was not told");
    sent_.erase(id);
    left("");
  });
}

void Leaving::end(const std::shared_ptr<Sent>& sent, Time t, bool ok, std::string error) {
  if (sent->over) return;
  sent->over = true;
  archive::RequestEnd row;
  row.request = sent->row.id;
  row.t = std::max(t, sent->row.t);
  row.ok = ok;
  row.error = std::move(error);
  hub_.host().publish(row);
}

}  // namespace browx::capture
