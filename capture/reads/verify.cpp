// verify_*: an expectation is judged now and again after every change of the page, until it holds or time is
// over.

#include <algorithm>

#include <fmt/format.h>

#include "capture/drive/frames.hpp"
#include "capture/drive/target.hpp"
#include "capture/reads.hpp"

namespace browx::capture {
namespace {

/// Values that scripts set are no mutation: without one it is looked again after this.
constexpr std::chrono::milliseconds kLookAgain{200};
/// Kept back, so that the verdict is out before the deadline.
constexpr std::chrono::milliseconds kReserve{50};

bool time_over(Deadline deadline) { return deadline.left() <= kReserve; }

/// Waits for a change of the frame's document. A frame that goes away, or shows another document, is a
/// change.
asio::awaitable<void> until_changed(std::shared_ptr<Frame> frame, Deadline deadline) {
  const auto span = std::min(kLookAgain, deadline.left() - kReserve / 2);
  if (span.count() <= 0) co_return;
  const bool attached = frame->attached();
  const std::int64_t generation = frame->generation();
  Json argument = {{"waitMs", span.count()}};
  const Deadline slice = deadline.at_most(span + kReserve);
  auto changed = co_await frame->page("changed", std::move(argument), slice);
  if (changed || frame->attached() != attached || frame->generation() != generation) co_return;
  // The document cannot be asked: on its way out, say. The tab tells what comes next.
  co_await frame->tab().changed().wait(slice);
}

Verdict failed(std::string kind, std::string error, Json expected, Json actual) {
  Verdict verdict;
  verdict.kind = std::move(kind);
  verdict.error = std::move(error);
  verdict.expected = std::move(expected);
  verdict.actual = std::move(actual);
  return verdict;
}

/// A target that cannot be resolved, as a verdict. The page may still bring what is only missing.
Verdict unresolved(const Error& error) {
  Verdict verdict = failed(error.kind_or_code(), error.what, nullptr, nullptr);
  verdict.hint = error.hint;
  return verdict;
}

bool may_still_come(const Error& error) {
  const std::string kind = error.kind_or_code();
  return kind == "element-not-found" || kind == "navigated" || kind == "frame-detached" ||
         kind == "element-gone";
}

/// What keeps the question from being asked at all: dialogs, crashes, a lost browser.
bool is_outside(const Error& error) {
  return error.code == Code::unavailable || error.code == Code::timeout || error.code == Code::cancelled ||
         error.kind == "dialog-open";
}

struct Question {
  Json argument;  ///< of the page function `holds`, without the id
  std::string kind, what;
  Json expected;
};

Task<Element> find(Tab& tab, Address target, Deadline deadline) {
  if (target.coords) {
    auto at = co_await element_at(tab, *target.coords, deadline);
    if (at && !at->element)
      co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
    co_return at;
  }
  co_return co_await resolve(tab, std::move(target), deadline);
}

Task<Verdict> ask(Tab& tab, Address target, Question question, Deadline deadline) {
  // What was seen last, when the page is too slow for one more look.
  std::optional<Verdict> last;
  for (;;) {
    std::shared_ptr<Frame> frame = tab.main_frame().shared_from_this();
    Verdict verdict;
    auto element = co_await find(tab, target, deadline);
    if (!element) {
      const Error& error = element.error();
      if (last && error.code == Code::timeout) co_return *last;
      if (is_outside(error)) co_return error;
      verdict = unresolved(error);
      if (!may_still_come(error)) co_return verdict;
    } else {
      frame = element->frame;
      Json argument = question.argument;
      argument["id"] = element->element;
      auto answer = co_await frame->page("holds", std::move(argument), deadline);
      if (!answer) {
        if (last && answer.error().code == Code::timeout) co_return *last;
        if (is_outside(answer.error())) co_return std::move(answer).error();
        verdict = unresolved(answer.error());
      } else if (json_bool(*answer, "holds")) {
        verdict.ok = true;
        verdict.matched = json_string(*answer, "matched");
        co_return verdict;
      } else {
        const Json actual = json_member(*answer, "actual");
        verdict =
            failed(question.kind,
                   fmt::format("{} {}", element->ref.empty() ? "the element" : element->ref, question.what),
                   question.expected, actual);
        if (actual.is_null()) verdict.hint = "it has none";
        for (const auto& warning : element->warnings)
          verdict.hint += (verdict.hint.empty() ? "" : "; ") + warning;
      }
    }
    if (time_over(deadline)) co_return verdict;
    last = verdict;
    co_await until_changed(frame, deadline);
    if (tab.closed()) co_return Error{Code::gone, "the tab was closed", {}, "tab-closed"};
  }
}

struct Counted {
  std::int64_t total = 0, in_child_frames = 0;
};

/// How many elements of all frames a selector finds, hidden ones included.
Task<Counted> count_all(Session& session, std::shared_ptr<Tab> tab, std::string selector,
                             Deadline deadline) {
  Counted counted;
  const auto frames = tab->frames();
  for (const auto& frame : frames) {
    Json argument = {{"selector", selector}, {"limit", 0}};
    argument["testAttributes"] = session.engine_options().test_attributes;
    auto found = co_await frame->page("query", std::move(argument), deadline);
    if (found) {
      const std::int64_t here = json_int(*found, "total");
      counted.total += here;
      if (frame->parent()) counted.in_child_frames += here;
      continue;
    }
    // A child frame that has just left has nothing to count; without the main frame nothing can be said.
    const bool left = frame->parent() && (!frame->attached() || found.error().code == Code::gone);
    if (!left) co_return std::move(found).error();
  }
  co_return counted;
}

}  // namespace

Task<Verdict> verify_visible(Session&, Tab& tab, Address target, Deadline deadline) {
  Question question{Json{{"kind", "visible"}}, "not-visible", "is not visible", "visible"};
  co_return co_await ask(tab, std::move(target), std::move(question), deadline);
}

Task<Verdict> verify_text(Session&, Tab& tab, Address target, std::string text, bool exact,
                          Deadline deadline) {
  Question question{Json{{"kind", "text"}, {"expected", text}, {"exact", exact}}, "text-mismatch",
                    exact ? "does not read as expected" : "does not contain the text", text};
  co_return co_await ask(tab, std::move(target), std::move(question), deadline);
}

Task<Verdict> verify_value(Session&, Tab& tab, Address target, std::string value, Deadline deadline) {
  Question question{Json{{"kind", "value"}, {"expected", value}}, "value-mismatch", "holds another value",
                    value};
  co_return co_await ask(tab, std::move(target), std::move(question), deadline);
}

Task<Verdict> verify_attribute(Session&, Tab& tab, Address target, std::string attribute,
                               std::optional<std::string> value, Deadline deadline) {
  Question question{Json{{"kind", "attribute"}, {"attribute", attribute}}, "attribute-mismatch", "", nullptr};
  if (value) {
    question.argument["expected"] = *value;
    question.expected = *value;
    question.what = fmt::format("has another value of the attribute {}", attribute);
  } else {
    question.kind = "attribute-missing";
    question.what = fmt::format("has no attribute {}", attribute);
  }
  co_return co_await ask(tab, std::move(target), std::move(question), deadline);
}

Task<Verdict> verify_count(Session& session, Tab& tab, std::optional<std::string> selector,
                           std::optional<std::string> text, int n, Deadline deadline) {
  const std::shared_ptr<Tab> keep = session.tab(tab.id());
  if (!keep || (!selector && !text))
    co_return Error{Code::invalid_argument, "there is nothing to count", "pass selector or text", {}};
  // A text counts where Playwright's getByText finds it: the innermost elements that contain it, whatever its
  // case.
  const std::string query = selector ? *selector : "internal:text=" + dump_json(Json(*text)) + "i";
  std::optional<Verdict> last;
  for (;;) {
    Verdict verdict;
    auto total = co_await count_all(session, keep, query, deadline);
    if (!total) {
      if (last && total.error().code == Code::timeout) co_return *last;
      if (is_outside(total.error())) co_return std::move(total).error();
      verdict = unresolved(total.error());
      if (!may_still_come(total.error())) co_return verdict;
    } else if (total->total == n) {
      verdict.ok = true;
      if (total->in_child_frames > 0) verdict.matched = "frames";
      co_return verdict;
    } else {
      verdict = failed("count-mismatch", fmt::format("{} elements instead of {}", total->total, n), n, total->total);
    }
    if (time_over(deadline)) co_return verdict;
    last = verdict;
    co_await until_changed(tab.main_frame().shared_from_this(), deadline);
    if (keep->closed()) co_return Error{Code::gone, "the tab was closed", {}, "tab-closed"};
  }
}

}  // namespace browx::capture
