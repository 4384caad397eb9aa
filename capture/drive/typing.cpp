// fill, press, select: putting values into controls.

#include "base/secrets.hpp"
#include "capture/drive/failure.hpp"
#include "capture/drive/input.hpp"
#include "capture/drive/pointer.hpp"

namespace browx::capture {
namespace {

Task<Json> page(std::shared_ptr<Frame> frame, std::string function, Json argument, Deadline deadline) {
  co_return co_await frame->page(std::move(function), std::move(argument), deadline);
}

std::optional<bool> truth(const std::string& value) {
  if (value == "true" || value == "on" || value == "checked") return true;
  if (value == "false" || value == "off" || value == "unchecked") return false;
  return std::nullopt;
}

/// A checkbox, radio or switch asked to be on or off: clicked only when it is not so already.
Task<bool> set_checked(Acting& a, bool wanted) {
  Json id = {{"id", a.element->element}};
  auto described = co_await a.element->frame->page("describe", std::move(id), a.deadline);
  if (!described) co_return std::move(described).error();
  a.facts["valueRequested"] = wanted;
  if (json_bool(*described, "disabled")) {
    Json refused = {{"refused", "disabled"}};
    co_return refusal(refused, a.element->ref);
  }
  if (json_bool(*described, "checked") == wanted) {
    a.result.warnings.push_back(a.element->ref + (wanted ? " is checked already" : " is unchecked already"));
    co_return true;
  }
  ClickOptions once;
  co_return co_await click_element(a, std::move(once));
}

/// The value goes in as an input method would put it; "" deletes what is selected.
Task<bool> write_text(Acting& a, std::string how, std::string value) {
  if (how == "set") co_return true;  // fillBegin has written it
  if (how == "clear") value.clear();
  co_return co_await insert_text(a.tab, std::move(value), a.deadline);
}

Task<bool> fill_verb(Acting& a, std::string value) {
  BROWX_CO_TRY(co_await find_target(a));
  if (!a.element->element)
    co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
  a.quiet_frames = 0;
  std::string cover;
  auto ready = co_await make_ready(a.tab, *a.element, "fill", &cover, a.deadline);
  if (!ready) {
    if (!cover.empty()) a.facts["hit"] = Json{{"delivered", false}, {"by", cover}};
    const auto wanted = truth(value);
    if (wanted && ready.error().kind_or_code() == "not-editable") {
      Json id = {{"id", a.element->element}};
      auto described = co_await page(a.element->frame, "describe", std::move(id), a.deadline);
      const std::string type = described ? json_string(*described, "type") : std::string();
      const std::string role = described ? json_string(*described, "role") : std::string();
      if (type == "checkbox" || type == "radio" || role == "checkbox" || role == "switch" ||
          role == "radio") {
        a.quiet_frames = 1;
        co_return co_await set_checked(a, *wanted);
      }
    }
    co_return std::move(ready).error();
  }
  BROWX_CO_TRY(co_await watching(a));
  Json argument = {{"id", a.element->element}, {"value", value}};
  auto begun = co_await a.element->frame->page("fillBegin", std::move(argument), a.deadline);
  if (!begun) co_return std::move(begun).error();
  if (json_bool(*begun, "sensitive")) {
    a.result.action["value"] = kMaskedValue;
    a.facts["valueRequested"] = kMaskedValue;
  } else {
    a.facts["valueRequested"] = a.session.secrets().mask(value);
  }
  if (begun->contains("refused")) co_return refusal(*begun, a.element->ref);
  a.acted = true;
  BROWX_CO_TRY(co_await write_text(a, json_string(*begun, "how"), value));
  Json end = {{"id", a.element->element}, {"value", value}};
  auto ended = co_await a.element->frame->page("fillEnd", std::move(end), a.deadline);
  if (!ended) co_return std::move(ended).error();
  if (const Json& kept = json_member(*ended, "value"); !kept.is_null()) a.facts["value"] = kept;
  for (const auto& warning : json_member(*ended, "warnings"))
    if (warning.is_string()) a.result.warnings.push_back(warning.get<std::string>());
  co_return true;
}

Task<bool> press_verb(Acting& a, std::string key) {
  std::vector<Chord> chords;
  if (auto chord = parse_chord(key)) {
    chords.push_back(*std::move(chord));
  } else if (a.session.secrets().mask(key) != key) {
    chords = chords_of_text(key);  // a secret's value, put in for <NAME>: its characters one by one
  } else {
    co_return std::move(chord).error();
  }
  if (a.address) {
    BROWX_CO_TRY(co_await find_target(a));
    if (!a.element->element)
      co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
    std::string cover;
    auto ready = co_await make_ready(a.tab, *a.element, "press", &cover, a.deadline);
    if (!ready) co_return std::move(ready).error();
    Json argument = {{"id", a.element->element}};
    auto focused = co_await a.element->frame->page("focus", std::move(argument), a.deadline);
    if (!focused) co_return std::move(focused).error();
    if (!json_bool(*focused, "focused"))
      co_return Error{
          Code::conflict, a.element->ref + " does not take the keyboard focus", {}, "not-focusable"};
    if (json_bool(*focused, "sensitive") && key.size() == 1) a.result.action["value"] = kMaskedValue;
  } else {
    watch(a);
  }
  BROWX_CO_TRY(co_await watching(a));
  a.acted = true;
  for (auto& chord : chords) BROWX_CO_TRY(co_await strike(a.tab, std::move(chord), a.deadline));
  co_return true;
}

Task<bool> select_verb(Acting& a, std::vector<std::string> values) {
  BROWX_CO_TRY(co_await find_target(a));
  if (!a.element->element)
    co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
  std::string cover;
  auto ready = co_await make_ready(a.tab, *a.element, "select", &cover, a.deadline);
  if (!ready) co_return std::move(ready).error();
  BROWX_CO_TRY(co_await watching(a));
  a.facts["valueRequested"] = values.size() == 1 ? Json(values.front()) : Json(values);
  Json argument = {{"id", a.element->element}, {"values", values}};
  auto selected = co_await a.element->frame->page("select", std::move(argument), a.deadline);
  if (!selected) co_return std::move(selected).error();
  if (selected->contains("refused")) co_return refusal(*selected, a.element->ref);
  a.acted = true;
  co_return true;
}

std::string joined(const std::vector<std::string>& values) {
  std::string out;
  for (const auto& v : values) out += (out.empty() ? "" : ", ") + v;
  return out;
}

}  // namespace

Task<ActionResult> fill(Session& session, Tab& tab, Address target, std::string value,
                        ActionOptions options) {
  ActionSpec spec{"fill", std::move(target), value};
  Verb verb = [value](Acting& a) { return fill_verb(a, value); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

Task<ActionResult> press(Session& session, Tab& tab, std::optional<Address> target, std::string key,
                         ActionOptions options) {
  ActionSpec spec{"press", std::move(target), key};
  Verb verb = [key](Acting& a) { return press_verb(a, key); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

Task<ActionResult> select_options(Session& session, Tab& tab, Address target, std::vector<std::string> values,
                                  ActionOptions options) {
  ActionSpec spec{"select", std::move(target), joined(values)};
  Verb verb = [values](Acting& a) { return select_verb(a, values); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

}  // namespace browx::capture
