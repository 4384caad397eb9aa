#include "archive/spans.hpp"

#include <algorithm>

namespace browx::archive {

void SpanTracker::see(const Event& event) {
  if (event.kind != "annotation") return;
  std::string label = json_string(event.payload, "label");
  const std::string phase = json_string(event.payload, "phase");
  if (label.empty()) return;
  if (phase == "start") {
    Span span;
    span.label = std::move(label);
    span.copy = json_string(event.payload, "copy");
    span.from = event.t;
    span.depth = open_.size();
    open_.push_back(spans_.size());
    spans_.push_back(std::move(span));
  } else if (phase == "end") {
    const auto last = std::find_if(open_.rbegin(), open_.rend(),
                                   [&](std::size_t index) { return spans_[index].label == label; });
    if (last == open_.rend()) return;
    spans_[*last].to = event.t;
    open_.erase(std::next(last).base());
  }
}

}  // namespace browx::archive
