#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mcp/calls.hpp"
#include "mcp/rpc/service.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

constexpr std::array<std::string_view, 7> kExcluded{"batch",         "open_session",    "close_session",
                                                    "list_sessions", "start_recording", "record_annotate",
                                                    "end_recording"};

struct Item {
  Prepared prepared;
  std::string tool, label;
  Json expect;
};

/// The text of a nested member such as ownerControl.displayText; nothing when it was not reported.
std::optional<std::string> nested_text(const Json& element, std::string_view member,
                                       std::initializer_list<const char*> names) {
  const Json& object = json_member(element, member);
  for (const char* name : names)
    if (const Json& text = json_member(object, name); text.is_string()) return text.get<std::string>();
  return std::nullopt;
}

/// What an answer's element lacks of `expect`; nothing when all holds.
std::optional<std::string> unmet(const Json& answer, const Json& expect) {
  const Json& element = json_member(answer, "element");
  const auto includes = [&](const char* key, std::optional<std::string> text,
                            const char* what) -> std::optional<std::string> {
    if (!expect.contains(key)) return std::nullopt;
    const std::string wanted = expect.at(key).get<std::string>();
    if (!text) return fmt::format("{}: {} was not reported", key, what);
    if (text->find(wanted) == std::string::npos) return fmt::format("{}: {} is \"{}\"", key, what, *text);
    return std::nullopt;
  };
  const auto own = [&](const char* name) -> std::optional<std::string> {
    const Json& text = json_member(element, name);
    return text.is_string() ? std::optional(text.get<std::string>()) : std::nullopt;
  };
  if (expect.contains("valueEquals")) {
    const auto value = own("value");
    if (!value) return "valueEquals: the value was not reported";
    if (*value != expect.at("valueEquals").get<std::string>())
      return fmt::format("valueEquals: the value is \"{}\"", *value);
  }
  if (auto problem = includes("displayTextIncludes", own("displayText"), "the display text")) return problem;
  if (auto problem = includes("controlDisplayTextIncludes",
                              nested_text(element, "ownerControl", {"displayText", "text"}),
                              "the text of the owning control"))
    return problem;
  if (auto problem =
          includes("containerTextIncludes", nested_text(element, "container", {"text", "displayText"}),
                   "the text of the container"))
    return problem;
  if (expect.contains("controlChanged")) {
    const Json& changed = json_member(json_member(element, "ownerControl"), "changed");
    if (!changed.is_boolean()) return "controlChanged: no owning control was reported";
    if (changed != expect.at("controlChanged"))
      return fmt::format("controlChanged: it is {}", changed.get<bool>());
  }
  return std::nullopt;
}

/// One call of the batch made ready, or the answer that refuses the whole.
std::variant<Item, Answer> prepare_item(Call& call, const Arguments& given, std::size_t index) {
  const std::string at = fmt::format("{}/calls/{}", call.pointer, index);
  Item item{.prepared = {},
            .tool = given.text("tool"),
            .label = given.text("label"),
            .expect = given.raw("expect")};
  const bool excluded = std::find(kExcluded.begin(), kExcluded.end(), item.tool) != kExcluded.end();
  if (excluded || !call.calls.has_tool(item.tool))
    return refuse_input(at + "/tool", "a core tool other than batch, recording and session control",
                        excluded ? item.tool + " cannot be in a batch" : "Unknown tool " + item.tool);
  Json arguments = given.raw("args").is_null() ? Json::object() : given.raw("args");
  if (arguments.contains("session") && arguments.at("session") != Json(call.session_name))
    return refuse_input(at + "/args/session", dump_json(Json(call.session_name)),
                        "All calls of a batch are of its session");
  arguments["session"] = call.session_name;
  for (const char* name : {"tab", "timeoutMs"})
    if (!arguments.contains(name) && call.args.has(name) && call.calls.declares(item.tool, name))
      arguments[name] = call.args.raw(name);
  item.prepared = call.calls.prepare(item.tool, std::move(arguments), at + "/args");
  if (item.prepared.refused) {
    Answer refused = *std::move(item.prepared.refused);
    refused.object["failedAt"] = index;
    return refused;
  }
  if (!item.expect.is_null() && item.prepared.entry->tool().step != StepKind::action)
    return refuse_input(at + "/expect", "expect only beside an acting tool",
                        item.tool + " reports no element");
  return item;
}

}  // namespace

Task<Answer> batch(Call& call) {
  std::vector<Item> items;
  for (const Arguments& given : call.args.objects("calls")) {
    auto item = prepare_item(call, given, items.size());
    if (Answer* refused = std::get_if<Answer>(&item)) co_return std::move(*refused);
    items.push_back(std::get<Item>(std::move(item)));
  }
  const bool stop = call.args.flag("stopOnError", true);
  const double total = static_cast<double>(items.size());
  Json results = Json::array(), failed_at = nullptr;
  int completed = 0;
  Answer answer;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item& item = items[i];
    Ran ran = co_await call.calls.run(std::move(item.prepared), call.request);
    std::string error = json_string(ran.answer.object, "error");
    bool ok = !ran.answer.failed();
    if (ok && item.expect.is_object())
      if (auto problem = unmet(ran.answer.object, item.expect)) {
        ok = false;
        error = "Expectation not met: " + *problem;
      }
    if (!ran.warnings.empty()) {
      Json& warnings = ran.answer.object["warnings"];
      if (!warnings.is_array()) warnings = Json::array();
      for (std::string& warning : ran.warnings) warnings.push_back(std::move(warning));
    }
    Json result = {{"tool", item.tool}, {"ok", ok}, {"result", std::move(ran.answer.object)}};
    if (!item.label.empty()) result["label"] = item.label;
    if (!ok) result["error"] = error;
    results.push_back(std::move(result));
    for (Picture& picture : ran.answer.pictures) answer.pictures.push_back(std::move(picture));
    completed += ok;
    if (!ok && failed_at.is_null()) failed_at = i;
    call.request->progress(static_cast<double>(i + 1), total, item.label.empty() ? item.tool : item.label);
    if (!ok && stop) break;
  }
  const bool ok = failed_at.is_null();
  if (!ok) {
    const Json& first = results[failed_at.get<std::size_t>()];
    const std::string code = json_string(json_member(first, "result"), "code", "expectation-failed");
    answer.object["error"] = fmt::format("Call {} ({}) failed: {}", failed_at.get<std::size_t>(),
                                         json_string(first, "tool"), json_string(first, "error"));
    answer.object["code"] = code;
  }
  answer.object["ok"] = ok;
  answer.object["completed"] = completed;
  answer.object["failedAt"] = std::move(failed_at);
  answer.object["results"] = std::move(results);
  co_return answer;
}

}  // namespace browx::mcp::core
