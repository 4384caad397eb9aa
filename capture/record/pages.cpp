// The half of RecordingCore that calls into pages.
#include <algorithm>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "capture/record/core.hpp"

namespace browx::capture {
namespace {

constexpr int kOwnerTries = 5;

}  // namespace

asio::awaitable<void> RecordingCore::each_frame(std::string function, std::chrono::milliseconds limit) {
  if (over_) co_return;
  const auto self = shared_from_this();
  const Deadline deadline = Deadline::in(limit);
  const auto done = std::make_shared<Signal>(session_->executor());
  const auto left = std::make_shared<int>(0);
  for (const auto& tab : session_->tabs()) {
    if (tab->closed() || tab->crashed()) continue;
    for (const auto& frame : tab->frames()) {
      if (!frame->attached() || !frame->document()) continue;
      ++*left;
      spawn(session_->executor(), call_frame(self, frame, function, deadline, done, left));
    }
  }
  // Each call keeps the deadline itself; a little more, so that its answer is still heard.
  const auto ready = [count = left.get()] { return *count == 0; };
  (void)co_await done->wait_for(ready, Deadline::in(limit + std::chrono::milliseconds(50)));
}

asio::awaitable<void> RecordingCore::call_frame(std::shared_ptr<RecordingCore> self,
                                                std::shared_ptr<Frame> frame, std::string function,
                                                Deadline deadline, std::shared_ptr<Signal> done,
                                                std::shared_ptr<int> left) {
  const DocumentId document = frame->document();
  Json argument = Json::object();
  auto answer = co_await frame->page(function, std::move(argument), deadline);
  if (!self->over_ && function == "recorderFlush") self->answered(*frame, document, answer);
  --*left;
  done->notify();
}

/// What a flush says of a document: it is here now, it could not be had, or nobody records it.
void RecordingCore::answered(Frame& frame, DocumentId document, const Result<Json>& answer) {
  if (!frame.attached() || frame.document() != document)
    return;  // left meanwhile; its stream is as long as it is
  if (answer) return;
  const Error& error = answer.error();
  const bool speaks = streams_.has_stream(document);
  if (error.code == Code::gone) return;
  if (error.kind == "unknown-function") {
    // The page's own world of ours is there and the recorder is not.
    if (told_gaps_[document] == "recorder-failed") return;
    told_gaps_[document] = "recorder-failed";
    gap(document, "recorder-failed", "no recorder runs in this document");
    streams_.settle(document);
  } else if (speaks || error.kind == "dialog-open") {
    gap(document, "flush-timeout", error.kind == "dialog-open" ? "a dialog is open" : error.what);
  } else {
    if (told_gaps_.contains(document)) return;
    told_gaps_[document] = "silent";
    spawn(session_->executor(), tell_why_silent(shared_from_this(), frame.shared_from_this(), error.what));
  }
}

asio::awaitable<void> RecordingCore::tell_why_silent(std::shared_ptr<RecordingCore> self,
                                                     std::shared_ptr<Frame> frame, std::string what) {
  const DocumentId document = frame->document();
  Json of = {{"frameId", frame->cdp_id()}};
  auto status = co_await self->session_->connection().call(
      frame->cdp_session(), "Network.getSecurityIsolationStatus", of, Deadline::in(std::chrono::seconds(1)));
  if (self->over_ || frame->document() != document) co_return;
  bool sandboxed = false;
  if (status) {
    const Json& policies = json_member(json_member(*status, "status"), "csp");
    if (policies.is_array())
      for (const auto& policy : policies) {
        const std::string directives = json_string(policy, "effectiveDirectives");
        const std::size_t at = directives.find("sandbox");
        if (!json_bool(policy, "isEnforced", true) || at == std::string::npos) continue;
        const std::string rest = directives.substr(at, directives.find(';', at) - at);
        sandboxed = sandboxed || rest.find("allow-scripts") == std::string::npos;
      }
  }
  self->streams_.settle(document);
  if (sandboxed)
    self->gap(document, "csp-sandbox", "the document's Content-Security-Policy lets no script run in it");
  else
    self->gap(document, "recorder-failed", "nothing in this document answers: " + what);
}

asio::awaitable<void> RecordingCore::flush_recorders(std::chrono::milliseconds limit) {
  if (!records_dom() || over_) co_return;
  co_await each_frame("recorderFlush", limit);
  if (over_) co_return;
  for (const auto& tab : session_->tabs())
    for (const auto& frame : tab->frames())
      if (const auto tries = owner_tries_.find(frame->document()); tries != owner_tries_.end())
        spawn(session_->executor(), find_owner(shared_from_this(), frame));
}

asio::awaitable<void> RecordingCore::find_owner(std::shared_ptr<RecordingCore> self,
                                                std::shared_ptr<Frame> frame) {
  const DocumentId document = frame->document();
  Frame* up = frame->parent();
  if (!up || self->over_) co_return;
  const auto parent = up->shared_from_this();
  const DocumentId inside = parent->document();
  if (++self->owner_tries_[document] > kOwnerTries) {
    self->owner_tries_.erase(document);
    self->gap(document, "owner-unknown",
              "the element that holds this document is not in its parent's stream");
    co_return;
  }
  const Deadline deadline = Deadline::in(std::chrono::seconds(1));
  auto element = co_await frame->owner_element(deadline);
  if (!element || self->over_) co_return;
  Json argument = {{"id", *element}};
  auto node = co_await parent->page("recorderNode", std::move(argument), deadline);
  if (!node || self->over_ || !self->owner_tries_.contains(document)) co_return;
  const auto id = json_int(*node, "node", -1);
  if (id <= 0 || parent->document() != inside || frame->document() != document) co_return;
  self->owner_tries_.erase(document);
  self->add(archive::DocumentOwner{document, inside, id, self->now()});
}

/// What a page had loaded before it was recorded.
asio::awaitable<void> RecordingCore::load_earlier_assets(std::shared_ptr<RecordingCore> self,
                                                         std::shared_ptr<Tab> tab) {
  struct Loading {
    RecordingCore& core;
    ~Loading() {
      if (--core.assets_loading_ == 0) core.assets_loaded_.notify();
    }
  } loading{*self};
  const Deadline deadline = Deadline::in(std::chrono::seconds(10));
  std::vector<std::string> sessions{tab->cdp_session()};
  for (const auto& frame : tab->frames())
    if (std::find(sessions.begin(), sessions.end(), frame->cdp_session()) == sessions.end())
      sessions.push_back(frame->cdp_session());
  for (const auto& session : sessions) {
    if (self->over_) co_return;
    Json none = Json::object();
    auto answer = co_await self->session_->connection().call(session, "Page.getResourceTree", std::move(none),
                                                             deadline);
    if (!answer) continue;
    std::vector<const Json*> trees{&json_member(*answer, "frameTree")};
    while (!trees.empty()) {
      const Json& tree = *trees.back();
      trees.pop_back();
      const Json& children = json_member(tree, "childFrames");
      if (children.is_array())
        for (const auto& child : children) trees.push_back(&child);
      const std::string frame_id = json_string(json_member(tree, "frame"), "id");
      const Json& resources = json_member(tree, "resources");
      if (!resources.is_array()) continue;
      for (const auto& resource : resources) {
        if (self->over_) co_return;
        const auto frame = self->session_->frame_of(session, frame_id);
        const std::string url = json_string(resource, "url"), mime = json_string(resource, "mimeType");
        if (!frame || url.starts_with("data:") || url.starts_with("blob:") ||
            !Assets::is_asset(json_string(resource, "type"), mime))
          continue;
        const DocumentId document = frame->document();
        Json params = {{"frameId", frame_id}, {"url", url}};
        auto content = co_await self->session_->connection().call(session, "Page.getResourceContent",
                                                                  std::move(params), deadline);
        if (self->over_) co_return;
        std::optional<std::string> bytes;
        std::string missing;
        if (!content) {
          missing = content.error().what;
        } else if (!json_bool(*content, "base64Encoded")) {
          bytes = json_string(*content, "content");
        } else {
          auto decoded = base64_decode(json_string(*content, "content"));
          if (decoded)
            bytes = *std::move(decoded);
          else
            missing = "it arrived damaged";
        }
        self->store_asset(self->assets_.take(document, url, self->session_->journal().now(), mime,
                                             std::move(bytes), std::move(missing)));
      }
    }
  }
}

}  // namespace browx::capture
