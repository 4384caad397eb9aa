#include "capture/drive/settle.hpp"

#include <algorithm>

namespace browx::capture {

std::optional<SteadyClock::time_point> settle_until(const Unrest& unrest, SteadyClock::time_point since,
                                                    SteadyClock::time_point now, Deadline deadline,
                                                    const SettleCaps& caps) {
  if (unrest.dialog_open || now >= deadline.at()) return std::nullopt;
  std::optional<SteadyClock::time_point> until;
  const auto wait = [&](bool cause, SteadyClock::time_point to) {
    to = std::min(to, deadline.at());
    if (cause && now < to) until = until ? std::max(*until, to) : to;
  };
  wait(unrest.navigation_started, deadline.at());
  wait(unrest.navigation_requested, since + caps.navigation_request);
  wait(unrest.pending_requests > 0, since + caps.requests);
  // A page that never stops asking always has a body on its way: the cap is theirs too.
  if (unrest.bodies_until) wait(true, std::min(*unrest.bodies_until, since + caps.requests));
  wait(unrest.tab_expected, since + caps.tab);
  wait(unrest.download_running, since + caps.download);
  return until;
}

}  // namespace browx::capture
