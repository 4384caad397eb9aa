// navigate, go_back, go_forward, reload, scroll, wait_for: where the tab and its view are.

#include "capture/drive/acting.hpp"
#include "capture/drive/resolve.hpp"
#include "capture/drive/target.hpp"

namespace browx::capture {
namespace {

/// What is asked of the tab itself; all four end in one Navigation.
Task<Navigation> travel(Tab& tab, std::string verb, std::string url, Deadline deadline) {
  if (verb == "navigate") return tab.navigate(std::move(url), deadline);
  if (verb == "reload") return tab.reload(deadline);
  return tab.history(verb == "go_back" ? -1 : 1, deadline);
}

Task<bool> travel_verb(Acting& a, std::string verb, std::string url) {
  auto navigation = co_await travel(a.tab, std::move(verb), std::move(url), a.deadline);
  if (!navigation) {
    // Refused before anything was done, or begun and not ended: then what there is can still be told.
    a.acted = navigation.error().code != Code::invalid_argument && navigation.error().code != Code::denied;
    co_return std::move(navigation).error();
  }
  a.acted = true;
  a.navigation = *std::move(navigation);
  co_return true;
}

Task<ActionResult> run_travel(Session& session, Tab& tab, std::string verb, std::string url,
                              ActionOptions options) {
  ActionSpec spec{verb, std::nullopt, std::nullopt, true};
  if (!url.empty()) spec.value = url;
  Verb body = [verb, url](Acting& a) { return travel_verb(a, verb, url); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(body));
}

Task<bool> scroll_verb(Acting& a, ScrollOptions scroll) {
  std::shared_ptr<Frame> frame = a.tab.main_frame().shared_from_this();
  Json argument = Json::object();
  if (a.address) {
    BROWX_CO_TRY(co_await find_target(a));
    if (!a.element->element)
      co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
    frame = a.element->frame;
    argument["id"] = a.element->element;
  } else {
    watch(a);
  }
  BROWX_CO_TRY(co_await watching(a));
  a.acted = true;
  const bool into_view = scroll.into_view || (!scroll.to && !scroll.by);
  if (into_view && !a.address)
    co_return Error{Code::invalid_argument, "there is nothing to scroll to", "pass a target, to or by", {}};
  if (into_view) {
    BROWX_CO_TRY(co_await show_frames(*a.element, a.deadline));
    auto moved = co_await frame->page("scrollIntoView", argument, a.deadline);
    if (!moved) co_return std::move(moved).error();
    a.facts["scroll"] = json_member(*moved, "scrolled");
    co_return true;
  }
  if (scroll.to) argument["to"] = *scroll.to;
  if (scroll.by) argument["by"] = Json{{"x", scroll.by->x}, {"y", scroll.by->y}};
  auto moved = co_await frame->page("scroll", std::move(argument), a.deadline);
  if (!moved) co_return std::move(moved).error();
  a.facts["scroll"] = json_member(*moved, "scrolled");
  if (const Json& position = json_member(*moved, "position"); position.is_object())
    a.facts["scroll"]["position"] = position;
  co_return true;
}

/// Looks in every frame, by slices, as frames and documents come and go.
Task<Element> await_visible(Tab& tab, Json what, std::string label, Deadline deadline) {
  for (;;) {
    auto seen = co_await first_visible(tab, what, deadline.at_most(std::chrono::milliseconds(500)));
    if (seen || seen.error().kind_or_code() != "not-visible") co_return seen;
    if (deadline.left() < std::chrono::milliseconds(5))
      co_return Error{Code::not_found, label + " did not become visible in time", {}, "not-visible"};
  }
}

Task<bool> wait_verb(Acting& a, std::optional<std::string> text) {
  watch(a);
  a.acted = true;  // the page may do anything meanwhile, and that is told
  Element seen;
  if (text) {
    Json what = {{"text", *text}};
    auto found = co_await await_visible(a.tab, std::move(what), "the text \"" + *text + "\"", a.deadline);
    if (!found) co_return std::move(found).error();
    seen = *std::move(found);
  } else if (a.address->selector && !a.address->context_ref) {
    Json what = {{"selector", *a.address->selector}};
    auto found = co_await await_visible(a.tab, std::move(what), *a.address->selector, a.deadline);
    if (!found) co_return std::move(found).error();
    seen = *std::move(found);
  } else {
    auto found = co_await resolve_waiting(a.tab, *a.address, a.deadline);
    if (!found) co_return std::move(found).error();
    seen = *std::move(found);
    if (seen.element) {
      const std::int64_t left = a.deadline.left().count();
      Json what = {
          {"id", seen.element}, {"state", "visible"}, {"waitMs", std::max<std::int64_t>(1, left - 10)}};
      auto visible = co_await seen.frame->page("waitFor", std::move(what), a.deadline);
      if (!visible) co_return std::move(visible).error();
      if (!json_bool(*visible, "found"))
        co_return Error{Code::not_found, seen.ref + " did not become visible in time", {}, "not-visible"};
    }
  }
  if (!seen.ref.empty()) a.result.action["ref"] = seen.ref;
  a.result.target = seen;
  if (a.options.on_target) co_await a.options.on_target(seen);
  co_return true;
}

}  // namespace

Task<ActionResult> navigate(Session& session, Tab& tab, std::string url, ActionOptions options) {
  return run_travel(session, tab, "navigate", std::move(url), std::move(options));
}
Task<ActionResult> go_back(Session& session, Tab& tab, ActionOptions options) {
  return run_travel(session, tab, "go_back", {}, std::move(options));
}
Task<ActionResult> go_forward(Session& session, Tab& tab, ActionOptions options) {
  return run_travel(session, tab, "go_forward", {}, std::move(options));
}
Task<ActionResult> reload(Session& session, Tab& tab, ActionOptions options) {
  return run_travel(session, tab, "reload", {}, std::move(options));
}

Task<ActionResult> scroll(Session& session, Tab& tab, std::optional<Address> target, ScrollOptions scroll,
                          ActionOptions options) {
  ActionSpec spec{"scroll", std::move(target), {}};
  Verb verb = [scroll](Acting& a) { return scroll_verb(a, scroll); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

Task<ActionResult> wait_for(Session& session, Tab& tab, std::optional<Address> target,
                            std::optional<std::string> text, ActionOptions options) {
  ActionSpec spec{"wait_for", std::move(target), text};
  Verb verb = [text](Acting& a) { return wait_verb(a, text); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

}  // namespace browx::capture
