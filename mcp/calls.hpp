#pragma once
// The pipeline of a tool call: checked, in turn, with a deadline, recorded, shaped.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcp/registry.hpp"
#include "mcp/rpc/service.hpp"
#include "mcp/scripts.hpp"
#include "mcp/tool.hpp"
#include "mcp/turns.hpp"

namespace browx::mcp {

/// A call whose tool exists and whose arguments fit, or the answer that says why not.
struct Prepared {
  ToolEntry* entry = nullptr;
  Json arguments;
  std::string pointer;  ///< of the arguments, for input errors
  std::vector<std::string> warnings;
  std::optional<Answer> refused;
};

/// What one call of a prepared tool came to.
struct Ran {
  Answer answer;
  std::vector<std::string> warnings;
};

/// Thread: the engine's. Must outlive its calls.
class Calls final : public Service {
 public:
  Calls(asio::any_io_executor executor, capture::Engine& engine, const Options& options);

  std::string instructions() const override;
  OrderedJson list_tools() override;
  bool has_tool(std::string_view name) override;
  asio::awaitable<CallOutcome> call_tool(ToolCall call) override;
  OrderedJson list_resources() override;
  OrderedJson list_resource_templates() override;
  Result<OrderedJson> read_resource(const std::string& uri) override;

  /// Capability and schema of one call. `pointer` is where its arguments stand in the request ("" or
  /// "/calls/0/args"). The tool must exist.
  Prepared prepare(std::string_view tool, Json arguments, std::string pointer);
  /// The tool takes a parameter of that name.
  bool declares(std::string_view tool, std::string_view parameter);
  /// Runs a prepared call without waiting for its turn: the caller has it.
  asio::awaitable<Ran> run(Prepared prepared, const ToolCall* request);

  /// The live session of that name, or one that is opened (and recorded, where BROWX_RECORD says so).
  Task<std::shared_ptr<capture::Session>> session(std::string name);
  /// Begins the recording that BROWX_RECORD asks for when the session has none.
  Task<bool> record_automatically(capture::Session& session);
  std::shared_ptr<capture::Session> live_session(std::string_view name) const;
  /// The tests that were made of recordings.
  Scripts& scripts() { return scripts_; }

 private:
  Task<Answer> run_handler(Call& call, const Tool& tool);
  asio::awaitable<void> begin_recorded(Call& call, const Tool& tool);
  asio::awaitable<void> end_recorded(Call& call, const Tool& tool, Answer& answer);

  asio::any_io_executor executor_;
  capture::Engine& engine_;
  const Options& options_;
  Registry registry_;
  Turns turns_;
  Scripts scripts_;
};

}  // namespace browx::mcp
