#include "capture/cdp/chromium.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/cdp/connection.hpp"
#include "tests/support/run_task.hpp"

namespace browx::cdp {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

/// Live (not zombie) processes whose group is `group`.
std::set<int> members_of(int group) {
  std::set<int> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto bracket = text.rfind(')');
    if (bracket == std::string::npos) continue;
    char state = 0;
    int parent = 0, pgrp = 0;
    if (std::sscanf(text.c_str() + bracket + 1, " %c %d %d", &state, &parent, &pgrp) != 3) continue;
    if (pgrp == group && state != 'Z') out.insert(std::stoi(name));
  }
  return out;
}

/// Live processes that name `text` on their command line.
std::set<int> naming(const std::string& text) {
  std::set<int> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    if (line.find(text) != std::string::npos) out.insert(std::stoi(name));
  }
  return out;
}

template <class Ready>
bool comes_true(Ready ready, milliseconds limit = seconds(5)) {
  const auto end = SteadyClock::now() + limit;
  while (!ready()) {
    if (SteadyClock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

/// A TMPDIR of this test's own, so that whatever is left behind is seen.
class ChromiumTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "bxt-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    temp = pattern;
    before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
    ::setenv("TMPDIR", temp.c_str(), 1);
  }
  void TearDown() override {
    if (before.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", before.c_str(), 1);
    std::error_code ignored;
    fs::remove_all(temp, ignored);
  }
  Result<std::unique_ptr<Chromium>> start(fs::path executable, milliseconds limit = seconds(30)) {
    ChromiumOptions options;
    options.executable = std::move(executable);
    return testing::run_task(io, Chromium::start(options, Deadline::in(limit)), limit + seconds(5));
  }
  fs::path script(const std::string& body) {
    const fs::path path = temp / "fake-browser";
    std::ofstream(path) << "#!/bin/sh\n" << body;
    ::chmod(path.c_str(), 0755);
    return path;
  }
  /// Temporary folders of ours that still stand.
  int left_behind() const {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(temp))
      count += entry.path().filename().string().rfind("browx-", 0) == 0;
    return count;
  }

  asio::io_context io;
  fs::path temp;
  std::string before;
};

TEST_F(ChromiumTest, StartsAnswersTheProtocolAndLeavesNothingBehind) {
  auto executable = find_chromium("");
  ASSERT_TRUE(executable.ok());
  auto chromium = start(*executable);
  ASSERT_TRUE(chromium.ok()) << chromium.error().message();
  const int pid = (*chromium)->pid();
  EXPECT_TRUE((*chromium)->running());
  EXPECT_FALSE(members_of(pid).empty());

  auto transport =
      testing::run_task(io, connect_websocket((*chromium)->websocket_url(), Deadline::in(seconds(5))));
  ASSERT_TRUE(transport.ok()) << transport.error().message();
  Connection connection(io.get_executor(), *std::move(transport));
  Json params = Json::object();
  const auto version =
      testing::run_task(io, connection.call("", "Browser.getVersion", params, Deadline::in(seconds(5))));
  ASSERT_TRUE(version.ok());
  EXPECT_THAT(json_string(*version, "product"), HasSubstr("Chrome"));

  // A message far beyond Beast's default limit of 16 MiB.
  const Json big = {{"expression", "'x'.repeat(20000000)"}, {"returnByValue", true}};
  const Json all = Json::object();
  const auto targets =
      testing::run_task(io, connection.call("", "Target.getTargets", all, Deadline::in(seconds(5))));
  ASSERT_TRUE(targets.ok());
  Json attach = {{"targetId", (*targets)["targetInfos"][0]["targetId"]}, {"flatten", true}};
  const auto attached =
      testing::run_task(io, connection.call("", "Target.attachToTarget", attach, Deadline::in(seconds(5))));
  ASSERT_TRUE(attached.ok());
  const auto answer = testing::run_task(
      io, connection.call_raw((*attached)["sessionId"], "Runtime.evaluate", big, Deadline::in(seconds(15))));
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_GT(answer->size(), 20'000'000u);

  (*chromium)->stop(milliseconds(700));
  EXPECT_FALSE((*chromium)->running());
  EXPECT_TRUE(comes_true([&] { return members_of(pid).empty(); }));
  EXPECT_TRUE(comes_true([&] { return left_behind() == 0; }));
  EXPECT_TRUE(comes_true([&] { return naming(temp.string()).empty(); }));
}

TEST_F(ChromiumTest, ABrowserKilledFromOutsideIsNoticed) {
  auto executable = find_chromium("");
  ASSERT_TRUE(executable.ok());
  auto chromium = start(*executable);
  ASSERT_TRUE(chromium.ok()) << chromium.error().message();
  ::kill((*chromium)->pid(), SIGKILL);
  EXPECT_TRUE(testing::run_until(io, [&] { return !(*chromium)->running(); }));
  EXPECT_TRUE(comes_true([&] { return left_behind() == 0 && naming(temp.string()).empty(); }));
}

TEST_F(ChromiumTest, AKilledParentLeavesNoBrowserAndNoProfile) {
  int out[2];
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::dup2(out[1], 1);
    ::execl(BROWX_CHROMIUM_HOLDER, BROWX_CHROMIUM_HOLDER, static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(out[1]);
  std::string line;
  for (char c = 0; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
  ::close(out[0]);
  int pid = 0;
  ASSERT_EQ(std::sscanf(line.c_str(), "%d", &pid), 1) << line;
  EXPECT_GT(members_of(pid).size(), 1u);
  EXPECT_EQ(left_behind(), 1);

  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return members_of(pid).empty(); }));
  EXPECT_TRUE(comes_true([&] { return naming(temp.string()).empty(); }));
  EXPECT_TRUE(comes_true([&] { return left_behind() == 0; }));
}

TEST_F(ChromiumTest, ABrowserThatEndsAtOnceIsReportedWithWhatItSaid) {
  const auto chromium = start(script("echo 'cannot open display' >&2; exit 3\n"));
  ASSERT_FALSE(chromium.ok());
  EXPECT_EQ(chromium.error().kind, "chromium-failed");
  EXPECT_EQ(chromium.error().code, Code::unavailable);
  EXPECT_THAT(chromium.error().what, HasSubstr("status 3"));
  EXPECT_THAT(chromium.error().what, HasSubstr("cannot open display"));
  EXPECT_FALSE(chromium.error().hint.empty());
  EXPECT_TRUE(comes_true([&] { return left_behind() == 0; }));
}

TEST_F(ChromiumTest, ABrowserThatNeverOpensItsPortTimesOutAndIsEndedWithItsChildren) {
  // A child in a session of its own, as daemons are, named so that it can be told from all others.
  const std::string mark = temp.string() + "-daemon";
  const auto chromium =
      start(script("setsid sh -c 'exec sleep 300 # ' " + mark + " &\nexec sleep 301\n"), milliseconds(400));
  ASSERT_FALSE(chromium.ok());
  EXPECT_EQ(chromium.error().code, Code::timeout);
  EXPECT_EQ(chromium.error().kind, "chromium-failed");  // its own, not the test's
  EXPECT_TRUE(comes_true([&] { return naming(temp.string()).empty(); }));
  EXPECT_TRUE(comes_true([&] { return left_behind() == 0; }));
}

TEST_F(ChromiumTest, AnExecutableThatTheSystemCannotRunIsReported) {
  const fs::path path = temp / "not-a-program";
  std::ofstream(path) << "\x01\x02garbage";
  ::chmod(path.c_str(), 0755);
  const auto chromium = start(path);
  ASSERT_FALSE(chromium.ok());
  EXPECT_THAT(chromium.error().what, HasSubstr("cannot be run"));
  const auto missing = start(temp / "nothing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, "chromium-missing");
}

TEST_F(ChromiumTest, ATemporaryFolderThatCannotBeMadeIsReportedWithTheRemedy) {
  ::setenv("TMPDIR", "/proc/nowhere", 1);
  auto executable = find_chromium("");
  ASSERT_TRUE(executable.ok());
  auto refused = start(*executable);
  if (refused.ok()) GTEST_FAIL() << "started";
  EXPECT_EQ(refused.error().kind, "chromium-failed");
  ::setenv("TMPDIR", "/proc", 1);
  refused = start(*executable);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().hint, HasSubstr("TMPDIR"));
}

TEST_F(ChromiumTest, AnUnreachableAddressIsAnErrorWithinTheDeadline) {
  const auto refused =
      testing::run_task(io, connect_websocket("ws://127.0.0.1:1/x", Deadline::in(seconds(2))));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::unavailable);
  const auto nonsense = testing::run_task(io, connect_websocket("http://x", Deadline::in(seconds(2))));
  ASSERT_FALSE(nonsense.ok());
  EXPECT_EQ(nonsense.error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace browx::cdp
