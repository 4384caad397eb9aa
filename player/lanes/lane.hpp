#pragma once
// A lane of the timeline: a name and items in time, and how they become few enough marks to draw. Knows no
// window and no kinds of fact. Thread: any; plain values.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "player/model/session.hpp"
#include "player/model/viewport.hpp"

namespace browx::player {

/// What a colour says. Later ones win where marks are folded into one.
enum class Tone : std::uint8_t { muted, neutral, info, accent, good, warning, bad };
/// bar: from–to. open: from–to, and nobody knows how it ended. hatch: nothing is known of that time. tick: a
/// moment.
enum class Shape : std::uint8_t { bar, open, hatch, tick };

struct Item {
  Time from, to;
  Tone tone = Tone::neutral;
  Shape shape = Shape::bar;
  std::uint16_t row = 0;
  std::uint32_t index = 0;  ///< of what it stands for, in the lane's own list
};

/// One thing to draw, in pixels from the viewport's left edge.
struct Mark {
  float x0 = 0, x1 = 0;
  std::uint16_t row = 0;
  Tone tone = Tone::neutral;
  Shape shape = Shape::bar;
  std::uint32_t count = 1;  ///< items folded into it
  std::uint32_t item = 0;   ///< of the first (of the worst, when folded), an index into Lane::items
};

/// What a click on an item selects besides the moment.
enum class Pick { moment, step, request };

struct Lane {
  std::string name;
  Pick pick = Pick::moment;
  bool density = false;  ///< drawn as a histogram of counts
  std::uint16_t rows = 1;
  int row_height = 17;      ///< points; labels need 14
  std::vector<Item> items;  ///< by row, then by beginning; see finish()
  using Text = std::string (*)(const Session& session, std::uint32_t index);
  Text label = nullptr;  ///< drawn in a bar where there is room; page text, not yet made fit to be shown
  Text about = nullptr;  ///< a line or more for a tooltip; the same

  /// Sorts, gives overlapping bars rows of their own (at most `most`; what overlaps beyond shares the last),
  /// and makes fold() quick. Call once, after adding items.
  void finish(std::uint16_t most);

  /// What `viewport` shows: items narrower than a pixel are folded per column, the worst tone wins. About one
  /// mark a pixel and row at most, whatever the number of items.
  std::vector<Mark> fold(const Viewport& viewport) const;
  /// The item under `x`, within `reach` pixels: the one that covers it, else the nearest; items.size() when
  /// none.
  std::size_t at(const Viewport& viewport, double x, int row, double reach) const;

 private:
  struct Row {
    std::size_t begin = 0, end = 0;
    std::int64_t longest = 0;  ///< the longest item's length
  };
  std::vector<Row> spans_;
  std::vector<std::int64_t> reach_;    ///< per item: latest end among it and those before in its row
  std::vector<std::uint32_t> severe_;  ///< prefix counts of items from Tone::warning on
};

}  // namespace browx::player
