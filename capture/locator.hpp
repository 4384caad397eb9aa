#pragma once
// What an agent points at, and the element that it turns out to be.

#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/json.hpp"
#include "capture/refs.hpp"
#include "capture/tab.hpp"

namespace browx::capture {

struct Point {
  double x = 0, y = 0;  ///< CSS pixels of the main viewport
};
struct Box {
  double x = 0, y = 0, width = 0, height = 0;  ///< CSS pixels of the main viewport
};

/// Exactly one of ref, selector, named, coords is set (checked where tools read their input).
struct Address {
  std::optional<std::string> ref, selector, named;
  std::optional<Point> coords;
  std::optional<std::string> context_ref;  ///< scopes `selector`
  /// As it came in, for answers and recordings: {"ref":…} | {"selector":…,"contextRef"?} | {"named":…} |
  /// {"coords":…}.
  Json json() const;
};

/// A resolved element, or a bare point (element 0).
struct Element {
  std::shared_ptr<Frame> frame;
  std::int64_t element = 0;
  std::string ref;
  std::optional<Point> point;
  std::vector<std::string>
      warnings;  ///< e.g. "e7 read \"Beta\" when it was given out and now reads \"Alpha\""
};

/// Finds the one element meant. Errors: `not_found` (kind "ref-not-found", "element-not-found",
/// "name-not-found"), `gone` (kind "ref-gone": removed | re-rendered, naming the new ref | navigated),
/// `invalid_argument` (kind "invalid-selector"), `conflict` (kind "ambiguous", with the count and the first
/// refs). Searches all frames and open shadow roots unless the address scopes it.
Task<Element> resolve(Tab& tab, Address address, Deadline deadline);

/// Every match in all frames, document order; hidden ones included when asked. Errors as above but for the
/// counts.
Task<std::vector<Element>> resolve_all(Tab& tab, std::string selector, std::optional<std::string> context_ref,
                                       bool include_hidden, int limit, Deadline deadline);

/// Where a point of `frame`'s viewport lies in the main viewport, and the scale between the two.
struct FrameTransform {
  double x = 0, y = 0, scale_x = 1, scale_y = 1;
  Point to_main(Point p) const { return {x + p.x * scale_x, y + p.y * scale_y}; }
  Box to_main(Box b) const {
    return {x + b.x * scale_x, y + b.y * scale_y, b.width * scale_x, b.height * scale_y};
  }
};
Task<FrameTransform> frame_transform(Frame& frame, Deadline deadline);

}  // namespace browx::capture
