#pragma once
// Whether somebody writes a file. A writer holds an exclusive flock on its database for its lifetime; SQLite
// keeps POSIX locks on the same file, and those are dropped as soon as any descriptor of the file is closed
// by the same process. Hence the list of files that this process writes: a reader here must not open such a
// file itself. It is per process because POSIX locks are. Private to this folder. Thread: any.

#include <filesystem>

#include "base/result.hpp"

namespace browx::archive {

/// The writer's hold on its file, from before SQLite opens it until after SQLite has closed it.
class Hold {
 public:
  Hold() = default;
  /// Creates `path`, which must not exist, and locks it. Errors as Writer::create.
  static Result<Hold> create(const std::filesystem::path& path);
  Hold(Hold&& other) noexcept;
  Hold& operator=(Hold&& other) noexcept;
  ~Hold();

 private:
  int fd_ = -1;
  unsigned long long device_ = 0, inode_ = 0;
};

/// True when this process writes the file of that device and inode.
bool held_here(unsigned long long device, unsigned long long inode);
/// True when another process holds the file open at `fd` for writing.
bool held_elsewhere(int fd);

}  // namespace browx::archive
