#include "capture/drive/window.hpp"

#include <algorithm>
#include <cctype>

#include "base/bytes.hpp"
#include "base/url.hpp"
#include "capture/drive/endpoint.hpp"

namespace browx::capture {
namespace {

constexpr std::size_t kMaxListed = 20;
constexpr std::size_t kMaxFramePayload = 500;
constexpr std::chrono::milliseconds kBodyWait{1000};
/// A body that the page does not read never ends for Chromium; one that it reads follows its headers soon.
constexpr std::chrono::milliseconds kBodyGrace{150};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Requests whose end the page usually answers to: what an action settles for. Streams never end.
bool awaited(const std::string& type) { return type == "Fetch" || type == "XHR" || type == "Document"; }

template <class T>
const T* get(const Fact& fact) {
  return std::get_if<T>(&fact);
}

/// The first of several spellings that is there.
const Json& any_member(const Json& object, std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    if (const Json& found = json_member(object, name); !found.is_null()) return found;
  return json_member(object, *names.begin());
}

}  // namespace

Window::Request* Window::State::find(RequestId id) {
  for (auto r = requests.rbegin(); r != requests.rend(); ++r)
    if (r->id == id) return &*r;
  return nullptr;
}

Window::Window(Session& session, Tab& tab)
    : session_(session),
      tab_(tab),
      began_(session.journal().now()),
      began_at_(SteadyClock::now()),
      state_(std::make_shared<State>(session.executor())) {
  for (const auto& t : session.tabs()) tabs_before_.push_back(t->id());
  facts_ = session.journal().listen([this](const Fact& fact) { on_fact(fact); });
  events_ = tab.connection().subscribe(tab.cdp_session(),
                                       [this](const cdp::Event& event) { on_page_event(event); });
}

bool Window::ours(std::optional<TargetId> target) const {
  if (!target || *target == tab_.target()) return true;
  // Frames and workers of this tab have targets of their own; so only what belongs to another tab that stood
  // before is not ours.
  for (const auto& other : session_.tabs()) {
    if (other->id() == tab_.id()) continue;
    if (std::find(tabs_before_.begin(), tabs_before_.end(), other->id()) == tabs_before_.end()) continue;
    if (other->target() == *target) return false;
    for (const auto& frame : other->frames())
      if (session_.target_of(frame->cdp_session()) == target) return false;
  }
  return true;
}

std::string Window::session_of(std::optional<TargetId> target) const {
  if (!target || *target == tab_.target()) return tab_.cdp_session();
  for (const auto& frame : tab_.frames())
    if (session_.target_of(frame->cdp_session()) == target) return frame->cdp_session();
  return {};
}

void Window::on_fact(const Fact& fact) {
  if (const auto* request = get<archive::Request>(fact)) {
    if (!ours(request->target)) return;
    if (request->redirected_from)
      if (Request* before = state_->find(*request->redirected_from)) before->finished = true;
    Request r;
    r.id = request->id;
    r.method = request->method;
    r.url = request->url;
    r.type = request->resource_type;
    r.cdp_id = request->cdp_id;
    r.cdp_session = session_of(request->target);
    r.begin = r.end = request->t;
    state_->requests.push_back(std::move(r));
  } else if (const auto* response = get<archive::Response>(fact)) {
    if (Request* r = state_->find(response->request)) {
      r->status = response->status;
      r->mime = response->mime;
      r->end = response->t;
      r->answered = SteadyClock::now();
      tab_.changed().notify();
    }
  } else if (const auto* end = get<archive::RequestEnd>(fact)) {
    Request* r = state_->find(end->request);
    if (!r) return;
    r->finished = true;
    r->failed = !end->ok;
    r->end = end->t;
    if (end->ok && write_method(r->method) && r->status / 100 == 2 && json_mime(r->mime) &&
        end->encoded_bytes <= kMaxShapeBytes) {
      if (end->body)
        r->shape = response_shape(*end->body);
      else
        ask_body(*r);
    }
    tab_.changed().notify();
  } else if (const auto* frame = get<archive::ChannelFrame>(fact)) {
    std::string url;
    if (const Request* r = state_->find(frame->request)) url = r->url;
    const auto& known = session_.rings().requests();
    for (auto r = known.rbegin(); url.empty() && r != known.rend(); ++r)
      if (r->id == frame->request) url = r->url;
    if (state_->frames.size() == kMaxListed) return;
    Json one = {{"url", redact_url(url)}, {"dir", frame->sent ? "sent" : "recv"}, {"kind", frame->kind}};
    if (frame->kind == "ws") one["opcode"] = frame->opcode;
    if (!frame->event.empty()) one["event"] = frame->event;
    const bool cut = frame->payload.size() > kMaxFramePayload;
    std::string_view payload = std::string_view(frame->payload).substr(0, kMaxFramePayload);
    if (frame->opcode == 2) {
      one["payload"] = base64_encode(payload);
      one["encoding"] = "base64";
    } else {
      one["payload"] = to_valid_utf8(payload);
    }
    if (cut || frame->truncated) one["truncated"] = true;
    one["ts"] = session_.journal().started_wall_ms() + frame->t.us / 1000;
    state_->frames.push_back(std::move(one));
  } else if (const auto* event = get<archive::Event>(fact)) {
    if (event->kind != "download" || !ours(event->target)) return;
    const Json& id = any_member(event->payload, {"id", "guid", "downloadId"});
    auto found = std::find_if(state_->downloads.begin(), state_->downloads.end(),
                              [&id](const Json& d) { return json_member(d, "id") == id; });
    if (found == state_->downloads.end()) {
      state_->downloads.push_back(Json{{"id", id}, {"bytes", 0}, {"state", "in-progress"}});
      found = std::prev(state_->downloads.end());
    }
    for (const auto& [name, value] : event->payload.items())
      if (name == "suggestedFilename" || name == "path" || name == "bytes" || name == "state")
        (*found)[name] = value;
    state_->download_asked = false;
    tab_.changed().notify();
  } else if (get<archive::Target>(fact)) {
    tab_.changed().notify();
  }
}

void Window::on_page_event(const cdp::Event& event) {
  const std::string_view method = event.method;
  if (!method.starts_with("Page.")) return;
  if (method == "Page.windowOpen") {
    state_->opened.push_back(json_string(event.json(), "url"));
    tab_.changed().notify();
    return;
  }
  const bool asks = method == "Page.frameRequestedNavigation";
  const bool starts = method == "Page.frameStartedNavigating";
  const bool stops = method == "Page.frameStoppedLoading";
  if (!asks && !starts && !stops) return;
  const Json params = event.json();
  if (json_string(params, "frameId") != tab_.main_frame().cdp_id()) return;
  if (asks) {
    const std::string where = json_string(params, "disposition", "currentTab");
    if (where == "download") state_->download_asked = true;
    if (where == "currentTab" && state_->leaving == Leaving::none) state_->leaving = Leaving::requested;
  } else if (starts) {
    const std::string kind = json_string(params, "navigationType");
    if (kind != "sameDocument" && kind != "historySameDocument") state_->leaving = Leaving::started;
  } else {
    state_->leaving = Leaving::none;
  }
  tab_.changed().notify();
}

int Window::pending_requests() const {
  return static_cast<int>(
      std::count_if(state_->requests.begin(), state_->requests.end(),
                    [](const Request& r) { return !r.finished && !r.answered && awaited(r.type); }));
}

std::optional<SteadyClock::time_point> Window::bodies_until() const {
  std::optional<SteadyClock::time_point> until;
  for (const auto& r : state_->requests)
    if (!r.finished && r.answered && awaited(r.type))
      until = std::max(until.value_or(*r.answered), *r.answered);
  if (until) *until += kBodyGrace;
  return until;
}

bool Window::tab_expected() const {
  const auto blank = [](const std::string& url) { return url.empty() || url == "about:blank"; };
  const auto tabs = new_tabs();
  if (state_->opened.size() > tabs.size()) return true;
  const auto asked =
      std::count_if(state_->opened.begin(), state_->opened.end(), [&](const auto& u) { return !blank(u); });
  const auto there = std::count_if(tabs.begin(), tabs.end(), [&](const auto& t) { return !blank(t->url()); });
  return asked > there;
}

bool Window::download_running() const {
  return state_->download_asked ||
         std::any_of(state_->downloads.begin(), state_->downloads.end(), [](const Json& d) {
           const std::string state = json_string(d, "state");
           return state == "in-progress" || state == "inProgress";
         });
}

void Window::ask_body(const Request& request) {
  if (request.cdp_session.empty() || request.cdp_id.empty()) return;
  ++state_->bodies_open;
  spawn(session_.executor(),
        fetch_body(state_, session_.connection(), request.cdp_session, request.cdp_id, request.id));
}

asio::awaitable<void> Window::fetch_body(std::shared_ptr<State> state, cdp::Connection& connection,
                                         std::string cdp_session, std::string cdp_id, RequestId id) {
  Json params = {{"requestId", cdp_id}};
  auto answer = co_await connection.call(std::move(cdp_session), "Network.getResponseBody", std::move(params),
                                         Deadline::in(kBodyWait));
  // Base64 means that the browser holds it for binary: no shape then.
  if (answer && !json_bool(*answer, "base64Encoded"))
    if (Request* r = state->find(id)) r->shape = response_shape(json_string(*answer, "body"));
  --state->bodies_open;
  state->bodies.notify();
}

asio::awaitable<void> Window::bodies(Deadline deadline) {
  const auto state = state_;
  const auto all_here = [&state] { return state->bodies_open == 0; };
  co_await state->bodies.wait_for(all_here, deadline);
}

Json Window::network() const {
  Json by_type = Json::object(), requests = Json::array(), mutations = Json::array();
  int failed = 0;
  for (const auto& r : state_->requests) {
    const std::string type = lower(r.type.empty() ? "Other" : r.type);
    by_type[type] = by_type.value(type, 0) + 1;
    if (r.failed || r.status >= 400) ++failed;
    const double ms = static_cast<double>(r.end.us - r.begin.us) / 1000.0;
    if (requests.size() < kMaxListed) {
      Json one = {{"method", r.method}, {"url", redact_url(r.url)}, {"status", r.status}, {"type", r.type}};
      one["ms"] = static_cast<std::int64_t>(ms + 0.5);
      if (!r.finished && !r.answered) one["pending"] = true;
      if (r.failed) one["failed"] = true;
      requests.push_back(std::move(one));
    }
    if (write_method(r.method) && r.status / 100 == 2 && mutations.size() < kMaxListed) {
      Json one = {
          {"method", r.method}, {"urlPattern", url_pattern(r.url)}, {"status", r.status}, {"ok", true}};
      one["durationMs"] = static_cast<std::int64_t>(ms + 0.5);
      if (!r.shape.is_null()) one["responseShape"] = r.shape;
      mutations.push_back(std::move(one));
    }
  }
  Json summary = {{"total", state_->requests.size()}, {"byType", std::move(by_type)}, {"failed", failed}};
  Json out = {{"summary", std::move(summary)}, {"requests", std::move(requests)}};
  if (!mutations.empty()) out["mutations"] = std::move(mutations);
  Json frames = state_->frames;
  out["wsFrames"] = std::move(frames);
  return out;
}

Json Window::downloads() const {
  Json out = Json::array();
  for (const auto& d : state_->downloads) out.push_back(d);
  return out;
}

std::vector<std::shared_ptr<Tab>> Window::new_tabs() const {
  std::vector<std::shared_ptr<Tab>> out;
  for (auto& t : session_.tabs())
    if (std::find(tabs_before_.begin(), tabs_before_.end(), t->id()) == tabs_before_.end())
      out.push_back(std::move(t));
  return out;
}

std::vector<std::string> Window::console_errors() const {
  std::vector<std::string> out;
  for (const auto& line : session_.rings().console_since(began_))
    if (!line.exception && line.level == "error" && (line.tab == 0 || line.tab == tab_.id()) &&
        out.size() < kMaxListed)
      out.push_back(line.text);
  return out;
}

int Window::console_warnings() const {
  int n = 0;
  for (const auto& line : session_.rings().console_since(began_))
    if (!line.exception && line.level == "warning" && (line.tab == 0 || line.tab == tab_.id())) ++n;
  return n;
}

std::vector<std::string> Window::page_errors() const {
  std::vector<std::string> out;
  for (const auto& line : session_.rings().console_since(began_))
    if (line.exception && (line.tab == 0 || line.tab == tab_.id()) && out.size() < kMaxListed)
      out.push_back(line.text);
  return out;
}

}  // namespace browx::capture
