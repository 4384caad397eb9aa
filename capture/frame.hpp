#pragma once
// A frame of a tab and the way into its page: the bundle's functions, called in an isolated world.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/json.hpp"
#include "capture/journal.hpp"

namespace browx::capture {

class Tab;

/// One frame, alive from attach to detach; its documents come and go. Thread: the engine's. Held as
/// shared_ptr only so that a suspended call can find out that it was detached.
class Frame : public std::enable_shared_from_this<Frame> {
 public:
  virtual ~Frame() = default;

  virtual const std::string& id()
      const = 0;  ///< "f1", unique in the session for ever; the main frame of a tab too
  virtual const std::string& cdp_id() const = 0;  ///< CDP frame id
  virtual const std::string& cdp_session()
      const = 0;  ///< session of the target it lives in (changes with process swaps)
  virtual const std::string& url() const = 0;
  virtual const std::string& name() const = 0;
  virtual Frame* parent() const = 0;
  virtual const std::vector<Frame*>& children() const = 0;  ///< in order of attachment
  virtual Tab& tab() const = 0;
  virtual bool cross_origin() const = 0;    ///< its origin differs from the main frame's (opaque origins do)
  virtual bool out_of_process() const = 0;  ///< it has a CDP target of its own
  virtual bool attached() const = 0;
  virtual DocumentId document() const = 0;  ///< the current document's id in the journal
  /// Rises with every new document; a ref or handle of an older generation is gone.
  virtual std::int64_t generation() const = 0;

  /// Calls `function` of the page bundle (capture/page/contract.md) in this frame's isolated world with one
  /// JSON argument; answers its JSON result. Waits for the document's world within the deadline. Errors:
  /// `gone` (kind "frame-detached" or "navigated" when the document went away meanwhile), `timeout`,
  /// `conflict` (kind "dialog-open", when a dialog of the tab blocks the page and stays open), `unavailable`
  /// (crash, browser lost), and whatever {"error":{"kind","message"}} the page function answered (code
  /// `invalid_argument`, that kind).
  virtual Task<Json> page(std::string function, Json argument, Deadline deadline) = 0;

  /// Runtime.evaluate in the page's own world (for eval_js). Same errors; an exception of the page is
  /// `invalid_argument`, kind "page-exception".
  virtual Task<Json> evaluate(std::string expression, bool by_value, Deadline deadline) = 0;

  /// The bundle's element id (see contract) of the iframe element that holds this frame, in the parent's
  /// document. Cached per document pair. Error `gone`.
  virtual Task<std::int64_t> owner_element(Deadline deadline) = 0;
};

}  // namespace browx::capture
