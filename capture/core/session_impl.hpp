#pragma once
// A session: the targets of one browser context, its tabs, and what every one of them is given before it
// runs.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/core/browser.hpp"
#include "capture/core/tab_impl.hpp"
#include "capture/core/target.hpp"
#include "capture/session.hpp"

namespace browx::capture {

/// Thread: the engine's. Owned by the engine and by whoever runs a call in it; after close() every call
/// answers `unavailable` or `gone`.
class SessionImpl final : public Session, public std::enable_shared_from_this<SessionImpl> {
 public:
  SessionImpl(std::shared_ptr<Browser> browser, const EngineOptions& engine, SessionOptions options,
              std::string context, std::shared_ptr<int> last_tab);
  ~SessionImpl() override;

  /// Second half of construction: observers, storage state, first tab.
  Task<bool> begin(Deadline deadline);
  /// Ends the recording, closes the context. Bounded by the deadline.
  /// Ends the recording, its pages within `pages`, and with the reason "shutdown" leaves the pages to the
  /// browser's end.
  Task<bool> close(Deadline deadline, std::string reason,
                   Deadline pages = Deadline::in(std::chrono::milliseconds(1200)));
  /// The browser has gone: every tab is closed, every call answered.
  void lost();
  bool is_lost() const { return lost_; }

  const SessionOptions& options() const override { return options_; }
  const EngineOptions& engine_options() const override { return engine_; }
  asio::any_io_executor executor() const override { return browser_->executor(); }
  std::vector<std::shared_ptr<Tab>> tabs() const override;
  std::shared_ptr<Tab> current_tab() const override;
  Status use_tab(int id) override;
  std::shared_ptr<Tab> tab(int id) const override;
  Task<std::shared_ptr<Tab>> new_tab(std::string url, Deadline deadline) override;
  Journal& journal() override { return journal_; }
  Secrets& secrets() override { return secrets_; }
  Refs& refs() override { return refs_; }
  Rings& rings() override { return rings_; }
  Observers& observers() override { return *observers_; }
  void set_dialog_policy(DialogMode mode, std::string text) override;
  DialogMode dialog_mode() const override { return options_.dialog_mode; }
  const std::string& dialog_text() const override { return options_.dialog_text; }
  Task<bool> set_viewport(Viewport viewport, Deadline deadline) override;
  std::unique_ptr<Recording>& recording() override { return recording_; }
  Task<std::int64_t> add_script(std::string source, std::string world, Deadline deadline) override;
  void remove_script(std::int64_t id) override;
  void on_binding(std::string name, std::function<void(Frame&, std::string_view)> handler) override;
  void on_cdp(std::function<void(const cdp::Event&)> handler) override;
  void on_target(std::function<void(const std::string&, const std::string&)> handler) override;
  std::shared_ptr<Frame> frame_of(const std::string& cdp_session,
                                  const std::string& cdp_frame) const override;
  std::optional<TargetId> target_of(const std::string& cdp_session) const override;
  cdp::Connection& connection() const override { return browser_->connection(); }
  const std::string& browser_context() const override { return context_; }

  // ---- For the browser, the tabs and the frames.

  /// Target.attachedToTarget of this context; `parent_session` empty: from the browser.
  void attached(const Json& params, const std::string& parent_session);
  void detached(const std::string& cdp_session);
  std::string next_frame_id() { return "f" + std::to_string(++last_frame_); }
  AttachedTarget* attached_target(const std::string& cdp_session);
  /// Holds the session (and so its tabs) through a suspension.
  std::shared_ptr<SessionImpl> hold() { return shared_from_this(); }
  Signal& changed() { return changed_; }

  /// The page that storage state is written through; "" when none is attached.
  const std::string& internal_page() const { return internal_page_; }

 private:
  struct Script {
    std::int64_t id;
    std::string source, world;
  };
  void set_up(AttachedTarget& target);
  void on_event(const std::string& cdp_session, const cdp::Event& event);
  void context_created(AttachedTarget& target, const Json& params);
  void contexts_cleared(AttachedTarget& target);
  void binding_called(AttachedTarget& target, const cdp::Event& event);
  void request_paused(AttachedTarget& target, const Json& params);
  void install(AttachedTarget& target, const Script& script, std::function<void(Result<std::string>)> done);
  void choose_current();
  Task<bool> first_tab(Deadline deadline);

  std::shared_ptr<Browser> browser_;
  const EngineOptions engine_;
  SessionOptions options_;
  std::string context_;
  std::shared_ptr<int> last_tab_;  // tab numbers are the engine's, unique over sessions
  Journal journal_;
  Secrets secrets_;
  Refs refs_;
  Rings rings_;
  Signal changed_;
  bool lost_ = false, closing_ = false, applying_storage_ = false;
  std::string internal_page_;
  int last_frame_ = 0, current_ = 0;
  std::int64_t last_script_ = 0;
  std::vector<std::shared_ptr<TabImpl>> all_tabs_;  // closed ones too
  std::unordered_map<std::string, std::unique_ptr<AttachedTarget>> targets_;
  std::unordered_map<std::string, TargetId> target_ids_;  // of ended ones too
  std::vector<Script> scripts_;
  std::map<std::string, std::function<void(Frame&, std::string_view)>> bindings_;
  std::vector<std::function<void(const cdp::Event&)>> cdp_handlers_;
  std::vector<std::function<void(const std::string&, const std::string&)>> target_handlers_;
  std::unique_ptr<Observers> observers_;
  std::unique_ptr<Recording> recording_;
};

}  // namespace browx::capture
