#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "archive/reader.hpp"
#include "cli/commands.hpp"
#include "codegen/read.hpp"
#include "codegen/targets.hpp"

namespace browx::cli {
namespace {

int fail(const Error& error, int status) {
  std::fprintf(stderr, "browx: %s: %s\n", error.kind_or_code().c_str(), error.message().c_str());
  return status;
}

/// Beside the output, so that it can be piped on: what a reviewer should look at.
void tell(const codegen::Stats& stats) {
  for (const auto& note : stats.unhandled)
    std::fprintf(stderr, "browx: not written: %s: %s\n", note.step.c_str(), note.reason.c_str());
  for (const auto& note : stats.fragile)
    std::fprintf(stderr, "browx: fragile: %s: %s\n", note.step.c_str(), note.reason.c_str());
}

}  // namespace

int run_generate(const std::filesystem::path& path, const std::string& name, const std::string& output) {
  const auto target = codegen::find_target(name);
  if (!target) return fail(target.error(), kUsage);
  auto reader = archive::Reader::open(path);
  if (!reader) return fail(reader.error(), kUnreadable);
  const auto flow = codegen::read_flow(**reader);
  if (!flow) return fail(flow.error(), kUnreadable);
  if (!flow->partial.empty())
    std::fprintf(stderr, "browx: the archive is incomplete: %s\n", flow->partial.c_str());
  const codegen::Generated made = (*target)->generate(*flow);
  tell(made.stats);
  if (output.empty() || output == "-") {
    std::fwrite(made.content.data(), 1, made.content.size(), stdout);
    if (std::fflush(stdout) != 0)
      return fail(Error{Code::unavailable, "The standard output cannot be written"}, kFailed);
    return kOk;
  }
  std::ofstream file(output, std::ios::binary | std::ios::trunc);
  file.write(made.content.data(), static_cast<std::streamsize>(made.content.size()));
  file.close();
  if (!file)
    return fail(Error{Code::unavailable, fmt::format("{} cannot be written", output),
                      "Check the folder and its permissions."},
                kFailed);
  std::fprintf(stderr, "browx: %s: %d of %d steps\n", output.c_str(), made.stats.handled, made.stats.steps);
  return kOk;
}

}  // namespace browx::cli
