// Starts a browser, prints "KEEPER-OWNED PID PROFILE", and waits to be killed. For the tests of what it
// leaves behind.
#include <cstdio>

#include <unistd.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "capture/cdp/chromium.hpp"
#include "tests/support/run_task.hpp"

int main() {
  using namespace browx;
  asio::io_context io;
  auto executable = cdp::find_chromium("");
  if (!executable) return std::fprintf(stderr, "%s\n", executable.error().what.c_str()), 2;
  cdp::ChromiumOptions options;
  options.executable = *executable;
  auto chromium = testing::run_task(io, cdp::Chromium::start(options, Deadline::in(std::chrono::seconds(30))),
                                    std::chrono::seconds(31));
  if (!chromium) return std::fprintf(stderr, "%s\n", chromium.error().what.c_str()), 2;
  std::printf("%d %s\n", (*chromium)->pid(), (*chromium)->websocket_url().c_str());
  std::fflush(stdout);
  for (;;) ::pause();
}
