#pragma once
// Trusted input: mouse, keys and text through the browser's own input pipeline, in main-viewport coordinates.

#include <string>
#include <vector>

#include "base/async.hpp"
#include "capture/drive/keys.hpp"
#include "capture/locator.hpp"
#include "capture/tab.hpp"

namespace browx::capture {

struct MouseButton {
  std::string name = "left";  ///< left | right | middle
  int mask() const { return name == "right" ? 2 : name == "middle" ? 4 : 1; }
};

/// Thread: the engine's. What is pressed is released again, also when the press fails or the coroutine is
/// cancelled. Errors: those of cdp::Connection; `conflict`, kind "dialog-open", when a dialog stays open over
/// the page; then the input was delivered as far as the dialog let it.
Task<bool> move_mouse(Tab& tab, Point to, int modifiers, Deadline deadline);
/// Presses and releases `count` times at `at` (clickCount 1, 2, …). The pointer must be there already.
Task<bool> click_mouse(Tab& tab, Point at, MouseButton button, int count, int modifiers, Deadline deadline);
Task<bool> turn_wheel(Tab& tab, Point at, double dx, double dy, Deadline deadline);

/// Strikes one chord: holds its modifiers, presses and releases the key, lets the modifiers go.
Task<bool> strike(Tab& tab, Chord chord, Deadline deadline);
/// Holds or lets go modifier keys around a click.
Task<bool> hold(Tab& tab, std::vector<Key> keys, Deadline deadline);
void let_go(Tab& tab, const std::vector<Key>& keys);

/// Puts text in at the caret as an input method does: beforeinput and input, no key events.
Task<bool> insert_text(Tab& tab, std::string text, Deadline deadline);

}  // namespace browx::capture
