#include "archive/held.hpp"

#include <fcntl.h>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace browx::archive {
namespace {

struct Held {
  std::mutex mutex;
  std::set<std::pair<unsigned long long, unsigned long long>> files;
};
Held& held() {
  static Held instance;
  return instance;
}

}  // namespace

Result<Hold> Hold::create(const std::filesystem::path& path) {
  Hold hold;
  hold.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (hold.fd_ < 0 && errno == EEXIST)
    return Error{Code::conflict, fmt::format("{} exists already", path.string()),
                 "Choose another name; an archive is never overwritten"};
  struct stat status {};
  // Probes hold the lock for an instant only.
  if (hold.fd_ < 0 || fstat(hold.fd_, &status) != 0 || flock(hold.fd_, LOCK_EX) != 0)
    return Error{
        Code::unavailable,
        fmt::format("{} cannot be written: {}", path.string(), std::generic_category().message(errno)),
        fmt::format("Check that the folder {} exists, can be written and has room",
                    path.parent_path().string())};
  hold.device_ = status.st_dev;
  hold.inode_ = status.st_ino;
  const std::lock_guard lock(held().mutex);
  held().files.emplace(hold.device_, hold.inode_);
  return hold;
}

Hold::Hold(Hold&& other) noexcept { *this = std::move(other); }
Hold& Hold::operator=(Hold&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  return *this;
}

Hold::~Hold() {
  if (fd_ < 0) return;
  {
    const std::lock_guard lock(held().mutex);
    held().files.erase({device_, inode_});
  }
  ::close(fd_);
}

bool held_here(unsigned long long device, unsigned long long inode) {
  const std::lock_guard lock(held().mutex);
  return held().files.contains({device, inode});
}

bool held_elsewhere(int fd) {
  if (flock(fd, LOCK_SH | LOCK_NB) == 0) {
    flock(fd, LOCK_UN);
    return false;
  }
  return errno == EWOULDBLOCK;
}

}  // namespace browx::archive
