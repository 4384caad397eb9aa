#include "base/secrets.hpp"
#include "capture/reads.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

Result<Answer> judged(Call& call, Result<capture::Verdict> verdict) {
  if (!verdict) return std::move(verdict).error();
  if (verdict->ok) {
    if (!verdict->matched.empty()) call.step.result["matched"] = verdict->matched;
    return succeed();
  }
  Json failure = {{"source", verdict->source}, {"kind", verdict->kind}};
  if (!verdict->expected.is_null()) failure["expected"] = verdict->expected;
  if (!verdict->actual.is_null()) failure["actual"] = verdict->actual;
  if (!verdict->hint.empty()) failure["hint"] = verdict->hint;
  call.step.result["failure"] = failure;
  // The arguments were hidden: what was expected of a sensitive field is as telling as its value.
  for (const char* name : {"value", "text"})
    if (json_string(call.step.arguments, name) == kMaskedValue && failure.contains("expected"))
      call.step.result["failure"]["expected"] = kMaskedValue;
  Answer answer;
  answer.object = {{"ok", false}, {"error", verdict->error}, {"code", verdict->kind}, {"failure", failure}};
  return answer;
}

}  // namespace

Task<Answer> verify_visible(Call& call) {
  auto target = read_target(call.args);
  co_await note_address(&call, target);
  auto verdict =
      co_await capture::verify_visible(*call.session, *call.tab, *std::move(target), call.deadline);
  co_return judged(call, std::move(verdict));
}

Task<Answer> verify_text(Call& call) {
  auto target = read_target(call.args);
  co_await note_address(&call, target);
  std::string text = with_secrets(call, call.args.text("text"));
  const bool exact = call.args.flag("exact");
  auto verdict = co_await capture::verify_text(*call.session, *call.tab, *std::move(target), std::move(text),
                                               exact, call.deadline);
  co_return judged(call, std::move(verdict));
}

Task<Answer> verify_value(Call& call) {
  auto target = read_target(call.args);
  co_await note_address(&call, target);
  std::string value = with_secrets(call, call.args.text("value"));
  auto verdict = co_await capture::verify_value(*call.session, *call.tab, *std::move(target),
                                                std::move(value), call.deadline);
  co_return judged(call, std::move(verdict));
}

Task<Answer> verify_count(Call& call) {
  std::optional<std::string> selector = call.args.optional_text("selector"),
                             text = call.args.optional_text("text");
  const int n = static_cast<int>(call.args.integer("n"));
  auto verdict = co_await capture::verify_count(*call.session, *call.tab, std::move(selector),
                                                std::move(text), n, call.deadline);
  co_return judged(call, std::move(verdict));
}

Task<Answer> verify_attribute(Call& call) {
  auto target = read_target(call.args);
  co_await note_address(&call, target);
  std::string attribute = call.args.text("attr");
  std::optional<std::string> value = call.args.optional_text("value");
  auto verdict = co_await capture::verify_attribute(*call.session, *call.tab, *std::move(target),
                                                    std::move(attribute), std::move(value), call.deadline);
  co_return judged(call, std::move(verdict));
}

}  // namespace browx::mcp::core
