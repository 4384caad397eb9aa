// The pages that tabs showed, and changes of address within them.

#include <algorithm>

#include "player/lanes/lanes.hpp"
#include "player/model/text.hpp"

namespace browx::player {

Lane pages_lane(const Session& session) {
  Lane lane;
  lane.name = "Pages";
  for (std::size_t i = 0; i < session.pages.size(); ++i) {
    const auto& page = session.pages[i];
    const auto target_of = [&](archive::DocumentId id) {
      for (const auto& document : session.documents)
        if (document.id == id) return document.target;
      return archive::TargetId();
    };
    Time until = session.end;
    for (std::size_t k = i + 1; k < session.pages.size(); ++k)
      if (target_of(session.pages[k].document) == target_of(page.document)) {
        until = session.pages[k].from;
        break;
      }
    lane.items.push_back({page.from, until, Tone::neutral, Shape::bar, 0, static_cast<std::uint32_t>(i)});
  }
  lane.label = [](const Session& from, std::uint32_t i) {
    const auto& page = from.pages[i];
    return page.title.empty() ? short_url(page.url) : page.title;
  };
  lane.about = [](const Session& from, std::uint32_t i) {
    return from.pages[i].title + "\n" + from.pages[i].url;
  };
  lane.finish(4);
  return lane;
}

}  // namespace browx::player
