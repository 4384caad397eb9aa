#pragma once
// The subcommands of browx. Each answers the exit status.

#include <filesystem>
#include <map>
#include <string>

namespace browx::cli {

/// Exit statuses; --help and docs/cli.md say the same.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;      ///< doctor: something does not work; generate: cannot write
inline constexpr int kUsage = 2;       ///< a wrong argument or setting
inline constexpr int kUnreadable = 3;  ///< the file is no archive, or cannot be read at all

/// `flags`: those of mcp::settings(), by name.
int run_mcp(const std::map<std::string, std::string>& flags);
int run_info(const std::filesystem::path& path, bool json);
int run_doctor(const std::map<std::string, std::string>& flags, bool json);
/// Prints the archive at `path` in the output language `target`, to `output` or (empty, or "-") to stdout.
int run_generate(const std::filesystem::path& path, const std::string& target, const std::string& output);
/// Prints docs/tools.md.
int run_tools();

}  // namespace browx::cli
