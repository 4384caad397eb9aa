#include "capture/core/browser.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "capture/cdp/transport.hpp"
#include "capture/core/session_impl.hpp"

namespace browx::capture {
namespace {

/// The websocket of an endpoint given as ws:// or, by way of /json/version, as http://.
Task<std::string> endpoint_of(std::string attach, Deadline deadline) {
  if (attach.rfind("ws://", 0) == 0) co_return attach;
  while (!attach.empty() && attach.back() == '/') attach.pop_back();
  auto text = co_await cdp::http_get(attach + "/json/version", deadline);
  if (!text) co_return std::move(text).error();
  auto parsed = parse_json(*text);
  const std::string url = parsed ? json_string(*parsed, "webSocketDebuggerUrl") : "";
  if (url.empty())
    co_return Error{Code::unavailable, fmt::format("{} is not a browser's debugging endpoint", attach),
                    "Start the browser with --remote-debugging-port and name that port in BROWX_ATTACH_CDP"};
  co_return url;
}

}  // namespace

Json auto_attach_params(bool nested) {
  Json filter = Json::array();
  std::vector<const char*> left_out{"browser", "tab", "browser_ui", "webview", "other"};
  if (nested) left_out.insert(left_out.end(), {"service_worker", "shared_worker"});
  for (const char* type : left_out) {
    Json entry = {{"type", type}, {"exclude", true}};
    filter.push_back(std::move(entry));
  }
  filter.push_back(Json::object());  // and everything else
  Json params = {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}};
  params["filter"] = std::move(filter);
  return params;
}

Browser::Browser(asio::any_io_executor executor, std::unique_ptr<cdp::Chromium> process,
                 std::unique_ptr<cdp::Connection> connection)
    : executor_(std::move(executor)), process_(std::move(process)), connection_(std::move(connection)) {}

Browser::~Browser() { stop(); }

Task<std::shared_ptr<Browser>> Browser::start(asio::any_io_executor executor, EngineOptions options,
                                              bool headless, Deadline deadline) {
  std::unique_ptr<cdp::Chromium> process;
  std::string url;
  if (!options.attach_cdp.empty()) {
    auto endpoint = co_await endpoint_of(options.attach_cdp, deadline);
    if (!endpoint) co_return std::move(endpoint).error();
    url = *std::move(endpoint);
  } else {
    auto executable = cdp::find_chromium(options.chromium);
    if (!executable) co_return std::move(executable).error();
    cdp::ChromiumOptions start;
    start.executable = *std::move(executable);
    start.headless = headless;
    auto started = co_await cdp::Chromium::start(std::move(start), deadline);
    if (!started) co_return std::move(started).error();
    process = *std::move(started);
    url = process->websocket_url();
  }
  auto transport = co_await cdp::connect_websocket(url, deadline);
  if (!transport) co_return std::move(transport).error();
  auto connection = std::make_unique<cdp::Connection>(executor, *std::move(transport));
  auto browser = std::make_shared<Browser>(executor, std::move(process), std::move(connection));
  BROWX_CO_TRY(co_await browser->begin(deadline));
  co_return std::move(browser);
}

Task<bool> Browser::begin(Deadline deadline) {
  const std::weak_ptr<Browser> weak = weak_from_this();
  connection_->on_closed([weak](Error) {
    if (auto self = weak.lock()) self->on_lost();
  });
  subscription_ = connection_->subscribe("", [weak](const cdp::Event& event) {
    if (auto self = weak.lock()) self->on_event(event);
  });
  const Json none = Json::object();
  auto version = co_await connection_->call("", "Browser.getVersion", none, deadline);
  if (!version) co_return std::move(version).error();
  version_ = json_string(*version, "product");
  Json discover = {{"discover", true}};  // for observers
  discover["filter"] = auto_attach_params(false)["filter"];
  BROWX_CO_TRY(co_await connection_->call("", "Target.setDiscoverTargets", discover, deadline));
  const Json attach = auto_attach_params(false);
  BROWX_CO_TRY(co_await connection_->call("", "Target.setAutoAttach", attach, deadline));
  co_return true;
}

void Browser::on_event(const cdp::Event& event) {
  const auto session_of = [&](const Json& info) -> SessionImpl* {
    const auto found = sessions_.find(json_string(info, "browserContextId"));
    return found == sessions_.end() ? nullptr : found->second;
  };
  if (event.method == "Target.attachedToTarget") {
    const Json params = event.json();
    if (SessionImpl* session = session_of(json_member(params, "targetInfo")))
      return session->attached(params, "");
    // Somebody else's: it goes on without us.
    const std::string id = json_string(params, "sessionId");
    connection_->post(id, "Runtime.runIfWaitingForDebugger", Json::object());
    connection_->post("", "Target.detachFromTarget", {{"sessionId", id}});
  } else if (event.method == "Target.detachedFromTarget") {
    const std::string id = json_string(event.json(), "sessionId");
    const auto sessions = sessions_;
    for (const auto& [context, session] : sessions) session->detached(id);
  }
}

void Browser::on_lost() {
  if (lost_) return;
  lost_ = true;
  log_warning("the browser has gone; its sessions are over");
  const auto sessions = std::exchange(sessions_, {});
  for (const auto& [context, session] : sessions) session->lost();
}

void Browser::stop() {
  lost_ = true;
  subscription_.reset();
  connection_->close();
  if (process_) process_->stop(std::chrono::milliseconds(0));
}

}  // namespace browx::capture
