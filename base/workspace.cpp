#include "base/workspace.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace browx {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRemedy = "Set BROWX_WORKSPACE to a folder that can be written";

/// `path` with every symlink resolved, also one that points to nothing yet (which weakly_canonical would
/// keep, and a write would follow). Components that do not exist are taken as they are.
Result<fs::path> resolved(const fs::path& path) {
  std::deque<fs::path> left(path.begin(), path.end());
  fs::path out = "/";
  int links = 0;
  while (!left.empty()) {
    const fs::path part = left.front();
    left.pop_front();
    if (part.empty() || part == "." || part == "/") continue;
    if (part == "..") {
      out = out.parent_path();
      continue;
    }
    std::error_code error;
    const fs::path next = out / part;
    if (fs::symlink_status(next, error).type() != fs::file_type::symlink) {
      out = next;
      continue;
    }
    const fs::path target = fs::read_symlink(next, error);
    if (error || ++links > 40)
      return Error{Code::denied,
                   fmt::format("{} is a symbolic link that leads nowhere", next.string()),
                   {},
                   "workspace-escape"};
    if (target.is_absolute()) out = "/";
    left.insert(left.begin(), target.begin(), target.end());
  }
  return out;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

fs::path Workspace::default_root() {
  if (const char* set = std::getenv("BROWX_WORKSPACE"); set && *set) return set;
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".browx";
  if (const passwd* user = getpwuid(getuid()); user && user->pw_dir) return fs::path(user->pw_dir) / ".browx";
  return fs::current_path() / ".browx";
}

Result<Workspace> Workspace::open(fs::path root) {
  std::error_code error;
  const fs::path absolute = fs::absolute(root, error);
  auto real = resolved(absolute);
  if (error || !real)
    return Error{Code::unavailable, fmt::format("The workspace {} has no path", root.string()), kRemedy};
  root = std::move(*real);
  const bool existed = fs::exists(root, error);
  if (!existed) {
    fs::create_directories(root.parent_path(), error);
    if (mkdir(root.c_str(), 0700) != 0 && errno != EEXIST)
      return Error{Code::unavailable,
                   fmt::format("The workspace {} cannot be made: {}", root.string(),
                               std::generic_category().message(errno)),
                   kRemedy};
  }
  if (!fs::is_directory(root, error))
    return Error{Code::unavailable, fmt::format("The workspace {} is not a folder", root.string()), kRemedy};
  if (access(root.c_str(), W_OK | X_OK) != 0)
    return Error{Code::unavailable,
                 fmt::format("The workspace {} cannot be written: {}", root.string(),
                             std::generic_category().message(errno)),
                 kRemedy};
  return Workspace(std::move(root));
}

Result<fs::path> Workspace::path_for_writing(std::string_view path) const {
  if (path.empty() || path.find('\0') != std::string_view::npos)
    return Error{Code::invalid_argument, "A path to write to is empty or has a NUL byte"};
  const fs::path given(path);
  auto real = resolved(given.is_absolute() ? given : root_ / given);
  if (!real) return std::move(real).error();
  if (!lies_in(*real, root_))
    return Error{Code::denied,
                 fmt::format("{} lies outside the workspace {}", to_valid_utf8(path), root_.string()),
                 "Give a path inside the workspace, or set BROWX_WORKSPACE", "workspace-escape"};
  if (*real == root_ || path.back() == '/')
    return Error{Code::invalid_argument, fmt::format("{} names a folder, not a file", to_valid_utf8(path))};
  std::error_code error;
  fs::create_directories(real->parent_path(), error);
  if (error)
    return Error{Code::unavailable,
                 fmt::format("{} cannot be made: {}", real->parent_path().string(), error.message()),
                 kRemedy};
  return std::move(*real);
}

std::string safe_file_name(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || (c == '.' && !name.empty());
    if (plain)
      name += c;
    else if (name.empty() || name.back() != '-')
      name += '-';
  }
  if (name == text && !name.empty() && name.size() <= kLongest) return name;
  const std::string hash = sha256_hex(text).substr(0, 8);
  name.resize(std::min(name.size(), kLongest - hash.size() - 1));
  while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.pop_back();
  return name.empty() ? "unnamed-" + hash : name + "-" + hash;
}

}  // namespace browx
