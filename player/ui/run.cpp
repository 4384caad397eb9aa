#include "player/ui/run.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "base/pictures.hpp"
#include "base/time.hpp"
#include "player/model/dump.hpp"
#include "player/ui/app.hpp"
#include "player/ui/window.hpp"

namespace browx::player {
namespace {

constexpr std::chrono::seconds kDrawing{20};
constexpr int kSettling = 4;  // frames drawn after something happened

/// Whole or not at all: a reader never sees half of it.
Status write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path part = path;
  part += ".part";
  std::error_code failed;
  {
    errno = 0;
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      const Error error{Code::unavailable, path.string() + " cannot be written: " + std::strerror(errno),
                        "Give a file in a folder that exists and may be written to"};
      std::filesystem::remove(part, failed);
      return error;
    }
  }
  std::filesystem::rename(part, path, failed);
  if (failed)
    return Error{Code::unavailable, path.string() + " cannot be written: " + failed.message(),
                 "Give a file in a folder that exists and may be written to"};
  return {};
}

/// The exact page of the playhead, or the recorded picture and the reason why it is not exact.
Picture settled(const View& view, Stage& stage) {
  auto exact = stage.render(view.tab(), view.t(), kDrawing);
  if (exact) return *std::move(exact);
  const std::string why = exact.error().message();
  stage.ask(view.tab(), view.t());
  for (const Deadline deadline = Deadline::in(kDrawing); !deadline.passed();) {
    auto picture = stage.take();
    if (!picture) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    picture->note = picture->source == PictureSource::none
                        ? "No picture of this moment: " + why
                        : fmt::format("Screencast of {}, not exact: {}", clock_text(picture->shown), why);
    return *std::move(picture);
  }
  Picture none;
  none.tab = view.tab();
  none.t = none.shown = view.t();
  none.note = "No picture of this moment: " + why;
  return none;
}

std::string title_of(const View& view) { return shown(view.session().title, 120) + " – browx"; }

}  // namespace

Status take_shot(const Options& options, View& view, Stage& stage) {
  auto window = Window::create(
      {options.width, options.height, options.scale > 0 ? options.scale : 1, true, title_of(view)});
  if (!window) return std::move(window).error();
  App app(**window, view, stage, options.light);
  app.show(settled(view, stage));
  // Sizes and scroll positions settle within a few frames.
  for (int frame = 0; frame < 6; ++frame) {
    (*window)->wait(0);
    (*window)->begin_frame();
    app.draw(0);
    (*window)->end_frame();
  }
  Pixels pixels = (*window)->pixels();
  auto png = encode_png({pixels.width, pixels.height, std::move(pixels.rgba)});
  if (!png) return std::move(png).error();
  return write_file(options.shot, *png);
}

Status run_window(const Options& options, View& view, Stage& stage, const Reload& reload) {
  auto window = Window::create({options.width, options.height, options.scale, false, title_of(view)});
  if (!window) return std::move(window).error();
  App app(**window, view, stage, options.light);
  std::string told;
  auto last = SteadyClock::now(), looked = last;
  int settling = kSettling;
  while (!(*window)->closing()) {
    // Nothing is drawn while nothing happens.
    (*window)->wait(view.playing() || settling > 0 ? 0 : app.expecting() ? 0.03 : 0.5);
    if (view.session().live && SteadyClock::now() - looked >= std::chrono::seconds(1)) {
      if (auto longer = reload()) {
        view.reload(*std::move(longer));
        app.refresh();
        settling = kSettling;
      }
      looked = SteadyClock::now();
    }
    const bool news = app.poll(), touched = (*window)->touched();
    if (news || touched) settling = kSettling;
    if (!view.playing() && settling <= 0) continue;
    --settling;
    const auto now = SteadyClock::now();
    (*window)->begin_frame();
    app.draw(std::min(std::chrono::duration<double>(now - last).count(), 0.25));
    (*window)->end_frame();
    last = now;
    if (options.state.empty()) continue;
    Json state = dump_view(view);
    const ImVec4 plot = app.plot();
    state["plot"] = {{"x", plot.x}, {"y", plot.y}, {"width", plot.z}, {"height", plot.w}};
    std::string text = dump_json(state);
    if (text == told) continue;
    BROWX_TRY(write_file(options.state, text));
    told = std::move(text);
  }
  return {};
}

}  // namespace browx::player
