#include "capture/cdp/keeper.hpp"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace browx::cdp {
namespace {

// ---- Everything from here to the next line of dashes runs in a forked child: no allocation, no locks, no
// stdio.

struct DirectoryEntry {  // linux_dirent64
  ino64_t inode;
  off64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

/// Removes what is in the folder `fd`, depth first. True when it is empty.
bool empty_folder(int fd, int depth) {
  if (depth > 64) return false;
  bool all = true;
  alignas(DirectoryEntry) char buffer[8192];
  ::lseek(fd, 0, SEEK_SET);
  for (;;) {
    const long got = ::syscall(SYS_getdents64, fd, buffer, sizeof buffer);
    if (got <= 0) return all && got == 0;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
      at += entry->length;
      const char* name = entry->name;
      if (!std::strcmp(name, ".") || !std::strcmp(name, "..")) continue;
      if (::unlinkat(fd, name, 0) == 0) continue;
      const int child = ::openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (child >= 0) {
        empty_folder(child, depth + 1);
        ::close(child);
      }
      if (::unlinkat(fd, name, AT_REMOVEDIR) != 0) all = false;
    }
  }
}

void nap(long ms) {
  timespec span{ms / 1000, (ms % 1000) * 1'000'000};
  ::nanosleep(&span, nullptr);
}

/// Again and again for a while: a dying process may still write.
void remove_tree(const char* path) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int fd = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    empty_folder(fd, 0);
    ::close(fd);
    if (::rmdir(path) == 0 || errno == ENOENT) return;
    nap(20);
  }
}

void say(int fd, const char* word, long number) {
  char line[48];
  int end = 0;
  for (const char* c = word; *c; ++c) line[end++] = *c;
  line[end++] = ' ';
  char digits[24];
  int count = 0;
  unsigned long rest =
      number < 0 ? 0UL - static_cast<unsigned long>(number) : static_cast<unsigned long>(number);
  do digits[count++] = static_cast<char>('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) line[end++] = '-';
  while (count) line[end++] = digits[--count];
  line[end++] = '\n';
  [[maybe_unused]] const auto written = ::write(fd, line, static_cast<std::size_t>(end));
}

/// SIGKILL to every child of this process: those of the browser that left its group became ours (subreaper).
/// False when there is none left.
bool kill_children() {
  const int fd = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[4096];
  const auto got = ::read(fd, text, sizeof text);
  ::close(fd);
  pid_t pid = 0;
  bool any = false;
  for (long i = 0; i < got; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      pid = pid * 10 + (text[i] - '0');
    } else if (pid > 0) {
      ::kill(pid, SIGKILL);
      any = true;
      pid = 0;
    }
  }
  return any;
}

struct Plan {
  char* const* argv;
  char* const* envp;
  const char* scratch;
  int life, report, errors, null;
};

int g_wake = -1;  // the keeper's own copy: written by SIGCHLD to end poll()

void on_child(int) {
  const int saved = errno;
  const char byte = 0;
  [[maybe_unused]] const auto written = ::write(g_wake, &byte, 1);
  errno = saved;
}

[[noreturn]] void run_browser(const Plan& plan, int exec_error) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int sig = 1; sig < NSIG; ++sig)
    if (sig != SIGKILL && sig != SIGSTOP) ::signal(sig, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(plan.null, 0);
  ::dup2(plan.errors, 1);
  ::dup2(plan.errors, 2);
  ::execve(plan.argv[0], plan.argv, plan.envp);
  const int why = errno;
  [[maybe_unused]] const auto written = ::write(exec_error, &why, sizeof why);
  ::_exit(127);
}

/// Moves the descriptors that are needed to 3…, closes all others. Answers false when the system refuses.
bool keep_only(Plan& plan) {
  int* kept[] = {&plan.life, &plan.report, &plan.errors, &plan.null};
  for (int* fd : kept) {  // out of the way first
    const int high = ::fcntl(*fd, F_DUPFD_CLOEXEC, 64);
    if (high < 0) return false;
    *fd = high;
  }
  int next = 3;
  for (int* fd : kept) {
    if (::dup3(*fd, next, O_CLOEXEC) < 0) return false;
    *fd = next++;
  }
  if (::syscall(SYS_close_range, static_cast<unsigned>(next), ~0U, 0U) != 0)
    for (int fd = next; fd < 65536; ++fd) ::close(fd);
  for (int fd = 0; fd < 3; ++fd) ::dup2(plan.null, fd);
  return true;
}

[[noreturn]] void run_keeper(Plan plan) {
  ::setsid();
  ::prctl(PR_SET_NAME, "browx-keeper");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int sig : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGUSR1, SIGUSR2}) ::signal(sig, SIG_IGN);
  int wake[2], exec_status[2];
  if (!keep_only(plan) || ::pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0 || ::pipe2(exec_status, O_CLOEXEC) != 0)
    ::_exit(1);
  g_wake = wake[1];
  struct sigaction action {};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  ::sigaction(SIGCHLD, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  const pid_t browser = ::fork();
  if (browser == 0) run_browser(plan, exec_status[1]);
  ::close(exec_status[1]);
  ::close(plan.errors);
  int why = browser < 0 ? errno : 0;
  if (browser > 0) {
    ::setpgid(browser, browser);
    while (::read(exec_status[0], &why, sizeof why) < 0 && errno == EINTR) {
    }
  }
  if (why)
    say(plan.report, "exec", why);
  else
    say(plan.report, "pid", browser);

  bool browser_lives = browser > 0, wanted = true;
  while (wanted && browser_lives) {
    pollfd fds[2] = {{plan.life, POLLIN, 0}, {wake[0], POLLIN, 0}};
    ::poll(fds, 2, -1);
    char bytes[64];
    if (fds[1].revents) [[maybe_unused]]
      const auto drained = ::read(wake[0], bytes, sizeof bytes);
    if (fds[0].revents) {
      const auto got = ::read(plan.life, bytes, sizeof bytes);
      if (got == 0)
        wanted = false;
      else if (got > 0)
        ::kill(browser, SIGTERM);
    }
    for (;;) {
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, WNOHANG);
      if (ended <= 0) break;
      if (ended != browser) continue;
      browser_lives = false;
      if (!why) say(plan.report, "end", status);
    }
  }
  if (browser > 0) ::kill(-browser, SIGKILL);
  for (int attempt = 0; attempt < 500; ++attempt) {
    const bool any = kill_children();
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0)
      if (ended == browser && browser_lives) {
        browser_lives = false;
        say(plan.report, "end", status);
      }
    if (ended < 0 && !any) break;  // no children left
    nap(5);
  }
  if (plan.scratch) remove_tree(plan.scratch);
  ::_exit(0);
}

// ---- Back in our own process.

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const auto& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

struct Pipes {
  int life[2] = {-1, -1}, report[2] = {-1, -1}, errors[2] = {-1, -1}, null = -1;
  ~Pipes() {
    for (int fd : {life[0], life[1], report[0], report[1], errors[0], errors[1], null})
      if (fd >= 0) ::close(fd);
  }
};

}  // namespace

Result<Kept> spawn_kept(const KeeperSpawn& spawn) {
  const auto argv = pointers(spawn.command);
  const auto envp = pointers(spawn.environment);
  Pipes pipes;
  pipes.null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (pipes.null < 0 || ::pipe2(pipes.life, O_CLOEXEC) != 0 || ::pipe2(pipes.report, O_CLOEXEC) != 0 ||
      ::pipe2(pipes.errors, O_CLOEXEC) != 0)
    return Error{Code::unavailable,
                 fmt::format("No pipes for the browser's process: {}", std::strerror(errno)),
                 "Raise the limit of open files (ulimit -n)", "chromium-failed"};
  const Plan plan{argv.data(),   envp.data(),     spawn.scratch.empty() ? nullptr : spawn.scratch.c_str(),
                  pipes.life[0], pipes.report[1], pipes.errors[1],
                  pipes.null};

  // No signal may run a handler of ours in the child before it has put its own in place.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  int keeper_pid[2];
  if (::pipe2(keeper_pid, O_CLOEXEC) != 0) keeper_pid[0] = keeper_pid[1] = -1;
  const pid_t between = ::fork();
  if (between == 0) {  // forks once more, so that the keeper is nobody's zombie
    const pid_t keeper = ::fork();
    if (keeper == 0) run_keeper(plan);
    [[maybe_unused]] const auto written = ::write(keeper_pid[1], &keeper, sizeof keeper);
    ::_exit(keeper > 0 ? 0 : 1);
  }
  const int fork_error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  Kept kept;
  if (between > 0) {
    int status = 0;
    while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    if (keeper_pid[0] >= 0 && ::read(keeper_pid[0], &kept.keeper, sizeof kept.keeper) != sizeof kept.keeper)
      kept.keeper = -1;
  }
  if (keeper_pid[0] >= 0) {
    ::close(keeper_pid[0]);
    ::close(keeper_pid[1]);
  }
  if (kept.keeper <= 0)
    return Error{Code::unavailable,
                 fmt::format("The browser's process could not be made: {}", std::strerror(fork_error)),
                 "The system is out of memory or processes", "chromium-failed"};
  kept.life = std::exchange(pipes.life[1], -1);
  kept.report = std::exchange(pipes.report[0], -1);
  kept.errors = std::exchange(pipes.errors[0], -1);
  return kept;
}

}  // namespace browx::cdp
