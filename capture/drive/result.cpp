// Addresses and ActionResult in JSON: TOOLS.md, "ActionResult of every acting tool".

#include "capture/action.hpp"

namespace browx::capture {

Json Address::json() const {
  Json out = Json::object();
  if (ref) out["ref"] = *ref;
  if (selector) out["selector"] = *selector;
  if (selector && context_ref) out["contextRef"] = *context_ref;
  if (named) out["named"] = *named;
  if (coords) out["coords"] = Json{{"x", coords->x}, {"y", coords->y}};
  return out;
}

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
