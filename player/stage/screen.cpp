#include "player/stage/screen.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <boost/asio/this_coro.hpp>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "stage_scripts/embedded.hpp"

namespace browx::player {
namespace {

constexpr const char* kMark = "data-browx-node";
constexpr std::string_view kHead = "http://document-", kTail = ".browx.invalid/";
constexpr int kUsualWidth = 1280, kUsualHeight = 720, kLargestSide = 8000;

Error lost(std::string what) {
  return {Code::unavailable, std::move(what), "Ask again", "stage-browser-lost"};
}

Json headers_of(const std::string& type, const std::string& origin) {
  Json out = Json::array();
  const auto add = [&](const char* name, const std::string& value) {
    Json header = {{"name", name}, {"value", value}};
    out.push_back(std::move(header));
  };
  add("Content-Type", type);
  add("Cache-Control", "no-store");
  // Fonts and crossorigin images are asked for with CORS; what was allowed then is allowed now.
  add("Access-Control-Allow-Origin", origin.empty() ? "*" : origin);
  if (!origin.empty()) add("Access-Control-Allow-Credentials", "true");
  add("Cross-Origin-Resource-Policy", "cross-origin");
  return out;
}

Json states_of(const archive::DocumentState& state) {
  Json out = Json::object();
  const archive::Node* root = state.root();
  for (const auto* node = root; node; node = archive::next_in_order(*node, *root)) {
    const auto& extra = node->state();
    Json one = Json::object();
    if (extra.scroll) one = {{"x", extra.scroll->x}, {"y", extra.scroll->y}};
    if (extra.modal) one["modal"] = true;
    if (node->id == state.focused()) one["focused"] = true;
    if (!one.empty()) out[std::to_string(node->id)] = std::move(one);
  }
  return out;
}

}  // namespace

struct Screen::Show {
  std::shared_ptr<const archive::PageAt> page;
  std::shared_ptr<const Supply> supply;
  std::map<std::string, archive::DocumentId> frames;  ///< by CDP frame id
  std::set<std::string> missing;
};

Screen::Screen(asio::any_io_executor executor, std::unique_ptr<cdp::Chromium> process,
               std::unique_ptr<cdp::Connection> connection)
    : executor_(executor),
      process_(std::move(process)),
      connection_(std::move(connection)),
      changed_(executor) {}

Screen::~Screen() {
  requests_.reset();
  events_.reset();
  connection_->close();
}

Task<std::unique_ptr<Screen>> Screen::start(std::string chromium, Deadline deadline) {
  auto executable = cdp::find_chromium(chromium);
  if (!executable) co_return std::move(executable).error();
  cdp::ChromiumOptions options;
  options.executable = *std::move(executable);
  // Requests are answered before any of this would count. Frames of all sites share one process and one
  // session.
  options.extra_arguments = {
      "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:9",
      "--proxy-bypass-list=<-loopback>", "--disable-site-isolation-trials",
      "--disable-features=IsolateOrigins,site-per-process,Translate,OptimizationHints,"
      "MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,HttpsUpgrades,"
      "HttpsFirstBalancedModeAutoEnable,PrivacySandboxSettings4,LocalNetworkAccessChecks"};
  auto process = co_await cdp::Chromium::start(std::move(options), deadline);
  if (!process) co_return std::move(process).error();
  std::string url = (*process)->websocket_url();
  auto transport = co_await cdp::connect_websocket(std::move(url), deadline);
  if (!transport) co_return std::move(transport).error();
  asio::any_io_executor executor = co_await asio::this_coro::executor;
  auto connection = std::make_unique<cdp::Connection>(executor, *std::move(transport));
  std::unique_ptr<Screen> screen(new Screen(executor, *std::move(process), std::move(connection)));
  BROWX_CO_TRY(co_await screen->begin(deadline));
  co_return std::move(screen);
}

Task<bool> Screen::begin(Deadline deadline) {
  requests_ = connection_->subscribe("", [this](const cdp::Event& event) {
    if (event.method == "Fetch.requestPaused") paused(event);
  });
  Json pattern = {{"urlPattern", "*"}};
  Json patterns = Json::array();
  patterns.push_back(std::move(pattern));
  Json fetch = {{"patterns", std::move(patterns)}};
  auto fetching = co_await connection_->call("", "Fetch.enable", std::move(fetch), deadline);
  if (!fetching) co_return std::move(fetching).error();
  Json deny = {{"behavior", "deny"}};
  auto denied = co_await connection_->call("", "Browser.setDownloadBehavior", std::move(deny), deadline);
  if (!denied) co_return std::move(denied).error();
  Json blank = {{"url", "about:blank"}};
  auto target = co_await connection_->call("", "Target.createTarget", std::move(blank), deadline);
  if (!target) co_return std::move(target).error();
  Json attach = {{"targetId", json_string(*target, "targetId")}, {"flatten", true}};
  auto attached = co_await connection_->call("", "Target.attachToTarget", std::move(attach), deadline);
  if (!attached) co_return std::move(attached).error();
  session_ = json_string(*attached, "sessionId");
  events_ = connection_->subscribe(session_, [this](const cdp::Event& event) { page_event(event); });
  struct Command {
    const char* method;
    Json params;
  };
  std::vector<Command> commands;
  commands.push_back({"Emulation.setScriptExecutionDisabled", Json{{"value", true}}});
  commands.push_back({"Emulation.setFocusEmulationEnabled", Json{{"enabled", true}}});
  commands.push_back({"Page.enable", Json::object()});
  commands.push_back({"Page.setLifecycleEventsEnabled", Json{{"enabled", true}}});
  commands.push_back({"Network.enable", Json::object()});
  commands.push_back({"Network.setCacheDisabled", Json{{"cacheDisabled", true}}});
  for (auto& command : commands) {
    Json params = std::move(command.params);
    auto done = co_await connection_->call(session_, command.method, std::move(params), deadline);
    if (!done) co_return std::move(done).error();
  }
  co_return true;
}

bool Screen::alive() const { return !crashed_ && !connection_->closed() && process_->running(); }

std::string Screen::address(archive::DocumentId document) const {
  return fmt::format("{}{}{}{}", kHead, document.value(), kTail, run_);
}

void Screen::page_event(const cdp::Event& event) {
  if (event.method == "Inspector.targetCrashed") {
    crashed_ = true;
    changed_.notify();
  } else if (event.method == "Page.lifecycleEvent") {
    const Json params = event.json();
    if (json_string(params, "name") != "load") return;
    loaded_.insert(json_string(params, "loaderId"));
    changed_.notify();
  }
}

void Screen::paused(const cdp::Event& event) {
  const Json params = event.json();
  const std::string id = json_string(params, "requestId"), frame = json_string(params, "frameId");
  const Json& request = json_member(params, "request");
  const std::string url = json_string(request, "url");
  const std::string origin = json_string(json_member(request, "headers"), "Origin");
  const auto fail = [&] {
    Json answer = {{"requestId", id}, {"errorReason", "BlockedByClient"}};
    connection_->post("", "Fetch.failRequest", std::move(answer));
  };
  const auto fulfill = [&](const std::string& type, std::string_view body, bool document) {
    Json headers = headers_of(type, origin);
    if (document) {
      Json policy = {{"name", "Content-Security-Policy"}, {"value", "script-src 'none'; form-action 'none'"}};
      headers.push_back(std::move(policy));
    }
    Json answer = {{"requestId", id}, {"responseCode", 200}, {"body", base64_encode(body)}};
    answer["responseHeaders"] = std::move(headers);
    connection_->post("", "Fetch.fulfillRequest", std::move(answer));
  };
  if (!show_) return fail();
  if (std::string_view(url).starts_with(kHead)) {
    std::int64_t number = 0;
    const char* begin = url.data() + kHead.size();
    std::from_chars(begin, url.data() + url.size(), number);
    const archive::DocumentId document(number);
    // An answer for a drawing that is over would be of the wrong moment.
    if (!show_->page->documents.contains(document) || url != address(document)) return fail();
    show_->frames.insert_or_assign(frame, document);
    archive::HtmlOptions options;
    options.frame_url = [this](archive::DocumentId child) { return address(child); };
    options.sealed = false;
    options.mark = kMark;
    return fulfill("text/html; charset=utf-8", archive::html(*show_->page, options, document), true);
  }
  std::optional<archive::DocumentId> document;
  if (const auto known = show_->frames.find(frame); known != show_->frames.end()) document = known->second;
  const archive::Asset* asset = show_->supply->find(document, url);
  if (!asset || json_string(params, "resourceType") == "Document") {
    if (!std::string_view(url).ends_with("/favicon.ico")) show_->missing.insert(url);
    return fail();
  }
  fulfill(content_type(*asset), *asset->bytes, false);
}

Task<bool> Screen::dress(std::shared_ptr<Show> show, std::string frame, archive::DocumentId document,
                         Deadline deadline) {
  Json params = {{"frameId", std::move(frame)}, {"worldName", "browx"}};
  auto world = co_await connection_->call(session_, "Page.createIsolatedWorld", std::move(params), deadline);
  if (!world) co_return std::move(world).error();
  const auto& state = show->page->documents.at(document).state;
  Json argument = {{"mark", kMark}, {"time", std::max(0.0, show->page->t.ms())}};
  argument["marks"] = states_of(state);
  argument["scroll"] = Json{{"x", state.scroll().x}, {"y", state.scroll().y}};
  std::string expression(stage_scripts::embedded_file("dress.js"));
  while (!expression.empty() && (expression.back() == '\n' || expression.back() == ';'))
    expression.pop_back();
  expression += "(" + dump_json(argument) + ")";
  Json evaluate = {{"expression", std::move(expression)},
                   {"contextId", json_int(*world, "executionContextId")},
                   {"awaitPromise", true},
                   {"returnByValue", true}};
  auto done = co_await connection_->call(session_, "Runtime.evaluate", std::move(evaluate), deadline);
  if (!done) co_return std::move(done).error();
  if (const Json& details = json_member(*done, "exceptionDetails"); !details.is_null())
    log_warning("the stage could not prepare a document: {}", dump_json(details));
  co_return true;
}

Task<Screen::Drawing> Screen::draw(std::shared_ptr<const archive::PageAt> page,
                                   std::shared_ptr<const Supply> supply, Deadline deadline) {
  auto show = std::make_shared<Show>();
  show->page = page;
  show->supply = std::move(supply);
  show_ = show;
  ++run_;
  loaded_.clear();
  const auto side = [](int value, int usual) { return value < 1 ? usual : std::min(value, kLargestSide); };
  Json metrics = {{"width", side(page->viewport.width, kUsualWidth)},
                  {"height", side(page->viewport.height, kUsualHeight)},
                  {"deviceScaleFactor", page->scale},
                  {"mobile", false}};
  auto sized = co_await connection_->call(session_, "Emulation.setDeviceMetricsOverride", std::move(metrics),
                                          deadline);
  if (!sized) co_return std::move(sized).error();
  // Out of the way, so that nothing is hovered that was not.
  const archive::Position mouse = page->top().state.pointer().value_or(archive::Position{-1, -1});
  Json move = {{"type", "mouseMoved"}, {"x", mouse.x}, {"y", mouse.y}};
  Json navigate = {{"url", address(page->root)}};
  auto gone = co_await connection_->call(session_, "Page.navigate", std::move(navigate), deadline);
  if (!gone) co_return std::move(gone).error();
  if (const std::string error = json_string(*gone, "errorText"); !error.empty())
    co_return lost("The stage's browser did not open the page: " + error);
  const std::string loader = json_string(*gone, "loaderId");
  const auto loaded = [this, loader] {
    return crashed_ || connection_->closed() || loaded_.contains(loader);
  };
  const bool in_time = co_await changed_.wait_for(loaded, deadline);
  if (!in_time)
    co_return Error{Code::timeout, "The page did not load on the stage in time", "Ask again, with more time",
                    "stage-timeout"};
  if (!alive()) co_return lost("The stage's browser ended while it drew the page");
  auto moved = co_await connection_->call(session_, "Input.dispatchMouseEvent", std::move(move), deadline);
  if (!moved) co_return std::move(moved).error();
  const auto frames = show->frames;
  for (const auto& [frame, document] : frames) {
    // A frame may be gone by now: hidden by what was drawn around it.
    auto dressed = co_await dress(show, frame, document, deadline);
    if (!dressed && document == page->root) co_return std::move(dressed).error();
  }
  Json shot = {{"format", "png"}};
  auto answer = co_await connection_->call(session_, "Page.captureScreenshot", std::move(shot), deadline);
  if (!answer) co_return std::move(answer).error();
  auto png = base64_decode(json_string(*answer, "data"));
  if (!png) co_return std::move(png).error();
  Drawing drawing;
  drawing.png = *std::move(png);
  drawing.missing = std::move(show->missing);
  show_.reset();
  co_return std::move(drawing);
}

}  // namespace browx::player
