#include "base/secrets.hpp"
#include "capture/recording.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {

capture::ActionOptions action_options(Call& call) {
  capture::ActionOptions options{
      .deadline = call.deadline,
      .max_result_tokens = static_cast<int>(call.args.integer("maxResultTokens", 600)),
      .on_target = {}};
  if (call.recording)
    options.on_target = [&call](capture::Element element) { return note_target(&call, std::move(element)); };
  return options;
}

namespace {

/// Exactly the name of a registered secret, as `<NAME>`: it may stand in a recording, and generated code
/// needs it.
bool is_reference(const Secrets& secrets, const Json& typed) {
  if (!typed.is_string()) return false;
  const std::string_view text = typed.get_ref<const std::string&>();
  return text.size() > 2 && text.front() == '<' && text.back() == '>' &&
         !secrets.value(text.substr(1, text.size() - 2)).empty();
}

}  // namespace

void hide_typed_text(Call& call) {
  for (const char* name : {"value", "values", "key", "text"}) {
    const auto typed = call.step.arguments.find(name);
    if (typed == call.step.arguments.end() || is_reference(call.session->secrets(), *typed)) continue;
    // Enter and Tab say nothing of what was typed, and a test has to repeat them.
    const bool key = std::string_view(name) == "key" && typed->is_string();
    if (!key || capture::types_text(typed->get_ref<const std::string&>())) *typed = kMaskedValue;
  }
}

asio::awaitable<void> note_target(Call* call, capture::Element element) {
  if (!call->recording) co_return;
  call->step.element = element;
  if (element.element == 0) co_return;
  auto located = co_await call->recording->locate_step(call->step_token, element, call->deadline);
  if (!located)
    call->warnings.push_back("The recording has no locators for this step: " + located.error().message());
  const bool types = call->step.arguments.contains("value") || call->step.arguments.contains("values") ||
                     call->step.arguments.contains("key") || call->step.arguments.contains("text");
  if (!types) co_return;
  Json argument = {{"id", element.element}};
  auto described = co_await element.frame->page("describe", std::move(argument), call->deadline);
  // What cannot be told is treated as sensitive.
  if (!described || json_bool(*described, "sensitive")) hide_typed_text(*call);
}

asio::awaitable<void> note_address(Call* call, std::optional<capture::Address> address) {
  if (!call->recording || !address) co_return;
  auto element = co_await capture::resolve(*call->tab, *address, call->deadline);
  if (element) co_await note_target(call, *std::move(element));
}

Answer acted(Call& call, capture::ActionResult result) {
  Answer answer;
  answer.object = result.json();
  answer.object["ok"] = result.ok;
  if (!call.recording) return answer;
  if (!call.step.element) call.step.element = result.target;
  for (const char* name : {"navigation", "structure", "element", "dialogs", "downloads", "failure"})
    if (answer.object.contains(name)) call.step.result[name] = answer.object[name];
  Json& arguments = call.step.arguments;
  const Json& typed = json_member(json_member(answer.object, "action"), "value");
  const bool masked = typed.is_string() && typed.get<std::string>() == kMaskedValue;
  // A field that was never found may have been a password's: what would have been typed is not kept.
  const bool unseen = !result.ok && !call.step.element && arguments.contains("value");
  if (masked || unseen) hide_typed_text(call);
  return answer;
}

std::string with_secrets(const Call& call, const std::string& value) {
  return call.session->secrets().substitute(value);
}

}  // namespace browx::mcp::core
