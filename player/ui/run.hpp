#pragma once
// The window from its beginning to its end, or one picture of it. Thread: the main one.

#include <functional>
#include <optional>

#include "base/result.hpp"
#include "player/model/view.hpp"
#include "player/options.hpp"
#include "player/stage/stage.hpp"

namespace browx::player {

/// Draws the window of `options.shot` and writes it. Errors: `unavailable` (no display, no OpenGL, the file).
Status take_shot(const Options& options, View& view, Stage& stage);
/// The session as it is now, or nothing where nothing came.
using Reload = std::function<std::optional<Session>()>;
/// Returns when the window was closed. While the session is being recorded, `reload` is asked every second.
Status run_window(const Options& options, View& view, Stage& stage, const Reload& reload);

}  // namespace browx::player
