// ActionResult in JSON: TOOLS.md, "ActionResult of every acting tool".

#include "capture/action.hpp"

namespace browx::capture {

Json ActionResult::json() const {
  Json out = {{"ok", ok}, {"action", action}};
  Json nav = {{"changed", navigation.changed}, {"from", navigation.from}, {"to", navigation.to}};
  nav["kind"] = navigation.kind.empty() ? Json(nullptr) : Json(navigation.kind);
  out["navigation"] = std::move(nav);
  out["structure"] = Json{{"appeared", appeared}, {"removed", removed}, {"newTabs", new_tabs}};
  out["console"] = Json{{"errors", console_errors}, {"warnings", console_warnings}};
  out["pageErrors"] = page_errors;
  if (element.is_object()) out["element"] = element;
  out["snapshotDelta"] = snapshot_delta;
  out["network"] = network;
  if (!dialogs.empty()) out["dialogs"] = dialogs;
  if (!downloads.empty()) out["downloads"] = downloads;
  out["warnings"] = warnings;
  if (!ok) {
    out["error"] = error;
    out["code"] = code;
  }
  if (failure) {
    out["failure"] = Json{{"source", failure->source}, {"kind", failure->kind}};
    if (!failure->hint.empty()) out["failure"]["hint"] = failure->hint;
  }
  // Four bytes a token, the field itself included.
  out["tokensEstimate"] = (dump_json(out).size() + 22) / 4;
  return out;
}

}  // namespace browx::capture
