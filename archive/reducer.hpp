#pragma once
// One document's stream of DOM events, applied: the document as it was after each of them.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/dom.hpp"
#include "base/result.hpp"

namespace browx::archive {

struct ViewportSize {
  int width = 0, height = 0;
  friend bool operator==(ViewportSize, ViewportSize) = default;
};

/// Applies rrweb events (format of rrweb 2) in their order. What cannot be applied is left out and counted; a
/// stream never makes this fail, however malformed or hostile it is, and memory is bounded by its length.
/// Child frames are opaque elements: their documents have streams of their own (docs/decisions/0003).
///
/// Where an event's word and the browser's behaviour differ, the browser wins: a style element whose text
/// changes loses the rules that were inserted; a value that was set stays when the attribute changes. Thread:
/// one at a time.
class DocumentState {
 public:
  DocumentState();
  ~DocumentState();
  DocumentState(DocumentState&&) noexcept;
  DocumentState& operator=(DocumentState&&) noexcept;

  /// Error `corrupt` (kind: the reason that was counted) when the whole event was left out. Single changes
  /// inside an event that refer to nothing are left out by themselves and only counted.
  Status apply(std::string_view event_json);

  /// The document node; null before the first full snapshot.
  const Node* root() const;
  const Node* find(NodeId id) const;
  std::size_t nodes() const;

  const std::string& href() const;  ///< as recorded: the query may be cut
  ViewportSize viewport() const;
  Position scroll() const;  ///< of the viewport
  NodeId focused() const;   ///< 0: nothing
  /// Where the mouse was last, in CSS pixels of this document's viewport.
  std::optional<Position> pointer() const;
  /// The document was in quirks mode.
  bool quirks() const;
  /// Ids of the document's adopted sheets, in order.
  const std::vector<std::int64_t>& adopted() const;
  /// Rules of an adopted sheet; null when unknown.
  const std::vector<std::string>* adopted_rules(std::int64_t sheet) const;

  std::int64_t applied() const;  ///< events
  /// What was left out, by reason.
  const std::map<std::string, std::int64_t>& skipped() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The style sheet of a style element, or of a link whose sheet is in the stream; nothing for everything
/// else.
std::optional<std::string> sheet_text(const Node& owner);
/// What a control shows; empty for everything else.
std::string control_value(const Node& control);
/// A checkbox or radio is checked, an option selected.
bool is_checked(const Node& control);

}  // namespace browx::archive
