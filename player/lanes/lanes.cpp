#include "player/lanes/lanes.hpp"

namespace browx::player {

std::span<const MakeLane> lane_list() {
  static constexpr MakeLane kLanes[] = {pages_lane,    spans_lane,    actions_lane, checks_lane,
                                        network_lane,  messages_lane, console_lane, pictures_lane,
                                        activity_lane, gaps_lane};
  return kLanes;
}

std::vector<Lane> lanes_of(const Session& session) {
  std::vector<Lane> out;
  for (const MakeLane make : lane_list()) {
    Lane lane = make(session);
    if (!lane.items.empty() || make == actions_lane) out.push_back(std::move(lane));
  }
  return out;
}

}  // namespace browx::player
