#pragma once
// A tab: its frames, dialogs and the commands that concern the whole page.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/json.hpp"
#include "capture/cdp/connection.hpp"
#include "capture/frame.hpp"

namespace browx::capture {

class Session;

/// How a dialog is answered. `raise`: the vocabulary of the last acting call decides (core: dismissed and
/// named).
enum class DialogMode { accept, dismiss, accept_prompt_with, raise };

/// Whose words the last acting call used. With `raise`, core has dialogs dismissed at once and named in its
/// answer; nexus leaves them open until they are handled.
enum class Vocabulary { core, nexus };

struct Dialog {
  std::string type, message, default_prompt, url;
  Time opened;
  bool open = true;
  bool accepted = false;
  std::string answer;  ///< prompt text given, when any
};

/// What a navigation did. kind: "full_load" | "spa" | "hash" | "" (none).
struct Navigation {
  bool changed = false;
  std::string from, to, kind;
};

/// One tab. Thread: the engine's.
class Tab {
 public:
  virtual ~Tab() = default;

  virtual int id() const = 0;  ///< the tab number of all dialects, ≥ 1, never reused
  virtual Session& session() const = 0;
  virtual TargetId target() const = 0;
  virtual const std::string& cdp_session() const = 0;
  virtual const std::string& cdp_target() const = 0;
  virtual bool crashed() const = 0;
  virtual bool closed() const = 0;
  virtual std::string url() const = 0;    ///< of the main frame
  virtual std::string title() const = 0;  ///< last known
  virtual Frame& main_frame() const = 0;
  virtual std::vector<std::shared_ptr<Frame>> frames() const = 0;  ///< attached ones, parents before children
  virtual std::shared_ptr<Frame> frame_by_id(const std::string& id) const = 0;  ///< "fN", or null
  virtual std::shared_ptr<Frame> frame_by_cdp_id(const std::string& id) const = 0;

  virtual cdp::Connection& connection() const = 0;
  /// A command on the page's own session.
  virtual Task<Json> call(std::string method, Json params, Deadline deadline) = 0;

  /// Dialogs in order of opening, kept until take_dialogs().
  virtual std::vector<Dialog> pending_dialogs() const = 0;
  virtual std::vector<Dialog> take_dialogs() = 0;  ///< those answered since the last take; open ones stay
  /// Answers the dialog that is open. Error `not_found`, kind "no-dialog".
  virtual Task<bool> answer_dialog(bool accept, std::string prompt_text, Deadline deadline) = 0;
  /// Every acting call says its vocabulary before it acts; core when nobody has.
  virtual void set_vocabulary(Vocabulary vocabulary) = 0;

  /// Navigates and waits until the document has loaded, or a dialog, an error page, the origin policy or the
  /// deadline ends the wait. Errors: `invalid_argument` (malformed or refused URL), `denied` (kind
  /// "origin-blocked"), `unavailable` (kind "navigation-failed", with net::ERR_…), `timeout`, `conflict`
  /// (kind "dialog-open").
  virtual Task<Navigation> navigate(std::string url, Deadline deadline) = 0;
  virtual Task<Navigation> reload(Deadline deadline) = 0;
  /// `delta` -1 or +1. Error `conflict`, kind "no-history".
  virtual Task<Navigation> history(int delta, Deadline deadline) = 0;

  /// Notified whenever something about the tab changes: navigation, frames, dialogs, crash, loading state.
  virtual Signal& changed() = 0;
  /// Main-frame load state of the current document: "loading" | "interactive" | "complete".
  virtual std::string ready_state() const = 0;
  /// Counts main-frame navigations committed (same-document ones included).
  virtual std::int64_t navigations() const = 0;
  virtual std::string last_navigation_kind() const = 0;

  virtual Task<bool> set_viewport(int width, int height, Deadline deadline) = 0;
  virtual Task<bool> close(Deadline deadline) = 0;
};

}  // namespace browx::capture
