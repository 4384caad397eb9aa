#pragma once
// The one way out: every answer is redacted, masked, checked for instructions, bounded and shaped here, and
// every log line is masked.

#include <string>
#include <vector>

#include "base/secrets.hpp"
#include "mcp/answer.hpp"
#include "mcp/rpc/service.hpp"

namespace browx::mcp {

/// No answer is longer than this on the wire.
inline constexpr std::size_t kAnswerLimit = 1u << 20;

/// `secrets`: of every live session, the answering one first.
CallOutcome shape_answer(Answer answer, std::vector<std::string> warnings,
                         const std::vector<const Secrets*>& secrets);

/// URLs of captured traffic lose query, fragment and userinfo: those of `network` and `requests`, wherever
/// they are.
void redact_traffic(Json& answer);

/// Cuts the longest strings and arrays of `value` until its JSON takes at most `limit` bytes. True when it
/// cut.
bool shrink(Json& value, std::size_t limit);

/// From now on log lines show `<NAME>` for these values too (copied; for the life of the process, since a
/// line may be late). Thread: any.
void mask_in_logs(const Secrets& secrets);

}  // namespace browx::mcp
