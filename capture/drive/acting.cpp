#include "capture/drive/acting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "capture/drive/delta.hpp"
#include "capture/drive/failure.hpp"
#include "capture/drive/resolve.hpp"
#include "capture/drive/settle.hpp"
#include "capture/drive/target.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;

/// How long the page may keep changing after the action before it is read as it is.
constexpr milliseconds kQuietWait{200};

Task<Json> page(std::shared_ptr<Frame> frame, std::string function, Json argument, Deadline deadline) {
  co_return co_await frame->page(std::move(function), std::move(argument), deadline);
}

/// Kept back from the verb: a tenth of the time, at most 300 ms.
Deadline verb_deadline(Deadline deadline) {
  const auto left = deadline.left();
  return Deadline(deadline.at() - std::min(left / 10, milliseconds(300)));
}

Json dialog_json(const Dialog& dialog) {
  Json out = {{"type", dialog.type}, {"message", dialog.message}, {"accepted", dialog.accepted}};
  if (dialog.type == "prompt") out["defaultPrompt"] = dialog.default_prompt;
  if (!dialog.answer.empty()) out["answer"] = dialog.answer;
  if (dialog.open) out["open"] = true;
  return out;
}

bool any_open(const std::vector<Dialog>& dialogs) {
  return std::any_of(dialogs.begin(), dialogs.end(), [](const Dialog& d) { return d.open; });
}

std::string dialogs_text(const std::vector<Dialog>& dialogs) {
  std::string text;
  for (const auto& d : dialogs) {
    const char* fate = d.open ? "is still open" : d.accepted ? "was accepted" : "was dismissed";
    text += fmt::format("{}{} \"{}\" {}", text.empty() ? "" : ", ", d.type, d.message, fate);
  }
  return text;
}

void fail(ActionResult& result, const Error& error) {
  result.ok = false;
  result.error = error.what;
  result.failure = failure_of(error);
  result.code = result.failure->kind;
}

/// What the page's counters told, summed over frames. Answers since actionBegin are cumulative per frame.
struct Seen {
  int appeared = 0, removed = 0;
  std::vector<std::pair<std::shared_ptr<Frame>, Json>> rows;
  Json element;
  bool left = false;  ///< a watched document was left
};

Task<Seen> read_counters(Acting& a, bool keep, Deadline deadline) {
  std::vector<Running<Json>> running;
  for (const auto& frame : a.watched) {
    Json argument = {{"quietFrames", a.quiet_frames},
                     {"waitMs", std::min(kQuietWait, deadline.left()).count()}};
    if (a.element && a.element->element && a.element->frame == frame) argument["id"] = a.element->element;
    if (keep) argument["keep"] = true;
    running.push_back(
        Running<Json>::start(a.session.executor(), page(frame, "actionEnd", std::move(argument), deadline)));
  }
  Seen seen;
  for (std::size_t i = 0; i < running.size(); ++i) {
    auto told = co_await running[i].get(deadline);
    if (!told) {
      if (told.error().code == Code::timeout) co_return std::move(told).error();
      seen.left = true;
      continue;
    }
    seen.appeared += static_cast<int>(json_int(*told, "appeared"));
    seen.removed += static_cast<int>(json_int(*told, "removed"));
    if (const Json& rows = json_member(*told, "rows"); rows.is_array() && !rows.empty())
      seen.rows.emplace_back(a.watched[i], rows);
    if (const Json& element = json_member(*told, "element"); element.is_object()) seen.element = element;
  }
  co_return seen;
}

bool refused_to_leave(const std::vector<Dialog>& dialogs) {
  return std::any_of(dialogs.begin(), dialogs.end(),
                     [](const Dialog& d) { return d.type == "beforeunload" && !d.open && !d.accepted; });
}

Unrest unrest_of(Acting& a, std::int64_t generation_before) {
  Unrest u;
  const auto dialogs = a.tab.pending_dialogs();
  if (refused_to_leave(dialogs)) a.window.stay();
  const bool arrived = a.tab.main_frame().generation() != generation_before;
  u.dialog_open = any_open(dialogs);
  u.navigation_requested = a.window.leaving() == Leaving::requested && !arrived;
  u.navigation_started =
      (a.window.leaving() == Leaving::started && !arrived) || (arrived && a.tab.ready_state() != "complete");
  u.pending_requests = a.window.pending_requests();
  u.bodies_until = a.window.bodies_until();
  u.tab_expected = a.window.tab_expected();
  u.download_running = a.window.download_running();
  return u;
}

/// `later` as the continuation of `before`, whose counters were taken down.
Seen joined(Seen before, Seen later) {
  later.appeared += before.appeared;
  later.removed += before.removed;
  later.rows.insert(later.rows.begin(), std::make_move_iterator(before.rows.begin()),
                    std::make_move_iterator(before.rows.end()));
  if (later.element.is_null())
    later.element = std::move(before.element);
  else if (before.element.is_object() && before.element.contains("hit"))
    later.element["hit"] = before.element["hit"];
  return later;
}

/// Waits for what the action set going. Answers what the counters say at the end.
Task<Seen> settle(Acting& a, std::int64_t generation_before) {
  const Deadline deadline = a.deadline;
  const auto since = SteadyClock::now();
  Seen seen, before;  // `before`: of counters that were taken down too early
  bool kept = false;
  for (;;) {
    if (a.tab.closed() || a.tab.crashed()) break;
    Unrest unrest = unrest_of(a, generation_before);
    const bool arrived = a.tab.main_frame().generation() != generation_before;
    if (!a.watched.empty() && !unrest.dialog_open && !arrived && !seen.left) {
      kept = unrest.pending_requests > 0 || unrest.bodies_until || unrest.navigation_started ||
             unrest.navigation_requested;
      auto told = co_await read_counters(a, kept, deadline);
      if (!told) co_return std::move(told).error();
      seen = joined(before, *std::move(told));
      if (!kept) a.watched.clear();
      if (a.tab.closed() || a.tab.crashed()) break;
      unrest = unrest_of(a, generation_before);
    }
    const auto until = settle_until(unrest, since, SteadyClock::now(), deadline);
    if (!until) break;
    // The counters were closed before this cause was known: count on.
    const bool requests = unrest.pending_requests > 0 || unrest.bodies_until;
    const bool leaving = unrest.navigation_started || unrest.navigation_requested;
    if (a.watched.empty() && !arrived && !seen.left && a.element && requests && !leaving) {
      before = seen;
      watch(a);
      auto again = co_await watching(a);
      if (!again && again.error().code == Code::timeout) co_return std::move(again).error();
      if (!again) seen.left = true;
      continue;  // the cause may have ended meanwhile, and nothing would wake us
    }
    co_await a.tab.changed().wait(Deadline(*until));
  }
  if (kept && !a.watched.empty() && !seen.left && !a.tab.closed() && !a.tab.crashed() &&
      a.tab.main_frame().generation() == generation_before && !any_open(a.tab.pending_dialogs())) {
    auto told = co_await read_counters(a, false, a.options.deadline);
    if (told && !told->left) seen = joined(before, *std::move(told));
  }
  a.watched.clear();
  co_return seen;
}

Json element_json(Acting& a, const Json& seen, bool left) {
  if (!a.element && a.facts.empty()) return nullptr;
  Json out = Json::object();
  if (a.element && !a.element->ref.empty()) out["ref"] = a.element->ref;
  if (seen.is_object()) {
    for (const char* key : {"stillAttached", "focused", "value", "displayText", "checked"})
      if (const Json& value = json_member(seen, key); !value.is_null()) out[key] = value;
    for (const char* key : {"ownerControl", "container"}) {
      Json near = json_member(seen, key);
      if (!near.is_object()) continue;
      if (const std::int64_t id = json_int(near, "id"); id > 0)
        near["ref"] = a.session.refs().ref_of(*a.element->frame, id);
      near.erase("id");
      out[key] = std::move(near);
    }
    if (const Json& hit = json_member(seen, "hit"); hit.is_object() && (a.must_press || a.must_click)) {
      const bool arrived = json_int(hit, a.must_click ? "click" : "pointerdown") > 0;
      out["hit"] = Json{{"delivered", arrived}};
      if (const std::string by = json_string(hit, "by"); !by.empty()) out["hit"]["by"] = by;
    }
  } else if (left && a.element && a.element->element) {
    out["stillAttached"] = false;
  }
  out.update(a.facts);
  if (out.size() <= 1 && a.facts.empty() && !seen.is_object() && !left) return nullptr;
  return out;
}

/// A click is not claimed unless the page was seen to receive it.
std::optional<Error> undelivered(const Acting& a, const Json& seen) {
  const Json& hit = json_member(seen, "hit");
  if (!(a.must_press || a.must_click) || !hit.is_object()) return std::nullopt;
  const auto presses = json_int(hit, "pointerdown"), clicks = json_int(hit, "click");
  const bool attached = json_bool(seen, "stillAttached", true);
  const std::string by = json_string(hit, "by");
  const std::string& ref = a.element->ref;
  if (presses == 0 && clicks == 0)
    return Error{Code::conflict,
                 "the press did not reach " + ref + (by.empty() ? std::string() : "; it went to " + by),
                 {},
                 "click-not-delivered"};
  if (a.must_click && clicks == 0 && !attached)
    return Error{
        Code::conflict,
        ref + " took the press, but the page took it away before the click: no click was delivered to it",
        {},
        "click-not-delivered"};
  return std::nullopt;
}

Json tabs_json(const Window& window) {
  Json out = Json::array();
  for (const auto& tab : window.new_tabs())
    out.push_back({{"tab", tab->id()}, {"url", tab->url()}, {"title", tab->title()}});
  return out;
}

/// The head of the document that an action led to.
asio::awaitable<void> read_arrival(Acting& a) {
  const auto bytes = static_cast<std::size_t>(std::max(0, a.options.max_result_tokens)) * 4;
  a.result.snapshot_delta = Json{{"mode", "navigated"}};
  if (bytes == 0 || any_open(a.tab.pending_dialogs())) co_return;
  auto frame = a.tab.main_frame().shared_from_this();
  Json argument = {{"maxBytes", bytes}};
  auto walked = co_await frame->page("walk", std::move(argument), a.options.deadline);
  if (!walked) {
    a.result.warnings.push_back("the new page could not be read: " + walked.error().what);
    co_return;
  }
  Tree tree = tree_of_rows(json_member(*walked, "rows"), *frame, a.session.refs(), bytes);
  a.result.snapshot_delta["tree"] = std::move(tree.text);
  if (tree.truncated || walked->contains("more")) a.result.snapshot_delta["truncated"] = true;
}

void rows_delta(Acting& a, const Seen& seen) {
  const auto bytes = static_cast<std::size_t>(std::max(0, a.options.max_result_tokens)) * 4;
  std::string text;
  bool truncated = false;
  for (const auto& [frame, rows] : seen.rows) {
    Tree tree = tree_of_rows(rows, *frame, a.session.refs(), bytes - std::min(bytes, text.size()));
    if (!tree.text.empty()) text += (text.empty() ? "" : "\n") + tree.text;
    truncated = truncated || tree.truncated;
  }
  if (seen.rows.empty()) return;
  a.result.snapshot_delta = Json{{"mode", "rows"}, {"tree", text}};
  if (truncated) a.result.snapshot_delta["truncated"] = true;
}

}  // namespace

void watch(Acting& a) {
  a.watched = {a.tab.main_frame().shared_from_this()};
  if (a.element && a.element->element && a.element->frame != a.watched.front())
    a.watched.push_back(a.element->frame);
  a.beginning.clear();
  for (const auto& frame : a.watched) {
    Json argument = Json::object();
    if (a.element && a.element->element && a.element->frame == frame) argument["id"] = a.element->element;
    a.beginning.push_back(Running<Json>::start(a.session.executor(),
                                               page(frame, "actionBegin", std::move(argument), a.deadline)));
  }
}

Task<bool> watching(Acting& a) {
  for (auto& one : a.beginning) {
    auto begun = co_await one.get(a.deadline);
    if (!begun) co_return std::move(begun).error();
  }
  a.beginning.clear();
  co_return true;
}

Task<bool> find_target(Acting& a) {
  if (a.address->coords) {
    auto at = co_await element_at(a.tab, *a.address->coords, a.deadline);
    if (!at) co_return std::move(at).error();
    a.element = *std::move(at);
  } else {
    auto found = co_await resolve_waiting(a.tab, *a.address, a.deadline);
    if (!found) co_return std::move(found).error();
    a.element = *std::move(found);
  }
  auto& warnings = a.result.warnings;
  warnings.insert(warnings.end(), a.element->warnings.begin(), a.element->warnings.end());
  if (!a.element->ref.empty()) a.result.action["ref"] = a.element->ref;
  a.result.target = a.element;
  if (a.options.on_target) co_await a.options.on_target(*a.element);
  watch(a);
  co_return true;
}

Task<ActionResult> run_action(Session& session, Tab& tab, ActionSpec spec, ActionOptions options, Verb verb) {
  const std::shared_ptr<Tab> keep = session.tab(tab.id());
  ActionResult result;
  if (spec.address) result.action = spec.address->json();
  result.action["type"] = spec.type;
  if (spec.value) result.action["value"] = session.secrets().mask(*spec.value);
  if (!keep || tab.closed()) {
    fail(result, Error{Code::gone, fmt::format("tab {} is closed", tab.id()), {}, "tab-closed"});
    co_return result;
  }
  result.navigation.from = result.navigation.to = tab.url();
  if (tab.crashed() && !spec.revives) {
    fail(result, Error{Code::unavailable, fmt::format("tab {} has crashed", tab.id()), {}, "tab-crashed"});
    co_return result;
  }

  tab.set_vocabulary(options.vocabulary);
  const bool raises = session.dialog_mode() == DialogMode::raise && options.vocabulary == Vocabulary::core;

  // Dialogs since the last action: under `raise` their news comes before anything is done.
  const auto late = tab.take_dialogs();
  for (const auto& d : late) result.dialogs.push_back(dialog_json(d));
  if (!late.empty() && raises) {
    fail(result,
         Error{Code::conflict, "since the last action: " + dialogs_text(late) + "; nothing was done now",
               "call again; set_dialog_policy decides how dialogs are answered", "dialog"});
    co_return result;
  }

  Window window(session, tab);
  const std::int64_t navigations = tab.navigations(), generation = tab.main_frame().generation();
  Acting a{session, tab,   options, result, window, spec.address,   verb_deadline(options.deadline),
           {},      false, 1,       false,  false,  Json::object(), {},
           {},      {},    {},      {}};

  std::optional<Error> error;
  auto done = co_await verb(a);
  if (!done) error = std::move(done).error();
  const auto forgive_leaving = [&] {
    if (!error || !a.acted || error->code != Code::gone || error->kind == "ref-gone") return;
    // The document or tab went away under our hands, which is what the input asked for.
    result.warnings.push_back("the page was left while the action was being finished");
    error.reset();
  };
  forgive_leaving();

  Seen seen;
  bool left = false;
  if (a.acted || !error) {
    if (!(error && error->code == Code::timeout)) {
      auto settled = co_await settle(a, generation);
      if (settled) {
        seen = *std::move(settled);
        left = seen.left;
      } else if (!error) {
        error = std::move(settled).error();
      }
    }
  } else if (!a.watched.empty()) {
    // Nothing was done: the counters are only taken down again.
    for (const auto& frame : a.watched) {
      Json argument = {{"quietFrames", 0}, {"waitMs", 1}};
      spawn(session.executor(), [](std::shared_ptr<Frame> f, Json arg, Deadline d) -> asio::awaitable<void> {
        auto ignored = co_await f->page("actionEnd", std::move(arg), d);
        (void)ignored;
      }(frame, std::move(argument), options.deadline));
    }
  }
  if (!error && a.element && seen.element.is_object()) error = undelivered(a, seen.element);
  if (!error && a.must_click && seen.element.is_object() && json_member(seen.element, "hit").is_object() &&
      json_int(json_member(seen.element, "hit"), "click") == 0)
    result.warnings.push_back(a.element->ref + " took the press; no click event was seen to follow");

  if (!error && tab.closed()) {
    // That a page closes itself may be what the action was for; that the browser goes never is.
    Json nothing = Json::object();
    auto standing =
        co_await page(tab.main_frame().shared_from_this(), "ping", std::move(nothing), a.deadline);
    if (!standing && standing.error().kind == "browser-lost") error = std::move(standing).error();
  }

  // A dialog that the policy answers is being answered: its fate belongs to this action.
  const bool answered = session.dialog_mode() != DialogMode::raise || options.vocabulary == Vocabulary::core;
  if (answered) {
    const auto none_open = [&tab] { return tab.closed() || !any_open(tab.pending_dialogs()); };
    const Deadline soon = options.deadline.at_most(milliseconds(500));
    co_await tab.changed().wait_for(none_open, soon);
  }

  if (a.closing && !error && !any_open(tab.pending_dialogs())) {
    auto told = co_await a.closing->get(a.deadline);
    if (told)
      a.take(a, *told);
    else
      error = std::move(told).error();
    forgive_leaving();
  }

  // What came of it.
  const bool arrived = !tab.closed() && tab.main_frame().generation() != generation;
  if (a.navigation) {
    result.navigation = *a.navigation;
  } else {
    result.navigation.to = tab.url();
    result.navigation.changed = tab.navigations() != navigations || arrived;
    if (result.navigation.changed)
      result.navigation.kind = arrived ? "full_load" : tab.last_navigation_kind();
  }
  result.appeared = seen.appeared;
  result.removed = seen.removed;
  result.element = element_json(a, seen.element, left || arrived);
  if (tab.crashed() && (!error || error->kind != "tab-crashed"))
    error = Error{
        Code::unavailable, fmt::format("tab {} crashed during the action", tab.id()), {}, "tab-crashed"};
  if (arrived && !tab.crashed() && !(error && error->code == Code::timeout))
    co_await read_arrival(a);
  else
    rows_delta(a, seen);
  if (arrived && !tab.closed() && tab.ready_state() != "complete")
    result.warnings.push_back("the page was still loading when the time was over");
  co_await window.bodies(options.deadline);
  result.network = window.network();
  result.downloads = window.downloads();
  result.new_tabs = tabs_json(window);
  result.console_errors = window.console_errors();
  result.console_warnings = window.console_warnings();
  result.page_errors = window.page_errors();

  std::vector<Dialog> dialogs;
  if (!tab.closed()) {
    for (auto& d : tab.take_dialogs()) dialogs.push_back(std::move(d));
    for (auto& d : tab.pending_dialogs())
      if (d.open) dialogs.push_back(std::move(d));
  }
  for (const auto& d : dialogs) result.dialogs.push_back(dialog_json(d));
  if (!dialogs.empty() && raises) {
    error = Error{Code::conflict, "a dialog came up: " + dialogs_text(dialogs),
                  "set_dialog_policy decides how dialogs are answered", "dialog"};
  } else if (error && error->kind_or_code() == "dialog-open" && a.acted) {
    error.reset();  // the input was delivered, and the dialog is for the caller to answer
  } else if (error && refused_to_leave(dialogs)) {
    error = Error{Code::conflict, "the page asked whether to leave it, and the dialog policy stayed",
                  "set_dialog_policy accept leaves", "dialog"};
  }
  if (error) fail(result, *error);
  // That a page keeps its user is no fault of the page.
  if (result.failure && refused_to_leave(dialogs)) result.failure->source = "browx";
  co_return result;
}

}  // namespace browx::capture
