#pragma once
// How the server was started: environment variables, and flags of the same names, which win.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "capture/session.hpp"

namespace browx::mcp {

/// One setting: `--chromium` and BROWX_CHROMIUM.
struct Setting {
  std::string_view variable;
  std::string_view flag;  ///< without "--"
  std::string_view help;
};
/// All of them, in the order that help prints.
const std::vector<Setting>& settings();

/// Names that BROWX_CAPABILITIES and BROWX_TOOLSETS know.
const std::vector<std::string>& capability_names();
const std::vector<std::string>& toolset_names();

struct Options {
  capture::EngineOptions engine;
  std::set<std::string> capabilities;
  std::set<std::string> toolsets;
  /// Folders outside the workspace that single tools may use; absolute, symlinks resolved. `screenshot_dir`
  /// is where take_screenshot writes (made when missing; empty: browx-screenshots in the system's temporary
  /// folder), archives may be read from `archive_dirs` too, upload_file may read from `upload_dirs` too.
  std::filesystem::path screenshot_dir;
  std::vector<std::filesystem::path> archive_dirs, upload_dirs;
  /// The workspace could not be opened: what tools that write answer. Empty when it is there.
  std::string workspace_problem;
  /// Lines for stderr at the start.
  std::vector<std::string> notices;

  bool may(std::string_view capability) const { return capabilities.contains(std::string(capability)); }
  bool serves(std::string_view tool, std::string_view dialect) const;
};

/// The folder for recordings inside the workspace, made when missing. Errors: kinds "workspace-unavailable",
/// "workspace-escape".
Result<std::filesystem::path> recordings_folder(const Options& options, const std::string& name);

/// Reads the settings. `flags` by flag name; `variable` answers an environment variable or nothing. Error
/// `invalid_argument` naming the setting, what it says and what is valid.
Result<Options> read_options(const std::map<std::string, std::string>& flags,
                             const std::function<std::optional<std::string>(std::string_view)>& variable);

}  // namespace browx::mcp
