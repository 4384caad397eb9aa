#include "codegen/targets/spec_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/url.hpp"

namespace browx::codegen {
namespace {

std::string http_origin(const std::string& text) {
  const auto url = parse_url(text);
  return url && (url->scheme == "http" || url->scheme == "https") ? url->origin() : std::string();
}

/// JSON numbers as TypeScript writes them.
Code number(const Json& value) { return ts_raw(value.is_number() ? dump_json(value) : "0"); }

std::string text(const Step& step, std::string_view key) { return json_string(step.arguments, key); }

/// The element is a check box or radio button, by one of its role candidates.
bool is_checkable(const Step& step) {
  for (const auto& candidate : step.candidates) {
    const auto chain = candidate.kind == "role" ? parse_chain(candidate.playwright) : std::nullopt;
    if (!chain || chain->back().method != "getByRole" || chain->back().arguments.empty()) continue;
    const std::string& role = chain->back().arguments.front().text;
    return role == "checkbox" || role == "radio";
  }
  return false;
}

}  // namespace

SpecNeeds spec_needs(const Flow& flow) {
  SpecNeeds needs;
  std::set<std::string> attributes;
  for (const auto& step : flow.steps) {
    if (step.kind != StepKind::read) needs.pages_used.insert(step.page);
    if (step.tool == "navigate" && step.ok) {
      const std::string origin = http_origin(text(step, "url"));
      if (!origin.empty() && origin != flow.base_url)
        needs.origins.emplace(origin, ts_identifier(origin.substr(origin.find("//") + 2)));
    }
    const auto choice = choose(step.candidates, expected_text(step));
    if (!choice) continue;
    for (const auto& call : choice->chain)
      if (const auto test_id = test_id_of(call)) attributes.insert(test_id->first);
  }
  if (attributes.size() == 1 && *attributes.begin() != "data-testid")
    needs.test_id_attribute = *attributes.begin();
  int popups = 0, tabs = 1;
  for (std::size_t i = 0; i < flow.pages.size(); ++i) {
    if (i == 0)
      needs.page_names.emplace_back("page");
    else if (flow.pages[i].opened_by)
      needs.page_names.push_back(++popups == 1 ? "popup" : fmt::format("popup{}", popups));
    else
      needs.page_names.push_back(fmt::format("page{}", ++tabs));
  }
  return needs;
}

std::vector<Call> SpecSteps::calls(Chain chain) const {
  for (auto& call : chain) {
    const auto test_id = test_id_of(call);
    if (test_id && test_id->first == needs_.test_id_attribute)
      call = {"getByTestId", {text_literal(test_id->second)}};
  }
  return ts_calls(chain);
}

void SpecSteps::enter_frames(const Step& step, Place& place) const {
  if (!step.in_frame) return;
  if (step.frames.empty()) place.refused = "the recording does not say how its frame is found";
  for (const auto& candidates : step.frames) {
    auto choice = choose(candidates);
    if (!choice) {
      place.refused = "its frame has no locator";
      return;
    }
    if (place.fragile.empty() && !choice->reason.empty()) place.fragile = "its frame: " + choice->reason;
    for (auto& call : calls(frame_chain(std::move(choice->chain)))) place.calls.push_back(std::move(call));
  }
}

SpecSteps::Place SpecSteps::target(const Step& step) const {
  Place place;
  place.head = page(step);
  enter_frames(step, place);
  auto choice = choose(step.candidates, expected_text(step));
  if (!choice) {
    const std::string selector = text(step, "selector");
    if (selector.empty() || step.arguments.contains("contextRef")) {
      place.refused = "the recording has no locator for its target";
      return place;
    }
    choice = Choice{nullptr, chain_of_selector(selector), "it was not counted in the page"};
  }
  if (!choice->reason.empty()) place.fragile = choice->reason;
  place.chain = choice->chain;
  for (auto& call : calls(std::move(choice->chain))) place.calls.push_back(std::move(call));
  return place;
}

SpecSteps::Act SpecSteps::on_target(const Step& step, std::string method, std::vector<Code> arguments) const {
  Place place = target(step);
  place.calls.push_back({std::move(method), std::move(arguments)});
  return {ts_chain(place.head, std::nullopt, place.calls), place.fragile, place.refused};
}

SpecSteps::Act SpecSteps::on_page(const Step& step, const std::string& object, std::string method,
                                  std::vector<Code> arguments) const {
  const std::string head = page(step) + (object.empty() ? "" : "." + object);
  return {ts_chain(head, std::nullopt, {{std::move(method), std::move(arguments)}}), {}, {}};
}

Code SpecSteps::address(const std::string& url) const {
  const std::string relative = relative_url(url, flow_.base_url);
  const auto origin = needs_.origins.find(http_origin(url));
  if (relative != url || origin == needs_.origins.end()) return value(relative);
  std::vector<std::string> parts = split_secrets(relative_url(url, origin->first), flow_.secrets);
  for (std::size_t i = 1; i < parts.size(); i += 2) parts[i] = "process.env." + parts[i];
  parts.insert(parts.begin(), {"", origin->second});
  return ts_raw(ts_template(parts));
}

SpecSteps::Act SpecSteps::scroll(const Step& step) const {
  const bool targeted = step.locator || step.arguments.contains("selector") || step.arguments.contains("ref");
  if (json_bool(step.arguments, "intoView")) return on_target(step, "scrollIntoViewIfNeeded", {});
  const std::string to = text(step, "to");
  if (to.empty()) {
    const Json& by = json_member(step.arguments, "by");
    const Code x = number(json_member(by, "x")), y = number(json_member(by, "y"));
    if (!targeted) return on_page(step, "mouse", "wheel", {x, y});
    return on_target(
        step, "evaluate",
        {ts_raw(fmt::format("(element) => element.scrollBy({}, {})", one_line(x), one_line(y)), false)});
  }
  const std::string element = targeted ? "element" : "document.documentElement";
  const std::string where = to == "top"      ? "{ top: 0 }"
                            : to == "left"   ? "{ left: 0 }"
                            : to == "bottom" ? fmt::format("{{ top: {}.scrollHeight }}", element)
                                             : fmt::format("{{ left: {}.scrollWidth }}", element);
  if (!targeted)
    return on_page(step, "", "evaluate", {ts_raw("() => window.scrollTo(" + where + ")", false)});
  return on_target(step, "evaluate", {ts_raw("(element) => element.scrollTo(" + where + ")", false)});
}

SpecSteps::Act SpecSteps::click(const Step& step) const {
  const std::string button = text(step, "button");
  const auto count = json_int(step.arguments, "clickCount", 1);
  const Json& modifiers = json_member(step.arguments, "modifiers");
  std::vector<std::pair<std::string, Code>> options;
  if (!button.empty() && button != "left") options.emplace_back("button", ts_raw(ts_string(button)));
  if (count > 2) options.emplace_back("clickCount", ts_raw(std::to_string(count)));
  if (modifiers.is_array() && !modifiers.empty()) {
    std::vector<Code> keys;
    for (const auto& key : modifiers)
      keys.push_back(ts_raw(ts_string(key.is_string() ? key.get<std::string>() : "")));
    options.emplace_back("modifiers", ts_array(keys));
  }
  std::vector<Code> arguments;
  if (!options.empty()) arguments.push_back(ts_object(options));
  if (const Json& point = json_member(step.arguments, "coords"); point.is_object()) {
    std::erase_if(options, [](const auto& option) { return option.first == "modifiers"; });
    std::vector<Code> at{number(json_member(point, "x")), number(json_member(point, "y"))};
    if (!options.empty()) at.push_back(ts_object(options));
    Act act = on_page(step, "mouse", count == 2 ? "dblclick" : "click", std::move(at));
    act.fragile = "a point of the viewport, whatever is there";
    if (modifiers.is_array() && !modifiers.empty()) act.refused = "a click at a point with keys held down";
    return act;
  }
  const Json& checked = json_member(json_member(step.result, "element"), "checked");
  if (arguments.empty() && count == 1 && checked.is_boolean() && is_checkable(step))
    return on_target(step, checked.get<bool>() ? "check" : "uncheck", {});
  return on_target(step, count == 2 ? "dblclick" : "click", std::move(arguments));
}

SpecSteps::Act SpecSteps::action(const Step& step) const {
  const std::string& tool = step.tool;
  if (tool == "navigate") {
    const std::string url = text(step, "url");
    Act act = on_page(step, "", "goto", {address(url)});
    if (url.find("=\xE2\x80\xA6") != std::string::npos)
      act.fragile = "values of its query are not in the recording";
    return act;
  }
  if (tool == "go_back") return on_page(step, "", "goBack", {});
  if (tool == "go_forward") return on_page(step, "", "goForward", {});
  if (tool == "reload") return on_page(step, "", "reload", {});
  if (tool == "set_viewport")
    return on_page(step, "", "setViewportSize",
                   {ts_object({{"width", number(json_member(step.arguments, "width"))},
                               {"height", number(json_member(step.arguments, "height"))}})});
  if (tool == "click") return click(step);
  if (tool == "hover") {
    if (const Json& point = json_member(step.arguments, "coords"); point.is_object()) {
      Act act =
          on_page(step, "mouse", "move", {number(json_member(point, "x")), number(json_member(point, "y"))});
      act.fragile = "a point of the viewport, whatever is there";
      return act;
    }
    return on_target(step, "hover", {});
  }
  if (tool == "fill") return on_target(step, "fill", {value(text(step, "value"))});
  if (tool == "press") {
    const std::string key = text(step, "key");
    const bool secret = split_secrets(key, flow_.secrets).size() > 1;
    if (step.candidates.empty() && !step.arguments.contains("selector"))
      return on_page(step, "keyboard", secret ? "type" : "press", {value(key)});
    return on_target(step, secret ? "pressSequentially" : "press", {value(key)});
  }
  if (tool == "select" || tool == "upload_file") {
    const Json& given = json_member(step.arguments, tool == "select" ? "values" : "paths");
    std::vector<Code> items;
    for (const auto& one : given) items.push_back(value(one.is_string() ? one.get<std::string>() : ""));
    std::vector<Code> arguments;
    if (items.size() == 1)
      arguments.push_back(items.front());
    else
      arguments.push_back(ts_array(items));
    return on_target(step, tool == "select" ? "selectOption" : "setInputFiles", std::move(arguments));
  }
  if (tool == "scroll") return scroll(step);
  if (tool == "wait_for") {
    const std::string wanted = text(step, "text");
    Place place = target(step);
    if (!wanted.empty() && step.candidates.empty()) {
      place = Place();
      place.head = page(step);
      place.calls = calls({{"getByText", {text_literal(wanted)}}});
    } else if (!wanted.empty() && !mentions(place.chain, wanted)) {
      place.calls.push_back({"filter", {ts_object({{"hasText", value(wanted)}})}});
    }
    place.calls.push_back({"waitFor", {}});
    return {ts_chain(place.head, std::nullopt, place.calls), place.fragile, place.refused};
  }
  return {ts_raw(""), {}, fmt::format("{} has no counterpart", tool)};
}

SpecSteps::Act SpecSteps::expectation(Place place, Call matcher) const {
  const Code subject =
      place.calls.empty() ? ts_raw(place.head) : ts_chain(place.head, std::nullopt, place.calls);
  return {ts_chain("expect", std::vector<Code>{subject}, {std::move(matcher)}), place.fragile, place.refused};
}

SpecSteps::Act SpecSteps::assertion(const Step& step) const {
  const std::string& tool = step.tool;
  if (tool == "verify_visible") return expectation(target(step), {"toBeVisible", {}});
  const std::string matched = json_string(step.result, "matched");
  if (tool == "verify_text") {
    const bool exact = json_bool(step.arguments, "exact");
    Place place = target(step);
    if (matched == "label") place.calls.push_back({"locator", {ts_raw("'option:checked'")}});
    std::vector<std::pair<std::string, Code>> options;
    if (!exact) options.emplace_back("ignoreCase", ts_raw("true"));
    if (matched == "shown") options.emplace_back("useInnerText", ts_raw("true"));
    std::vector<Code> arguments{value(text(step, "text"))};
    if (!options.empty()) arguments.push_back(ts_object(options));
    return expectation(std::move(place), {exact ? "toHaveText" : "toContainText", std::move(arguments)});
  }
  if (tool == "verify_value") {
    const std::string wanted = text(step, "value");
    if ((matched == "checked" || is_checkable(step)) && (wanted == "true" || wanted == "false")) {
      std::vector<Code> options;
      if (wanted == "false") options.push_back(ts_object({{"checked", ts_raw("false")}}));
      return expectation(target(step), {"toBeChecked", std::move(options)});
    }
    Place place = target(step);
    if (matched == "label") {
      place.calls.push_back({"locator", {ts_raw("'option:checked'")}});
      return expectation(std::move(place), {"toHaveText", {value(wanted)}});
    }
    return expectation(std::move(place), {"toHaveValue", {value(wanted)}});
  }
  if (tool == "verify_attribute") {
    std::vector<Code> arguments{ts_raw(ts_string(text(step, "attr")))};
    if (step.arguments.contains("value")) arguments.push_back(value(text(step, "value")));
    return expectation(target(step), {"toHaveAttribute", std::move(arguments)});
  }
  if (tool == "verify_count") {
    const bool by_text = step.arguments.contains("text");
    Chain chain;
    if (by_text)
      chain.push_back({"getByText", {text_literal(text(step, "text"))}});
    else
      chain = chain_of_selector(text(step, "selector"));
    Place place;
    place.head = page(step);
    place.calls = calls(std::move(chain));
    Act act = expectation(std::move(place), {"toHaveCount", {number(json_member(step.arguments, "n"))}});
    if (json_string(step.result, "matched") == "frames")
      act.refused = "it counted elements of several frames";
    return act;
  }
  return {ts_raw(""), {}, fmt::format("{} has no counterpart", tool)};
}

SpecSteps::Act SpecSteps::act(const Step& step) const {
  return step.kind == StepKind::assertion ? assertion(step) : action(step);
}

std::string SpecSteps::variable(const std::string& wanted) {
  const int n = ++variables_[wanted];
  return n == 1 ? wanted : fmt::format("{}{}", wanted, n);
}

void SpecSteps::refuse(const Step& step, const std::string& reason) {
  stats_.unhandled.push_back({step.id, reason});
  lines_.comment(fmt::format("Not written: {}: {}.", step.id, reason));
}

void SpecSteps::answer_dialogs(const Step& step, std::size_t at, const std::string& on) {
  const DialogAnswer& answer = step.dialogs[at];
  const std::string name = at == 0 ? "dialog" : fmt::format("dialog{}", at + 1);
  std::vector<Code> arguments;
  if (answer.accepted && answer.type == "prompt") arguments.push_back(value(answer.text));
  const Code call = ts_chain(name, std::nullopt, {{answer.accepted ? "accept" : "dismiss", arguments}});
  const bool last = at + 1 == step.dialogs.size();
  const std::string line = fmt::format("{}.once('dialog', ({}) => {});", on, name, one_line(call));
  if (last && lines_.fits(line)) return lines_.raw(line);
  lines_.open(fmt::format("{}.once('dialog', async ({}) => {{", on, name));
  if (!last) answer_dialogs(step, at + 1, on);
  lines_.statement("await ", call);
  lines_.close("});");
}

void SpecSteps::around(std::size_t index, const Act& act) {
  const Step& step = flow_.steps[index];
  const std::string& on = page(step);
  std::string dialog;
  if (!step.dialogs.empty()) {
    // Waited for as well: a question that is not asked any more is a finding.
    dialog = variable("dialogPromise");
    lines_.raw(fmt::format("const {} = {}.waitForEvent('dialog');", dialog, on));
    answer_dialogs(step, 0, on);
  }
  std::vector<std::size_t> opened;
  for (std::size_t i = 0; i < flow_.pages.size(); ++i)
    if (flow_.pages[i].opened_by == index) opened.push_back(i);
  std::string popup, download;
  if (!opened.empty()) {
    popup = variable("popupPromise");
    lines_.raw(fmt::format("const {} = {}.waitForEvent('popup');", popup, on));
  }
  if (!step.downloads.empty()) {
    download = variable("downloadPromise");
    lines_.raw(fmt::format("const {} = {}.waitForEvent('download');", download, on));
  }
  if (!act.fragile.empty()) {
    stats_.fragile.push_back({step.id, act.fragile});
    lines_.comment("fragile: " + act.fragile);
  }
  lines_.statement("await ", act.code);
  if (!dialog.empty()) lines_.raw(fmt::format("await {};", dialog));
  if (!popup.empty()) {
    const bool used = needs_.pages_used.contains(opened.front());
    lines_.raw(used ? fmt::format("{} = await {};", needs_.page_names[opened.front()], popup)
                    : fmt::format("await {};", popup));
    pages_made_.insert(opened.front());
  }
  if (!download.empty()) lines_.raw(fmt::format("await {};", download));
  if (opened.size() > 1) refuse(step, "it opened more than one tab; only the first is waited for");
}

void SpecSteps::go_to_start() {
  if (flow_.start_url.empty()) return;
  const bool cut = flow_.start_url.find("=\xE2\x80\xA6") != std::string::npos;
  lines_.comment(cut ? "fragile: where the recording began; values of its query are not in the recording"
                     : "Where the recording began.");
  if (cut) stats_.fragile.push_back({"start", "values of the first page's query are not in the recording"});
  lines_.statement("await ", ts_chain("page", std::nullopt, {{"goto", {address(flow_.start_url)}}}));
}

void SpecSteps::write(std::size_t index) {
  const Step& step = flow_.steps[index];
  if (step.kind == StepKind::read) {
    if (step.tool == "eval_js")
      refuse(step,
             fmt::format("it ran a script in the page, {}", ts_string(text(step, "expr").substr(0, 200))));
    return;
  }
  if (!pages_made_.contains(step.page)) {
    if (flow_.pages[step.page].opened_by) return refuse(step, "what opened its tab is not written");
    pages_made_.insert(step.page);
    lines_.raw(fmt::format("{} = await page.context().newPage();", page(step)));
  }
  const Act act = this->act(step);
  if (!step.ok) {
    const std::string what = act.refused.empty() ? "await " + one_line(act.code) + ";" : step.tool;
    lines_.comment(fmt::format("{}: {} failed when it was recorded{}: {}",
                               step.retried ? "Retried below" : "Not repeated", step.id,
                               step.error.empty() ? "" : " (" + step.error + ")", what));
    if (!step.retried) stats_.unhandled.push_back({step.id, "it failed when it was recorded"});
    return;
  }
  if (!act.refused.empty()) return refuse(step, act.refused);
  around(index, act);
}

}  // namespace browx::codegen
