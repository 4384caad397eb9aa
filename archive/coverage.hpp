#pragma once
// Which acceptance criteria a recording exercised, and how that went. A criterion is a label of the
// recording's annotations; the same rules serve player, command line and tools. Pure functions over facts.
// Thread: any.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/model/facts.hpp"
#include "archive/reader.hpp"

namespace browx::archive {

/// A stretch of the recording under one label.
struct Span {
  std::string label, copy;  ///< `copy`: what the opening annotation said, or empty
  Time from;
  std::optional<Time> to;  ///< absent: never closed
  std::size_t depth = 0;   ///< how many other spans were open around it when it began
  /// Indexes into the steps given. A step counts for every span that was open in the order of events.
  std::vector<std::size_t> steps;
};

/// `passed`: every span closed, at least one assert, the last result of every distinct assert is a pass and
/// the last action is ok. `failed`: the last result of some assert, or the last action, is a failure, closed
/// or not. `exercised`: steps, but no assert. `unclosed`: a span never ended. `empty`: no step. `missing`:
/// asked for, never annotated. Rules in this order: missing, failed, unclosed, empty, exercised, passed.
enum class CriterionState { passed, failed, exercised, unclosed, empty, missing };
inline constexpr std::size_t kCriterionStates = 6;
/// "passed", …
const char* state_name(CriterionState state);

/// One that should be covered, e.g. of a criteria file.
struct Criterion {
  std::string id, title;
};

struct CriterionCoverage {
  std::string id, title;  ///< title: of the criterion asked for, else what the annotations said first
  CriterionState state = CriterionState::empty;
  std::vector<std::size_t> spans;  ///< indexes into Coverage::spans
  std::vector<std::size_t> steps;  ///< indexes into the steps given, in order, each once
  int asserts = 0;                 ///< assert steps
  int failures = 0;                ///< failed steps, those retried included
  int retried = 0;     ///< failed actions and asserts that a later one of the same criterion replaced
  std::string reason;  ///< one line: why it is in this state
};

struct Coverage {
  std::vector<Span> spans;  ///< in order of their beginning
  std::vector<CriterionCoverage>
      criteria;  ///< those asked for in their order, then the others as they first appear
  std::array<int, kCriterionStates> totals{};  ///< criteria by state
  int total(CriterionState state) const { return totals[static_cast<std::size_t>(state)]; }
};

/// `annotations`: the events of kind annotation in order (others are ignored); `steps`: Reader::steps().
Coverage derive_coverage(const std::vector<Event>& annotations, const std::vector<Step>& steps,
                         const std::vector<Criterion>& wanted = {});

}  // namespace browx::archive
