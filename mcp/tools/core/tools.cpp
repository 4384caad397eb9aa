#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp {

// Names in the order of tools/list. Schema, texts and capability stand in schemas/tools/core/<name>.json.
const std::vector<Tool>& core_tools() {
  using enum Needs;
  using enum StepKind;
  static const std::vector<Tool> tools{
      {"open_session", session_name, none, core::open_session, core::check_open_session},
      {"close_session", session_name, none, core::close_session},
      {"list_sessions", nothing, none, core::list_sessions},
      {"set_viewport", session, action, core::set_viewport},
      {"set_dialog_policy", session, none, core::set_dialog_policy, core::check_dialog_policy},

      {"navigate", page, action, core::navigate},
      {"go_back", page, action, core::go_back},
      {"go_forward", page, action, core::go_forward},
      {"reload", page, action, core::reload},

      {"snapshot", page, read, core::snapshot},
      {"click", page, action, core::click, core::check_target_given},
      {"fill", page, action, core::fill, core::check_target_given},
      {"press", page, action, core::press, core::check_target_optional},
      {"hover", page, action, core::hover, core::check_target_given},
      {"select", page, action, core::select, core::check_target_given},
      {"scroll", page, action, core::scroll, core::check_scroll},
      {"wait_for", page, action, core::wait_for, core::check_wait_for},
      {"screenshot", page, none, core::screenshot, core::check_screenshot},
      {"console_read", session, none, core::console_read},
      {"network_read", session, none, core::network_read},

      {"verify_visible", page, assertion, core::verify_visible, core::check_target_given},
      {"verify_text", page, assertion, core::verify_text, core::check_target_given},
      {"verify_value", page, assertion, core::verify_value, core::check_target_given},
      {"verify_count", page, assertion, core::verify_count, core::check_verify_count},
      {"verify_attribute", page, assertion, core::verify_attribute, core::check_target_given},

      {"generate_locator", page, none, core::generate_locator},

      {"start_recording", session, none, core::start_recording, nullptr, 30000},
      {"record_annotate", live_session, none, core::record_annotate, core::check_annotation},
      {"end_recording", live_session, none, core::end_recording, nullptr, 60000},
      {"export_playwright_script", live_session, none, core::export_playwright_script, nullptr, 60000},

      {"register_secret", session, none, core::register_secret},
      {"eval_js", page, read, core::eval_js},
      {"batch", session_name, none, core::batch},
  };
  return tools;
}

}  // namespace browx::mcp
