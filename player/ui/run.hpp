#pragma once
// The window from its beginning to its end, or one picture of it. Thread: the main one.

#include "base/result.hpp"
#include "player/model/view.hpp"
#include "player/options.hpp"
#include "player/stage/stage.hpp"

namespace browx::player {

/// Draws the window of `options.shot` and writes it. Errors: `unavailable` (no display, no OpenGL, the file).
Status take_shot(const Options& options, View& view, Stage& stage);
/// Returns when the window was closed.
Status run_window(const Options& options, View& view, Stage& stage);

}  // namespace browx::player
