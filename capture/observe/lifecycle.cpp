#include "capture/observe/lifecycle.hpp"

namespace browx::capture {

Lifecycle::Lifecycle(Hub& hub,
                     std::function<std::optional<TargetId>(const std::string&)> target_of_cdp_target)
    : hub_(hub), target_of_cdp_target_(std::move(target_of_cdp_target)) {
  hub.on_attach([this](const std::string& session, const std::string& type) {
    types_[session] = type;
    if (type != "page" && type != "iframe") return;
    hub_.host().post(session, "Page.enable", Json::object());
    Json on = {{"enabled", true}};
    hub_.host().post(session, "Page.setLifecycleEventsEnabled", std::move(on));
    hub_.host().post(session, "Inspector.enable", Json::object());
  });
  hub.on_gone([this](const std::string& session) { types_.erase(session); });
  hub.on("Page.frameNavigated", [this](const Incoming& e) { navigated(e); });
  hub.on("Page.navigatedWithinDocument", [this](const Incoming& e) { within(e); });
  hub.on("Page.lifecycleEvent", [this](const Incoming& e) { milestone(e); });
  hub.on("Page.frameDetached", [this](const Incoming& e) {
    const std::string frame = json_string(e.params, "frameId");
    if (json_string(e.params, "reason") == "swap") return;  // it goes on in another process
    urls_.erase(frame);
    told_.erase(frame);
  });
  hub.on("Target.targetInfoChanged",
         [this](const Incoming& e) { info_changed(json_member(e.params, "targetInfo"), e.received); });
  hub.on("Page.frameStoppedLoading", [this](const Incoming& e) { ask_title(e); });
  hub.on("Inspector.targetCrashed", [this](const Incoming& e) {
    Json payload = {{"name", "crashed"}};
    publish(e.received, hub_.host().target_of(e.session), std::move(payload));
  });
}

void Lifecycle::publish(Time t, std::optional<TargetId> target, Json payload) {
  archive::Event row;
  row.t = t;
  row.target = target;
  row.kind = "lifecycle";
  row.payload = std::move(payload);
  hub_.host().publish(row);
}

void Lifecycle::navigated(const Incoming& event) {
  const Json& frame = json_member(event.params, "frame");
  const std::string id = json_string(frame, "id");
  const std::string url = json_string(frame, "url");
  urls_[id] = url;
  Json payload = {
      {"name", "navigated"}, {"url", url + json_string(frame, "urlFragment")}, {"kind", "full_load"}};
  payload["frame"] = id;
  if (frame.contains("unreachableUrl")) payload["unreachable"] = json_string(frame, "unreachableUrl");
  publish(event.received, hub_.host().target_of(event.session), std::move(payload));
}

void Lifecycle::within(const Incoming& event) {
  const std::string id = json_string(event.params, "frameId"), url = json_string(event.params, "url");
  const std::string base = url.substr(0, url.find('#'));
  std::string kind = json_string(event.params, "navigationType") == "fragment" ? "hash" : "spa";
  const auto known = urls_.find(id);
  if (known != urls_.end() && known->second != base) kind = "spa";
  urls_[id] = base;
  Json payload = {{"name", "same-document"}, {"url", url}, {"kind", kind}};
  payload["frame"] = id;
  publish(event.received, hub_.host().target_of(event.session), std::move(payload));
}

void Lifecycle::milestone(const Incoming& event) {
  const std::string cdp_name = json_string(event.params, "name");
  const std::string name = cdp_name == "DOMContentLoaded" ? "dom-content-loaded"
                           : cdp_name == "load"           ? "load"
                                                          : "";
  if (name.empty()) return;
  const std::string id = json_string(event.params, "frameId"), loader = json_string(event.params, "loaderId");
  auto& [told_loader, told] = told_[id];
  if (told_loader != loader) {
    told_loader = loader;
    told.clear();
  }
  if (!told.insert(name).second) return;
  Json payload = {{"name", name}};
  const auto url = urls_.find(id);
  if (url != urls_.end()) payload["url"] = url->second;
  payload["frame"] = id;
  publish(hub_.monotonic(event), hub_.host().target_of(event.session), std::move(payload));
}

void Lifecycle::info_changed(const Json& info, Time t) {
  if (json_string(info, "type") != "page") return;
  const std::string id = json_string(info, "targetId"), title = json_string(info, "title"),
                    url = json_string(info, "url");
  const auto target = target_of_cdp_target_(id);
  if (!target) return;
  // Until a document has a title, the browser shows its URL without the scheme.
  if (title.empty() || url == title || url.ends_with("://" + title)) return;
  auto& known = titles_[id];
  if (known == title) return;
  known = title;
  Json payload = {{"name", "title"}, {"title", title}, {"url", url}};
  publish(t, target, std::move(payload));
}

/// The browser does not tell of every new title by itself.
void Lifecycle::ask_title(const Incoming& event) {
  const auto type = types_.find(event.session);
  if (type == types_.end() || type->second != "page") return;
  hub_.host().call(event.session, "Target.getTargetInfo", Json::object(), [this](Result<Json> answer) {
    if (answer) info_changed(json_member(*answer, "targetInfo"), hub_.host().now());
  });
}

}  // namespace browx::capture
