#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {

Task<Answer> navigate(Call& call) {
  std::string url = call.args.text("url");
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::navigate(*call.session, *call.tab, std::move(url), std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> go_back(Call& call) {
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::go_back(*call.session, *call.tab, std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> go_forward(Call& call) {
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::go_forward(*call.session, *call.tab, std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

Task<Answer> reload(Call& call) {
  capture::ActionOptions bounds = action_options(call);
  auto result = co_await capture::reload(*call.session, *call.tab, std::move(bounds));
  if (!result) co_return std::move(result).error();
  co_return acted(call, *std::move(result));
}

}  // namespace browx::mcp::core
