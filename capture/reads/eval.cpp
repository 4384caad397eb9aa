// eval_js: a script's value, with the values of sensitive fields masked in it.

#include "capture/reads.hpp"

namespace browx::capture {
namespace {

/// `value` as the frames let it out. A frame that left has nothing to hide any more.
Task<Json> masked(std::shared_ptr<Tab> tab, Json value, Deadline deadline) {
  const auto frames = tab->frames();
  for (const auto& frame : frames) {
    Json argument = Json::object();
    argument["value"] = value;
    auto answer = co_await frame->page("maskValues", std::move(argument), deadline);
    if (answer) {
      value = json_member(*answer, "value");
      continue;
    }
    if (answer.error().code == Code::gone && (frame->parent() || !frame->attached())) continue;
    co_return std::move(answer).error();
  }
  co_return value;
}

}  // namespace

Task<Json> eval_js(Session& session, Tab& tab, std::string expression, bool by_value, Deadline deadline) {
  const std::shared_ptr<Tab> keep = session.tab(tab.id());
  if (!keep) co_return Error{Code::gone, "the tab was closed", {}, "tab-closed"};
  // The frames note what their fields hold before the script can move it elsewhere.
  BROWX_CO_TRY(co_await masked(keep, nullptr, deadline));
  std::shared_ptr<Frame> frame = keep->main_frame().shared_from_this();
  auto value = co_await frame->evaluate(std::move(expression), by_value, deadline);
  if (!value) {
    Error error = std::move(value).error();
    // The text of an exception is the page's, too.
    if (error.kind == "page-exception") {
      auto what = co_await masked(keep, error.what, deadline);
      if (!what) co_return std::move(what).error();
      if (what->is_string()) error.what = what->get<std::string>();
    }
    co_return error;
  }
  co_return co_await masked(keep, *std::move(value), deadline);
}

}  // namespace browx::capture
