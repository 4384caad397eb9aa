#pragma once
// From an element to the point where input reaches it: visible, at rest, enabled, hit at every level of
// frames.

#include "capture/locator.hpp"

namespace browx::capture {

/// Where to act. Thread: a plain value.
struct Aim {
  Point at;            ///< main viewport
  Point inner;         ///< viewport of the element's own frame
  Json box;            ///< in the element's own frame, as `prepare` saw it
  Point scrolled;      ///< what was scrolled to get there, in the element's own frame
  bool label = false;  ///< the point lies on the label of a control that paint hides
};

/// How long a control that is disabled, hidden or covered is given to change its mind; one that moves has the
/// deadline.
inline constexpr std::chrono::milliseconds kPatience{1500};

/// Brings the element into view and waits for it to be ready for `purpose` ("click", "hover", …,
/// contract.md). A refusal is an Error of kinds covered, disabled, readonly, not-editable, hidden, moving,
/// detached, off-screen;
/// `*cover` then says what is in the way. Scrolls outer frames; changes nothing else.
/// `quick`: may skip the frame that proves rest; the caller proves it with still_there().
Task<Aim> aim(Tab& tab, Element element, std::string purpose, bool quick, std::string* cover,
              Deadline deadline);

/// After the pointer has moved there.
struct Standing {
  bool attached = true, hit = true, moved = false;
  std::string by;
};
Task<Standing> still_there(Element element, Aim aim, Deadline deadline);

/// The element at a point of the main viewport, in whatever frame; element 0 when there is none.
Task<Element> element_at(Tab& tab, Point point, Deadline deadline);

/// What the keyboard would reach, in whatever frame; element 0 when that is a document at large. `*sensitive`
/// then says whether its value must be masked.
Task<Element> focused_element(Tab& tab, bool* sensitive, Deadline deadline);

/// Brings the frames around an element into view, outermost first.
Task<bool> show_frames(Element element, Deadline deadline);

/// Waits for the frame's page function `prepare` for a purpose that needs no pointer (press).
Task<Json> make_ready(Tab& tab, Element element, std::string purpose, std::string* cover, Deadline deadline);

/// The same and what comes after it in one call: `fillBegin` or `selectBegin`. A refusal is left in the
/// answer.
Task<Json> begin_input(Tab& tab, Element element, std::string function, Json argument, Deadline deadline);

}  // namespace browx::capture
