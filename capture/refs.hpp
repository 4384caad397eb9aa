#pragma once
// Refs: names `eN` for elements, one element for ever.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.hpp"
#include "capture/frame.hpp"

namespace browx::capture {

/// An element as the page bundle knows it: a number in one document of one frame.
struct ElementHandle {
  std::weak_ptr<Frame> frame;
  std::int64_t generation = 0;  ///< Frame::generation() it belongs to
  std::int64_t element = 0;     ///< the bundle's id in that document
};

/// The numbers given out in a session. A number is never reused. Thread: the engine's.
class Refs {
 public:
  /// The ref of an element, given on first sight: the same element always has the same.
  std::string ref_of(Frame& frame, std::int64_t element);
  /// Error `not_found`, kind "ref-not-found" (never given), or `gone`, kind "ref-gone", saying "navigated"
  /// when its document has been left. Whether the element itself still stands is the page's to say.
  Result<ElementHandle> find(const std::string& ref) const;

  /// name_ref. Error `not_found`.
  Status name(std::string name, const std::string& ref);
  Result<std::string> named(const std::string& name) const;
  const std::map<std::string, std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, ElementHandle> by_ref_;
  std::unordered_map<std::string, std::string> by_key_;  // "fN/generation/element"
  std::map<std::string, std::string> names_;
  std::int64_t last_ = 0;
};

}  // namespace browx::capture
