#pragma once
// The frames of a tab as they stand in the page: their order, and where their points lie. Thread: the
// engine's.

#include <memory>
#include <vector>

#include "base/async.hpp"
#include "capture/locator.hpp"
#include "capture/tab.hpp"

namespace browx::capture {

/// All attached frames, parents first, siblings in the order of their owner elements in the document (the tab
/// knows them in order of attachment only). Frames that cannot be placed keep their order of attachment, at
/// the end.
asio::awaitable<std::vector<std::shared_ptr<Frame>>> frames_in_document_order(std::shared_ptr<Tab> tab,
                                                                              Deadline deadline);

/// The outer document that a frame stands in, one level up.
struct FrameStep {
  std::shared_ptr<Frame> parent;
  std::int64_t owner = 0;    ///< the iframe element, an element id of `parent`
  FrameTransform transform;  ///< from the frame's viewport to the parent's
};
/// From `frame` outwards to the main frame; empty for the main frame. Reads positions as they are now.
Task<std::vector<FrameStep>> frame_steps(std::shared_ptr<Frame> frame, Deadline deadline);

/// `inner` after `outer`: one transform for two levels.
FrameTransform compose(const FrameTransform& outer, const FrameTransform& inner);

}  // namespace browx::capture
