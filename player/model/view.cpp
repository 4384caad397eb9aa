#include "player/model/view.hpp"

#include <algorithm>
#include <cmath>

namespace browx::player {

const char* panel_name(Panel panel) {
  switch (panel) {
    case Panel::steps:
      return "steps";
    case Panel::coverage:
      return "coverage";
    case Panel::network:
      return "network";
    case Panel::console:
      return "console";
    case Panel::gaps:
      return "gaps";
    case Panel::session:
      return "session";
  }
  return "steps";
}

std::optional<Panel> panel_of(std::string_view name) {
  for (const Panel panel : kPanels)
    if (name == panel_name(panel)) return panel;
  return std::nullopt;
}

std::string panel_names() {
  std::string out;
  for (const Panel panel : kPanels) out += (out.empty() ? "" : ", ") + std::string(panel_name(panel));
  return out;
}

View::View(Session session)
    : viewport(session.first, session.end, 1000), session_(std::move(session)), t_(session_.first) {
  move_to(t_);
}

void View::move_to(Time t) {
  t_ = std::clamp(t, session_.first, std::max(session_.first, session_.end));
  step_ = session_.step_at(t_);
}

void View::step_moments(int count) {
  const auto& moments = session_.moments;
  for (; count > 0; --count) {
    const auto next = std::upper_bound(moments.begin(), moments.end(), t_);
    if (next == moments.end()) break;
    move_to(*next);
  }
  for (; count < 0; ++count) {
    const auto at = std::lower_bound(moments.begin(), moments.end(), t_);
    if (at == moments.begin()) break;
    move_to(*std::prev(at));
  }
  viewport.reveal(t_);
}

bool View::step_failures(int direction) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < session_.steps.size(); ++i) {
    const auto& step = session_.steps[i];
    if (step.ok || (direction > 0 ? step.t <= t_ : step.t >= t_)) continue;
    if (!found || (direction > 0 ? step.t < session_.steps[*found].t : step.t > session_.steps[*found].t))
      found = i;
  }
  if (found) select_step(*found);
  return found.has_value();
}

void View::select_step(std::size_t index) {
  if (index >= session_.steps.size()) return;
  move_to(session_.steps[index].t);
  step_ = index;
  request_.reset();
  viewport.reveal(t_);
}

void View::select_request(std::size_t index) {
  if (index >= session_.requests.size()) return;
  move_to(session_.requests[index].t);
  request_ = index;
  viewport.reveal(t_);
}

void View::select_criterion(std::size_t index) {
  if (index >= session_.coverage.criteria.size()) return;
  criterion_ = index;
  const auto& criterion = session_.coverage.criteria[index];
  if (criterion.spans.empty()) return;
  const auto& span = session_.coverage.spans[criterion.spans.front()];
  move_to(span.from);
  if (!viewport.fitted()) {
    const Time to = span.to.value_or(session_.end);
    const std::int64_t margin = (to.us - span.from.us) / 20;
    viewport.show({span.from.us - margin}, {to.us + margin});
  }
}

void View::toggle_play() {
  // Played to the end, it begins again.
  if (!playing_ && t_ >= session_.end) move_to(session_.first);
  playing_ = !playing_ && session_.end > session_.first;
  carried_us_ = 0;
}

void View::advance(double seconds) {
  if (!playing_ || !(seconds > 0)) return;
  carried_us_ += seconds * 1e6 * speed_;
  const double whole = std::floor(carried_us_);
  carried_us_ -= whole;
  move_to({t_.us + static_cast<std::int64_t>(whole)});
  viewport.reveal(t_);
  if (t_ >= session_.end) playing_ = false;
}

void View::reload(Session session) {
  const bool at_end = t_ >= session_.end;
  const auto request = request_, criterion = criterion_;
  session_ = std::move(session);
  viewport.limit(session_.first, session_.end);
  move_to(at_end ? session_.end : t_);
  if (request && *request >= session_.requests.size()) request_.reset();
  if (criterion && *criterion >= session_.coverage.criteria.size()) criterion_.reset();
}

}  // namespace browx::player
