#pragma once
// Where a picture of a tab would show what it must not. Thread: the engine's.

#include <vector>

#include "capture/locator.hpp"
#include "capture/session.hpp"

namespace browx::capture {

struct MaskBox {
  Box box;              ///< CSS pixels of the main viewport
  bool pinned = false;  ///< it does not move with the page: fixed or sticky, or in a frame that is
};

/// Boxes of sensitive fields and of text that shows a registered secret, in all frames. Error `conflict`,
/// kind "mask-unknown", when a frame that stands in the page cannot tell.
Task<std::vector<MaskBox>> mask_boxes(Session& session, std::shared_ptr<Tab> tab, Deadline deadline);

}  // namespace browx::capture
