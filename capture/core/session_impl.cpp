#include "capture/core/session_impl.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/log.hpp"
#include "capture/cdp/envelope.hpp"
#include "capture/core/emulation.hpp"
#include "capture/core/storage_state.hpp"
#include "capture/observe/observers.hpp"
#include "capture/recording.hpp"
#include "page_bundle/embedded.hpp"

namespace browx::capture {
namespace {

constexpr std::array kWorkers = {"worker", "service_worker", "shared_worker"};

Error session_over(const std::string& name, bool lost) {
  if (lost)
    return Error{Code::unavailable,
                 fmt::format("The browser of session \"{}\" was lost; its tabs are gone", name),
                 "Call again: a new browser is started", "browser-lost"};
  return Error{Code::unavailable, fmt::format("Session \"{}\" is closing", name), "Open it again",
               "session-closed"};
}

}  // namespace

std::string_view fact_kind(std::string_view cdp_type) { return cdp_type == "page" ? "tab" : cdp_type; }

SessionImpl::SessionImpl(std::shared_ptr<Browser> browser, const EngineOptions& engine,
                         SessionOptions options, std::string context, std::shared_ptr<int> last_tab)
    : browser_(std::move(browser)),
      engine_(engine),
      options_(std::move(options)),
      context_(std::move(context)),
      last_tab_(std::move(last_tab)),
      rings_(journal_),
      changed_(browser_->executor()) {
  browser_->add(context_, *this);
  observers_ = observe(*this);
}

SessionImpl::~SessionImpl() {
  browser_->remove(context_);
  recording_.reset();
  observers_.reset();
  targets_.clear();
}

Task<bool> SessionImpl::begin(Deadline deadline) {
  auto self = hold();
  if (options_.device.geolocation) {
    Json grant = {{"browserContextId", context_}, {"permissions", Json::array({"geolocation"})}};
    BROWX_CO_TRY(co_await connection().call("", "Browser.grantPermissions", grant, deadline));
  }
  if (options_.storage_state.is_object()) {
    applying_storage_ = true;
    auto applied = co_await apply_storage_state(*this, options_.storage_state, deadline);
    applying_storage_ = false;
    if (!applied) co_return std::move(applied).error();
  }
  co_return co_await first_tab(deadline);
}

Task<bool> SessionImpl::first_tab(Deadline deadline) {
  auto tab = co_await new_tab("about:blank", deadline);
  if (!tab) co_return std::move(tab).error();
  // Posted for every target; said once, here, where a wrong value can still be refused.
  if (!options_.timezone.empty()) {
    Json params = {{"timezoneId", options_.timezone}};
    auto set = co_await (*tab)->call("Emulation.setTimezoneOverride", params, deadline);
    if (!set && set.error().what.find("Invalid timezone") != std::string::npos)
      co_return Error{Code::invalid_argument, fmt::format("\"{}\" is not a timezone", options_.timezone),
                      "Use an IANA name such as Europe/Berlin"};
  }
  co_return true;
}

Task<bool> SessionImpl::close(Deadline deadline, std::string reason, Deadline pages) {
  auto self = hold();
  const bool browser_stays = reason != "shutdown";
  if (recording_ && !lost_) {
    auto ended = co_await recording_->end(std::move(reason), pages);
    if (!ended)
      log_warning("the recording of session {} did not end cleanly: {}", name(), ended.error().message());
  }
  closing_ = true;
  recording_.reset();
  if (!lost_ && browser_stays) {
    Json params = {{"browserContextId", context_}};
    auto disposed = co_await connection().call("", "Target.disposeBrowserContext", params, deadline);
    if (!disposed) log_debug("{}", disposed.error().what);
  }
  for (const auto& tab : all_tabs_) tab->on_closed("closed");
  std::vector<std::string> sessions;
  for (const auto& [id, target] : targets_) sessions.push_back(id);
  for (const auto& id : sessions) connection().session_gone(id);
  targets_.clear();
  browser_->remove(context_);
  changed_.notify();
  co_return true;
}

void SessionImpl::lost() {
  if (lost_) return;
  lost_ = true;
  for (const auto& tab : all_tabs_) tab->on_closed("crashed");
  targets_.clear();
  changed_.notify();
}

std::vector<std::shared_ptr<Tab>> SessionImpl::tabs() const {
  std::vector<std::shared_ptr<Tab>> out;
  for (const auto& tab : all_tabs_)
    if (!tab->closed()) out.push_back(tab);
  return out;
}

std::shared_ptr<Tab> SessionImpl::tab(int id) const {
  for (const auto& tab : all_tabs_)
    if (tab->id() == id && !tab->closed()) return tab;
  return nullptr;
}

std::shared_ptr<Tab> SessionImpl::current_tab() const { return tab(current_); }

Status SessionImpl::use_tab(int id) {
  if (!tab(id))
    return Error{Code::not_found, fmt::format("Session \"{}\" has no tab {}", name(), id),
                 "list_sessions names its tabs", "tab-not-found"};
  current_ = id;
  return {};
}

void SessionImpl::choose_current() {
  if (tab(current_)) return;
  current_ = 0;
  for (const auto& tab : all_tabs_)  // the youngest that is open
    if (!tab->closed()) current_ = tab->id();
}

Task<std::shared_ptr<Tab>> SessionImpl::new_tab(std::string url, Deadline deadline) {
  auto self = hold();
  if (lost_ || closing_) co_return session_over(name(), lost_);
  Json params = {{"url", "about:blank"}, {"browserContextId", context_}};
  auto made = co_await connection().call("", "Target.createTarget", params, deadline);
  if (!made) co_return std::move(made).error();
  const std::string cdp_target = json_string(*made, "targetId");
  std::shared_ptr<TabImpl> tab;
  const auto is_ready = [&] {
    if (lost_ || closing_) return true;
    for (const auto& one : all_tabs_)
      if (one->cdp_target() == cdp_target) tab = one;
    const auto* target = tab ? attached_target(tab->cdp_session()) : nullptr;
    return tab && (tab->closed() || (target && target->ready));
  };
  const bool came = co_await changed_.wait_for(is_ready, deadline);
  if (!came)
    co_return Error{Code::timeout, "A new tab did not come up in time", "Try again with a longer timeoutMs",
                    "timeout"};
  if (lost_ || closing_) co_return session_over(name(), lost_);
  if (tab->closed()) co_return Error{Code::gone, "The new tab was closed at once", "", "tab-closed"};
  std::shared_ptr<Tab> out = tab;
  if (!url.empty() && url != "about:blank") {
    auto navigated = co_await tab->navigate(std::move(url), deadline);
    if (!navigated) co_return std::move(navigated).error();
  }
  co_return std::move(out);
}

void SessionImpl::set_dialog_policy(DialogMode mode, std::string text) {
  options_.dialog_mode = mode;
  options_.dialog_text = std::move(text);
}

Task<bool> SessionImpl::set_viewport(Viewport viewport, Deadline deadline) {
  auto self = hold();
  SessionOptions wanted = options_;
  wanted.viewport = viewport;
  if (auto checked = check_options(wanted); !checked) co_return std::move(checked).error();
  options_.viewport = viewport;
  const auto open = tabs();
  for (const auto& tab : open) {
    auto set = co_await tab->set_viewport(viewport.width, viewport.height, deadline);
    if (!set && !tab->closed()) co_return std::move(set).error();
  }
  co_return true;
}

// ---- Targets

AttachedTarget* SessionImpl::attached_target(const std::string& cdp_session) {
  const auto found = targets_.find(cdp_session);
  return found == targets_.end() ? nullptr : found->second.get();
}

void SessionImpl::attached(const Json& params, const std::string& parent_session) {
  const Json& info = json_member(params, "targetInfo");
  const std::string id = json_string(params, "sessionId"), type = json_string(info, "type");
  const bool worker = std::find(kWorkers.begin(), kWorkers.end(), type) != kWorkers.end();
  AttachedTarget* parent = attached_target(parent_session);
  const bool iframe = type == "iframe" && parent && parent->tab;
  if (closing_ || lost_ || (type != "page" && !iframe && !worker)) {
    connection().post(id, "Runtime.runIfWaitingForDebugger", Json::object());
    connection().post(parent_session, "Target.detachFromTarget", {{"sessionId", id}});
    return;
  }
  if (type == "page" && applying_storage_) {
    internal_page_ = id;
    connection().post(id, "Runtime.runIfWaitingForDebugger", Json::object());
    changed_.notify();
    return;
  }
  auto owned = std::make_unique<AttachedTarget>();
  AttachedTarget& target = *owned;
  target.session = id;
  target.type = type;
  target.cdp_id = json_string(info, "targetId");
  target.parent_session = parent_session;
  target.id = journal_.next_target();
  targets_[id] = std::move(owned);
  target_ids_[id] = target.id;
  const std::weak_ptr<SessionImpl> weak = weak_from_this();
  target.subscription = connection().subscribe(id, [weak, id](const cdp::Event& event) {
    if (auto self = weak.lock()) self->on_event(id, event);
  });

  archive::Target fact;
  fact.id = target.id;
  fact.kind = fact_kind(type);
  fact.session = name();
  fact.cdp_id = target.cdp_id;
  fact.url = json_string(info, "url");
  fact.t = journal_.now();
  if (parent) {
    fact.parent = parent->id;
    target.tab = parent->tab;
  }
  if (type == "page") {
    const std::string opener = json_string(info, "openerId");
    for (const auto& tab : all_tabs_)
      if (!opener.empty() && tab->cdp_target() == opener) fact.opener = tab->target();
    const int number = ++*last_tab_;
    rings_.tab_opened(target.id, number);
    journal_.publish(fact);
    const std::string url = fact.url.empty() ? "about:blank" : fact.url;
    auto tab = std::make_shared<TabImpl>(*this, number, target, url);
    tab->set_opener(opener);
    target.tab = tab.get();
    all_tabs_.push_back(std::move(tab));
    if (!current_) current_ = number;
  } else {
    journal_.publish(fact);
    if (iframe) target.tab->on_iframe_attached(target, json_string(info, "parentFrameId"));
  }
  set_up(target);
  changed_.notify();
}

void SessionImpl::set_up(AttachedTarget& target) {
  auto& to = connection();
  const std::string id = target.session;
  if (target.is_document()) {
    to.post(id, "Page.enable", Json::object());
    to.post(id, "Page.setLifecycleEventsEnabled", {{"enabled", true}});
    to.post(id, "Inspector.enable", Json::object());
  }
  to.post(id, "Runtime.enable", Json::object());
  for (auto& command : emulation_commands(options_, target.type)) to.post(id, command.method, command.params);
  if (engine_.origins.restricts()) {
    Json all = {{"urlPattern", "*"}, {"requestStage", "Request"}};
    Json params = {{"patterns", Json::array({all})}};
    to.post(id, "Fetch.enable", std::move(params));
  }
  if (target.is_document()) {
    for (const auto& [name, handler] : bindings_)
      to.post(id, "Runtime.addBinding", {{"name", name}, {"executionContextName", kWorld}});
    Json first = {{"source", embedded_file("first.js")}, {"worldName", kWorld}, {"runImmediately", true}};
    to.post(id, "Page.addScriptToEvaluateOnNewDocument", std::move(first));
    for (const auto& script : scripts_) install(target, script, {});
  }
  for (const auto& handler : target_handlers_) handler(id, target.type);
  to.post(id, "Target.setAutoAttach", auto_attach_params(true));
  const std::weak_ptr<SessionImpl> weak = weak_from_this();
  to.post(id, "Runtime.runIfWaitingForDebugger", Json::object(), [weak, id](Result<std::string>) {
    auto self = weak.lock();
    auto* ran = self ? self->attached_target(id) : nullptr;
    if (!ran) return;
    ran->ready = true;
    self->changed_.notify();
  });
}

void SessionImpl::detached(const std::string& cdp_session) {
  const auto found = targets_.find(cdp_session);
  if (found == targets_.end()) {
    if (cdp_session == internal_page_) internal_page_.clear();
    return;
  }
  const auto target = std::move(found->second);
  targets_.erase(found);
  // Targets below it: the browser reports their end, but not always after a crash.
  std::vector<std::string> below;
  for (const auto& [id, other] : targets_)
    if (other->parent_session == cdp_session) below.push_back(id);
  for (const auto& id : below) detached(id);
  if (target->tab) {
    for (const auto& [id, context] : target->contexts) target->tab->on_context_gone(context);
    if (target->type == "page")
      target->tab->on_closed(target->tab->crashed() ? "crashed" : "closed");
    else if (target->type == "iframe")
      target->tab->on_iframe_gone(*target);
  }
  archive::TargetEnd end;
  end.id = target->id;
  end.t = journal_.now();
  end.reason =
      target->type == "page" ? (target->tab && target->tab->crashed() ? "crashed" : "closed") : "detached";
  journal_.publish(end);
  choose_current();
  changed_.notify();
}

std::shared_ptr<Frame> SessionImpl::frame_of(const std::string& cdp_session,
                                             const std::string& cdp_frame) const {
  const auto found = targets_.find(cdp_session);
  TabImpl* tab = found == targets_.end() ? nullptr : found->second->tab;
  if (!tab) return nullptr;
  return tab->frame(cdp_frame.empty() ? found->second->cdp_id : cdp_frame);
}

std::optional<TargetId> SessionImpl::target_of(const std::string& cdp_session) const {
  const auto found = target_ids_.find(cdp_session);
  return found == target_ids_.end() ? std::nullopt : std::optional(found->second);
}

// ---- Events

void SessionImpl::on_event(const std::string& cdp_session, const cdp::Event& event) {
  AttachedTarget* target = attached_target(cdp_session);
  if (!target) return;
  const std::string_view method = event.method;
  const std::string_view domain = method.substr(0, method.find('.'));
  if (method == "Runtime.bindingCalled") {
    binding_called(*target, event);
  } else if (method == "Runtime.executionContextCreated") {
    context_created(*target, event.json());
  } else if (method == "Runtime.executionContextDestroyed") {
    const Json params = event.json();
    const auto found = target->contexts.find(json_int(params, "executionContextId"));
    if (found != target->contexts.end()) {
      if (target->tab) target->tab->on_context_gone(found->second);
      target->contexts.erase(found);
    }
  } else if (method == "Runtime.executionContextsCleared") {
    contexts_cleared(*target);
  } else if (method == "Target.attachedToTarget") {
    attached(event.json(), cdp_session);
  } else if (method == "Target.detachedFromTarget") {
    detached(json_string(event.json(), "sessionId"));
  } else if (method == "Fetch.requestPaused") {
    if (engine_.origins.restricts()) request_paused(*target, event.json());
  } else if (target->tab && (domain == "Page" || domain == "Inspector" || method == "Network.loadingFailed" ||
                             (method == "Network.requestWillBeSent" && target->tab->travels()))) {
    target->tab->on_event(*target, method, event.json());
  }
  const auto handlers = cdp_handlers_;
  for (const auto& handler : handlers) handler(event);
}

void SessionImpl::context_created(AttachedTarget& target, const Json& params) {
  const Json& raw = json_member(params, "context");
  const Json& extra = json_member(raw, "auxData");
  Context context;
  context.id = json_int(raw, "id");
  context.unique_id = json_string(raw, "uniqueId");
  context.origin = json_string(raw, "origin");
  context.frame = json_string(extra, "frameId");
  context.main = json_bool(extra, "isDefault");
  if (!context.main) context.world = json_string(raw, "name");
  target.contexts[context.id] = context;
  if (target.tab && target.is_document()) target.tab->on_context(target, context);
}

void SessionImpl::contexts_cleared(AttachedTarget& target) {
  const auto contexts = std::exchange(target.contexts, {});
  if (!target.tab) return;
  for (const auto& [id, context] : contexts) target.tab->on_context_gone(context);
}

void SessionImpl::binding_called(AttachedTarget& target, const cdp::Event& event) {
  const std::string binding = cdp::raw_string_member(event.params, "name");
  const auto handler = bindings_.find(binding);
  if (handler == bindings_.end()) return;
  const auto context = target.contexts.find(cdp::raw_int_member(event.params, "executionContextId"));
  if (context == target.contexts.end() || context->second.world != kWorld || !target.tab) return;
  const auto frame = target.tab->frame(context->second.frame);
  if (!frame) return;
  const auto run = handler->second;
  run(*frame, cdp::raw_string_member(event.params, "payload"));
}

void SessionImpl::request_paused(AttachedTarget& target, const Json& params) {
  const std::string request = json_string(params, "requestId");
  const std::string url = json_string(json_member(params, "request"), "url");
  if (engine_.origins.allows(url)) {
    connection().post(target.session, "Fetch.continueRequest", {{"requestId", request}});
    return;
  }
  log_info("the origin policy refuses {}", redact_url(url));
  connection().post(target.session, "Fetch.failRequest",
                    {{"requestId", request}, {"errorReason", "BlockedByClient"}});
  if (target.tab)
    target.tab->on_blocked(url, json_string(params, "frameId"),
                           json_string(params, "resourceType") == "Document");
}

// ---- What every target is given

void SessionImpl::install(AttachedTarget& target, const Script& script,
                          std::function<void(Result<std::string>)> done) {
  Json params = {{"source", script.source}, {"runImmediately", true}};
  if (!script.world.empty()) params["worldName"] = script.world;
  const std::weak_ptr<SessionImpl> weak = weak_from_this();
  connection().post(target.session, "Page.addScriptToEvaluateOnNewDocument", std::move(params),
                    [weak, cdp_session = target.session, id = script.id,
                     done = std::move(done)](Result<std::string> answer) {
                      auto self = weak.lock();
                      auto* to = self ? self->attached_target(cdp_session) : nullptr;
                      if (to && answer) to->scripts[id] = cdp::raw_string_member(*answer, "identifier");
                      if (done) done(std::move(answer));
                    });
}

Task<std::int64_t> SessionImpl::add_script(std::string source, std::string world, Deadline deadline) {
  auto self = hold();
  if (lost_ || closing_) co_return session_over(name(), lost_);
  const Script script{++last_script_, std::move(source), std::move(world)};
  scripts_.push_back(script);
  auto open = std::make_shared<int>(0);
  auto failure = std::make_shared<std::optional<Error>>();
  for (const auto& [id, target] : targets_) {
    if (!target->is_document()) continue;
    ++*open;
    const std::weak_ptr<SessionImpl> weak = weak_from_this();
    install(*target, script, [weak, open, failure](Result<std::string> answer) {
      --*open;
      if (!answer && answer.error().code != Code::gone) *failure = answer.error();
      if (auto session = weak.lock()) session->changed_.notify();
    });
  }
  const auto all_answered = [open] { return *open == 0; };
  const bool all = co_await changed_.wait_for(all_answered, deadline);
  if (*failure) co_return std::move(**failure);
  if (!all)
    co_return Error{Code::timeout, "A script could not be installed in every frame in time",
                    "A page may be busy; it gets the script with its next document", "timeout"};
  co_return script.id;
}

void SessionImpl::remove_script(std::int64_t id) {
  std::erase_if(scripts_, [id](const Script& script) { return script.id == id; });
  for (const auto& [cdp_session, target] : targets_) {
    const auto found = target->scripts.find(id);
    if (found == target->scripts.end()) continue;
    connection().post(cdp_session, "Page.removeScriptToEvaluateOnNewDocument",
                      {{"identifier", found->second}});
    target->scripts.erase(found);
  }
}

void SessionImpl::on_binding(std::string binding, std::function<void(Frame&, std::string_view)> handler) {
  bindings_[binding] = std::move(handler);
  for (const auto& [cdp_session, target] : targets_)
    if (target->is_document())
      connection().post(cdp_session, "Runtime.addBinding",
                        {{"name", binding}, {"executionContextName", kWorld}});
}

void SessionImpl::on_cdp(std::function<void(const cdp::Event&)> handler) {
  cdp_handlers_.push_back(std::move(handler));
}

void SessionImpl::on_target(std::function<void(const std::string&, const std::string&)> handler) {
  for (const auto& [cdp_session, target] : targets_) handler(cdp_session, target->type);
  target_handlers_.push_back(std::move(handler));
}

}  // namespace browx::capture
