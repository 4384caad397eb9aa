#pragma once
// What a session's options ask of every target, as protocol commands. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "capture/session.hpp"

namespace browx::capture {

struct ProtocolCommand {
  std::string method;
  Json params;
};

/// `type` as CDP names it: page, iframe, worker, …. Locale and timezone are the whole renderer's: a second
/// target of the same process is refused with "already in effect", which is as good.
std::vector<ProtocolCommand> emulation_commands(const SessionOptions& options, std::string_view type);

ProtocolCommand viewport_command(const SessionOptions& options);

/// Refuses what no browser could do. Errors `invalid_argument`, `unavailable` (kind "mode-unavailable").
Status check_options(const SessionOptions& options);

}  // namespace browx::capture
