#include <fmt/format.h>

#include "capture/recording.hpp"
#include "mcp/calls.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

capture::DialogMode dialog_mode(const std::string& text) {
  if (text == "accept") return capture::DialogMode::accept;
  if (text == "dismiss") return capture::DialogMode::dismiss;
  if (text == "accept-prompt-with") return capture::DialogMode::accept_prompt_with;
  return capture::DialogMode::raise;
}

capture::Device read_device(const Arguments& args) {
  capture::Device device;
  if (!args.has("device")) return device;
  const Arguments given = args.object("device");
  device.scale_factor = given.number("scaleFactor", 1);
  device.touch = given.flag("touch");
  device.user_agent = given.text("userAgent");
  device.color_scheme = given.text("colorScheme");
  if (given.has("geolocation")) {
    const Arguments position = given.object("geolocation");
    device.geolocation = std::pair(position.number("latitude"), position.number("longitude"));
  }
  return device;
}

Json tab_json(const capture::Tab& tab, const std::shared_ptr<capture::Tab>& current) {
  Json json = {{"tab", tab.id()},
               {"url", tab.url()},
               {"title", tab.title()},
               {"current", current && current->id() == tab.id()}};
  if (tab.crashed()) json["crashed"] = true;
  return json;
}

Json session_json(capture::Session& session) {
  const auto current = session.current_tab();
  Json tabs = Json::array();
  for (const auto& tab : session.tabs()) tabs.push_back(tab_json(*tab, current));
  Json json = {{"session", session.name()}, {"mode", session.options().mode}, {"tabs", std::move(tabs)}};
  if (const auto& recording = session.recording())
    json["recording"] = Json{{"name", recording->options().flow_name},
                             {"automatic", recording->options().automatic},
                             {"stepCount", recording->step_count()}};
  return json;
}

}  // namespace

Task<Answer> open_session(Call& call) {
  capture::SessionOptions options;
  options.name = call.session_name;
  options.mode = call.args.text("mode", "incognito");
  if (options.mode == "attached" && !call.options.may("byob-attach"))
    co_return refuse_capability("open_session with mode attached", "byob-attach");
  if (options.mode == "attached" && call.options.engine.attach_cdp.empty())
    co_return refuse_input(call.pointer + "/mode", "incognito or persistent",
                           "No browser is attached: whoever starts the server sets BROWX_ATTACH_CDP");
  options.profile = call.args.text("profile", options.mode == "persistent" ? options.name : "");
  if (call.args.has("viewport")) {
    const Arguments viewport = call.args.object("viewport");
    options.viewport = {static_cast<int>(viewport.integer("width")),
                        static_cast<int>(viewport.integer("height"))};
  }
  options.device = read_device(call.args);
  options.storage_state = call.args.raw("storageState");
  if (call.args.has("dialogPolicy")) {
    const Arguments policy = call.args.object("dialogPolicy");
    options.dialog_mode = dialog_mode(policy.text("mode"));
    options.dialog_text = policy.text("text");
  }
  options.locale = call.args.text("locale");
  options.timezone = call.args.text("timezone");
  if (call.args.has("headless")) options.headless = call.args.flag("headless");

  auto opened = co_await call.engine.open(std::move(options));
  if (!opened) co_return std::move(opened).error();
  call.session = *std::move(opened);
  auto recorded = co_await call.calls.record_automatically(*call.session);
  if (!recorded) call.warnings.push_back("This session is not recorded: " + recorded.error().message());

  Json object = session_json(*call.session);
  if (const auto url = call.args.optional_text("url")) {
    const Deadline deadline = Deadline::in(std::chrono::milliseconds(call.args.integer("timeoutMs", 5000)));
    call.tab = call.session->current_tab();
    if (!call.tab) {
      auto tab = co_await call.session->new_tab("about:blank", deadline);
      if (!tab) co_return std::move(tab).error();
      call.tab = *std::move(tab);
    }
    capture::ActionOptions action{.deadline = deadline, .max_result_tokens = 0, .on_target = {}};
    auto result = co_await capture::navigate(*call.session, *call.tab, *url, std::move(action));
    if (!result) co_return std::move(result).error();
    object = session_json(*call.session);
    if (!result->ok) {
      // The session stands; only its first page does not.
      Answer answer = acted(call, *std::move(result));
      for (const auto& [key, value] : object.items()) answer.object[key] = value;
      co_return answer;
    }
  }
  const auto current = call.session->current_tab();
  if (current) {
    object["tab"] = current->id();
    object["url"] = current->url();
    object["title"] = current->title();
  }
  co_return succeed(std::move(object));
}

Task<Answer> close_session(Call& call) {
  auto closed = co_await call.engine.close(call.session_name);
  if (!closed) co_return std::move(closed).error();
  Json object = {{"session", call.session_name}};
  co_return succeed(std::move(object));
}

Task<Answer> list_sessions(Call& call) {
  Json sessions = Json::array();
  for (const auto& session : call.engine.sessions()) sessions.push_back(session_json(*session));
  Json object = {{"sessions", std::move(sessions)}};
  co_return succeed(std::move(object));
}

Task<Answer> set_viewport(Call& call) {
  const capture::Viewport viewport{static_cast<int>(call.args.integer("width")),
                                   static_cast<int>(call.args.integer("height"))};
  auto set = co_await call.session->set_viewport(viewport, call.deadline);
  if (!set) co_return std::move(set).error();
  Json size = {{"width", viewport.width}, {"height", viewport.height}};
  Json object = {{"viewport", std::move(size)}};
  co_return succeed(std::move(object));
}

Task<Answer> set_dialog_policy(Call& call) {
  const std::string mode = call.args.text("mode");
  call.session->set_dialog_policy(dialog_mode(mode), call.args.text("text"));
  Json object = {{"mode", mode}};
  if (call.args.has("text")) object["text"] = call.args.text("text");
  co_return succeed(std::move(object));
}

}  // namespace browx::mcp::core
