#pragma once
// The lanes of the timeline, from top to bottom. To add one: a function of its own and a line in the list.

#include <span>
#include <vector>

#include "player/lanes/lane.hpp"

namespace browx::player {

using MakeLane = Lane (*)(const Session& session);

Lane pages_lane(const Session& session);
Lane spans_lane(const Session& session);
Lane actions_lane(const Session& session);
Lane checks_lane(const Session& session);
Lane network_lane(const Session& session);
Lane messages_lane(const Session& session);
Lane console_lane(const Session& session);
Lane pictures_lane(const Session& session);
Lane activity_lane(const Session& session);
Lane gaps_lane(const Session& session);

/// All of them, in order.
std::span<const MakeLane> lane_list();
/// Those of a session; lanes without an item are left out, but for actions.
std::vector<Lane> lanes_of(const Session& session);

/// The colour of a criterion's state.
Tone tone_of(archive::CriterionState state);
/// Of a request: failed, slow to answer, unfinished, or by its type.
Tone tone_of(const archive::RequestRow& request);

}  // namespace browx::player
