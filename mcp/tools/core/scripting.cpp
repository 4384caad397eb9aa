#include <regex>

#include "capture/reads.hpp"
#include "capture/recording.hpp"
#include "mcp/egress.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

constexpr std::string_view kClickWarning =
    "element.click() in JavaScript is not a user's click: it skips hit testing and frameworks may not react "
    "to it. Use the "
    "click tool for what you test.";

bool calls_click(const std::string& expression) {
  static const std::regex pattern(R"(\.\s*click\s*(\?\.)?\s*\()");
  return std::regex_search(expression, pattern);
}

}  // namespace

Task<Answer> eval_js(Call& call) {
  std::string expression = call.args.text("expr");
  if (expression.size() < (64u << 10) && calls_click(expression)) call.warnings.emplace_back(kClickWarning);
  const bool by_value = call.args.text("returnType", "json") == "json";
  auto value =
      co_await capture::eval_js(*call.session, *call.tab, std::move(expression), by_value, call.deadline);
  Json dialogs = Json::array();
  std::string dismissed;
  for (const capture::Dialog& dialog : call.tab->take_dialogs()) {
    dialogs.push_back({{"type", dialog.type}, {"message", dialog.message}, {"accepted", dialog.accepted}});
    if (!dialog.accepted)
      dismissed += (dismissed.empty() ? "" : ", ") + dialog.type + " \"" + dialog.message + "\"";
  }
  if (!dismissed.empty() && call.session->dialog_mode() == capture::DialogMode::raise) {
    Answer answer = fail(Error{Code::conflict, "a dialog came up: " + dismissed,
                               "set_dialog_policy decides how dialogs are answered", "dialog"});
    answer.object["dialogs"] = std::move(dialogs);
    co_return answer;
  }
  if (!value) co_return std::move(value).error();
  Json object = by_value ? Json{{"value", *std::move(value)}} : Json{{"returnType", "void"}};
  if (!dialogs.empty()) object["dialogs"] = std::move(dialogs);
  co_return succeed(std::move(object));
}

Task<Answer> register_secret(Call& call) {
  const std::string name = call.args.text("name");
  BROWX_CO_TRY(call.session->secrets().add(name, call.args.text("value")));
  mask_in_logs(call.session->secrets());
  if (call.session->recording()) call.session->recording()->secret_registered();
  Json object = {{"name", name}, {"use", "<" + name + ">"}, {"scope", call.args.text("scope", "session")}};
  co_return succeed(std::move(object));
}

}  // namespace browx::mcp::core
