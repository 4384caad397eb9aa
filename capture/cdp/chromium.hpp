#pragma once
// Finding, starting and ending the browser's process.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"

namespace browx::cdp {

/// BROWX_CHROMIUM, else chromium, chromium-browser, google-chrome, google-chrome-stable on PATH. Error
/// `not_found`, kind "chromium-missing", naming what was tried and how to install or set it.
Result<std::filesystem::path> find_chromium(const std::string& configured);

struct ChromiumOptions {
  std::filesystem::path executable;
  bool headless = true;
  std::filesystem::path profile;  ///< user data dir; empty: a new temporary one, removed at the end
  std::vector<std::string> extra_arguments;
};

/// The flags for a start, as root with --no-sandbox. Pure, for tests and `browx doctor`.
std::vector<std::string> chromium_arguments(const ChromiumOptions& options, bool as_root);

/// A browser of ours. Its process group dies with this object, and with this process however that dies: a
/// keeper process holds the read end of a pipe and kills the group and removes the temporary profile at end
/// of file.
class Chromium {
 public:
  /// Starts it and waits for DevToolsActivePort. Errors `unavailable` (kind "chromium-failed", with the last
  /// lines that it printed on stderr and the remedy), `timeout`.
  static Task<std::unique_ptr<Chromium>> start(ChromiumOptions options, Deadline deadline);
  virtual ~Chromium() = default;

  virtual const std::string& websocket_url() const = 0;
  virtual int pid() const = 0;
  virtual bool running() const = 0;
  /// Asks it to go (closing the pipe kills what remains after `grace`). Blocks at most `grace` + 200 ms.
  virtual void stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace browx::cdp
