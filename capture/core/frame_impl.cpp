#include "capture/core/frame_impl.hpp"

#include <fmt/format.h>

#include "base/url.hpp"
#include "capture/core/session_impl.hpp"
#include "page_bundle/embedded.hpp"

namespace browx::capture {
namespace {

constexpr const char* kCall = "function(name, argument) { return globalThis.__browx.call(name, argument); }";
constexpr const char* kIdOf = "function() { return globalThis.__browx.idOf(this); }";

/// Element ids mean something in one document only: a call that carries one is never repeated in the next
/// document.
bool names_an_element(const Json& argument) {
  for (const char* key : {"id", "root", "after"})
    if (json_member(argument, key).is_number()) return true;
  return false;
}

std::string exception_text(const Json& answer) {
  const Json& details = json_member(answer, "exceptionDetails");
  std::string text = json_string(json_member(details, "exception"), "description");
  if (text.empty()) {
    const Json& value = json_member(json_member(details, "exception"), "value");
    text = json_string(details, "text", "exception");
    if (!value.is_null()) text += " " + dump_json(value);
  }
  return text;
}

}  // namespace

FrameImpl::FrameImpl(TabImpl& tab, std::shared_ptr<FrameImpl> parent, std::string id, std::string cdp_id,
                     std::string session)
    : tab_(tab),
      parent_(std::move(parent)),
      id_(std::move(id)),
      cdp_id_(std::move(cdp_id)),
      session_(std::move(session)) {}

Tab& FrameImpl::tab() const { return tab_; }

// ---- Documents

void FrameImpl::begin_document() {
  auto& session = tab_.owner();
  ++generation_;
  document_ = session.journal().next_document();
  archive::Document fact;
  fact.id = document_;
  fact.target = session.target_of(session_).value_or(tab_.target());
  fact.frame = cdp_id_;
  if (parent_) fact.parent = parent_->document_;
  fact.url = url_;
  fact.from = session.journal().now();
  fact.recorder = "none";
  session.journal().publish(fact);
}

void FrameImpl::end_document(const std::string& reason) {
  if (!document_) return;
  auto& journal = tab_.owner().journal();
  const archive::DocumentEnd fact{document_, journal.now(), reason};
  document_ = {};
  journal.publish(fact);
}

void FrameImpl::begin_initial_document(std::string url) {
  url_ = std::move(url);
  begin_document();
}

void FrameImpl::commit(const Json& frame) {
  end_document("navigated");
  url_ = json_string(frame, "url") + json_string(frame, "urlFragment");
  name_ = json_string(frame, "name");
  loader_ = json_string(frame, "loaderId");
  ready_state_ = "loading";
  begin_document();
}

void FrameImpl::move_to(std::string session) {
  if (session == session_) return;
  interrupt(Error{Code::gone, fmt::format("Frame {} moved to another process", id_), "", "navigated"});
  isolated_.reset();
  main_.reset();
  session_ = std::move(session);
}

void FrameImpl::detach(const std::string& reason) {
  if (!attached_) return;
  attached_ = false;
  interrupt(Error{Code::gone, fmt::format("Frame {} has gone from the page", id_),
                  "frames_list names the frames", "frame-detached"});
  isolated_.reset();
  main_.reset();
  end_document(reason);
  if (parent_) parent_->drop_child(this);
}

// ---- Worlds

void FrameImpl::context_created(const Context& context) {
  if (!context.main && context.world != kWorld) return;
  auto world = std::make_shared<World>();
  world->context = context;
  auto& place = context.main ? main_ : isolated_;
  if (place && place->context.unique_id == context.unique_id) return;
  if (place)
    place->calls.fail(
        Error{Code::gone, fmt::format("Frame {} shows another document now", id_), "", "navigated"});
  place = std::move(world);
}

void FrameImpl::context_destroyed(const std::string& unique_id) {
  for (auto* place : {&main_, &isolated_}) {
    if (!*place || (*place)->context.unique_id != unique_id) continue;
    const auto world = std::exchange(*place, nullptr);
    world->calls.fail(
        Error{Code::gone, fmt::format("Frame {} shows another document now", id_), "", "navigated"});
  }
}

void FrameImpl::interrupt(Error why) {
  for (const auto& world : {main_, isolated_})
    if (world) world->calls.fail(why);
}

const std::string& FrameImpl::origin() const {
  static const std::string unknown;
  return main_ ? main_->context.origin : unknown;
}

bool FrameImpl::cross_origin() const {
  if (!parent_) return false;
  const auto& top = static_cast<const FrameImpl&>(tab_.main_frame());
  // Opaque origins (sandbox) are "null" or "://", equal to nothing.
  if (main_ && top.main_) return origin() != top.origin() || origin() == "null" || origin() == "://";
  const auto mine = parse_url(url_), tops = parse_url(top.url_);
  return mine && tops && mine->has_authority && mine->origin() != tops->origin();
}

bool FrameImpl::out_of_process() const {
  const auto* target = tab_.owner().attached_target(session_);
  return target && target->type == "iframe" && target->cdp_id == cdp_id_;
}

std::optional<Error> FrameImpl::obstacle() const {
  if (tab_.owner().is_lost())
    return Error{Code::unavailable, "The browser was lost", "Call again: a new browser is started",
                 "browser-lost"};
  if (tab_.crashed())
    return Error{Code::unavailable, fmt::format("The page of tab {} has crashed", tab_.id()),
                 "Navigate it again", "target-crashed"};
  if (tab_.closed()) return Error{Code::gone, fmt::format("Tab {} is closed", tab_.id()), "", "tab-closed"};
  if (!attached_)
    return Error{Code::gone, fmt::format("Frame {} has gone from the page", id_),
                 "frames_list names the frames", "frame-detached"};
  return tab_.dialog_obstacle();
}

std::optional<Error> FrameImpl::judge(Error error, const std::string& what) {
  if (error.code == Code::not_found && error.kind == "cdp-error")
    return std::nullopt;  // its world had left already
  if (error.kind == "target-gone" || error.kind == "browser-lost") {
    if (auto why = obstacle()) return why;
    if (error.kind == "target-gone") return std::nullopt;  // the frame lives on in another process
  }
  if (error.kind == "context-gone")
    return Error{Code::gone, fmt::format("Frame {} navigated while {} ran", id_, what), "Read the page again",
                 "navigated"};
  if (error.code == Code::timeout)
    return Error{Code::timeout, fmt::format("The page did not answer {} in time", what),
                 "Its main thread may be busy; try again with a longer timeoutMs", "timeout"};
  return error;
}

Task<std::shared_ptr<FrameImpl::World>> FrameImpl::isolated_world(Deadline deadline) {
  if (isolated_) co_return isolated_;
  Json params = {{"frameId", cdp_id_}, {"worldName", kWorld}};
  const cdp::CallGroup none;
  auto made = co_await tab_.connection().call(session_, "Page.createIsolatedWorld", params, deadline);
  if (!made) co_return std::move(made).error();
  if (isolated_) co_return isolated_;  // told by Runtime.executionContextCreated, which comes first
  co_return Error{Code::not_found, "the world left at once", "", "cdp-error"};
}

Task<std::shared_ptr<FrameImpl::World>> FrameImpl::main_world(Deadline deadline) {
  if (main_) co_return main_;
  const auto there = [this] { return main_ || !attached_ || tab_.closed(); };
  const bool came = co_await tab_.changed().wait_for(there, deadline);
  if (!came)
    co_return Error{Code::timeout, fmt::format("Frame {} has no scripting world", id_), "", "timeout"};
  if (main_) co_return main_;
  co_return Error{Code::not_found, "the frame left", "", "cdp-error"};
}

Task<Json> FrameImpl::page(std::string function, Json argument, Deadline deadline) {
  const auto self = shared_from_this();
  const auto session = tab_.owner().hold();
  const std::int64_t generation = generation_;
  const bool bound = names_an_element(argument);
  const std::string text = dump_json(argument);
  for (;;) {
    if (auto why = obstacle()) co_return std::move(*why);
    if (bound && generation != generation_)
      co_return Error{Code::gone, fmt::format("Frame {} shows another document now", id_),
                      "Read the page again", "navigated"};
    if (deadline.passed())
      co_return Error{Code::timeout, fmt::format("The page did not answer {} in time", function),
                      "Its main thread may be busy; try again with a longer timeoutMs", "timeout"};
    auto world = co_await isolated_world(deadline);
    if (world && bound && generation != generation_) continue;
    Result<Json> answer = world ? Json() : Result<Json>(world.error());
    if (world) {
      const auto& at = *world;
      if (!at->bundle) {
        // Sent ahead of the call, which waits for it in the page's own queue.
        at->bundle = true;
        Json install = {{"expression", embedded_file("page.js")}, {"uniqueContextId", at->context.unique_id}};
        tab_.connection().post(session_, "Runtime.evaluate", std::move(install));
      }
      Json name = {{"value", function}}, value = {{"value", text}};
      Json params = {{"functionDeclaration", kCall}, {"uniqueContextId", at->context.unique_id}};
      params["arguments"] = Json::array({name, value});
      params["awaitPromise"] = true;
      params["returnByValue"] = true;
      answer =
          co_await tab_.connection().call(session_, "Runtime.callFunctionOn", params, deadline, at->calls);
    }
    if (answer) {
      if (answer->contains("exceptionDetails"))
        co_return Error{Code::internal,
                        fmt::format("{} failed in the page: {}", function, exception_text(*answer)), "",
                        "page-function-failed"};
      auto parsed = parse_json(json_string(json_member(*answer, "result"), "value", "null"));
      if (!parsed) co_return std::move(parsed).error();
      if (const Json& error = json_member(*parsed, "error"); error.is_object())
        co_return Error{Code::invalid_argument, json_string(error, "message"), "",
                        json_string(error, "kind")};
      co_return std::move(*parsed);
    }
    if (auto why = judge(std::move(answer).error(), function)) co_return std::move(*why);
    // The document was leaving: what comes next is told by its events. Looked at again soon whatever they
    // say.
    if (world && isolated_ == *world) isolated_.reset();
    co_await tab_.changed().wait(deadline.at_most(std::chrono::milliseconds(20)));
  }
}

Task<Json> FrameImpl::evaluate(std::string expression, bool by_value, Deadline deadline) {
  const auto self = shared_from_this();
  const auto session = tab_.owner().hold();
  for (;;) {
    if (auto why = obstacle()) co_return std::move(*why);
    if (deadline.passed())
      co_return Error{Code::timeout, "The page did not answer in time", "Its main thread may be busy",
                      "timeout"};
    auto world = co_await main_world(deadline);
    Result<Json> answer = world ? Json() : Result<Json>(world.error());
    if (world) {
      const auto& at = *world;
      Json params = {{"expression", expression}, {"uniqueContextId", at->context.unique_id}};
      params["awaitPromise"] = true;
      params["returnByValue"] = by_value;
      params["userGesture"] = true;
      answer = co_await tab_.connection().call(session_, "Runtime.evaluate", params, deadline, at->calls);
    }
    if (answer) {
      if (answer->contains("exceptionDetails"))
        co_return Error{Code::invalid_argument, exception_text(*answer), "Correct the expression",
                        "page-exception"};
      const Json& result = json_member(*answer, "result");
      if (result.contains("value")) co_return Json(result["value"]);
      if (result.contains("unserializableValue")) co_return Json(result["unserializableValue"]);
      if (by_value) co_return Json();
      co_return Json(json_string(result, "description", json_string(result, "type")));
    }
    if (auto why = judge(std::move(answer).error(), "the expression")) co_return std::move(*why);
    co_await tab_.changed().wait(deadline.at_most(std::chrono::milliseconds(20)));
  }
}

Task<std::int64_t> FrameImpl::owner_element(Deadline deadline) {
  const auto self = shared_from_this();
  const auto session = tab_.owner().hold();
  const auto parent = parent_;
  const auto gone = [this] {
    return Error{Code::gone, fmt::format("Frame {} has gone from the page", id_), "Read the page again",
                 "frame-detached"};
  };
  if (!parent)
    co_return Error{Code::invalid_argument,
                    fmt::format("Frame {} is a tab's main frame; no element holds it", id_)};
  if (owner_ && owner_->generation == generation_ && owner_->parent_generation == parent->generation_)
    co_return owner_->element;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (auto why = obstacle()) co_return std::move(*why);
    const Owner at{generation_, parent->generation_, 0};
    // Installs the bundle where it is missing.
    const Json nothing = Json::object();
    auto awake = co_await parent->page("ping", nothing, deadline);
    if (!awake && awake.error().code != Code::invalid_argument) co_return std::move(awake).error();
    const auto world = parent->isolated_;
    if (!attached_ || !parent->attached_) co_return gone();
    if (!world) continue;
    auto& connection = tab_.connection();
    const std::string in = parent->session_;
    Json which = {{"frameId", cdp_id_}};
    auto node = co_await connection.call(in, "DOM.getFrameOwner", which, deadline);
    if (!node && node.error().code == Code::timeout)
      co_return judge(std::move(node).error(), "owner").value_or(gone());
    if (!node) continue;
    Json resolve = {{"backendNodeId", json_member(*node, "backendNodeId")},
                    {"executionContextId", world->context.id}};
    auto object = co_await connection.call(in, "DOM.resolveNode", resolve, deadline);
    if (!object) continue;
    const std::string handle = json_string(json_member(*object, "object"), "objectId");
    Json call = {{"functionDeclaration", kIdOf}, {"objectId", handle}, {"returnByValue", true}};
    auto id = co_await connection.call(in, "Runtime.callFunctionOn", call, deadline);
    connection.post(in, "Runtime.releaseObject", {{"objectId", handle}});
    if (!id) continue;
    const std::int64_t element = json_int(json_member(*id, "result"), "value");
    if (element <= 0) continue;
    owner_ = Owner{at.generation, at.parent_generation, element};
    co_return element;
  }
  co_return gone();
}

}  // namespace browx::capture
