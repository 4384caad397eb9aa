#pragma once
// The handlers of the core dialect, and what several of them share. Only for mcp/tools/core.

#include "mcp/tool.hpp"

namespace browx::mcp::core {

Task<Answer> open_session(Call& call);
Task<Answer> close_session(Call& call);
Task<Answer> list_sessions(Call& call);
Task<Answer> set_viewport(Call& call);
Task<Answer> set_dialog_policy(Call& call);

Task<Answer> navigate(Call& call);
Task<Answer> go_back(Call& call);
Task<Answer> go_forward(Call& call);
Task<Answer> reload(Call& call);

Task<Answer> click(Call& call);
Task<Answer> fill(Call& call);
Task<Answer> press(Call& call);
Task<Answer> hover(Call& call);
Task<Answer> select(Call& call);
Task<Answer> scroll(Call& call);
Task<Answer> wait_for(Call& call);

Task<Answer> snapshot(Call& call);
Task<Answer> screenshot(Call& call);
Task<Answer> console_read(Call& call);
Task<Answer> network_read(Call& call);

Task<Answer> verify_visible(Call& call);
Task<Answer> verify_text(Call& call);
Task<Answer> verify_value(Call& call);
Task<Answer> verify_count(Call& call);
Task<Answer> verify_attribute(Call& call);

Task<Answer> start_recording(Call& call);
Task<Answer> record_annotate(Call& call);
Task<Answer> end_recording(Call& call);

Task<Answer> generate_locator(Call& call);
Task<Answer> export_playwright_script(Call& call);

Task<Answer> register_secret(Call& call);
Task<Answer> eval_js(Call& call);
Task<Answer> batch(Call& call);

// What the schemas cannot say.
std::optional<Misfit> check_target_given(const Arguments& arguments);
std::optional<Misfit> check_target_optional(const Arguments& arguments);
std::optional<Misfit> check_scroll(const Arguments& arguments);
std::optional<Misfit> check_wait_for(const Arguments& arguments);
std::optional<Misfit> check_screenshot(const Arguments& arguments);
std::optional<Misfit> check_verify_count(const Arguments& arguments);
std::optional<Misfit> check_dialog_policy(const Arguments& arguments);
std::optional<Misfit> check_open_session(const Arguments& arguments);
std::optional<Misfit> check_annotation(const Arguments& arguments);

/// Deadline and bounds of an acting call; the resolved target goes to the recording before it is touched.
capture::ActionOptions action_options(Call& call);
/// The answer of an acting call; what the recording keeps of it goes to call.step.
Answer acted(Call& call, capture::ActionResult result);
/// Counts the locators of `element` for the step that is being recorded, and hides what would be typed into
/// it from the recording when the field is sensitive. Does nothing when the call is not recorded.
asio::awaitable<void> note_target(Call* call, capture::Element element);
/// Resolves the target of a call that does not act and hands it to note_target(); a target that cannot be
/// resolved is left to the call itself.
asio::awaitable<void> note_address(Call* call, std::optional<capture::Address> address);
/// Hides typed text from the recorded step; what is the bare `<NAME>` of a registered secret stays.
void hide_typed_text(Call& call);
/// `value` with references to secrets replaced.
std::string with_secrets(const Call& call, const std::string& value);

}  // namespace browx::mcp::core
