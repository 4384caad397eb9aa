#pragma once
// The one place on disk that browx writes to.

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace browx {

/// BROWX_WORKSPACE (default ~/.browx), made when missing. Thread: any; a value.
class Workspace {
 public:
  /// Makes the folder (0700) if needed. Error `unavailable` when it cannot be made or written, saying which
  /// variable to set.
  static Result<Workspace> open(std::filesystem::path root);
  /// BROWX_WORKSPACE or ~/.browx.
  static std::filesystem::path default_root();

  const std::filesystem::path& root() const { return root_; }

  /// `relative` (or an absolute path) as a path to write inside the workspace: symlinks of every existing
  /// component resolved, parents made. Error `denied`, kind `workspace-escape`, when it would lie outside.
  Result<std::filesystem::path> path_for_writing(std::string_view path) const;

 private:
  explicit Workspace(std::filesystem::path root) : root_(std::move(root)) {}
  std::filesystem::path root_;
};

/// A file name made of any text: letters, digits, '-', '_' and '.', at most 80 bytes, never empty, never
/// starting with '.'; different texts that collide get a short hash.
std::string safe_file_name(std::string_view text);

}  // namespace browx
