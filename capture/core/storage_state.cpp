#include "capture/core/storage_state.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/url.hpp"
#include "capture/core/session_impl.hpp"

namespace browx::capture {
namespace {

Error wrong(std::string what) {
  return Error{Code::invalid_argument, "storageState: " + std::move(what),
               "Use {cookies:[…], origins:[{origin, localStorage:[{name, value}]}]} as Playwright saves it"};
}

/// Playwright's cookie as CDP's Network.CookieParam.
Result<Json> cookie_param(const Json& cookie) {
  Json out = Json::object();
  for (const char* key : {"name", "value", "domain", "path", "url"})
    if (const Json& member = json_member(cookie, key); member.is_string()) out[key] = member;
  for (const char* key : {"httpOnly", "secure"})
    if (const Json& member = json_member(cookie, key); member.is_boolean()) out[key] = member;
  if (!out.contains("name") || !out.contains("value")) return wrong("a cookie without name or value");
  if (!out.contains("domain") && !out.contains("url"))
    return wrong(fmt::format("cookie \"{}\" has neither domain nor url", json_string(cookie, "name")));
  if (const double expires = json_number(cookie, "expires", -1); expires >= 0) out["expires"] = expires;
  const std::string same_site = json_string(cookie, "sameSite");
  if (!same_site.empty()) {
    if (same_site != "Strict" && same_site != "Lax" && same_site != "None")
      return wrong(fmt::format("cookie \"{}\" has sameSite \"{}\"", json_string(cookie, "name"), same_site));
    out["sameSite"] = same_site;
  }
  return out;
}

/// An empty document with an icon of its own: else the browser would ask the real server for one.
constexpr std::string_view kEmptyPage = "<!doctype html><link rel=icon href='data:,'>";

/// Answers each request of the internal page with an empty document.
std::unique_ptr<cdp::Connection::Subscription> answer_everything(cdp::Connection& connection,
                                                                 const std::string& page) {
  return connection.subscribe(page, [&connection, page](const cdp::Event& event) {
    if (event.method != "Fetch.requestPaused") return;
    Json type = {{"name", "Content-Type"}, {"value", "text/html"}};
    Json answer = {{"requestId", json_string(event.json(), "requestId")}, {"responseCode", 200}};
    answer["responseHeaders"] = Json::array({type});
    answer["body"] = base64_encode(kEmptyPage);
    connection.post(page, "Fetch.fulfillRequest", std::move(answer));
  });
}

Task<bool> fill_origin(cdp::Connection& connection, std::string page, std::string origin, Json items,
                       Deadline deadline) {
  Json navigate = {{"url", origin + "/"}};
  auto navigated = co_await connection.call(page, "Page.navigate", navigate, deadline);
  if (!navigated) co_return std::move(navigated).error();
  if (const std::string text = json_string(*navigated, "errorText"); !text.empty())
    co_return wrong(fmt::format("the origin {} cannot be opened: {}", origin, text));
  Json evaluate = {
      {"expression", fmt::format("for(const [k,v] of {}) localStorage.setItem(k,v)", dump_json(items))},
      {"returnByValue", true}};
  auto set = co_await connection.call(page, "Runtime.evaluate", evaluate, deadline);
  if (!set) co_return std::move(set).error();
  if (set->contains("exceptionDetails"))
    co_return wrong(fmt::format("the localStorage of {} was refused", origin));
  co_return true;
}

}  // namespace

Task<bool> apply_storage_state(SessionImpl& session, Json state, Deadline deadline) {
  auto& connection = session.connection();
  Json cookies = Json::array();
  for (const Json& cookie : json_member(state, "cookies")) {
    auto param = cookie_param(cookie);
    if (!param) co_return std::move(param).error();
    cookies.push_back(*std::move(param));
  }
  std::vector<std::pair<std::string, Json>> origins;
  for (const Json& entry : json_member(state, "origins")) {
    const std::string origin = json_string(entry, "origin");
    const auto url = parse_url(origin);
    if (!url || (url->scheme != "http" && url->scheme != "https"))
      co_return wrong(fmt::format("\"{}\" is not an http(s) origin", origin));
    Json items = Json::array();
    for (const Json& item : json_member(entry, "localStorage")) {
      if (!json_member(item, "name").is_string() || !json_member(item, "value").is_string())
        co_return wrong(fmt::format("an entry of {} without name or value", origin));
      Json pair = Json::array({item["name"], item["value"]});
      items.push_back(std::move(pair));
    }
    if (!items.empty()) origins.emplace_back(url->origin(), std::move(items));
  }
  if (!cookies.empty()) {
    Json params = {{"browserContextId", session.browser_context()}};
    params["cookies"] = std::move(cookies);
    auto set = co_await connection.call("", "Storage.setCookies", params, deadline);
    if (!set) co_return wrong(fmt::format("the browser refused a cookie: {}", set.error().what));
  }
  if (origins.empty()) co_return true;

  Json create = {{"url", "about:blank"}, {"browserContextId", session.browser_context()}};
  auto made = co_await connection.call("", "Target.createTarget", create, deadline);
  if (!made) co_return std::move(made).error();
  const auto is_there = [&session] { return !session.internal_page().empty() || session.is_lost(); };
  const bool came = co_await session.changed().wait_for(is_there, deadline);
  if (!came || session.is_lost())
    co_return Error{Code::timeout, "The page for storageState did not come up in time", "", "timeout"};
  const std::string page = session.internal_page();
  const auto answering = answer_everything(connection, page);
  Json all = {{"urlPattern", "*"}, {"requestStage", "Request"}};
  Json patterns = {{"patterns", Json::array({all})}};
  BROWX_CO_TRY(co_await connection.call(page, "Fetch.enable", patterns, deadline));
  for (auto& [origin, items] : origins) {
    std::string at = origin;
    Json values = items;
    BROWX_CO_TRY(co_await fill_origin(connection, page, std::move(at), std::move(values), deadline));
  }
  Json close = {{"targetId", json_string(*made, "targetId")}};
  BROWX_CO_TRY(co_await connection.call("", "Target.closeTarget", close, deadline));
  co_return true;
}

}  // namespace browx::capture
