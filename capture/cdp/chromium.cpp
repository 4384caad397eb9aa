#include "capture/cdp/chromium.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/log.hpp"
#include "capture/cdp/keeper.hpp"

extern char** environ;

namespace browx::cdp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTail = 4000;  // of what the browser printed
constexpr const char* kRemedy =
    "Set BROWX_CHROMIUM to a Chromium or Chrome that starts with --headless, or install the package chromium";

bool executable_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

Error failed(std::string what, std::string hint = kRemedy) {
  return Error{Code::unavailable, std::move(what), std::move(hint), "chromium-failed"};
}

/// The last lines of what was printed, without empty ones.
std::string last_lines(std::string_view text, std::size_t count) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < count) {
    const std::size_t end = text.rfind('\n');
    const std::string_view line = end == std::string_view::npos ? text : text.substr(end + 1);
    if (!line.empty()) lines.insert(lines.begin(), line);
    text = end == std::string_view::npos ? std::string_view() : text.substr(0, end);
  }
  return fmt::format("{}", fmt::join(lines, " | "));
}

Result<fs::path> make_scratch() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error)
    return failed(fmt::format("There is no folder for temporary files: {}", error.message()),
                  "Set TMPDIR to a folder that can be written");
  std::string pattern = base / "browx-XXXXXX";
  if (!::mkdtemp(pattern.data()))
    return failed(fmt::format("No temporary folder for the browser: {}: {}", pattern, std::strerror(errno)),
                  "Set TMPDIR to a folder that can be written");
  return fs::path(pattern);
}

/// What the process's life looks like from here. Shared with the reads in flight.
struct Watch {
  explicit Watch(asio::any_io_executor executor) : report(executor), errors(executor), changed(executor) {}
  asio::posix::stream_descriptor report, errors;
  Signal changed;
  std::string report_text, tail;
  std::array<char, 4096> report_buffer{}, errors_buffer{};
  bool keeper_gone = false;

  /// The number after `word` in the report, once it has come.
  std::optional<long> reported(std::string_view word) const {
    std::string_view text = report_text;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end + 1);
      if (line.substr(0, word.size()) != word || line.size() <= word.size() || line[word.size()] != ' ')
        continue;
      long number = 0;
      std::from_chars(line.data() + word.size() + 1, line.data() + line.size(), number);
      return number;
    }
    return std::nullopt;
  }
  bool ended() const { return keeper_gone || reported("end") || reported("exec"); }

  void heard(std::string_view text) {
    tail += text;
    if (tail.size() > kTail) tail.erase(0, tail.size() - kTail);
  }

  static void read_report(std::shared_ptr<Watch> self) {
    auto& raw = *self;
    raw.report.async_read_some(asio::buffer(raw.report_buffer),
                               [self](boost::system::error_code error, std::size_t got) {
                                 if (error == asio::error::operation_aborted) return;
                                 if (error)
                                   self->keeper_gone = true;
                                 else
                                   self->report_text.append(self->report_buffer.data(), got);
                                 self->changed.notify();
                                 if (!error) read_report(self);
                               });
  }
  static void read_errors(std::shared_ptr<Watch> self) {
    auto& raw = *self;
    raw.errors.async_read_some(asio::buffer(raw.errors_buffer),
                               [self](boost::system::error_code error, std::size_t got) {
                                 if (error) return;
                                 self->heard({self->errors_buffer.data(), got});
                                 self->changed.notify();
                                 read_errors(self);
                               });
  }
};

/// Both lines of DevToolsActivePort, or nothing as long as they are not all there.
std::optional<std::string> active_port(const fs::path& profile) {
  std::ifstream file(profile / "DevToolsActivePort");
  std::string port, path;
  if (!std::getline(file, port) || !std::getline(file, path) || port.empty()) return std::nullopt;
  constexpr std::string_view kPath = "/devtools/browser/";
  if (path.size() < kPath.size() + 36 || path.compare(0, kPath.size(), kPath) != 0) return std::nullopt;
  return fmt::format("ws://127.0.0.1:{}{}", port, path);
}

class OwnChromium final : public Chromium {
 public:
  OwnChromium(std::shared_ptr<Watch> watch, int life) : watch_(std::move(watch)), life_(life) {}
  ~OwnChromium() override { stop(std::chrono::milliseconds(0)); }

  const std::string& websocket_url() const override { return url_; }
  int pid() const override { return static_cast<int>(watch_->reported("pid").value_or(-1)); }
  bool running() const override { return life_ >= 0 && !watch_->ended(); }
  void set_url(std::string url) { url_ = std::move(url); }

  void stop(std::chrono::milliseconds grace) override {
    if (life_ < 0) return;
    boost::system::error_code ignored;
    watch_->report.cancel(ignored);
    if (grace.count() > 0 && !watch_->ended()) {
      [[maybe_unused]] const auto asked = ::write(life_, "t", 1);
      read_report_until(Deadline::in(grace), [this] { return watch_->ended(); });
    }
    ::close(std::exchange(life_, -1));
    read_report_until(Deadline::in(std::chrono::milliseconds(200)), [this] { return watch_->keeper_gone; });
    watch_->report.close(ignored);
    watch_->errors.close(ignored);
  }

 private:
  /// Blocking, without the event loop: it may be over already.
  template <class Ready>
  void read_report_until(Deadline deadline, Ready ready) {
    while (!ready() && !deadline.passed()) {
      pollfd fd{watch_->report.native_handle(), POLLIN, 0};
      if (::poll(&fd, 1, static_cast<int>(deadline.left().count()) + 1) <= 0) continue;
      char text[256];
      const auto got = ::read(fd.fd, text, sizeof text);
      if (got > 0)
        watch_->report_text.append(text, static_cast<std::size_t>(got));
      else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        watch_->keeper_gone = true;
    }
  }

  std::shared_ptr<Watch> watch_;
  int life_;
  std::string url_;
};

std::vector<std::string> environment_for(const fs::path& scratch) {
  std::vector<std::string> out;
  // Sockets live under TMPDIR and their paths are bounded (108 bytes); a deep folder keeps the caller's.
  const bool own_tmp = scratch.native().size() < 48;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (own_tmp && text.substr(0, 7) == "TMPDIR=") continue;
    out.emplace_back(text);
  }
  if (own_tmp) out.push_back("TMPDIR=" + (scratch / "tmp").string());
  return out;
}

}  // namespace

Result<fs::path> find_chromium(const std::string& configured) {
  if (!configured.empty() && configured.find('/') != std::string::npos) {
    if (executable_file(configured)) return fs::path(configured);
    return Error{Code::not_found,
                 fmt::format("BROWX_CHROMIUM names \"{}\", which is not an executable file", configured),
                 "Correct BROWX_CHROMIUM, or unset it to use the one on PATH", "chromium-missing"};
  }
  std::vector<std::string> names{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
  if (!configured.empty()) names = {configured};
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable ? variable : "";
  std::vector<fs::path> folders;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  for (const auto& name : names)
    for (const auto& folder : folders)
      if (executable_file(folder / name)) return folder / name;
  return Error{Code::not_found, fmt::format("No browser found: {} on PATH", fmt::join(names, ", ")),
               "Install the package chromium, or set BROWX_CHROMIUM to the path of a Chromium or Chrome",
               "chromium-missing"};
}

std::vector<std::string> chromium_arguments(const ChromiumOptions& options, bool as_root) {
  std::vector<std::string> out{
      "--remote-debugging-port=0",
      "--user-data-dir=" + options.profile.string(),
      "--no-first-run",
      "--no-default-browser-check",
      "--no-service-autorun",
      // What the browser would do for its own sake: traffic and prompts that are not the page's.
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-default-apps",
      "--disable-field-trial-config",
      "--disable-sync",
      "--disable-breakpad",
      "--disable-search-engine-choice-screen",
      "--metrics-recording-only",
      "--password-store=basic",
      "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,"
      "AutofillServerCommunication,"
      "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PrivacySandboxSettings4",
      // A page in the background goes on as in the foreground, and history never brings back a frozen
      // document: what is recorded is what a test runner will meet.
      "--disable-back-forward-cache",
      "--disable-background-timer-throttling",
      "--disable-backgrounding-occluded-windows",
      "--disable-renderer-backgrounding",
      "--disable-hang-monitor",
      "--disable-ipc-flooding-protection",
      "--disable-popup-blocking",
      "--disable-prompt-on-repost",
      "--disable-dev-shm-usage",
      "--disable-quic",
      "--force-color-profile=srgb",
  };
  if (options.headless) {
    out.insert(out.end(), {"--headless", "--disable-gpu", "--hide-scrollbars", "--mute-audio"});
  }
  if (as_root) out.push_back("--no-sandbox");
  out.insert(out.end(), options.extra_arguments.begin(), options.extra_arguments.end());
  out.push_back("about:blank");
  return out;
}

Task<std::unique_ptr<Chromium>> Chromium::start(ChromiumOptions options, Deadline deadline) {
  if (options.executable.empty() || !executable_file(options.executable))
    co_return Error{Code::not_found,
                    fmt::format("\"{}\" is not an executable file", options.executable.string()),
                    "Set BROWX_CHROMIUM to the path of a Chromium or Chrome", "chromium-missing"};
  auto scratch = make_scratch();
  if (!scratch) co_return std::move(scratch).error();
  if (options.profile.empty()) options.profile = *scratch / "profile";
  std::error_code made;
  fs::create_directories(options.profile, made);
  if (!made) fs::create_directories(*scratch / "tmp", made);
  if (!made) fs::remove(options.profile / "DevToolsActivePort", made);  // of an earlier run
  if (made) {
    std::error_code ignored;
    fs::remove_all(*scratch, ignored);
    co_return failed(fmt::format("The browser's profile folder {} cannot be made: {}",
                                 options.profile.string(), made.message()),
                     "Check the permissions and free space of that place");
  }
  const bool as_root = ::geteuid() == 0;
  if (as_root) log_info("running as root: Chromium's sandbox is off (--no-sandbox)");

  KeeperSpawn spawn;
  spawn.command = chromium_arguments(options, as_root);
  spawn.command.insert(spawn.command.begin(), options.executable.string());
  spawn.environment = environment_for(*scratch);
  spawn.scratch = scratch->string();
  auto kept = spawn_kept(spawn);
  if (!kept) {
    std::error_code ignored;
    fs::remove_all(*scratch, ignored);
    co_return std::move(kept).error();
  }
  auto watch = std::make_shared<Watch>(co_await asio::this_coro::executor);
  watch->report.assign(kept->report);
  watch->errors.assign(kept->errors);
  Watch::read_report(watch);
  Watch::read_errors(watch);
  auto chromium = std::make_unique<OwnChromium>(watch, kept->life);

  const std::string name = options.executable.string();
  for (;;) {
    if (const auto error = watch->reported("exec"))
      co_return failed(fmt::format("{} cannot be run: {}", name, std::strerror(static_cast<int>(*error))));
    if (watch->ended()) {
      const int status = static_cast<int>(watch->reported("end").value_or(0));
      const std::string how = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                                  : fmt::format("ended with status {}", WEXITSTATUS(status));
      const std::string said = last_lines(watch->tail, 4);
      co_return failed(
          fmt::format("{} {} before it could be used{}{}", name, how, said.empty() ? "" : ": ", said));
    }
    if (auto url = active_port(options.profile)) {
      chromium->set_url(*std::move(url));
      break;
    }
    if (deadline.passed()) {
      const std::string said = last_lines(watch->tail, 4);
      co_return Error{
          Code::timeout,
          fmt::format("{} did not open its debugging port in time{}{}", name, said.empty() ? "" : ": ", said),
          kRemedy, "chromium-failed"};
    }
    // Woken by what it prints and by its end; the short wait covers a browser whose stderr leads elsewhere.
    co_await watch->changed.wait(deadline.at_most(std::chrono::milliseconds(10)));
  }
  std::unique_ptr<Chromium> out = std::move(chromium);
  co_return std::move(out);
}

}  // namespace browx::cdp
