#pragma once
// Bringing the pointer onto an element, proven to be the one that input would reach. Thread: the engine's.

#include "capture/drive/acting.hpp"
#include "capture/drive/target.hpp"

namespace browx::capture {

/// Moves the pointer to the acting element (already found) and answers where it stands once a frame later the
/// element still is there, unmoved and on top. Elements that the page replaces under the pointer are resolved
/// anew when they were named by a selector, else refused (ref-gone). Refusals as aim(); facts.hit then names
/// the cover.
Task<Aim> approach(Acting& acting, std::string purpose, int modifiers);

/// A full click, as the verb click does it.
Task<bool> click_element(Acting& acting, ClickOptions options);

}  // namespace browx::capture
