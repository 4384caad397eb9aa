#pragma once
// The stage of a recording's own pictures: the nearest stored frame, and nothing drawn anew.

#include <filesystem>
#include <memory>

#include "player/stage/stage.hpp"

namespace browx::player {

/// Answers within the call that asks; render() always answers why there is no exact page. Thread: one at a
/// time.
std::unique_ptr<Stage> recorded_pictures(std::filesystem::path archive);

}  // namespace browx::player
