#pragma once
// The process that outlives us for a moment, to take the browser with us.

#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.hpp"

namespace browx::cdp {

/// What fork() in a process with threads allows: everything is prepared before, and only async-signal-safe
/// calls are made in the children.
///
///     us ──life pipe──▶ keeper ──parent of──▶ browser (its own process group)
///        ◀─report pipe─        ◀─SIGCHLD/wait─
///
/// The keeper leads a session of its own (a Ctrl-C at the terminal does not reach it), is the reaper of the
/// browser's orphans, and ends in this order: end of file on the life pipe, or the browser's own end →
/// SIGKILL to the browser's group and to every process it left behind → removal of `scratch` → exit. Should
/// the keeper itself be killed, the browser gets SIGKILL from the kernel (parent-death signal).
struct KeeperSpawn {
  std::vector<std::string> command;      ///< executable and arguments
  std::vector<std::string> environment;  ///< KEY=value
  std::string scratch;                   ///< absolute path of a folder removed at the end; may be empty
};

/// File descriptors are the caller's to close, all O_CLOEXEC.
struct Kept {
  pid_t keeper = -1;
  int life = -1;    ///< write end: a byte asks the browser to go (SIGTERM); closing it ends everything
  int report = -1;  ///< read end: "pid N\n" or "exec E\n" (errno), then "end STATUS\n"; end of file when the
                    ///< keeper is gone
  int errors = -1;  ///< read end of the browser's stderr and stdout
};

/// Errors `unavailable`. The browser may still fail to run: the report says so.
Result<Kept> spawn_kept(const KeeperSpawn& spawn);

}  // namespace browx::cdp
