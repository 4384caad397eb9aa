#include "capture/observe/network.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "capture/observe/headers.hpp"

namespace browx::capture {
namespace {

constexpr std::int64_t kResourceBuffer = 8LL << 20;  // what the browser keeps of one body, and of all
constexpr std::int64_t kTotalBuffer = 64LL << 20;
constexpr std::int64_t kPostData = 1LL << 20;
constexpr std::size_t kRemembered = 512;
constexpr std::chrono::milliseconds kFinishGrace{20};  // for loadingFinished after the last byte
constexpr std::chrono::milliseconds kWireGrace{250};   // for an ExtraInfo that was announced and is late

bool stays_inside(const std::string& url) { return url.starts_with("data:") || url.starts_with("blob:"); }

bool has_network(const std::string& type) {
  return type == "page" || type == "iframe" || type == "worker" || type == "service_worker" ||
         type == "shared_worker";
}

std::string failure_text(const Json& params) {
  std::string text = json_string(params, "errorText");
  if (text.empty()) text = json_bool(params, "canceled") ? "canceled" : "failed";
  const std::string blocked = json_string(params, "blockedReason");
  if (!blocked.empty()) text += " (blocked: " + blocked + ")";
  const std::string cors = json_string(json_member(params, "corsErrorStatus"), "corsError");
  if (!cors.empty()) text += " (CORS: " + cors + ")";
  return text;
}

}  // namespace

Network::Network(Hub& hub) : hub_(hub), wants_(std::make_shared<std::list<Observers::WantsBody>>()) {
  hub.on_attach([this](const std::string& session, const std::string& type) {
    if (!has_network(type)) return;
    if (type.ends_with("worker")) workers_.insert(session);
    Json limits = {{"maxTotalBufferSize", kTotalBuffer},
                   {"maxResourceBufferSize", kResourceBuffer},
                   {"maxPostDataSize", kPostData}};
    hub_.host().post(session, "Network.enable", std::move(limits));
  });
  hub.on("Network.requestWillBeSent", [this](const Incoming& e) { begin(e); });
  hub.on("Network.requestWillBeSentExtraInfo", [this](const Incoming& e) { sent_headers(e); });
  hub.on("Network.responseReceived", [this](const Incoming& e) { respond(e); });
  hub.on("Network.responseReceivedExtraInfo", [this](const Incoming& e) { received_headers(e); });
  hub.on("Network.requestServedFromCache", [this](const Incoming& e) {
    if (auto hop = current(json_string(e.params, "requestId"))) hop->served_from_cache = true;
  });
  hub.on("Network.dataReceived", [this](const Incoming& e) { data(e); });
  hub.on("Network.loadingFinished", [this](const Incoming& e) { finish(e); });
  hub.on("Network.loadingFailed", [this](const Incoming& e) { fail(e); });
  hub.on("Page.frameNavigated", [this](const Incoming& e) { navigated(e); });
  hub.on("Page.frameDetached", [this](const Incoming& e) {
    if (json_string(e.params, "reason") == "swap") return;
    const std::string frame = json_string(e.params, "frameId");
    loaders_.erase(frame);
    abandon_if([&](const Hop& hop) { return hop.frame == frame; }, "the frame was removed", e.received);
  });
  hub.on_gone([this](const std::string& session) {
    workers_.erase(session);
    abandon_if([&](const Hop& hop) { return hop.sessions.back() == session; }, "its target has gone",
               hub_.host().now());
  });
}

std::unique_ptr<Observers::Want> Network::want_bodies(Observers::WantsBody wants) {
  wants_->push_back(std::move(wants));
  const auto at = std::prev(wants_->end());
  return std::make_unique<Observers::Want>([list = std::weak_ptr(wants_), at] {
    if (const auto alive = list.lock()) alive->erase(at);
  });
}

RequestId Network::row_of(const std::string& cdp_id) const {
  const auto hop = current(cdp_id);
  return hop ? hop->row.id : RequestId{};
}

bool Network::navigates_to(const std::string& url) const {
  const Time lately{hub_.host().now().us - 5'000'000};
  return std::any_of(navigations_.begin(), navigations_.end(), [&](const Navigation& navigation) {
    return navigation.url == url && (!navigation.failed || *navigation.failed >= lately);
  });
}

std::shared_ptr<Hop> Network::current(const std::string& cdp_id) const {
  const auto found = exchanges_.find(cdp_id);
  if (found == exchanges_.end() || found->second.hops.empty()) return nullptr;
  return found->second.hops.back();
}

// --- beginnings
// -------------------------------------------------------------------------------------------------------

void Network::begin(const Incoming& event) {
  const Json& p = event.params;
  const Json& request = json_member(p, "request");
  const std::string cdp_id = json_string(p, "requestId");
  std::string url = json_string(request, "url");
  if (cdp_id.empty() || stays_inside(url)) return;
  url += json_string(request, "urlFragment");
  const Time t = hub_.monotonic(event);

  const Json& redirect = json_member(p, "redirectResponse");
  const std::shared_ptr<Hop> previous = current(cdp_id);
  const bool redirected = redirect.is_object();
  if (previous && previous->row.url == url && previous->row.t == t)
    return previous->told_by(event.session);  // told twice, by two sessions of one target
  if (over_.erase(cdp_id) != 0) std::erase(ended_, cdp_id);

  Exchange& exchange = exchanges_[cdp_id];
  auto hop = std::make_shared<Hop>();
  hop->sessions.push_back(event.session);
  hop->loader = json_string(p, "loaderId");
  hop->frame = json_string(p, "frameId");
  archive::Request& row = hop->row;
  row.id = hub_.host().next_request();
  row.t = t;
  row.target = hub_.host().target_of(event.session);
  row.cdp_id = cdp_id;
  row.method = json_string(request, "method");
  row.url = std::move(url);
  row.initiator = json_string(json_member(p, "initiator"), "type");
  row.resource_type = row.initiator == "preflight" ? "Preflight" : json_string(p, "type", "Other");
  // A document's own request (its id is the loader's) belongs to a document that does not exist yet.
  if (hop->loader != cdp_id) row.document = document_of(event.session, hop->frame, hop->loader);
  if (previous) {
    row.redirected_from = previous->row.id;
    row.initiator = previous->row.initiator;  // CDP blames a hop on whatever runs when it is told
  }
  row.headers = headers_of(json_member(request, "headers"));
  row.body = post_data(request);
  if (!exchange.early_sent.empty()) {
    row.headers = std::move(exchange.early_sent.front());
    exchange.early_sent.pop_front();
    hop->wire_sent = true;
  }
  if (!exchange.early_received.empty()) {
    hop->wire = std::move(exchange.early_received.front());
    exchange.early_received.pop_front();
  }
  exchange.hops.push_back(hop);  // before the previous one ends, so that the exchange goes on
  if (previous && redirected)
    redirect_ends(previous, event, t);
  else if (previous)
    abandon(previous, "begun again under the same id", t);
  if (row.resource_type == "Document") {
    navigations_.push_back({row.id, row.url, std::nullopt});
    if (navigations_.size() > 32) navigations_.pop_front();
  }
  hub_.host().publish(row);
  if (!row.body && json_bool(request, "hasPostData")) {
    archive::Gap gap;
    gap.target = row.target;
    gap.document = row.document;
    gap.from = row.t;
    gap.reason = "body-missing";
    gap.detail = "the body sent by request " + std::to_string(row.id.value()) +
                 " is not told by the browser (over 1 MiB, or a file)";
    hub_.host().publish(gap);
  }
}

/// The hop before a redirect has its answer in the next hop's requestWillBeSent.
void Network::redirect_ends(const std::shared_ptr<Hop>& hop, const Incoming& event, Time t) {
  if (hop->response || hop->ended) return;
  const Json& redirect = json_member(event.params, "redirectResponse");
  hop->told_by(event.session);
  set_response(*hop, redirect, json_bool(event.params, "redirectHasExtraInfo"), t);
  archive::RequestEnd end;
  end.request = hop->row.id;
  end.t = std::max(t, hop->not_before());
  end.encoded_bytes = json_int(redirect, "encodedDataLength");
  hop->end = std::move(end);
  hop->body_asked = true;  // the browser keeps no body of a redirect
  advance(hop);
}

std::optional<DocumentId> Network::document_of(const std::string& session, const std::string& frame,
                                               const std::string& loader) {
  if (frame.empty() || loader.empty()) return std::nullopt;
  const auto committed = loaders_.find(frame);
  if (committed == loaders_.end() || committed->second == loader) {
    if (const auto document = hub_.host().document_of(session, frame)) {
      if (committed != loaders_.end()) documents_[loader] = *document;
      return document;
    }
  }
  const auto known = documents_.find(loader);
  if (known != documents_.end()) return known->second;
  return std::nullopt;
}

/// The exchange an ExtraInfo belongs to, before its first hop is told of too; null when it is over.
Exchange* Network::exchange_for_wire(const std::string& cdp_id) {
  if (cdp_id.empty() || over_.contains(cdp_id)) return nullptr;
  const auto [at, fresh] = exchanges_.try_emplace(cdp_id);
  if (fresh) {
    early_.push_back(cdp_id);
    if (early_.size() > kRemembered) {
      const auto oldest = exchanges_.find(early_.front());
      if (oldest != exchanges_.end() && oldest->second.hops.empty()) exchanges_.erase(oldest);
      early_.pop_front();
    }
  }
  return &exchanges_[cdp_id];
}

void Network::sent_headers(const Incoming& event) {
  Exchange* exchange = exchange_for_wire(json_string(event.params, "requestId"));
  if (!exchange) return;
  if (exchange->sent_teller.empty()) exchange->sent_teller = event.session;
  if (exchange->sent_teller != event.session) return;
  archive::Headers headers = headers_of(json_member(event.params, "headers"));
  for (const auto& hop : exchange->hops) {
    if (hop->wire_sent || (hop->response && !hop->expects_wire)) continue;
    hop->wire_sent = true;
    if (!hop->responded) hop->late_headers = std::move(headers);
    return;
  }
  exchange->early_sent.push_back(std::move(headers));
}

// --- responses
// --------------------------------------------------------------------------------------------------------

void Network::received_headers(const Incoming& event) {
  Exchange* exchange = exchange_for_wire(json_string(event.params, "requestId"));
  if (!exchange) return;
  if (exchange->received_teller.empty()) exchange->received_teller = event.session;
  if (exchange->received_teller != event.session) return;
  Wire wire;
  wire.headers = headers_of(json_member(event.params, "headers"));
  wire.status = static_cast<int>(json_int(event.params, "statusCode"));
  for (const auto& hop : exchange->hops) {
    if (hop->wire || (hop->response && !hop->expects_wire)) continue;
    hop->wire = std::move(wire);
    advance(hop);
    return;
  }
  exchange->early_received.push_back(std::move(wire));
}

void Network::set_response(Hop& hop, const Json& response, bool expects_wire, Time t) {
  archive::Response row;
  row.request = hop.row.id;
  row.t = std::max(t, hop.row.t);
  row.status = static_cast<int>(json_int(response, "status"));
  row.status_text = json_string(response, "statusText");
  row.mime = json_string(response, "mimeType");
  row.protocol = json_string(response, "protocol");
  const std::string address = json_string(response, "remoteIPAddress");
  if (!address.empty()) row.remote = address + ":" + std::to_string(json_int(response, "remotePort"));
  row.from_cache = hop.served_from_cache || json_bool(response, "fromDiskCache") ||
                   json_bool(response, "fromPrefetchCache");
  row.from_service_worker = json_bool(response, "fromServiceWorker");
  row.headers = headers_of(json_member(response, "headers"));
  row.timing = json_member(response, "timing");
  if (row.timing.is_object()) {
    const Time base = hub_.clock().monotonic(json_number(row.timing, "requestTime"), t);
    row.timing["requestTime"] = base.ms();
  }
  hop.expects_wire = expects_wire;
  hop.response = std::move(row);
}

void Network::respond(const Incoming& event) {
  const Json& p = event.params;
  const std::string cdp_id = json_string(p, "requestId");
  auto hop = current(cdp_id);
  if (!hop) {
    const std::string url = json_string(json_member(p, "response"), "url");
    if (over_.contains(cdp_id) || stays_inside(url)) return;
    if (begin_worker_script(event)) {
      hop = current(cdp_id);
    } else {
      archive::Gap
          gap;  // it began before the browser listened for us, e.g. in a tab that was adopted while loading
      gap.target = hub_.host().target_of(event.session);
      gap.from = hub_.monotonic(event);
      gap.reason = "request-missed";
      gap.detail = url;
      hub_.host().publish(gap);
      return;
    }
  }
  if (hop->response || hop->ended) return;
  hop->told_by(event.session);
  set_response(*hop, json_member(p, "response"), json_bool(p, "hasExtraInfo"), hub_.monotonic(event));
  advance(hop);
  check_length(hop);
}

/// A service worker's script is asked for as soon as the worker exists, at times before its session listens:
/// the first a worker tells of is its own script then, which is always a GET.
bool Network::begin_worker_script(const Incoming& event) {
  const Json& p = event.params;
  if (!workers_.contains(event.session) || json_string(p, "type") != "Script") return false;
  const Json& response = json_member(p, "response");
  Json request = {{"url", json_string(response, "url")}, {"method", "GET"}};
  request["headers"] = json_member(response, "requestHeaders");
  Json params = {{"requestId", json_string(p, "requestId")}, {"type", "Script"}};
  params["request"] = std::move(request);
  params["initiator"] = {{"type", "other"}};
  const double asked = json_number(json_member(response, "timing"), "requestTime");
  params["timestamp"] = asked > 0 ? asked : json_number(p, "timestamp");
  begin({event.session, "Network.requestWillBeSent", params, event.received});
  return true;
}

void Network::data(const Incoming& event) {
  const auto hop = current(json_string(event.params, "requestId"));
  if (!hop || hop->end) return;
  hop->decoded_bytes += json_int(event.params, "dataLength");
  hop->encoded_bytes += json_int(event.params, "encodedDataLength");
  check_length(hop);
}

void Network::check_length(const std::shared_ptr<Hop>& hop) {
  if (!hop->response || hop->checks_length || hop->end) return;
  std::int64_t length = -1;
  for (const auto& [name, value] :
       hop->wire && !hop->responded ? hop->wire->headers : hop->response->headers) {
    if (name.size() != 14 || !std::equal(name.begin(), name.end(), "content-length",
                                         [](unsigned char a, char b) { return std::tolower(a) == b; }))
      continue;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error != std::errc()) length = -1;
  }
  if (length < 0 || hop->encoded_bytes < length) return;
  hop->checks_length = true;
  hub_.host().after(kFinishGrace, [this, hop, at = hub_.host().now()] {
    if (hop->end || hop->ended) return;
    archive::RequestEnd end;
    end.request = hop->row.id;
    end.t = std::max(at, hop->not_before());
    end.encoded_bytes = hop->encoded_bytes;
    hop->never_read = true;
    ends(hop, std::move(end));
  });
}

/// Publishes what is complete: the Response once its wire headers are there, then the end, once the body is.
void Network::advance(const std::shared_ptr<Hop>& hop) {
  if (hop->ended) return;
  if (hop->response && !hop->responded) {
    if (hop->expects_wire && !hop->wire && !hop->wire_overdue) {
      if (!hop->waits_for_wire) {
        hop->waits_for_wire = true;
        wait_more();
        hub_.host().after(kWireGrace, [this, hop] {
          if (hop->responded || hop->ended) return;
          hop->wire_overdue = true;
          advance(hop);
        });
      }
      return;
    }
    publish_response(*hop);
  }
  if (!hop->end) return;
  if (!hop->body_asked) {
    hop->body_asked = true;
    std::vector<std::string> sessions(hop->sessions.rbegin(), hop->sessions.rend());
    RequestFacts facts{hop->row.id,
                       hop->row.method,
                       hop->row.url,
                       hop->row.resource_type,
                       hop->response ? hop->response->mime : "",
                       hop->response ? hop->response->status : 0,
                       hop->decoded_bytes};
    const bool wanted =
        std::any_of(wants_->begin(), wants_->end(), [&](const auto& wants) { return wants(facts); });
    if (wanted) {
      if (hop->decoded_bytes > kResourceBuffer)
        hop->end->body_missing = "too large: over 8 MiB";
      else
        ask_body(hop, std::move(sessions));
    }
  }
  if (!hop->body_pending && !hop->ended) publish_end(*hop);
}

void Network::publish_response(Hop& hop) {
  hop.responded = true;
  archive::Response& row = *hop.response;
  if (hop.wire) {
    row.headers = std::move(hop.wire->headers);
    if (hop.wire->status == 304) {  // CDP tells the stored response; the wire said that it still holds
      row.from_cache = true;
      row.status_text = "Not Modified";
    }
    if (hop.wire->status != 0) row.status = hop.wire->status;
  }
  row.request_headers = std::move(hop.late_headers);
  hub_.host().publish(row);
  if (hop.waits_for_wire) {
    hop.waits_for_wire = false;
    wait_less();
  }
}

// --- ends
// -------------------------------------------------------------------------------------------------------------

void Network::finish(const Incoming& event) {
  const auto hop = current(json_string(event.params, "requestId"));
  if (!hop || hop->end) return;
  hop->told_by(event.session);
  archive::RequestEnd end;
  end.request = hop->row.id;
  end.t = std::max(hub_.monotonic(event), hop->not_before());
  end.encoded_bytes = json_int(event.params, "encodedDataLength");
  ends(hop, std::move(end));
}

void Network::ends(const std::shared_ptr<Hop>& hop, archive::RequestEnd end) {
  hop->end = std::move(end);
  const int status = hop->response ? hop->response->status : 0;
  // These have no body to ask for.
  if (hop->row.method == "HEAD" || hop->row.resource_type == "Preflight" ||
      hop->row.resource_type == "Ping" || status == 204 || status == 205)
    hop->body_asked = true;
  advance(hop);
}

void Network::fail(const Incoming& event) {
  const auto hop = current(json_string(event.params, "requestId"));
  if (!hop || hop->end) return;
  hop->told_by(event.session);
  archive::RequestEnd end;
  end.request = hop->row.id;
  end.t = std::max(hub_.monotonic(event), hop->not_before());
  // A fetch of an answer that may have no body is called off by the browser as soon as its headers are there.
  const int status = hop->response ? hop->response->status : 0;
  const bool bodiless = (status == 204 || status == 205) && json_bool(event.params, "canceled");
  if (!bodiless) {
    end.ok = false;
    end.error = failure_text(event.params);
  }
  hop->end = std::move(end);
  hop->body_asked = true;
  advance(hop);
}

void Network::ask_body(const std::shared_ptr<Hop>& hop, std::vector<std::string> sessions) {
  hop->body_pending = true;
  wait_more();
  const std::string session = sessions.front();
  sessions.erase(sessions.begin());
  hub_.host().body(session, hop->row.cdp_id,
                   [this, hop, sessions = std::move(sessions)](Result<std::string> body) {
                     wait_less();
                     hop->body_pending = false;
                     if (hop->ended) return;
                     if (body) {
                       hop->end->body = std::move(*body);
                     } else if (!sessions.empty()) {
                       return ask_body(hop, sessions);
                     } else {
                       hop->end->body_missing = missing_because(*hop, body.error());
                     }
                     publish_end(*hop);
                   });
}

std::string Network::missing_because(const Hop& hop, const Error& error) const {
  if (error.kind == "target-gone" || error.kind == "browser-lost") return "its target has gone";
  if (error.code == Code::timeout) return "the browser did not answer in time";
  if (error.what.find("evicted") != std::string::npos) return "evicted from the browser's buffer";
  const auto committed = loaders_.find(hop.frame);
  if (committed != loaders_.end() && !hop.loader.empty() && committed->second != hop.loader)
    return "navigated away";
  if (hop.never_read) return "never read by the page";
  if (error.what.find("No resource") != std::string::npos || error.what.find("No data") != std::string::npos)
    return "not kept by the browser";
  return error.what;
}

void Network::publish_end(Hop& hop) {
  hop.ended = true;
  if (hop.end->ok) {
    std::erase_if(navigations_, [&](const Navigation& navigation) { return navigation.row == hop.row.id; });
  } else {
    for (auto& navigation : navigations_)
      if (navigation.row == hop.row.id) navigation.failed = hub_.host().now();
  }
  hub_.host().publish(*hop.end);
  forget(hop.row.cdp_id);
}

void Network::forget(const std::string& cdp_id) {
  const auto found = exchanges_.find(cdp_id);
  if (found == exchanges_.end()) return;
  for (const auto& hop : found->second.hops)
    if (!hop->ended) return;
  exchanges_.erase(found);
  over_.insert(cdp_id);
  ended_.push_back(cdp_id);
  if (ended_.size() > kRemembered) {
    over_.erase(ended_.front());
    ended_.pop_front();
  }
}

/// Ends what will never be told of again, so that nobody waits for it.
void Network::abandon(const std::shared_ptr<Hop>& hop, const std::string& why, Time t) {
  if (hop->ended) return;
  if (hop->body_pending) return;  // its answer, an error if the target has gone, ends it
  hop->wire_overdue = true;
  if (!hop->end) {
    archive::RequestEnd end;
    end.request = hop->row.id;
    end.t = std::max(t, hop->not_before());
    end.ok = false;
    end.error = why;
    hop->end = std::move(end);
  }
  hop->body_asked = true;
  advance(hop);
}

void Network::abandon_if(const std::function<bool(const Hop&)>& which, const std::string& why, Time t) {
  std::vector<std::shared_ptr<Hop>> leaving;
  for (const auto& [cdp_id, exchange] : exchanges_)
    for (const auto& hop : exchange.hops)
      if (!hop->ended && which(*hop)) leaving.push_back(hop);
  std::sort(leaving.begin(), leaving.end(),
            [](const auto& a, const auto& b) { return a->row.id < b->row.id; });
  for (const auto& hop : leaving) abandon(hop, why, t);
}

/// A new document stands in a frame: what the old one was still loading is over, and is often not told of
/// again (another process answers now). Navigation requests on their way (their id is their loader's) go on.
void Network::navigated(const Incoming& event) {
  const Json& frame = json_member(event.params, "frame");
  const std::string id = json_string(frame, "id"), loader = json_string(frame, "loaderId");
  if (id.empty() || loader.empty()) return;
  const std::string old = loaders_[id];
  loaders_[id] = loader;
  if (documents_.size() > kRemembered) documents_.clear();
  if (old.empty() || old == loader) return;
  const bool top = !frame.contains("parentId");
  abandon_if(
      [&](const Hop& hop) {
        if (hop.loader == loader || hop.row.cdp_id == loader) return false;
        if (hop.loader == old) return true;
        return top && hop.sessions.front() == event.session && !hop.loader.empty() &&
               hop.row.cdp_id != hop.loader;
      },
      "the page was left", event.received);
}

void Network::wait_more() { ++waiting_; }

void Network::wait_less() {
  if (--waiting_ == 0 && settled_notice_) settled_notice_();
}

}  // namespace browx::capture
