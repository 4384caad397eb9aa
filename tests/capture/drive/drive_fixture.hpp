#pragma once
// Acting on real Chromium: one browser for a test program, one session and page server for each test.

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "capture/action.hpp"
#include "tests/support/engine_fixture.hpp"

namespace browx::capture {

inline Address ref(std::string value) {
  Address address;
  address.ref = std::move(value);
  return address;
}
inline Address sel(std::string value) {
  Address address;
  address.selector = std::move(value);
  return address;
}
inline Address at(double x, double y) {
  Address address;
  address.coords = Point{x, y};
  return address;
}

/// For what shall end by its cause; see run_task.hpp.
inline constexpr int kFarMs = browx::testing::kFar.count();

class DriveTest : public browx::testing::EngineTest {
 protected:
  void SetUp() override {
    session = EngineTest::open();
    tab = session->current_tab();
    ASSERT_TRUE(tab);
    serve_folder("/cases", std::filesystem::path(BROWX_TESTS_DIR) / "cases");
    serve_folder("/pages", std::filesystem::path(BROWX_TESTS_DIR) / "pages");
  }

  ActionOptions in(int ms) const {
    ActionOptions options{Deadline::in(std::chrono::milliseconds(ms)), 600, Vocabulary::core, {}};
    return options;
  }
  ActionResult done(Task<ActionResult> task) {
    auto result = run(std::move(task));
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
    return result.ok() ? *std::move(result) : ActionResult{};
  }
  ActionResult go(const std::string& url, int ms = 8000) {
    return done(capture::navigate(*session, *tab, url, in(ms)));
  }
  /// With an icon of its own: the browser would ask the server for one, whenever it likes.
  ActionResult open(const std::string& html) {
    server.page("/page",
                "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>t</title>" + html);
    return go(server.url("/page"));
  }
  ActionResult click(Address target, ClickOptions how = {}, int ms = 5000) {
    return done(capture::click(*session, *tab, std::move(target), std::move(how), in(ms)));
  }
  ActionResult fill(Address target, std::string value, int ms = 5000) {
    return done(capture::fill(*session, *tab, std::move(target), std::move(value), in(ms)));
  }
  ActionResult press(std::optional<Address> target, std::string key) {
    return done(capture::press(*session, *tab, std::move(target), std::move(key), in(5000)));
  }
  ActionResult hover(Address target, int ms = 5000) {
    return done(capture::hover(*session, *tab, std::move(target), in(ms)));
  }
  ActionResult select(Address target, std::vector<std::string> values) {
    return done(capture::select_options(*session, *tab, std::move(target), std::move(values), in(5000)));
  }
  ActionResult scroll(std::optional<Address> target, ScrollOptions how) {
    return done(capture::scroll(*session, *tab, std::move(target), std::move(how), in(5000)));
  }

  /// What the page itself says, in its own world.
  Json eval(const std::string& expression) { return eval_in(tab->main_frame(), expression); }
  Json eval_in(Frame& frame, const std::string& expression) {
    auto value = run(frame.evaluate(expression, true, Deadline::in(std::chrono::seconds(5))));
    EXPECT_TRUE(value.ok()) << (value.ok() ? "" : value.error().message());
    return value.ok() ? *value : Json();
  }
  std::string text(const std::string& selector) {
    return eval("document.querySelector(" + Json(selector).dump() + ").textContent").get<std::string>();
  }
  /// Until the page says so; for what the page does on its own, later than the action.
  bool eventually(const std::string& expression) {
    const std::string wait = "new Promise(done => { const look = () => (" + expression +
                             ") ? done(true) : requestAnimationFrame(look); look(); })";
    auto value = run(tab->main_frame().evaluate(wait, true, Deadline::in(std::chrono::seconds(5))));
    return value.ok() && *value == true;
  }
  /// The ref of the only match.
  std::string ref_of(const std::string& selector) {
    auto found = run(resolve(*tab, sel(selector), Deadline::in(std::chrono::seconds(5))));
    EXPECT_TRUE(found.ok()) << selector << ": " << (found.ok() ? "" : found.error().message());
    return found.ok() ? found->ref : std::string();
  }
  std::vector<std::string> refs_of(const std::string& selector, bool hidden = false) {
    auto found =
        run(resolve_all(*tab, selector, std::nullopt, hidden, 50, Deadline::in(std::chrono::seconds(5))));
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message());
    std::vector<std::string> refs;
    if (found)
      for (const auto& e : *found) refs.push_back(e.ref);
    return refs;
  }
  void serve_folder(const std::string& prefix, const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      std::string body = bytes.str();
      const std::string extension = entry.path().extension();
      const std::string type = extension == ".html"  ? "text/html; charset=utf-8"
                               : extension == ".css" ? "text/css"
                               : extension == ".js"  ? "text/javascript"
                                                     : "application/octet-stream";
      const std::string path =
          prefix + "/" + std::filesystem::relative(entry.path(), folder).generic_string();
      const int mine = server.port(), others = second.port();
      const auto answer = [body, type, mine, others](const browx::testing::PageRequest& request) {
        browx::testing::PageResponse response;
        response.body = body;
        const std::string host = request.host.substr(0, request.host.find(':'));
        const std::string port = request.host.substr(request.host.find(':') + 1);
        const std::string self = "http://" + request.host;
        const std::string other = (host == "localhost" ? "http://127.0.0.1:" : "http://localhost:") + port;
        const std::string neighbour =
            "http://" + host + ":" + std::to_string(port == std::to_string(mine) ? others : mine);
        for (const auto& [mark, origin] : {std::pair<std::string, std::string>{"{{self}}", self},
                                           {"{{other}}", other},
                                           {"{{port}}", neighbour}})
          for (std::size_t found; (found = response.body.find(mark)) != std::string::npos;)
            response.body.replace(found, mark.size(), origin);
        response.content_type = type;
        return response;
      };
      server.on(path, answer);
      second.on(path, answer);
    }
  }

  browx::testing::PageServer second;
  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
};

/// For failure messages.
inline std::string tell(const ActionResult& result) { return result.json().dump(); }

}  // namespace browx::capture
