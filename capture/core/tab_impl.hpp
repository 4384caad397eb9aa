#pragma once
// A tab: its frame tree, its dialogs, its navigations.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/core/frame_impl.hpp"
#include "capture/core/target.hpp"
#include "capture/tab.hpp"

namespace browx::capture {

class NavigationWait;
class SessionImpl;

/// Kept by its session for the session's whole life, closed or not, so that references to it hold. Thread:
/// the engine's.
class TabImpl final : public Tab {
 public:
  TabImpl(SessionImpl& session, int id, const AttachedTarget& target, std::string url);

  int id() const override { return id_; }
  Session& session() const override;
  TargetId target() const override { return target_; }
  const std::string& cdp_session() const override { return cdp_session_; }
  const std::string& cdp_target() const override { return cdp_target_; }
  bool crashed() const override { return crashed_; }
  bool closed() const override { return closed_; }
  std::string url() const override { return main_->url(); }
  std::string title() const override { return title_; }
  Frame& main_frame() const override { return *main_; }
  std::vector<std::shared_ptr<Frame>> frames() const override;
  std::shared_ptr<Frame> frame_by_id(const std::string& id) const override;
  std::shared_ptr<Frame> frame_by_cdp_id(const std::string& id) const override;
  cdp::Connection& connection() const override;
  Task<Json> call(std::string method, Json params, Deadline deadline) override;
  std::vector<Dialog> pending_dialogs() const override;
  std::vector<Dialog> take_dialogs() override;
  Task<bool> answer_dialog(bool accept, std::string prompt_text, Deadline deadline) override;
  void set_vocabulary(Vocabulary vocabulary) override { vocabulary_ = vocabulary; }
  Task<Navigation> navigate(std::string url, Deadline deadline) override;
  Task<Navigation> reload(Deadline deadline) override;
  Task<Navigation> history(int delta, Deadline deadline) override;
  Signal& changed() override { return changed_; }
  std::string ready_state() const override { return main_->ready_state(); }
  std::int64_t navigations() const override { return navigations_; }
  std::string last_navigation_kind() const override { return last_kind_; }
  Task<bool> set_viewport(int width, int height, Deadline deadline) override;
  Task<bool> close(Deadline deadline) override;

  // ---- For the session and the frames.

  SessionImpl& owner() const { return session_; }
  const std::string& opener() const { return opener_; }
  void set_opener(std::string cdp_target) { opener_ = std::move(cdp_target); }
  /// An error when a dialog that stays open blocks the page.
  std::optional<Error> dialog_obstacle() const;

  /// Somebody waits for a navigation: Network.requestWillBeSent is wanted too.
  bool travels() const { return travellers_ > 0; }
  /// A Page, Inspector, Network or Fetch event of one of the tab's targets. Ignores what is not its own.
  void on_event(AttachedTarget& target, std::string_view method, const Json& params);
  void on_iframe_attached(AttachedTarget& target, const std::string& parent_frame);
  void on_iframe_gone(const AttachedTarget& target);
  void on_context(const AttachedTarget& target, const Context& context);
  void on_context_gone(const Context& context);
  void on_closed(const std::string& reason);
  /// The origin policy refused a request of this tab; `main_document` when it was to be the tab's own
  /// document.
  void on_blocked(const std::string& url, const std::string& frame, bool document);
  std::shared_ptr<FrameImpl> frame(const std::string& cdp_id) const;

 private:
  friend class NavigationWait;
  Task<Navigation> travel(NavigationWait& wait, std::string method, Json params, Deadline deadline);
  std::shared_ptr<FrameImpl> add_frame(const std::string& cdp_id, const std::string& parent,
                                       const std::string& session);
  void remove_frame(const std::shared_ptr<FrameImpl>& frame, const std::string& reason);
  void remove_children(FrameImpl& frame);
  void frame_attached(const AttachedTarget& target, const Json& params);
  void frame_detached(const AttachedTarget& target, const Json& params);
  void frame_navigated(const AttachedTarget& target, const Json& params);
  void navigated_within_document(const Json& params);
  void lifecycle(const Json& params);
  void main_frame_loads(std::string_view method, const Json& params);
  void read_title();
  void target_crashed(const AttachedTarget& target);
  void dialog_opening(const AttachedTarget& target, const Json& params);
  void dialog_closed(const Json& params);
  void publish_dialog(const Dialog& dialog, const char* phase) const;

  SessionImpl& session_;
  int id_;
  TargetId target_;
  std::string cdp_session_, cdp_target_, opener_, title_;
  std::shared_ptr<FrameImpl> main_;
  std::map<std::string, std::shared_ptr<FrameImpl>> frames_;  // attached ones, by CDP id
  bool crashed_ = false, closed_ = false;
  Signal changed_;

  struct OpenDialog {
    Dialog dialog;
    std::string cdp_session;
    bool stays = false;   // nobody has answered it, and nobody will by himself
    bool raised = false;  // the policy was `raise`
  };
  std::optional<OpenDialog> dialog_;
  std::vector<Dialog> told_;  // answered, not yet taken
  Vocabulary vocabulary_ = Vocabulary::core;

  // What a waiting navigation looks at.
  std::int64_t navigations_ = 0, commits_ = 0, downloads_ = 0, raised_dialogs_ = 0, refused_unloads_ = 0;
  int travellers_ = 0;  // navigations that are waited for
  // Loads of the main frame: announced by the browser, begun, and documents asked of a server.
  std::int64_t announced_ = 0, loads_ = 0, document_requests_ = 0;
  bool loading_ = false;
  std::int64_t refused_before_commit_ = 0;  // refused_unloads_ when the document came
  std::string last_kind_;
  std::deque<std::string> loaders_;          // of the last main documents, youngest at the end
  std::string failed_loader_, failed_text_;  // the last document request that failed
  std::string error_url_;                    // what the error page stands for; empty on a real document
  std::string blocked_url_;                  // the last main document that the origin policy refused
  std::int64_t blocked_ = 0;
  cdp::CallGroup navigating_;
};

}  // namespace browx::capture
