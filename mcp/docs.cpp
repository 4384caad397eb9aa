#include "mcp/docs.hpp"

#include <array>

#include <fmt/format.h>

#include "core_tool_schemas/embedded.hpp"
#include "mcp/options.hpp"
#include "mcp/registry.hpp"
#include "mcp/tool.hpp"

namespace browx::mcp {
namespace {

struct CodeRow {
  std::string_view code, meaning;
};

/// Every `code` of a core answer. A new one is added here, and docs/tools.md follows.
constexpr std::array<CodeRow, 73> kCodes{{
    {"invalid-argument",
     "The input does not fit: `pointer` names the parameter, `expected` what is wanted. Nothing was done."},
    {"capability-denied", "The tool needs `requiredCapability`, which the server was started without."},
    {"session-exists", "A live session has that name."},
    {"session-not-found", "No live session has that name."},
    {"session-closed", "The session was closed while the call ran."},
    {"tab-not-found", "The session has no such tab."},
    {"tab-closed", "The tab was closed while the call ran."},
    {"tab-crashed", "The page's process crashed; reload or navigate."},
    {"mode-unavailable", "The session mode cannot be had as the server was started."},
    {"chromium-missing", "No browser was found; install chromium or set BROWX_CHROMIUM."},
    {"chromium-failed", "The browser did not start; the error holds its last words."},
    {"browser-lost", "The browser has gone; the next call starts a new one."},
    {"workspace-unavailable", "BROWX_WORKSPACE cannot be made or written."},
    {"workspace-escape", "The path would lie outside the workspace."},
    {"unavailable", "Something outside browx is not there; the error says what."},
    {"timeout", "The deadline passed first."},
    {"cancelled", "The caller gave up."},
    {"internal", "A bug in browx; the server's log has the details."},
    {"origin-blocked", "The origin policy forbids that URL."},
    {"denied", "A policy forbids it; the error says which."},
    {"navigation-failed", "The page could not be loaded; the error holds Chromium's reason."},
    {"no-history", "There is nothing to go back or forward to."},
    {"dialog", "A dialog came up and was dismissed, since the policy is raise; the error quotes it."},
    {"dialog-open", "A dialog blocks the page."},
    {"no-dialog", "No dialog is open."},
    {"ref-not-found", "That ref was never given out in this session."},
    {"ref-gone",
     "The element of that ref is gone: removed, re-rendered (the new ref is named) or navigated."},
    {"name-not-found", "No ref has that name."},
    {"element-not-found", "Nothing matches."},
    {"ambiguous", "Several elements match; the error counts them and names the first refs."},
    {"invalid-selector", "The selector cannot be read; the error says where."},
    {"frame-not-found", "No such frame."},
    {"frame-detached", "The frame was removed while the call ran."},
    {"navigated", "The document went away while the call ran."},
    {"hidden", "The target is not visible."},
    {"moving", "The target did not come to rest."},
    {"disabled", "The target is disabled."},
    {"readonly", "The field is read-only."},
    {"not-editable", "The target takes no text."},
    {"covered", "Something covers the target; the error names it."},
    {"off-screen", "The target cannot be scrolled into the viewport."},
    {"bad-format", "The control does not take a value of that form; the error says which it takes."},
    {"invalid-key", "No such key."},
    {"not-a-select", "The target is no select element."},
    {"option-not-found", "The list has no such option."},
    {"option-disabled", "That option is disabled."},
    {"page-exception", "The expression threw; the error quotes it."},
    {"mask-unknown", "No picture: the boxes of sensitive fields could not be told."},
    {"recording-active", "A recording runs in this session; end it first."},
    {"no-recording", "No recording runs in this session."},
    {"no-locator", "No Playwright expression can be written for that element."},
    {"step-not-found", "The recording has no such step."},
    {"label-not-open", "No span of that label is open."},
    {"session-ended", "The session ended while the call ran."},
    {"target-gone", "The page or frame went away while the call ran."},
    {"target-crashed", "The page's process crashed while the call ran."},
    {"shutdown", "The program is ending."},
    {"cdp-error", "Chromium refused a command; the error quotes it."},
    {"page-function-failed", "A helper of browx failed inside the page; the error quotes it."},
    {"invalid-url", "No browser would open that URL."},
    {"detached", "The target was removed before it could be acted on."},
    {"element-gone", "The element was removed while the call ran."},
    {"not-visible", "The element is not visible."},
    {"not-focusable", "The target did not take the focus."},
    {"click-not-delivered", "The click did not reach the target; the error says what got it."},
    {"text-mismatch", "verify_text: `failure.expected` and `failure.actual` differ."},
    {"value-mismatch", "verify_value: they differ."},
    {"count-mismatch", "verify_count: they differ."},
    {"attribute-mismatch", "verify_attribute: the value differs."},
    {"attribute-missing", "verify_attribute: there is no such attribute."},
    {"commit-timeout", "The archive's writer did not commit in time; the disk may be full or slow."},
    {"label-missing", "An annotation with a phase needs a label."},
    {"expectation-failed", "A call of a batch did what it should, but its `expect` does not hold."},
}};

/// Text inside a table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

std::string type_of(const OrderedJson& schema) {
  if (schema.contains("enum")) {
    std::string options;
    for (const auto& option : schema["enum"]) options += (options.empty() ? "" : ", ") + dump_json(option);
    return options;
  }
  if (!schema.contains("type")) return "any";
  const std::string type =
      schema["type"].is_string() ? schema["type"].get<std::string>() : dump_json(schema["type"]);
  if (type == "array" && schema.contains("items")) return type_of(schema["items"]) + " list";
  return type;
}

void parameter_rows(const OrderedJson& schema, const std::string& prefix, std::string& out) {
  if (!schema.contains("properties")) return;
  for (const auto& [name, property] : schema["properties"].items()) {
    const std::string path = prefix + name;
    bool required = false;
    if (schema.contains("required"))
      for (const auto& one : schema["required"]) required = required || one == name;
    out += fmt::format("| `{}`{} | {} | {} |\n", path, required ? " *" : "", cell(type_of(property)),
                       cell(property.value("description", "")));
    parameter_rows(property, path + ".", out);
    if (property.contains("items")) parameter_rows(property["items"], path + "[].", out);
  }
}

std::string tool_section(const OrderedJson& tool, std::string_view capability) {
  std::string out = fmt::format("### {}\n\n{} Capability `{}`.\n\n", tool["name"].get<std::string>(),
                                tool["description"].get<std::string>(), capability);
  const OrderedJson& input = tool["inputSchema"];
  if (input.contains("properties") && !input["properties"].empty()) {
    out += "| parameter | type | |\n|---|---|---|\n";
    parameter_rows(input, "", out);
    out += '\n';
  }
  std::string answer;
  for (const auto& [name, property] : tool["outputSchema"]["properties"].items())
    answer += fmt::format("{}`{}`", answer.empty() ? "" : ", ", name);
  return out + "Answers " + answer + ".\n\n";
}

}  // namespace

std::string tools_markdown() {
  std::string out =
      "# Tools\n\nPrinted by `browx tools` from `schemas/tools/`; do not edit. Parameters with * are "
      "required. Every answer is\n"
      "`structuredContent` and the same as JSON text, but for `snapshot`, whose text is the tree itself, and "
      "pictures, which are\n"
      "image content. `ok:false` comes with `error` (cause and remedy), `code` and mostly `failure{source, "
      "kind, hint}`, where\n"
      "`source` is `app`, `browx` or `unknown`. Limits above their maximum are clamped, with a "
      "warning.\n\n## core\n\n";
  for (const Tool& tool : core_tools()) {
    ToolEntry entry(tool, core_schemas::embedded_file(std::string(tool.name) + ".json"));
    const std::string capability = entry.capability();
    out += tool_section(entry.listing(), capability);
  }
  out += "## Codes\n\n| code | |\n|---|---|\n";
  for (const CodeRow& row : kCodes) out += fmt::format("| `{}` | {} |\n", row.code, cell(row.meaning));
  out +=
      "\n## Settings\n\nEnvironment variables of `browx mcp`, and the flags that override them.\n\n| "
      "variable | flag | |\n|---|---|---|\n";
  for (const Setting& setting : settings())
    out += fmt::format("| `{}` | `--{}` | {} |\n", setting.variable, setting.flag, cell(setting.help));
  std::string capabilities, toolsets;
  for (const auto& name : capability_names())
    capabilities += (capabilities.empty() ? "`" : ", `") + name + "`";
  for (const auto& name : toolset_names()) toolsets += (toolsets.empty() ? "`" : ", `") + name + "`";
  out += "\nCapabilities: " + capabilities + ". Toolsets: " + toolsets + ".\n";
  return out;
}

}  // namespace browx::mcp
