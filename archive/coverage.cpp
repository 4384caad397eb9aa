#include "archive/coverage.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "archive/spans.hpp"

namespace browx::archive {
namespace {

/// What makes two asserts the same question: the tool and its arguments, apart from how long and where it was
/// asked.
std::string question(const Step& step) {
  Json arguments = json_member(step.payload, "arguments");
  if (!arguments.is_object()) arguments = Json::object();
  for (const char* circumstance : {"timeoutMs", "session", "tab", "maxResultTokens"})
    arguments.erase(circumstance);
  if (arguments.empty()) arguments = step.target;
  return step.tool + " " + dump_json(arguments);
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string named(const Step& step) { return json_string(step.payload, "id", step.tool); }

void judge(CriterionCoverage& criterion, const std::vector<Span>& spans, const std::vector<Step>& steps) {
  std::map<std::string, std::size_t> last_answer;  // by question
  std::optional<std::size_t> last_action;
  for (const std::size_t index : criterion.steps) {
    const Step& step = steps[index];
    criterion.failures += !step.ok;
    if (step.kind == "assert") {
      ++criterion.asserts;
      const auto [at, fresh] = last_answer.try_emplace(question(step), index);
      if (!fresh) {
        criterion.retried += !steps[at->second].ok;
        at->second = index;
      }
    } else if (step.kind == "action") {
      if (last_action) criterion.retried += !steps[*last_action].ok;
      last_action = index;
    }
  }
  const Step* failed = last_action && !steps[*last_action].ok ? &steps[*last_action] : nullptr;
  std::size_t failed_asserts = 0;
  for (const auto& [asked, index] : last_answer) {
    if (steps[index].ok) continue;
    ++failed_asserts;
    if (!failed || failed->kind != "assert" || steps[index].seq > failed->seq) failed = &steps[index];
  }
  const bool open = std::any_of(criterion.spans.begin(), criterion.spans.end(),
                                [&](std::size_t span) { return !spans[span].to; });

  if (failed) {
    criterion.state = CriterionState::failed;
    criterion.reason = failed_asserts > 1 ? fmt::format("{} failed, the last of them {}",
                                                        counted(failed_asserts, "assert"), named(*failed))
                       : failed_asserts   ? fmt::format("the assert {} failed", named(*failed))
                                          : fmt::format("its last action {} failed", named(*failed));
    if (!failed->error.empty()) criterion.reason += ": " + failed->error;
    if (open) criterion.reason += "; never closed";
  } else if (open) {
    criterion.state = CriterionState::unclosed;
    criterion.reason =
        fmt::format("its span was never closed, so what followed may not belong to it; {} so far",
                    counted(criterion.steps.size(), "step"));
  } else if (criterion.steps.empty()) {
    criterion.state = CriterionState::empty;
    criterion.reason =
        criterion.spans.empty() ? "only remarks carry its label, no span" : "its span holds no step";
  } else if (criterion.asserts == 0) {
    criterion.state = CriterionState::exercised;
    criterion.reason = fmt::format("{}, but nothing was asserted", counted(criterion.steps.size(), "step"));
  } else {
    criterion.state = CriterionState::passed;
    criterion.reason = fmt::format("{} passed", counted(last_answer.size(), "assert"));
    if (criterion.retried)
      criterion.reason += fmt::format(", after {} that failed and {} retried",
                                      counted(static_cast<std::size_t>(criterion.retried), "step"),
                                      criterion.retried == 1 ? "was" : "were");
  }
}

}  // namespace

const char* state_name(CriterionState state) {
  switch (state) {
    case CriterionState::passed:
      return "passed";
    case CriterionState::failed:
      return "failed";
    case CriterionState::exercised:
      return "exercised";
    case CriterionState::unclosed:
      return "unclosed";
    case CriterionState::empty:
      return "empty";
    case CriterionState::missing:
      return "missing";
  }
  return "empty";
}

Coverage derive_coverage(const std::vector<Event>& annotations, const std::vector<Step>& steps,
                         const std::vector<Criterion>& wanted) {
  Coverage out;
  std::map<std::string, std::size_t> known;  // label → index into criteria
  for (const Criterion& criterion : wanted) {
    if (!known.try_emplace(criterion.id, out.criteria.size()).second) continue;
    CriterionCoverage& entry = out.criteria.emplace_back();
    entry.id = criterion.id;
    entry.title = criterion.title;
    entry.state = CriterionState::missing;
    entry.reason = "no annotation carries its label";
  }
  const std::size_t asked = out.criteria.size();
  std::vector<bool> annotated(asked, false);
  const auto note = [&](const Event& event) {
    const std::string label = json_string(event.payload, "label");
    if (event.kind != "annotation" || label.empty()) return;
    const auto [at, fresh] = known.try_emplace(label, out.criteria.size());
    if (fresh) {
      out.criteria.emplace_back().id = label;
      annotated.push_back(true);
    }
    annotated[at->second] = true;
  };

  SpanTracker tracker;
  std::size_t next = 0;
  const auto follow = [&](const Event& event) {
    note(event);
    tracker.see(event);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (; next < annotations.size() && annotations[next].seq < steps[i].seq; ++next)
      follow(annotations[next]);
    for (const std::size_t span : tracker.open()) tracker.spans()[span].steps.push_back(i);
  }
  for (; next < annotations.size(); ++next) follow(annotations[next]);
  out.spans = std::move(tracker.spans());

  for (std::size_t i = 0; i < out.spans.size(); ++i) {
    CriterionCoverage& criterion = out.criteria[known.at(out.spans[i].label)];
    criterion.spans.push_back(i);
    criterion.steps.insert(criterion.steps.end(), out.spans[i].steps.begin(), out.spans[i].steps.end());
    if (criterion.title.empty()) criterion.title = out.spans[i].copy;
  }
  for (std::size_t i = 0; i < out.criteria.size(); ++i) {
    CriterionCoverage& criterion = out.criteria[i];
    std::sort(criterion.steps.begin(), criterion.steps.end());
    criterion.steps.erase(std::unique(criterion.steps.begin(), criterion.steps.end()), criterion.steps.end());
    if (annotated[i]) judge(criterion, out.spans, steps);
    ++out.totals[static_cast<std::size_t>(criterion.state)];
  }
  return out;
}

}  // namespace browx::archive
