#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <zstd.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/version.hpp>

#include "base/workspace.hpp"
#include "capture/cdp/chromium.hpp"
#include "cli/commands.hpp"
#include "mcp/options.hpp"

namespace browx::cli {
namespace {

enum class Health { ok, warn, fail };

struct Finding {
  Health health;
  std::string what, detail, remedy;
};

const char* word(Health health) {
  return health == Health::ok ? "ok" : health == Health::warn ? "warn" : "fail";
}

/// The first lines of a command's output; nothing when it cannot be run.
std::optional<std::string> output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "re"), pclose);
  if (!pipe) return std::nullopt;
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), n);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string first_line(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  char buffer[256] = "";
  if (file && std::fgets(buffer, sizeof buffer, file.get())) {
    std::string line = buffer;
    if (!line.empty() && line.back() == '\n') line.pop_back();
    return line;
  }
  return "";
}

/// Starts the browser as a session would and ends it again.
Status try_start(const std::filesystem::path& executable, bool headless) {
  asio::io_context io;
  Status outcome = Error{Code::internal, "The start did not finish"};
  const auto start = [](std::filesystem::path path, bool without_window,
                        Status* out) -> asio::awaitable<void> {
    cdp::ChromiumOptions options;
    options.executable = std::move(path);
    options.headless = without_window;
    auto started = co_await cdp::Chromium::start(std::move(options), Deadline::in(std::chrono::seconds(30)));
    if (!started) {
      *out = std::move(started).error();
      co_return;
    }
    (*started)->stop(std::chrono::milliseconds(1000));
    *out = Status();
  };
  asio::co_spawn(io, start(executable, headless, &outcome), asio::detached);
  io.run();
  return outcome;
}

void check_chromium(const mcp::Options& options, std::vector<Finding>& findings) {
  const auto executable = cdp::find_chromium(options.engine.chromium);
  if (!executable) {
    findings.push_back({Health::fail, "chromium", executable.error().what, executable.error().hint});
    return;
  }
  const std::string version = output_of(shell_quoted(executable->string()) + " --version").value_or("");
  findings.push_back(
      {Health::ok, "chromium",
       fmt::format("{}, {}", executable->string(), version.empty() ? "version unknown" : version), ""});
  if (const Status started = try_start(*executable, options.engine.headless)) {
    findings.push_back(
        {Health::ok, "chromium starts", options.engine.headless ? "headless" : "with a window", ""});
  } else {
    findings.push_back({Health::fail, "chromium starts", started.error().what, started.error().hint});
  }
}

Finding check_sandbox() {
  if (geteuid() == 0)
    return {Health::warn, "sandbox", "running as root: Chromium runs without its sandbox",
            "Run browx as an ordinary user."};
  const std::string allowed = first_line("/proc/sys/kernel/unprivileged_userns_clone");
  const std::string restricted = first_line("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  const bool helper = access("/usr/lib/chromium/chrome-sandbox", X_OK) == 0;
  if ((allowed == "0" || restricted == "1") && !helper)
    return {Health::warn, "sandbox", "this kernel forbids user namespaces and there is no sandbox helper",
            "Install chromium-sandbox, or allow user namespaces."};
  return {Health::ok, "sandbox", helper ? "helper installed" : "user namespaces", ""};
}

Finding check_display(const mcp::Options& options) {
  const char* display = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  if (display || wayland) return {Health::ok, "display", display ? display : wayland, ""};
  if (options.engine.headless) return {Health::ok, "display", "none; Chromium runs headless", ""};
  return {Health::fail, "display", "none, but a window is asked for",
          "Unset BROWX_HEADLESS, or run under xvfb-run."};
}

Finding check_fonts() {
  const auto list = output_of("fc-list : family");
  if (!list) return {Health::warn, "fonts", "fontconfig cannot be asked", "Install fontconfig."};
  std::size_t count = list->empty() ? 0 : 1;
  for (const char c : *list) count += c == '\n';
  if (count == 0)
    return {Health::fail, "fonts", "none: pages would have no text in pictures", "Install fonts-liberation."};
  const bool latin = list->find("Liberation") != std::string::npos ||
                     list->find("DejaVu") != std::string::npos || list->find("Inter") != std::string::npos ||
                     list->find("Noto Sans") != std::string::npos;
  if (!latin)
    return {Health::warn, "fonts", fmt::format("{}, no common Latin family", count),
            "Install fonts-liberation."};
  return {Health::ok, "fonts", fmt::format("{} faces", count), ""};
}

Finding check_workspace(const mcp::Options& options) {
  if (options.engine.workspace)
    return {Health::ok, "workspace", options.engine.workspace->root().string(), ""};
  return {Health::fail, "workspace", options.workspace_problem,
          "Set BROWX_WORKSPACE to a folder that can be written."};
}

Finding check_versions() {
  utsname system{};
  uname(&system);
  return {Health::ok, "versions",
          fmt::format("browx {}, {} {}, SQLite {}, zstd {}, {}, Boost {}.{}.{}", BROWX_VERSION,
                      system.sysname, system.release, sqlite3_libversion(), ZSTD_versionString(),
                      OpenSSL_version(OPENSSL_VERSION), BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                      BOOST_VERSION % 100),
          ""};
}

}  // namespace

int run_doctor(const std::map<std::string, std::string>& flags, bool json) {
  auto options = mcp::read_options(flags, [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  });
  if (!options) {
    std::fprintf(stderr, "browx: %s\n", options.error().message().c_str());
    return kUsage;
  }
  std::vector<Finding> findings;
  check_chromium(*options, findings);
  findings.push_back(check_sandbox());
  findings.push_back(check_display(*options));
  findings.push_back(check_fonts());
  findings.push_back(check_workspace(*options));
  findings.push_back(check_versions());

  bool failed = false;
  Json rows = Json::array();
  for (const Finding& finding : findings) {
    failed = failed || finding.health == Health::fail;
    Json row = {{"check", finding.what}, {"status", word(finding.health)}, {"detail", finding.detail}};
    if (!finding.remedy.empty()) row["remedy"] = finding.remedy;
    rows.push_back(std::move(row));
    if (!json)
      std::printf("%-4s  %-16s %s%s%s\n", word(finding.health), finding.what.c_str(), finding.detail.c_str(),
                  finding.remedy.empty() ? "" : "\n                        -> ", finding.remedy.c_str());
  }
  if (json) std::printf("%s\n", dump_json(Json{{"ok", !failed}, {"checks", rows}}).c_str());
  return failed ? kFailed : kOk;
}

}  // namespace browx::cli
