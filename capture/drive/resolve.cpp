#include "capture/drive/resolve.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "capture/drive/frames.hpp"
#include "capture/drive/running.hpp"
#include "capture/session.hpp"

namespace browx::capture {
namespace {

/// A frame that does not answer delays the others' search no longer than this.
constexpr std::chrono::milliseconds kChildFrameWait{1000};
/// How many matches a frame names; all are counted.
constexpr int kNamedMatches = 20;
constexpr int kEveryMatch = 1'000'000;

std::shared_ptr<Tab> shared(Tab& tab) { return tab.session().tab(tab.id()); }

Task<Json> page(std::shared_ptr<Frame> frame, std::string function, Json argument, Deadline deadline) {
  co_return co_await frame->page(std::move(function), std::move(argument), deadline);
}

struct Match {
  std::shared_ptr<Frame> frame;
  std::int64_t element = 0;
  bool visible = false;
};
struct Matches {
  std::vector<Match> named;  // document order, at most `limit` a frame
  std::int64_t total = 0, hidden = 0;
  std::vector<std::string> warnings;
};

/// Where a selector is looked for: one frame under one element, or every frame.
struct Scope {
  std::vector<std::shared_ptr<Frame>> frames;
  std::int64_t root = 0;
};

Task<Element> resolve_ref(Tab& tab, std::string ref, Deadline deadline) {
  Session& session = tab.session();
  auto handle = session.refs().find(ref);
  if (!handle) co_return std::move(handle).error();
  Element element;
  element.frame = handle->frame.lock();
  element.element = handle->element;
  element.ref = ref;
  if (!element.frame || !element.frame->attached() || element.frame->generation() != handle->generation)
    co_return Error{Code::gone, ref + " is gone: navigated, its document has been left",
                    "take a new snapshot", "ref-gone"};
  if (element.frame->tab().id() != tab.id())
    co_return Error{
        Code::not_found,
        fmt::format("{} belongs to tab {}, not to tab {}", ref, element.frame->tab().id(), tab.id()),
        "pass that tab, or take a snapshot of this one", "ref-not-found"};
  BROWX_CO_TRY(co_await check_alive(tab, element, deadline));
  co_return element;
}

Task<Scope> scope_of(Tab& tab, std::optional<std::string> context_ref, Deadline deadline) {
  Scope scope;
  if (!context_ref) {
    std::shared_ptr<Tab> keep = shared(tab);
    if (!keep) co_return Error{Code::gone, "the tab was closed", {}, "tab-closed"};
    scope.frames = co_await frames_in_document_order(keep, deadline.at_most(kChildFrameWait));
    co_return scope;
  }
  auto context = co_await resolve_ref(tab, *context_ref, deadline);
  if (!context) co_return std::move(context).error();
  scope.frames.push_back(context->frame);
  scope.root = context->element;
  co_return scope;
}

/// Takes a last `>> nth=N` off the selector: over several frames it counts in all of them together.
std::optional<int> take_nth(std::string& selector) {
  static const std::regex last(R"(^([\s\S]*\S)\s*>>\s*nth=(-?\d{1,6})\s*$)");
  std::smatch parts;
  if (!std::regex_match(selector, parts, last)) return std::nullopt;
  const int nth = std::stoi(parts[2]);
  const std::string rest = parts[1];
  selector = rest;
  return nth;
}

/// Only the nth of all matches, counted from the end when negative.
void keep_nth(Matches& matches, int nth) {
  const auto size = static_cast<std::int64_t>(matches.named.size());
  const std::int64_t index = nth < 0 ? size + nth : nth;
  std::vector<Match> kept;
  if (index >= 0 && index < size) kept.push_back(std::move(matches.named[static_cast<std::size_t>(index)]));
  matches.named = std::move(kept);
  matches.total = static_cast<std::int64_t>(matches.named.size());
  matches.hidden = matches.total == 1 && !matches.named.front().visible ? 1 : 0;
}

Task<Matches> search(Tab& tab, Scope scope, std::string selector, int limit, Deadline deadline) {
  Session& session = tab.session();
  std::optional<int> nth;
  if (scope.frames.size() > 1) nth = take_nth(selector);
  if (nth) limit = *nth < 0 ? kEveryMatch : std::max(limit, *nth + 1);
  Json argument = {{"selector", selector}, {"limit", limit}};
  if (scope.root) argument["root"] = scope.root;
  argument["testAttributes"] = session.engine_options().test_attributes;
  std::vector<Running<Json>> running;
  for (const auto& frame : scope.frames) {
    const bool outer = !frame->parent();
    running.push_back(Running<Json>::start(
        session.executor(),
        page(frame, "query", argument, outer ? deadline : deadline.at_most(kChildFrameWait))));
  }
  Matches out;
  for (std::size_t i = 0; i < running.size(); ++i) {
    auto found = co_await running[i].get(deadline);
    const auto& frame = scope.frames[i];
    if (!found) {
      const std::string kind = found.error().kind_or_code();
      // A wrong selector is wrong everywhere, and without the main frame nothing can be said; a child frame
      // that has just left took its elements with it.
      if (kind == "invalid-selector" || !frame->parent() || scope.root) co_return std::move(found).error();
      if (frame->attached() && kind != "navigated" && kind != "frame-detached" && kind != "target-gone")
        out.warnings.push_back(
            fmt::format("frame {} ({}) was not searched: {}", frame->id(), frame->url(), found.error().what));
      continue;
    }
    const Json& ids = json_member(*found, "ids");
    const Json& visible = json_member(*found, "visible");
    for (std::size_t n = 0; n < ids.size(); ++n)
      out.named.push_back({frame, ids[n].get<std::int64_t>(),
                           n < visible.size() && visible[n].is_boolean() && visible[n].get<bool>()});
    out.total += json_int(*found, "total", static_cast<std::int64_t>(ids.size()));
    out.hidden += json_int(*found, "hidden");
  }
  if (nth) keep_nth(out, *nth);
  co_return out;
}

Error ambiguous(Session& session, const std::string& selector, const Matches& matches) {
  std::string first;
  int shown = 0;
  for (const auto& m : matches.named) {
    if (!m.visible && matches.total != matches.hidden) continue;
    if (shown++ == 5) break;
    first += (first.empty() ? "" : ", ") + session.refs().ref_of(*m.frame, m.element);
  }
  const std::int64_t visible = matches.total - matches.hidden;
  std::string text = fmt::format("{} matches {} elements", selector, visible > 0 ? visible : matches.total);
  if (visible > 0 && matches.hidden > 0) text += fmt::format(" ({} more hidden)", matches.hidden);
  text += ": " + first + (shown > 5 ? ", …" : "");
  return {Code::conflict, text, "name one of them by ref, or narrow the selector (>> nth=0, contextRef)",
          "ambiguous"};
}

Task<Element> resolve_selector(Tab& tab, Address address, Deadline deadline) {
  auto scope = co_await scope_of(tab, address.context_ref, deadline);
  if (!scope) co_return std::move(scope).error();
  Session& session = tab.session();
  auto matches = co_await search(tab, *std::move(scope), *address.selector, kNamedMatches, deadline);
  if (!matches) co_return std::move(matches).error();
  if (matches->total == 0) {
    Error none{Code::not_found, "no element matches " + *address.selector, {}, "element-not-found"};
    for (const auto& w : matches->warnings) none.what += "; " + w;
    co_return none;
  }
  const std::int64_t visible = matches->total - matches->hidden;
  if (visible > 1 || (visible == 0 && matches->total > 1))
    co_return ambiguous(session, *address.selector, *matches);
  const Match* one = nullptr;
  for (const auto& m : matches->named)
    if (m.visible || visible == 0) {
      one = &m;
      break;
    }
  if (!one) {  // the visible one stands behind more hidden ones than were named
    auto again = co_await resolve_all(tab, *address.selector, address.context_ref, false, 2, deadline);
    if (!again) co_return std::move(again).error();
    if (again->size() != 1) co_return ambiguous(session, *address.selector, *matches);
    co_return std::move(again->front());
  }
  Element element;
  element.frame = one->frame;
  element.element = one->element;
  element.ref = session.refs().ref_of(*one->frame, one->element);
  element.warnings = std::move(matches->warnings);
  co_return element;
}

}  // namespace

std::string address_text(const Address& address) {
  if (address.ref) return *address.ref;
  if (address.selector) return *address.selector;
  if (address.named) return "\"" + *address.named + "\"";
  if (address.coords) return fmt::format("the point {},{}", address.coords->x, address.coords->y);
  return "the page";
}

Task<bool> check_alive(Tab& tab, Element& element, Deadline deadline) {
  Json argument = {{"id", element.element}};
  auto alive = co_await element.frame->page("alive", std::move(argument), deadline);
  if (!alive) {
    const std::string kind = alive.error().kind_or_code();
    if (alive.error().code == Code::gone && (kind == "navigated" || kind == "frame-detached"))
      co_return Error{Code::gone, element.ref + " is gone: navigated, its document has been left",
                      "take a new snapshot", "ref-gone"};
    co_return std::move(alive).error();
  }
  const std::string then = json_string(*alive, "nameThen"), now = json_string(*alive, "nameNow");
  if (json_bool(*alive, "alive")) {
    if (then != now)
      element.warnings.push_back(
          fmt::format("{} read \"{}\" when it was given out and now reads \"{}\"", element.ref, then, now));
    co_return true;
  }
  const std::string label = then.empty() ? element.ref : fmt::format("{} (\"{}\")", element.ref, then);
  if (const std::int64_t twin = json_int(*alive, "twin"); twin != 0) {
    const std::string ref = tab.session().refs().ref_of(*element.frame, twin);
    co_return Error{Code::gone, fmt::format("{} is gone: re-rendered; {} stands in its place", label, ref),
                    "use " + ref + " if that is the one you mean", "ref-gone"};
  }
  const std::string why = json_string(*alive, "why", "removed");
  co_return Error{Code::gone, fmt::format("{} is gone: {}", label, why), "take a new snapshot", "ref-gone"};
}

Task<Element> resolve(Tab& tab, Address address, Deadline deadline) {
  if (address.coords) {
    Element element;
    element.frame = tab.main_frame().shared_from_this();
    element.point = address.coords;
    co_return element;
  }
  if (address.named) {
    auto ref = tab.session().refs().named(*address.named);
    if (!ref) {
      Error error = std::move(ref).error();
      error.kind = "name-not-found";
      co_return error;
    }
    co_return co_await resolve_ref(tab, *std::move(ref), deadline);
  }
  if (address.ref) co_return co_await resolve_ref(tab, *address.ref, deadline);
  if (!address.selector)
    co_return Error{Code::invalid_argument, "no target was given", "pass ref, selector, named or coords", {}};
  co_return co_await resolve_selector(tab, std::move(address), deadline);
}

Task<std::vector<Element>> resolve_all(Tab& tab, std::string selector, std::optional<std::string> context_ref,
                                       bool include_hidden, int limit, Deadline deadline) {
  auto scope = co_await scope_of(tab, std::move(context_ref), deadline);
  if (!scope) co_return std::move(scope).error();
  // Hidden matches take places in a frame's list too: without them, ask for more.
  const int ask = include_hidden ? limit : std::max(limit, 200);
  auto matches = co_await search(tab, *std::move(scope), std::move(selector), ask, deadline);
  if (!matches) co_return std::move(matches).error();
  std::vector<Element> out;
  for (auto& m : matches->named) {
    if (!include_hidden && !m.visible) continue;
    if (static_cast<int>(out.size()) == limit) break;
    Element element;
    element.ref = tab.session().refs().ref_of(*m.frame, m.element);
    element.frame = std::move(m.frame);
    element.element = m.element;
    out.push_back(std::move(element));
  }
  if (!out.empty()) out.front().warnings = std::move(matches->warnings);
  co_return out;
}

Task<Element> first_visible(Tab& tab, Json what, Deadline slice) {
  const Error none{Code::not_found, "it is not visible", {}, "not-visible"};
  std::shared_ptr<Tab> keep = shared(tab);
  if (!keep) co_return Error{Code::gone, "the tab was closed", {}, "tab-closed"};
  what["state"] = "visible";
  what["waitMs"] = std::max<std::int64_t>(1, slice.left().count() - 10);
  what["testAttributes"] = tab.session().engine_options().test_attributes;
  auto ended = std::make_shared<Signal>(tab.session().executor());
  const auto frames = keep->frames();
  std::vector<Running<Json>> running;
  for (const auto& frame : frames)
    running.push_back(
        Running<Json>::start(tab.session().executor(), page(frame, "waitFor", what, slice), ended));
  for (;;) {
    bool all = true;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (!running[i].done()) {
        all = false;
        continue;
      }
      const Result<Json>& answer = *running[i].peek();
      if (!answer) {
        if (answer.error().kind_or_code() == "invalid-selector") co_return answer.error();
        continue;
      }
      if (!json_bool(*answer, "found")) continue;
      Element element;
      element.frame = frames[i];
      element.element = json_int(*answer, "id");
      if (element.element) element.ref = tab.session().refs().ref_of(*element.frame, element.element);
      co_return element;
    }
    if (all) co_return none;
    const bool woken = co_await ended->wait(slice);
    if (!woken) co_return none;
  }
}

Task<Element> resolve_waiting(Tab& tab, Address address, Deadline deadline) {
  std::optional<Error> missing;
  for (;;) {
    auto element = co_await resolve(tab, address, deadline);
    if (element || !address.selector) co_return element;
    const std::string kind = element.error().kind_or_code();
    // A last look that ran out of time does not hide what the looks before it found.
    if (kind == "timeout" && missing) co_return std::move(*missing);
    if (kind == "element-not-found") missing = element.error();
    const bool left = kind == "navigated" && !address.context_ref;  // its document gave way to the next one
    if (!left && kind != "element-not-found") co_return element;
    if (tab.closed() || deadline.left() < std::chrono::milliseconds(20)) co_return element;
    if (left) continue;
    // By slices, because frames come and go meanwhile; woken as soon as one frame has a match.
    Json what = {{"selector", *address.selector}};
    auto seen =
        co_await first_visible(tab, std::move(what), deadline.at_most(std::chrono::milliseconds(500)));
    if (!seen && seen.error().kind_or_code() != "not-visible") co_return element;
  }
}

}  // namespace browx::capture
