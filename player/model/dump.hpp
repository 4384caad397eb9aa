#pragma once
// What the player would show, as JSON: for tests, and for readers without a display. Thread: any.

#include "base/json.hpp"
#include "player/model/view.hpp"

namespace browx::player {

/// Times in milliseconds; members are listed in docs/player.md.
Json dump_view(const View& view);

}  // namespace browx::player
