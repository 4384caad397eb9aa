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

/// Strikes the keys that the page bundle asked for, and more while `end` (fillEnd, selectEnd) asks for more.
/// Answers what `end` says at last. The page does not see these keys (capture/page/keys.ts).
Task<Json> strike_until_told(Acting& a, Json keys, std::string end, Json argument) {
  for (;;) {
    for (const auto& name : keys) {
      auto chord = parse_chord(name.get<std::string>());
      if (!chord) co_return std::move(chord).error();
      BROWX_CO_TRY(co_await strike(a.tab, *std::move(chord), a.deadline));
    }
    auto told = co_await page(a.element->frame, end, argument, a.deadline);
    if (!told || !told->contains("again")) co_return told;
    keys = json_member(*told, "again");
  }
}

void take_warnings(Acting& a, const Json& told) {
  for (const auto& warning : json_member(told, "warnings"))
    if (warning.is_string()) a.result.warnings.push_back(warning.get<std::string>());
}

void take_kept(Acting& a, const Json& ended) {
  if (const Json& kept = json_member(ended, "value"); !kept.is_null()) a.facts["value"] = kept;
  take_warnings(a, ended);
}

/// A refusal to be filled in, of what may be switched instead.
Task<bool> switch_instead(Acting& a, Json refused, std::string value) {
  if (const std::string by = json_string(refused, "by"); !by.empty())
    a.facts["hit"] = Json{{"delivered", false}, {"by", by}};
  const auto wanted = truth(value);
  if (wanted && json_string(refused, "refused") == "not-editable") {
    Json id = {{"id", a.element->element}};
    auto described = co_await page(a.element->frame, "describe", std::move(id), a.deadline);
    const std::string type = described ? json_string(*described, "type") : std::string();
    const std::string role = described ? json_string(*described, "role") : std::string();
    if (type == "checkbox" || type == "radio" || role == "checkbox" || role == "switch" || role == "radio") {
      a.quiet_frames = 1;
      co_return co_await set_checked(a, *wanted);
    }
  }
  co_return refusal(refused, a.element->ref);
}

Task<bool> fill_verb(Acting& a, std::string value) {
  BROWX_CO_TRY(co_await find_target(a));
  if (!a.element->element)
    co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
  a.quiet_frames = 0;
  Json argument = {{"value", value}};
  auto begun = co_await begin_input(a.tab, *a.element, "fillBegin", std::move(argument), a.deadline);
  if (!begun) co_return std::move(begun).error();
  BROWX_CO_TRY(co_await watching(a));
  const bool sensitive = json_bool(*begun, "sensitive");
  if (sensitive) a.result.action["value"] = kMaskedValue;
  const std::string kind = json_string(*begun, "refused");
  // Refused before the field was looked at: nothing is said of what was wanted of it.
  if (kind.empty() || kind == "bad-format")
    a.facts["valueRequested"] = sensitive ? std::string(kMaskedValue) : a.session.secrets().mask(value);
  if (!kind.empty()) co_return co_await switch_instead(a, *std::move(begun), std::move(value));
  a.acted = true;
  const std::string how = json_string(*begun, "how");
  Json end = {{"id", a.element->element}, {"value", value}};
  if (how == "keys") {
    Json keys = json_member(*begun, "keys");
    auto ended = co_await strike_until_told(a, std::move(keys), "fillEnd", std::move(end));
    if (!ended) co_return std::move(ended).error();
    take_kept(a, *ended);
    co_return true;
  }
  if (how != "set") {
    // As an input method would put it in; "" deletes what is selected.
    const std::string text = how == "clear" ? std::string() : value;
    BROWX_CO_TRY(co_await insert_text(a.tab, text, a.deadline));
  }
  a.closing = Running<Json>::start(a.session.executor(),
                                   page(a.element->frame, "fillEnd", std::move(end), a.deadline));
  a.take = take_kept;
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
    if (json_bool(*focused, "sensitive") && types_text(key)) a.result.action["value"] = kMaskedValue;
  } else {
    bool sensitive = false;
    auto focused = co_await focused_element(a.tab, &sensitive, a.deadline);
    if (!focused) co_return std::move(focused).error();
    if (focused->element) {
      a.element = *std::move(focused);
      a.result.target = a.element;
      if (a.options.on_target) co_await a.options.on_target(*a.element);
    }
    if (sensitive && types_text(key)) a.result.action["value"] = kMaskedValue;
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
  a.facts["valueRequested"] = values.size() == 1 ? Json(values.front()) : Json(values);
  Json argument = {{"values", values}};
  auto begun = co_await begin_input(a.tab, *a.element, "selectBegin", std::move(argument), a.deadline);
  if (!begun) co_return std::move(begun).error();
  BROWX_CO_TRY(co_await watching(a));
  if (begun->contains("refused")) {
    if (const std::string by = json_string(*begun, "by"); !by.empty())
      a.facts["hit"] = Json{{"delivered", false}, {"by", by}};
    co_return refusal(*begun, a.element->ref);
  }
  a.acted = true;
  Json keys = json_member(*begun, "keys");
  Json end = {{"id", a.element->element}, {"changed", json_bool(*begun, "changed")}};
  auto ended = co_await strike_until_told(a, std::move(keys), "selectEnd", std::move(end));
  if (!ended) co_return std::move(ended).error();
  take_warnings(a, *ended);
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

bool types_text(std::string_view key) {
  const auto chord = parse_chord(key);
  if (!chord) return true;
  const bool command = (chord->modifiers() & (kAlt | kControl | kMeta)) != 0;
  const std::string& text = chord->key.text;
  return !command && !text.empty() && static_cast<unsigned char>(text.front()) >= 0x20;
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
