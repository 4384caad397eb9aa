#pragma once
// Details of resolving that acting needs beyond capture/locator.hpp. Thread: the engine's.

#include "capture/locator.hpp"

namespace browx::capture {

/// resolve(), but a selector that matches nothing yet is waited for until the deadline (woken by the page's
/// changes).
Task<Element> resolve_waiting(Tab& tab, Address address, Deadline deadline);

/// Waits in every frame at once until `what` ({"selector":…} or {"text":…}) is visible in one, at most until
/// `slice`. Error `not_found`, kind "not-visible". Frames that come up meanwhile are not looked at: call it
/// again.
Task<Element> first_visible(Tab& tab, Json what, Deadline slice);

/// The Error of a ref whose element no longer stands: says removed, re-rendered (naming the new ref) or
/// navigated.
Task<bool> check_alive(Tab& tab, Element& element, Deadline deadline);

/// For people: `e7`, `role=button[name="Save"]`, `the point 10,20`.
std::string address_text(const Address& address);

}  // namespace browx::capture
