#pragma once
// The one wrapper around every action: window, target, settling, and the ActionResult made of them.

#include <functional>
#include <optional>
#include <string>

#include "capture/action.hpp"
#include "capture/drive/running.hpp"
#include "capture/drive/window.hpp"

namespace browx::capture {

/// What the wrapper shares with the verb that runs inside it. Lives as long as run_action()'s coroutine; a
/// verb may keep a reference for the length of its own. Thread: the engine's.
struct Acting {
  Session& session;
  Tab& tab;
  const ActionOptions& options;
  ActionResult& result;
  Window& window;
  std::optional<Address> address;
  /// Where a verb must be done with the page, so that what came of it can still be read before the deadline.
  Deadline deadline;

  std::optional<Element> element;
  /// Input has gone out: from here on an error does not mean that nothing was done.
  bool acted = false;
  /// Frames without a mutation that count as quiet; 0 for verbs that answer at once.
  int quiet_frames = 1;
  /// The press or click must be seen to arrive at the element (contract.md, actionEnd.element.hit).
  bool must_press = false, must_click = false;
  /// Joins `element` of the result: valueRequested, hit, scroll, value.
  Json facts = Json::object();
  std::optional<Navigation> navigation;  ///< when the tab told it itself

  /// A verb's last question to the page, sent before the page's counters are read and answered with them;
  /// `take` then gets its answer. An error of it is one of the verb.
  std::optional<Running<Json>> closing;
  std::function<void(Acting&, const Json&)> take;

  /// Page counters that run: main frame, and the element's when it is another.
  std::vector<std::shared_ptr<Frame>> watched;
  std::vector<Running<Json>> beginning;
};

/// Resolves the address (waiting for a selector), tells options.on_target, and starts the page's counters.
Task<bool> find_target(Acting& acting);
/// Starts the counters without a target: of the main frame.
void watch(Acting& acting);
/// Until the counters run. Before input goes out.
Task<bool> watching(Acting& acting);

struct ActionSpec {
  std::string type;
  std::optional<Address> address;
  std::optional<std::string> value;  ///< shown as action.value
  bool revives = false;              ///< may run on a crashed tab
};
/// The verb's own work. An Error makes the result ok:false; what happened is collected all the same.
using Verb = std::function<Task<bool>(Acting&)>;

Task<ActionResult> run_action(Session& session, Tab& tab, ActionSpec spec, ActionOptions options, Verb verb);

}  // namespace browx::capture
