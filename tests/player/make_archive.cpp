// Writes archives for the player's tests: player_archive KIND FILE.
//   rich       twelve seconds with every criterion state, failures, hostile and foreign text, pictures,
//   sockets, gaps empty      sealed, without a fact killed     rich, never sealed truncated  rich, ended by
//   an event cap live       the first half of rich; "ready" on stdout; each line of stdin adds a click; seals
//   at its end huge       an hour with 20000 steps and 200000 DOM events

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <future>
#include <iostream>
#include <string>

#include "archive/writer.hpp"
#include "base/pictures.hpp"

namespace {

using namespace browx;
using namespace browx::archive;

constexpr std::int64_t kMs = 1000;

struct Recording {
  std::unique_ptr<Writer> writer;
  int steps = 0;

  void event(std::int64_t ms, const char* kind, Json payload) {
    Event out;
    out.t = {ms * kMs};
    out.target = TargetId(1);
    out.kind = kind;
    out.payload = std::move(payload);
    writer->add(std::move(out));
  }
  void span(std::int64_t ms, const char* label, const char* phase, const char* copy = "") {
    Json payload = {{"label", label}, {"phase", phase}};
    if (*copy) payload["copy"] = copy;
    event(ms, "annotation", payload);
  }
  void step(std::int64_t ms, const char* kind, const char* tool, const char* locator, const char* value = "",
            const char* error = "", std::int64_t took_ms = 40) {
    Json arguments = {{"selector", locator}};
    if (*value) arguments[std::string(kind) == "assert" ? "text" : "value"] = value;
    Json locators = Json::array();
    locators.push_back({{"kind", "role"},
                        {"playwright", locator},
                        {"selector", locator},
                        {"count", 1},
                        {"index", 0},
                        {"stability", "high"}});
    locators.push_back({{"kind", "css"},
                        {"playwright", "locator('form > :nth-child(2)')"},
                        {"selector", "x"},
                        {"count", 3},
                        {"index", 1},
                        {"stability", "low"},
                        {"reason", "a position in the tree"}});
    Json payload = {{"id", std::string(tool) + "-" + std::to_string(++steps)},
                    {"tool", tool},
                    {"arguments", arguments},
                    {"target", {{"ref", "e7"}, {"document", 1}}},
                    {"locators", locators},
                    {"ok", !*error},
                    {"duration_us", took_ms * kMs},
                    {"started_us", ms * kMs}};
    if (*error) payload["error"] = error;
    event(ms, kind, payload);
  }
  void picture(std::int64_t ms, unsigned char red, unsigned char green, unsigned char blue) {
    RawPicture raw{160, 90, std::vector<std::byte>(160 * 90 * 4, std::byte{255})};
    for (std::size_t i = 0; i < raw.rgba.size(); i += 4)
      raw.rgba[i] = std::byte{red}, raw.rgba[i + 1] = std::byte{green}, raw.rgba[i + 2] = std::byte{blue};
    writer->add(Frame{TargetId(1), {ms * kMs}, "image/png", *encode_png(raw), 160, 90, "screencast"});
  }
  void request(std::int64_t id, std::int64_t ms, const char* method, const char* url, const char* type,
               int status, std::int64_t took_ms, const char* error = "") {
    writer->add(Request{RequestId(id),
                        {ms * kMs},
                        TargetId(1),
                        DocumentId(1),
                        {},
                        "R" + std::to_string(id),
                        method,
                        url,
                        type,
                        {},
                        {},
                        "script"});
    if (status)
      writer->add(Response{RequestId(id),
                           {(ms + took_ms / 2) * kMs},
                           status,
                           "",
                           "text/plain",
                           "h2",
                           "",
                           false,
                           false,
                           {},
                           {},
                           nullptr});
    if (took_ms >= 0)
      writer->add(RequestEnd{RequestId(id), {(ms + took_ms) * kMs}, !*error, error, 1234, {}, ""});
  }

  void first_half() {
    writer->add(Target{TargetId(1), "tab", {}, {}, "test", "CDP-1", "https://shop.test/", {0}});
    writer->add(
        Document{DocumentId(1), TargetId(1), "F1", {}, "https://shop.test/", {100 * kMs}, 0, "rrweb/2"});
    event(150, "lifecycle", {{"name", "title"}, {"title", "Shop – 日本語 ✓"}});
    for (int i = 0; i < 12; ++i)
      picture(i * 1000, static_cast<unsigned char>(20 * i), static_cast<unsigned char>(250 - 20 * i),
              i % 2 ? 200 : 40);
    request(1, 110, "GET", "https://shop.test/", "Document", 200, 90);
    request(2, 220, "GET", "https://cdn.test/site.css", "Stylesheet", 200, 60);
    request(3, 230, "GET", "https://cdn.test/missing.png", "Image", 404, 80);
    request(4, 300, "POST", "https://api.test/orders?token=…", "Fetch", 201, 400);
    request(5, 2500, "GET", "https://api.test/broken", "XHR", 0, 30, "net::ERR_CONNECTION_REFUSED");
    request(6, 2600, "GET", "wss://shop.test/chat", "WebSocket", 101, -1);
    for (int i = 0; i < 8; ++i)
      writer->add(ChannelFrame{RequestId(6),
                               {(2700 + i * 300) * kMs},
                               i % 2 == 0,
                               "ws",
                               1,
                               "",
                               "{\"n\":" + std::to_string(i) + "}",
                               8,
                               false});

    span(400, "AC-1", "start", "A known user can sign in");
    step(500, "action", "navigate", "https://shop.test/", "", "", 300);
    step(900, "action", "fill", "getByRole('textbox', { name: 'Email' })", "ada@example.org");
    step(1100, "action", "click", "getByRole('button', { name: 'Sign in' })");
    step(1300, "assert", "verify_text", "getByRole('status')", "Welcome, Ada", "", 12);
    span(1400, "AC-1", "end");

    span(1500, "AC-2", "start", "The total of the order is right");
    step(1600, "action", "click", "getByRole('row', { name: '日本語 👍' }).getByRole('button')");
    step(2000, "assert", "verify_text", "getByTestId('total')", "42.00",
         "expected \"42.00\", found \"41.00 %s %n ##hidden###id\"");
    span(2200, "AC-2", "end");
    DomEvents dom{DocumentId(1), {}};
    for (int i = 0; i < 200; ++i)
      dom.events.push_back({{(600 + i * 45) * kMs}, R"({"type":3,"data":{"source":0}})"});
    writer->add(std::move(dom));
    event(2300, "console",
          {{"level", "error"},
           {"text", "%s%s%n ##title###id"},
           {"url", "https://shop.test/app.js"},
           {"line", 7}});
    event(2400, "console", {{"level", "log"}, {"text", std::string(5000, 'x')}});
    event(2450, "console", {{"level", "warning"}, {"text", "\u202eevil\u202c and \U0001F600"}});
    event(2480, "exception", {{"text", "TypeError: x is undefined"}, {"stack", "at f (app.js:1:1)"}});
  }
  void second_half() {
    span(3000, "AC-3", "start", "The list can be filtered");
    step(3100, "action", "select", "getByLabel('State')", "open");
    step(3300, "read", "find", "rows");
    span(3500, "AC-3", "end");
    span(4000, "AC-5", "start");
    span(4100, "AC-5", "end");
    span(5000, "AC-6", "start", "A flaky check is tried again");
    step(5100, "assert", "verify_visible", "getByText('Saved')", "", "not visible");
    step(5300, "assert", "verify_visible", "getByText('Saved')");
    span(5400, "AC-6", "end");
    writer->add(Document{
        DocumentId(2), TargetId(1), "F1", {}, "https://shop.test/checkout", {7000 * kMs}, 0, "rrweb/2"});
    event(7050, "lifecycle", {{"name", "title"}, {"title", "Checkout"}});
    Gap closed;
    closed.document = DocumentId(2);
    closed.from = {7200 * kMs};
    closed.to = Time{8200 * kMs};
    closed.reason = "canvas";
    closed.detail = "a chart is painted, not marked up";
    writer->add(closed);
    Gap open;
    open.from = {9000 * kMs};
    open.reason = "unload-unobserved";
    writer->add(open);
    span(8000, "AC-4", "start", "Paying in the other origin's frame");
    step(8300, "action", "fill", "getByLabel('Card number')", "[masked value]");
    step(8600, "action", "click", "getByRole('button', { name: 'Pay' })", "", "", 900);
    event(12000, "lifecycle", {{"name", "load"}});
  }
};

int made(const std::string& kind, const std::filesystem::path& path) {
  WriterOptions options;
  options.session = "test";
  options.title = kind == "empty" ? "Nothing happened" : "Order and pay";
  options.started_wall_ms = 1796040000000;
  if (kind == "truncated") options.event_cap = 150;
  auto writer = Writer::create(path, options);
  if (!writer) {
    std::fprintf(stderr, "%s\n", writer.error().message().c_str());
    return 1;
  }
  Recording recording{*std::move(writer)};
  const auto flush = [&] {
    std::promise<void> done;
    recording.writer->flush([&](Status) { done.set_value(); });
    done.get_future().wait();
  };
  std::int64_t end = 12000;
  if (kind == "huge") {
    recording.writer->add(Target{TargetId(1), "tab", {}, {}, "test", "CDP-1", "https://shop.test/", {0}});
    recording.writer->add(
        Document{DocumentId(1), TargetId(1), "F1", {}, "https://shop.test/", {0}, 0, "rrweb/2"});
    end = 3600 * 1000;
    for (int i = 0; i < 20000; ++i)
      recording.step(i * 180, i % 3 ? "action" : "assert", i % 3 ? "click" : "verify_text", "getByText('x')",
                     "", i % 997 == 5 ? "late" : "");
    for (int chunk = 0; chunk < 200; ++chunk) {
      DomEvents dom{DocumentId(1), {}};
      for (int i = 0; i < 1000; ++i)
        dom.events.push_back({{(chunk * 18000LL + i * 18) * kMs}, R"({"type":3,"data":{"source":0}})"});
      recording.writer->add(std::move(dom));
    }
  } else if (kind != "empty") {
    recording.first_half();
    if (kind != "live") recording.second_half();
  }
  if (kind == "killed") {
    flush();
    std::_Exit(0);
  }
  if (kind == "live") {
    flush();
    std::puts("ready");
    std::fflush(stdout);
    end = 3000;
    for (std::string line; std::getline(std::cin, line); end += 500) {
      recording.step(end, "action", "click", "getByText('more')");
      flush();
      std::puts("written");
      std::fflush(stdout);
    }
  }
  const auto report = recording.writer->seal({end * kMs}, "end_recording");
  if (!report) std::fprintf(stderr, "%s\n", report.error().message().c_str());
  return report ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kinds = " rich empty killed truncated live huge ";
  if (argc != 3 || kinds.find(" " + std::string(argv[1]) + " ") == std::string::npos) {
    std::fprintf(stderr, "usage: player_archive KIND FILE, KIND one of%s\n", kinds.c_str());
    return 2;
  }
  return made(argv[1], argv[2]);
}
