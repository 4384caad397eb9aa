#include "capture/drive/failure.hpp"

#include <array>

namespace browx::capture {
namespace {

struct Row {
  std::string_view kind, source, hint;
};

// Every kind an action can fail with. docs/tools.md lists the same.
constexpr std::array kRows = {
    Row{"element-not-found", "app", "take a snapshot to see what is there, or wait_for it"},
    Row{"ambiguous", "browx", "name one of them by ref, or narrow the selector (>> nth=0, contextRef)"},
    Row{"ref-gone", "app", "take a new snapshot; a ref is one element for ever and never moves to another"},
    Row{"ref-not-found", "browx", "refs come from snapshot, find and text_search of this session"},
    Row{"name-not-found", "browx", "name a ref with name_ref first"},
    Row{"invalid-selector", "browx", "CSS, or role=button[name=\"Save\"], text=…, xpath=…, joined by >>"},
    Row{"invalid-argument", "browx", "see the tool's input schema"},
    Row{"invalid-key", "browx", "name keys as in Enter, ArrowDown, Control+A"},
    Row{"bad-format", "browx", "give the value in the format named"},
    Row{"covered", "app", "close or scroll away what covers it, then try again"},
    Row{"disabled", "app", "the control becomes usable only when the page enables it"},
    Row{"readonly", "app", "the field does not take input"},
    Row{"not-editable", "app", "only inputs, text areas and editable regions take text"},
    Row{"not-a-select", "app", "select works on <select>; open other lists with click"},
    Row{"option-not-found", "app", "give a value or label of an option that exists"},
    Row{"option-disabled", "app", "the option becomes usable only when the page enables it"},
    Row{"hidden", "app", "open what contains it first, then try again"},
    Row{"moving", "app", "wait until the animation has ended"},
    Row{"detached", "app", "the page took it away; take a new snapshot"},
    Row{"off-screen", "app", "it cannot be scrolled into view"},
    Row{"not-focusable", "app", "it does not take the keyboard focus; click it, or press without a target"},
    Row{"click-not-delivered", "app",
        "the page replaced or moved the element under the pointer; take a new snapshot"},
    Row{"page-exception", "app", "the page threw"},
    Row{"dialog", "app", "set_dialog_policy decides how dialogs are answered; then act again"},
    Row{"dialog-open", "app", "answer the dialog first"},
    Row{"navigation-failed", "app", "check the address and that the server runs"},
    Row{"no-history", "app", "there is no page in that direction"},
    Row{"not-visible", "app",
        "it did not become visible in time; give timeoutMs more, or look with snapshot"},
    Row{"origin-blocked", "browx",
        "the origin policy forbids it: BROWX_ALLOWED_ORIGINS, BROWX_BLOCKED_ORIGINS"},
    Row{"capability-denied", "browx", "start browx with the capability"},
    Row{"tab-closed", "browx", "open another tab, or use one of list_sessions"},
    Row{"tab-crashed", "unknown", "reload or navigate the tab"},
    Row{"target-crashed", "unknown", "reload or navigate the tab"},
    Row{"invalid-url", "browx", "give an absolute http or https address"},
    Row{"target-gone", "unknown", "the tab or frame went away meanwhile; look at list_sessions"},
    Row{"frame-detached", "app", "the frame went away; take a new snapshot"},
    Row{"navigated", "app", "the document was left meanwhile; take a new snapshot"},
    Row{"browser-lost", "unknown", "the browser has ended; the next call starts a new one"},
    Row{"cdp-error", "browx", "this is a fault of browx; please report it"},
    Row{"timeout", "unknown",
        "the page did not answer in time: it may be busy; reload it, or give timeoutMs more"},
    Row{"cancelled", "browx", "the call was cancelled"},
};

}  // namespace

Failure failure_of(const Error& error) {
  const std::string kind = error.kind_or_code();
  for (const auto& row : kRows)
    if (row.kind == kind)
      return {std::string(row.source), kind, error.hint.empty() ? std::string(row.hint) : error.hint};
  const bool ours = error.code == Code::invalid_argument || error.code == Code::internal ||
                    error.code == Code::denied || error.code == Code::conflict;
  return {ours ? "browx" : "unknown", kind, error.hint};
}

Error refusal(const Json& prepared, const std::string& what) {
  const std::string kind = json_string(prepared, "refused", "detached");
  const std::string by = json_string(prepared, "by");
  const std::string detail = json_string(prepared, "detail");
  std::string text = what;
  if (kind == "covered")
    text += by.empty() ? " is covered at every point" : " is covered by " + by;
  else if (kind == "detached")
    text += " was taken out of the page";
  else if (kind == "hidden")
    text += " is not visible";
  else if (kind == "moving")
    text += " did not come to rest";
  else if (kind == "disabled")
    text += " is disabled";
  else if (kind == "readonly")
    text += " is read-only";
  else if (kind == "not-editable")
    text += " is not editable";
  else if (kind == "off-screen")
    text += " cannot be scrolled into view";
  else if (kind == "option-not-found")
    text += " has no such option";
  else if (kind == "option-disabled")
    text += ": the option is disabled";
  else if (kind == "not-a-select")
    text += " is not a <select>";
  else if (kind == "bad-format")
    text += " does not take that format";
  else
    text += " refused: " + kind;
  if (const std::string wanted = json_string(prepared, "wanted"); !wanted.empty())
    text += "; wanted: " + wanted;
  if (!detail.empty()) text += " (" + detail + ")";
  const Code code = kind == "detached"     ? Code::gone
                    : kind == "bad-format" ? Code::invalid_argument
                                           : Code::conflict;
  return {code, text, {}, kind};
}

}  // namespace browx::capture
