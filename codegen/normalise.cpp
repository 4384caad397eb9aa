#include "codegen/normalise.hpp"

#include <algorithm>
#include <functional>

namespace browx::codegen {
namespace {

bool same_target(const Step& a, const Step& b) {
  if (a.page != b.page) return false;
  if (a.locator || b.locator) return a.locator == b.locator;
  return json_string(a.arguments, "selector") == json_string(b.arguments, "selector") &&
         json_string(a.arguments, "ref") == json_string(b.arguments, "ref");
}

bool leaves_traces(const Step& step) { return !step.dialogs.empty() || !step.downloads.empty(); }

/// The next step that is more than a look at the page, from `at` on.
std::size_t next_doing(const std::vector<Step>& steps, std::size_t at) {
  while (at < steps.size() && steps[at].kind == StepKind::read && steps[at].tool != "eval_js") ++at;
  return at;
}

void mark_retried(std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& failed = steps[i];
    if (failed.ok || failed.kind == StepKind::read) continue;
    // Whatever was tried in between: the same thing to the same element, later and with success.
    for (std::size_t k = i + 1; k < steps.size() && !failed.retried; ++k)
      failed.retried = steps[k].ok && steps[k].tool == failed.tool && same_target(steps[k], failed) &&
                       (failed.kind == StepKind::action || steps[k].arguments == failed.arguments);
  }
}

/// True when `now` makes `later` superfluous, or the other way round; then `later` is what stays.
bool supersedes(const Step& now, const Step& later) {
  if (!now.ok || !later.ok || now.tool != later.tool || now.spans != later.spans || !same_target(now, later))
    return false;
  if (now.tool == "fill") return !leaves_traces(now);
  return now.kind == StepKind::assertion && now.arguments == later.arguments;
}

}  // namespace

Flow normalise(Flow flow) {
  mark_retried(flow.steps);

  std::vector<bool> dropped(flow.steps.size(), false);
  for (std::size_t i = 0; i < flow.steps.size(); ++i) {
    const std::size_t later = next_doing(flow.steps, i + 1);
    if (later < flow.steps.size() && flow.steps[i].kind != StepKind::read)
      dropped[i] = supersedes(flow.steps[i], flow.steps[later]);
  }
  // The viewport set before anything was shown.
  for (std::size_t i = 0; i < flow.steps.size() && flow.start_url.empty(); ++i) {
    const Step& step = flow.steps[i];
    if (step.kind == StepKind::read) continue;
    if (step.tool != "set_viewport" || !step.ok) break;
    flow.viewport = Viewport{static_cast<int>(json_int(step.arguments, "width")),
                             static_cast<int>(json_int(step.arguments, "height"))};
    dropped[i] = true;
  }

  std::vector<std::size_t> moved(flow.steps.size());
  std::vector<Step> kept;
  for (std::size_t i = 0; i < flow.steps.size(); ++i) {
    moved[i] = kept.size();
    if (!dropped[i]) kept.push_back(std::move(flow.steps[i]));
  }
  flow.steps = std::move(kept);
  for (auto& page : flow.pages)
    if (page.opened_by) page.opened_by = moved[*page.opened_by];
  return flow;
}

}  // namespace browx::codegen
