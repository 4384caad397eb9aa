#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

/// A value that was given as `<NAME>` is shown so, whatever its length: masking at the way out knows long
/// values only.
void show_reference(Answer& answer, const std::string& given, const std::string& typed) {
  if (given == typed) return;
  if (answer.object.contains("action") && answer.object["action"].contains("value"))
    answer.object["action"]["value"] = given;
  if (!answer.object.contains("element")) return;
  Json& element = answer.object["element"];
  for (const char* name : {"value", "valueRequested", "displayText"})
    if (json_string(element, name) == typed) element[name] = given;
}

}  // namespace

Task<Answer> click(Call& call) {
  auto target = read_target(call.args);
  capture::ClickOptions options;
  options.button = call.args.text("button", "left");
  options.count = static_cast<int>(call.args.integer("clickCount", 1));
  options.modifiers = call.args.texts("modifiers");
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::click(*call.session, *call.tab, *std::move(target), std::move(options),
                                        std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> hover(Call& call) {
  auto target = read_target(call.args);
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::hover(*call.session, *call.tab, *std::move(target), std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> fill(Call& call) {
  auto target = read_target(call.args);
  const std::string given = call.args.text("value");
  const std::string typed = with_secrets(call, given);
  capture::ActionOptions bounds = action_options(call);
  auto result =
      co_await capture::fill(*call.session, *call.tab, *std::move(target), typed, std::move(bounds));
  if (!result) co_return std::move(result).error();
  Answer answer = acted(call, *std::move(result));
  show_reference(answer, given, typed);
  if (call.step.result.contains("element") && given != typed)
    call.step.result["element"] = answer.object["element"];
  co_return answer;
}

Task<Answer> press(Call& call) {
  auto target = read_target(call.args);
  const std::string given = call.args.text("key");
  const std::string typed = with_secrets(call, given);
  capture::ActionOptions bounds = action_options(call);
  auto result =
      co_await capture::press(*call.session, *call.tab, std::move(target), typed, std::move(bounds));
  if (!result) co_return std::move(result).error();
  Answer answer = acted(call, *std::move(result));
  show_reference(answer, given, typed);
  co_return answer;
}

Task<Answer> select(Call& call) {
  auto target = read_target(call.args);
  std::vector<std::string> values = call.args.texts("values");
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::select_options(*call.session, *call.tab, *std::move(target),
                                                 std::move(values), std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> scroll(Call& call) {
  auto target = read_target(call.args);
  capture::ScrollOptions options;
  options.to = call.args.optional_text("to");
  if (call.args.has("by")) {
    const Arguments by = call.args.object("by");
    options.by = capture::Point{by.number("x"), by.number("y")};
  }
  options.into_view = call.args.flag("intoView");
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::scroll(*call.session, *call.tab, std::move(target), std::move(options),
                                         std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> wait_for(Call& call) {
  auto target = read_target(call.args);
  std::optional<std::string> text = call.args.optional_text("text");
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::wait_for(*call.session, *call.tab, std::move(target), std::move(text),
                                           std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

}  // namespace browx::mcp::core
