// Where pictures lie, and how much the page changed.

#include <fmt/format.h>

#include "player/lanes/lanes.hpp"

namespace browx::player {

Lane pictures_lane(const Session& session) {
  Lane lane;
  lane.name = "Pictures";
  lane.row_height = 12;
  for (std::size_t i = 0; i < session.frames.size(); ++i)
    lane.items.push_back({session.frames[i].t, session.frames[i].t, Tone::neutral, Shape::tick, 0,
                          static_cast<std::uint32_t>(i)});
  lane.about = [](const Session& from, std::uint32_t i) {
    return fmt::format("picture, {} × {}", from.frames[i].width, from.frames[i].height);
  };
  lane.finish(1);
  return lane;
}

Lane activity_lane(const Session& session) {
  Lane lane;
  lane.name = "DOM";
  lane.row_height = 26;
  lane.density = true;
  lane.items.reserve(session.dom_activity.size());
  for (std::size_t i = 0; i < session.dom_activity.size(); ++i)
    lane.items.push_back({session.dom_activity[i], session.dom_activity[i], Tone::info, Shape::tick, 0,
                          static_cast<std::uint32_t>(i)});
  lane.finish(1);
  return lane;
}

}  // namespace browx::player
