#pragma once
// A tab's page at a moment: its documents, one in another, and what can be written of them.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/model/facts.hpp"
#include "archive/reader.hpp"
#include "archive/reducer.hpp"

namespace browx::archive {

struct DocumentAt {
  DocumentId id;
  std::string frame;  ///< CDP frame id
  std::string url;
  std::optional<DocumentId> parent;
  NodeId owner = 0;  ///< the iframe element in the parent's stream; 0: unknown
  DocumentState state;
};

struct PageAt {
  TargetId tab;
  Time t;
  DocumentId root;
  std::map<DocumentId, DocumentAt> documents;
  std::string url, title;
  ViewportSize viewport;
  double scale = 1;       ///< device pixels a CSS pixel
  std::vector<Gap> gaps;  ///< of these documents, holding at `t`
  std::string note;       ///< why this is not quite the moment asked for; usually empty

  const DocumentAt& top() const { return documents.at(root); }
  /// The document inside an iframe element; null when none is recorded.
  const DocumentAt* inside(DocumentId parent, NodeId owner) const;
};

/// Errors `not_found`: the tab is unknown, or nothing of its page was recorded up to `t` (kind
/// "no-document").
Result<PageAt> page_at(Reader& reader, TargetId tab, Time t);

struct HtmlOptions {
  /// Where child documents are found; unset: inside their iframe, as `srcdoc`.
  std::function<std::string(DocumentId)> frame_url;
  /// The text forbids itself every script and request, by a policy in its head. Off for a caller that answers
  /// requests and forbids scripts itself.
  bool sealed = true;
  /// Elements with a state that HTML cannot say (scrolled, focused, modal) carry their node id in this
  /// attribute.
  std::string mark;
};

/// A document (the top one when `document` is none) as HTML that runs nothing: scripts are empty, handlers,
/// javascript: URLs, refreshes and policies gone; values, checked and selected states are attributes, shadow
/// roots declarative, style sheets as they were in the object model, adopted ones style elements marked
/// `data-browx-adopted`.
std::string html(const PageAt& page, const HtmlOptions& options = {},
                 std::optional<DocumentId> document = {});

/// What can be read: text of the page and its frames, block by block, with the values of controls.
std::string text(const PageAt& page);

}  // namespace browx::archive
