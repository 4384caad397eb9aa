// The tab's frame tree and its life. Dialogs are in dialogs.cpp, navigations in navigation.cpp.
#include "capture/core/tab_impl.hpp"

#include <fmt/format.h>

#include "capture/core/emulation.hpp"
#include "capture/core/session_impl.hpp"

namespace browx::capture {

TabImpl::TabImpl(SessionImpl& session, int id, const AttachedTarget& target, std::string url)
    : session_(session),
      id_(id),
      target_(target.id),
      cdp_session_(target.session),
      cdp_target_(target.cdp_id),
      changed_(session.executor()) {
  main_ = std::make_shared<FrameImpl>(*this, nullptr, session.next_frame_id(), target.cdp_id, target.session);
  frames_[target.cdp_id] = main_;
  main_->begin_initial_document(std::move(url));
}

Session& TabImpl::session() const { return session_; }
cdp::Connection& TabImpl::connection() const { return session_.connection(); }

Task<Json> TabImpl::call(std::string method, Json params, Deadline deadline) {
  return connection().call(cdp_session_, std::move(method), std::move(params), deadline);
}

// ---- Frames

std::vector<std::shared_ptr<Frame>> TabImpl::frames() const {
  std::vector<std::shared_ptr<Frame>> out;
  if (closed_) return out;
  std::vector<Frame*> open{main_.get()};
  for (std::size_t i = 0; i < open.size(); ++i) {
    out.push_back(open[i]->shared_from_this());
    open.insert(open.end(), open[i]->children().begin(), open[i]->children().end());
  }
  return out;
}

std::shared_ptr<Frame> TabImpl::frame_by_id(const std::string& id) const {
  for (const auto& [cdp_id, frame] : frames_)
    if (frame->id() == id) return frame;
  return nullptr;
}

std::shared_ptr<Frame> TabImpl::frame_by_cdp_id(const std::string& id) const { return frame(id); }

std::shared_ptr<FrameImpl> TabImpl::frame(const std::string& cdp_id) const {
  const auto found = frames_.find(cdp_id);
  return found == frames_.end() ? nullptr : found->second;
}

std::shared_ptr<FrameImpl> TabImpl::add_frame(const std::string& cdp_id, const std::string& parent,
                                              const std::string& session) {
  auto above = frame(parent);
  if (!above) above = main_;
  auto added = std::make_shared<FrameImpl>(*this, above, session_.next_frame_id(), cdp_id, session);
  frames_[cdp_id] = added;
  above->adopt_child(added.get());
  added->begin_initial_document("about:blank");
  return added;
}

void TabImpl::remove_children(FrameImpl& frame) {
  const auto children = frame.children();
  for (Frame* child : children)
    if (auto held = this->frame(child->cdp_id())) remove_frame(held, "frame-detached");
}

void TabImpl::remove_frame(const std::shared_ptr<FrameImpl>& frame, const std::string& reason) {
  remove_children(*frame);
  frames_.erase(frame->cdp_id());
  frame->detach(reason);
}

void TabImpl::frame_attached(const AttachedTarget& target, const Json& params) {
  const std::string id = json_string(params, "frameId");
  if (const auto known = frame(id)) {
    known->move_to(target.session);  // back from a process of its own
    return;
  }
  add_frame(id, json_string(params, "parentFrameId"), target.session);
}

void TabImpl::frame_detached(const AttachedTarget& target, const Json& params) {
  const auto gone = frame(json_string(params, "frameId"));
  if (!gone || gone == main_) return;
  // "swap": it goes on in another process, whose target tells so before or after this.
  if (json_string(params, "reason") == "swap") return;
  // A swapped-in frame belongs to its new session; an older one's farewell is not about it.
  (void)target;
  remove_frame(gone, "frame-detached");
}

void TabImpl::on_iframe_attached(AttachedTarget& target, const std::string& parent_frame) {
  if (const auto known = frame(target.cdp_id)) {
    known->move_to(target.session);
  } else {
    std::string parent = parent_frame;
    if (parent.empty())
      if (const auto* above = session_.attached_target(target.parent_session)) parent = above->cdp_id;
    add_frame(target.cdp_id, parent, target.session);
  }
  changed_.notify();
}

void TabImpl::on_iframe_gone(const AttachedTarget& target) {
  const auto left = frame(target.cdp_id);
  if (!left || left->cdp_session() != target.session) return;  // it has moved already
  left->interrupt(Error{Code::gone, fmt::format("Frame {} left its process", left->id()), "", "target-gone"});
  // Either it comes back into its parent's process (frameAttached there) or it is gone. A round trip on the
  // parent's session brings everything that was on its way.
  const std::weak_ptr<SessionImpl> weak = session_.weak_from_this();
  connection().post(target.parent_session, "Page.enable", Json::object(),
                    [weak, this, left, session = target.session](Result<std::string>) {
                      const auto held = weak.lock();  // and with it this tab
                      if (!held || !left->attached() || left->cdp_session() != session) return;
                      remove_frame(left, "frame-detached");
                      changed_.notify();
                    });
}

void TabImpl::on_context(const AttachedTarget& target, const Context& context) {
  const auto at = frame(context.frame);
  if (!at || at->cdp_session() != target.session) return;
  at->context_created(context);
  changed_.notify();
}

void TabImpl::on_context_gone(const Context& context) {
  if (const auto at = frame(context.frame)) at->context_destroyed(context.unique_id);
}

void TabImpl::frame_navigated(const AttachedTarget& target, const Json& params) {
  const Json& raw = json_member(params, "frame");
  const std::string id = json_string(raw, "id");
  auto at = frame(id);
  if (!at) at = add_frame(id, json_string(raw, "parentId"), target.session);
  at->move_to(target.session);
  remove_children(*at);
  at->commit(raw);
  if (at != main_) return;
  error_url_ = json_string(raw, "unreachableUrl");
  title_.clear();
  crashed_ = false;
  ++navigations_;
  ++commits_;
  refused_before_commit_ = refused_unloads_;
  loaders_.push_back(main_->loader());
  if (loaders_.size() > 8) loaders_.pop_front();
  last_kind_ = "full_load";
}

void TabImpl::navigated_within_document(const Json& params) {
  const auto at = frame(json_string(params, "frameId"));
  if (!at) return;
  const std::string before = at->url(), after = json_string(params, "url"),
                    type = json_string(params, "navigationType");
  at->set_url(after);
  if (at != main_) return;
  ++navigations_;
  read_title();
  const auto page_of = [](const std::string& url) { return url.substr(0, url.find('#')); };
  // CDP calls every traversal within a document "fragment", also one between two pushed paths.
  const bool fragment = type != "historyApi" && page_of(before) == page_of(after);
  last_kind_ = fragment ? "hash" : "spa";
}

void TabImpl::lifecycle(const Json& params) {
  const auto at = frame(json_string(params, "frameId"));
  if (!at || at->loader() != json_string(params, "loaderId")) return;
  const std::string name = json_string(params, "name");
  if (name == "DOMContentLoaded" && at->ready_state() == "loading") at->set_ready_state("interactive");
  if (name == "load") at->set_ready_state("complete");
  if (at == main_ && (name == "DOMContentLoaded" || name == "load")) read_title();
}

void TabImpl::main_frame_loads(std::string_view method, const Json& params) {
  if (json_string(params, "frameId") != main_->cdp_id()) return;
  if (method == "Page.frameStartedNavigating") {
    ++announced_;
  } else if (method == "Page.frameStartedLoading") {
    ++loads_;
    loading_ = true;
  } else if (method == "Page.frameStoppedLoading") {
    loading_ = false;
  } else {  // Network.requestWillBeSent
    document_requests_ += json_string(params, "type") == "Document";
  }
}

/// Target.targetInfoChanged tells titles late or never for pages that no window shows.
void TabImpl::read_title() {
  const std::weak_ptr<SessionImpl> weak = session_.weak_from_this();
  Json params = {{"expression", "String(document.title)"}, {"returnByValue", true}};
  connection().post(cdp_session_, "Runtime.evaluate", std::move(params),
                    [weak, this, generation = main_->generation()](Result<std::string> answer) {
                      const auto held = weak.lock();
                      if (!held || !answer || generation != main_->generation()) return;
                      const auto parsed = parse_json(*answer);
                      if (!parsed) return;
                      title_ = json_string(json_member(*parsed, "result"), "value");
                      changed_.notify();
                    });
}

// ---- Events

void TabImpl::on_event(AttachedTarget& target, std::string_view method, const Json& params) {
  if (closed_) return;
  if (method == "Page.frameAttached")
    frame_attached(target, params);
  else if (method == "Page.frameDetached")
    frame_detached(target, params);
  else if (method == "Page.frameNavigated")
    frame_navigated(target, params);
  else if (method == "Page.navigatedWithinDocument")
    navigated_within_document(params);
  else if (method == "Page.lifecycleEvent")
    lifecycle(params);
  else if (method == "Page.javascriptDialogOpening")
    dialog_opening(target, params);
  else if (method == "Page.javascriptDialogClosed")
    dialog_closed(params);
  else if (method == "Inspector.targetCrashed")
    target_crashed(target);
  else if (method == "Page.frameStartedNavigating" || method == "Page.frameStartedLoading" ||
           method == "Page.frameStoppedLoading" || method == "Network.requestWillBeSent")
    main_frame_loads(method, params);
  else if (method == "Page.downloadWillBegin")
    ++downloads_;
  else if (method == "Page.documentOpened") {
    const Json& raw = json_member(params, "frame");
    if (const auto at = frame(json_string(raw, "id"))) at->set_url(json_string(raw, "url"));
  } else if (method == "Network.loadingFailed") {
    if (json_string(params, "type") != "Document") return;
    failed_loader_ = json_string(params, "requestId");
    failed_text_ = json_string(params, "errorText");
  } else {
    return;
  }
  changed_.notify();
}

void TabImpl::target_crashed(const AttachedTarget& target) {
  const Error why{Code::unavailable, fmt::format("The page of tab {} has crashed", id_), "Navigate it again",
                  "target-crashed"};
  if (target.session != cdp_session_) {  // a frame's own process: the frame is an empty box now
    for (const auto& [id, one] : frames_)
      if (one->cdp_session() == target.session) one->interrupt(why);
    return;
  }
  crashed_ = true;
  dialog_.reset();
  for (const auto& [id, one] : frames_) one->interrupt(why);
  navigating_.fail(why);
  remove_children(*main_);
  archive::Event event;
  event.t = session_.journal().now();
  event.target = target_;
  event.kind = "lifecycle";
  event.payload = {{"name", "crashed"}, {"url", main_->url()}};
  session_.journal().publish(event);
}

void TabImpl::on_closed(const std::string& reason) {
  if (closed_) return;
  closed_ = true;
  dialog_.reset();
  const bool lost = session_.is_lost();
  navigating_.fail(lost ? Error{Code::unavailable, "The browser was lost",
                                "Call again: a new browser is started", "browser-lost"}
                        : Error{Code::gone, fmt::format("Tab {} was closed", id_), "", "tab-closed"});
  remove_children(*main_);
  main_->detach(reason == "closed" ? "target-ended" : "target-ended");
  frames_.clear();
  changed_.notify();
}

// ---- The page as a whole

Task<bool> TabImpl::set_viewport(int width, int height, Deadline deadline) {
  const auto hold = session_.hold();
  SessionOptions options = session_.options();
  options.viewport = {width, height};
  if (auto checked = check_options(options); !checked) co_return std::move(checked).error();
  auto command = viewport_command(options);
  auto set = co_await call(command.method, command.params, deadline);
  if (!set) co_return std::move(set).error();
  co_return true;
}

Task<bool> TabImpl::close(Deadline deadline) {
  const auto hold = session_.hold();
  if (closed_) co_return true;
  Json params = {{"targetId", cdp_target_}};
  auto closing = co_await connection().call("", "Target.closeTarget", params, deadline);
  if (!closing && !closed_) co_return std::move(closing).error();
  const auto is_closed = [this] { return closed_; };
  const bool done = co_await changed_.wait_for(is_closed, deadline);
  if (!done) co_return Error{Code::timeout, fmt::format("Tab {} did not close in time", id_), "", "timeout"};
  co_return true;
}

}  // namespace browx::capture
