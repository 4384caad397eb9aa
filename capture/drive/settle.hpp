#pragma once
// When an action has come to rest: rules over causes, never a fixed sleep. Thread: any; pure.

#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace browx::capture {

/// What an action may still be waiting for.
struct Unrest {
  bool navigation_requested = false;  ///< asked for by the page, not yet begun
  bool navigation_started =
      false;  ///< the browser loads, nothing committed yet, or the new document is not complete
  int pending_requests = 0;  ///< fetch/XHR begun by the action that have no answer yet
  /// While a body that is on its way may still come; a page that reads no body leaves it open for ever.
  std::optional<SteadyClock::time_point> bodies_until;
  bool tab_expected = false;  ///< window.open whose tab has not attached, or has no URL yet
  bool download_running = false;
  bool dialog_open = false;  ///< nothing moves while it is: no wait helps
};

/// How long each cause is waited for, from the moment the action's own input was over. A navigation has the
/// deadline.
struct SettleCaps {
  std::chrono::milliseconds requests{1000}, tab{1000}, download{1000}, navigation_request{1000};
};

/// nullopt: settled (or not worth waiting for). Else the moment until which to wait for a change before
/// asking again.
std::optional<SteadyClock::time_point> settle_until(const Unrest& unrest, SteadyClock::time_point since,
                                                    SteadyClock::time_point now, Deadline deadline,
                                                    const SettleCaps& caps = {});

}  // namespace browx::capture
