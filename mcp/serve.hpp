#pragma once
// `browx mcp`: the server over stdio, from its first line to its last.

#include "mcp/options.hpp"

namespace browx::mcp {

/// Serves stdin and stdout until end of input, SIGTERM, SIGINT or SIGHUP; recordings are sealed and the
/// browser is ended within a second. Answers the exit status. Blocks the calling thread, which becomes the
/// engine's.
int serve_stdio(Options options);

}  // namespace browx::mcp
