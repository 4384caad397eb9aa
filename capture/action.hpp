#pragma once
// Acting: trusted input on a target that is attached, visible, stable, enabled and really hit, and what came
// of it.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.hpp"
#include "base/json.hpp"
#include "capture/locator.hpp"
#include "capture/session.hpp"

namespace browx::capture {

struct Failure {
  std::string source;  ///< "app" | "browx" | "unknown"
  std::string kind;    ///< kebab-case, docs/tools.md
  std::string hint;
};

/// What every acting tool answers (TOOLS.md, ActionResult); `json()` is its exact shape. Filled by
/// run_action().
struct ActionResult {
  bool ok = true;
  Json action = Json::object();  ///< {type, ref?, selector?, value?}
  Navigation navigation;
  int appeared = 0, removed = 0;
  Json new_tabs = Json::array();  ///< [{tab,url,title}]
  std::vector<std::string> console_errors;
  int console_warnings = 0;
  std::vector<std::string> page_errors;
  Json element;  ///< or null: absent
  Json snapshot_delta = Json{{"mode", "none"}};
  Json network = Json::object();  ///< {summary, requests, mutations, wsFrames}
  Json dialogs = Json::array();
  Json downloads = Json::array();
  std::vector<std::string> warnings;
  std::string error, code;
  std::optional<Failure> failure;
  std::optional<Element> target;  ///< what the address meant, for the recording; not in json()
  Json json() const;              ///< includes tokensEstimate
};

struct ActionOptions {
  Deadline deadline;
  int max_result_tokens = 600;
  /// Whose words the caller speaks: says what becomes of dialogs under the policy `raise`.
  Vocabulary vocabulary = Vocabulary::core;
  /// Called once with the resolved target before anything is done to it: where a recording counts its
  /// locators (Recording::locate_step). Not called when there is no target or it cannot be resolved.
  std::function<asio::awaitable<void>(Element)> on_target;
};

struct ClickOptions {
  std::string button = "left";  ///< left | right | middle
  int count = 1;
  std::vector<std::string> modifiers;  ///< Alt | Control | Meta | Shift
};
struct ScrollOptions {
  std::optional<std::string> to;  ///< top | bottom | left | right
  std::optional<Point> by;
  bool into_view = false;
};

// Each runs one action to its settled end. What the outside refuses is an ActionResult with ok false; an
// Error is only for what kept the action from being tried at all and has no tab to report on (session,
// browser lost).
Task<ActionResult> navigate(Session& session, Tab& tab, std::string url, ActionOptions options);
Task<ActionResult> go_back(Session& session, Tab& tab, ActionOptions options);
Task<ActionResult> go_forward(Session& session, Tab& tab, ActionOptions options);
Task<ActionResult> reload(Session& session, Tab& tab, ActionOptions options);
Task<ActionResult> click(Session& session, Tab& tab, Address target, ClickOptions click,
                         ActionOptions options);
Task<ActionResult> hover(Session& session, Tab& tab, Address target, ActionOptions options);
Task<ActionResult> fill(Session& session, Tab& tab, Address target, std::string value, ActionOptions options);
/// True when `key`, as `press` reads it, puts a character into a field: "a", "é", "Shift+A"; not "Enter" or
/// "Control+A". True for what is no key.
bool types_text(std::string_view key);
Task<ActionResult> press(Session& session, Tab& tab, std::optional<Address> target, std::string key,
                         ActionOptions options);
Task<ActionResult> select_options(Session& session, Tab& tab, Address target, std::vector<std::string> values,
                                  ActionOptions options);
Task<ActionResult> scroll(Session& session, Tab& tab, std::optional<Address> target, ScrollOptions scroll,
                          ActionOptions options);
/// Waits until the target is visible (or `text` is, anywhere).
Task<ActionResult> wait_for(Session& session, Tab& tab, std::optional<Address> target,
                            std::optional<std::string> text, ActionOptions options);

}  // namespace browx::capture
