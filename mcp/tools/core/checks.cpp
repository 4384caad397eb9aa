#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {

std::optional<Misfit> check_target_given(const Arguments& arguments) {
  return check_target(arguments, TargetUse::required);
}

std::optional<Misfit> check_target_optional(const Arguments& arguments) {
  return check_target(arguments, TargetUse::optional);
}

std::optional<Misfit> check_scroll(const Arguments& arguments) {
  if (auto misfit = check_target(arguments, TargetUse::optional)) return misfit;
  const bool into_view = arguments.flag("intoView");
  const int ways = arguments.has("to") + arguments.has("by") + into_view;
  if (ways != 1)
    return Misfit{"", "exactly one of to, by, intoView",
                  ways == 0 ? "None of to, by, intoView given" : "Several of to, by, intoView given"};
  if (into_view && !read_target(arguments))
    return Misfit{"/intoView", "a target beside intoView", "intoView needs a target"};
  return std::nullopt;
}

std::optional<Misfit> check_wait_for(const Arguments& arguments) {
  return check_target(arguments, TargetUse::required, {"text"});
}

std::optional<Misfit> check_screenshot(const Arguments& arguments) {
  if (auto misfit = check_target(arguments, TargetUse::optional)) return misfit;
  if (arguments.flag("fullPage") && read_target(arguments))
    return Misfit{"/fullPage", "no target beside fullPage", "fullPage and a target exclude each other"};
  return std::nullopt;
}

std::optional<Misfit> check_verify_count(const Arguments& arguments) {
  if (arguments.has("selector") != arguments.has("text")) return std::nullopt;
  return Misfit{"", "exactly one of selector, text",
                arguments.has("text") ? "Both selector and text given" : "Neither selector nor text given"};
}

std::optional<Misfit> check_dialog_policy(const Arguments& arguments) {
  if (arguments.text("mode") != "accept-prompt-with" || arguments.has("text")) return std::nullopt;
  return Misfit{"/text", "a string", "accept-prompt-with needs the text to answer prompts with"};
}

std::optional<Misfit> check_open_session(const Arguments& arguments) {
  if (!arguments.has("dialogPolicy")) return std::nullopt;
  auto misfit = check_dialog_policy(arguments.object("dialogPolicy"));
  if (misfit) misfit->pointer = "/dialogPolicy" + misfit->pointer;
  return misfit;
}

std::optional<Misfit> check_annotation(const Arguments& arguments) {
  if (arguments.has("phase") && !arguments.has("label"))
    return Misfit{"/label", "the id of an acceptance criterion", "phase needs a label"};
  if (!arguments.has("copy") && !arguments.has("label"))
    return Misfit{"", "copy, label or both", "An annotation needs copy or label"};
  if (!arguments.has("target")) return std::nullopt;
  auto misfit = check_target(arguments.object("target"), TargetUse::required);
  if (misfit) misfit->pointer = "/target" + misfit->pointer;
  return misfit;
}

}  // namespace browx::mcp::core
