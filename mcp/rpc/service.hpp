#pragma once
// What a connection serves: the tools and resources behind the protocol, free of eras and framing.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/cancellation_signal.hpp>

#include "base/async.hpp"
#include "base/json.hpp"

namespace browx::mcp {

/// How a running call is stopped from outside. `why` is set before the signal is emitted.
struct Abort {
  enum class Why { none, cancelled, deadline };
  asio::cancellation_signal signal;
  Why why = Why::none;
  void now(Why reason) {
    if (why == Why::cancelled) return;
    why = reason;
    signal.emit(asio::cancellation_type::terminal);
  }
};

struct ToolCall {
  std::string name;
  Json arguments = Json::object();
  std::shared_ptr<Abort> abort;
  /// Tells how far the call is; does nothing when the client did not ask. `progress` rises.
  std::function<void(double progress, std::optional<double> total, std::string message)> progress;
};

struct CallOutcome {
  OrderedJson content = OrderedJson::array();
  std::optional<OrderedJson> structured;
  bool is_error = false;
};

/// Thread: the engine's. Outlives the connections that use it.
class Service {
 public:
  virtual ~Service() = default;
  virtual std::string instructions() const = 0;
  /// The `tools` array, in a fixed order.
  virtual OrderedJson list_tools() = 0;
  virtual bool has_tool(std::string_view name) = 0;
  /// Only for names of has_tool(). Cancellation ends it by Asio's exception; nothing is sent for it then.
  /// Arguments that do not fit are an outcome with is_error.
  virtual asio::awaitable<CallOutcome> call_tool(ToolCall call) = 0;

  virtual OrderedJson list_resources() = 0;           ///< `resources`
  virtual OrderedJson list_resource_templates() = 0;  ///< `resourceTemplates`
  /// `contents`. Error `not_found`.
  virtual Result<OrderedJson> read_resource(const std::string& uri) = 0;
};

}  // namespace browx::mcp
