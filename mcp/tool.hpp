#pragma once
// A tool is one object: its name (the schema file says the rest), what it needs and its handler.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.hpp"
#include "capture/action.hpp"
#include "capture/session.hpp"
#include "mcp/answer.hpp"
#include "mcp/arguments.hpp"
#include "mcp/options.hpp"
#include "mcp/schema/validator.hpp"

namespace browx::capture {
class Recording;
}

namespace browx::mcp {

/// What must be there before the handler runs.
enum class Needs {
  nothing,       ///< no session (list_sessions)
  session_name,  ///< the handler opens or closes the session itself
  live_session,  ///< call.session when it is live, else null; never opens one
  session,       ///< call.session, opened on first use
  page,          ///< call.session and call.tab
};

/// How a call is recorded.
enum class StepKind { none, action, read, assertion };

class Calls;

/// What a recording is told about the running call. Filled by the handler, stored by the pipeline.
struct StepNotes {
  std::optional<capture::Element> element;
  Json arguments;  ///< the tool's own, without session, tab and deadlines
  Json result = Json::object();
};

/// One running call. Lives in the pipeline's frame, longer than the handler. Thread: the engine's.
struct Call {
  Calls& calls;
  capture::Engine& engine;
  const Options& options;
  Arguments args;
  std::string session_name;
  std::shared_ptr<capture::Session> session;
  std::shared_ptr<capture::Tab> tab;
  Deadline deadline;
  std::vector<std::string> warnings;
  capture::Recording* recording = nullptr;  ///< only while this call is recorded as a step
  std::int64_t step_token = 0;
  StepNotes step;
  const struct ToolCall* request = nullptr;
  /// Pointer of the arguments inside the request, for input errors: "" or "/calls/2/args".
  std::string pointer;
};

/// A handler gets arguments that passed schema and check, and answers what the tool found or did; an Error is
/// turned into the failure shape.
using Handler = Task<Answer> (*)(Call& call);

/// What a schema cannot say ("exactly one of"), checked before anything is opened or done.
using Check = std::optional<Misfit> (*)(const Arguments& arguments);

struct Tool {
  std::string_view name;
  Needs needs;
  StepKind step;
  Handler handler;
  Check check = nullptr;
  int default_timeout_ms = 5000;
};

/// The tools of the core dialect, in the order of tools/list.
const std::vector<Tool>& core_tools();

}  // namespace browx::mcp
