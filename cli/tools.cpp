#include <cstdio>

#include "cli/commands.hpp"
#include "mcp/docs.hpp"

namespace browx::cli {

int run_tools() {
  std::fputs(mcp::tools_markdown().c_str(), stdout);
  return kOk;
}

}  // namespace browx::cli
