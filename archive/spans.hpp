#pragma once
// Follows annotations and knows which spans are open. Private to this folder. Thread: any; a plain value.

#include <cstddef>
#include <vector>

#include "archive/coverage.hpp"
#include "archive/model/facts.hpp"

namespace browx::archive {

class SpanTracker {
 public:
  /// An annotation with phase `start` opens a span of its label, `end` closes the innermost one of that
  /// label; anything else changes nothing.
  void see(const Event& event);
  /// Indexes into spans(), innermost last.
  const std::vector<std::size_t>& open() const { return open_; }
  const std::vector<Span>& spans() const { return spans_; }
  std::vector<Span>& spans() { return spans_; }

 private:
  std::vector<Span> spans_;
  std::vector<std::size_t> open_;
};

}  // namespace browx::archive
