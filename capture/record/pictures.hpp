#pragma once
// Screencast pictures on their way into the archive: what must not be seen is painted over first.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "archive/model/facts.hpp"
#include "base/async.hpp"
#include "base/pictures.hpp"
#include "capture/locator.hpp"
#include "capture/tab.hpp"

namespace browx::capture {

class RecordingCore;

/// One picture of a tab is worked on at a time, in order. A picture shows a moment that has passed when its
/// boxes can be asked for, so the boxes known before and those known after are both painted; a picture whose
/// boxes cannot be told is dropped, and a gap `frame-dropped` says so. Thread: the engine's.
class Pictures {
 public:
  explicit Pictures(RecordingCore& core) : core_(core) {}
  /// `picture` has session times and is unmasked.
  void take(archive::Frame picture);
  /// Tells what was dropped last, if anything.
  void end();

 private:
  struct Lane {
    std::deque<archive::Frame> waiting;
    bool working = false;
    std::optional<std::vector<PixelBox>> before;  // CSS pixels of the tab's viewport; none: not known yet
    std::optional<Time> dropping_since;
    Time dropped_last;
    int dropped = 0;
  };
  static asio::awaitable<void> work(std::shared_ptr<RecordingCore> core, TargetId target);
  /// Every box of the tab's frames, in CSS pixels of its viewport.
  static Task<std::vector<PixelBox>> boxes(std::shared_ptr<RecordingCore> core, std::shared_ptr<Tab> tab,
                                           Deadline deadline);
  void drop(Lane& lane, const archive::Frame& picture);
  void tell_dropped(Lane& lane, TargetId target);

  RecordingCore& core_;
  std::map<TargetId, Lane> lanes_;
};

}  // namespace browx::capture
