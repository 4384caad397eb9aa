#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cli/commands.hpp"
#include "mcp/options.hpp"
#include "mcp/serve.hpp"

namespace browx::cli {

int run_mcp(const std::map<std::string, std::string>& flags) {
  auto options = mcp::read_options(flags, [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  });
  if (!options) {
    std::fprintf(stderr, "browx: %s\n", options.error().message().c_str());
    return kUsage;
  }
  return mcp::serve_stdio(*std::move(options));
}

}  // namespace browx::cli
