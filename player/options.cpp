#include "player/options.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace browx::player {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0 || value > 1e12)
    return std::nullopt;
  return value;
}

Status parse_size(const std::string& text, Options& options) {
  const std::size_t cross = text.find('x');
  const auto width = number(std::string_view(text).substr(0, cross));
  const auto height =
      cross == std::string::npos ? std::nullopt : number(std::string_view(text).substr(cross + 1));
  if (!width || !height || *width < 320 || *height < 240 || *width > 7680 || *height > 4320 ||
      *width != std::floor(*width) || *height != std::floor(*height))
    return Error{Code::invalid_argument, fmt::format("--size \"{}\" is no size of a window", text),
                 "Give WIDTHxHEIGHT from 320x240 to 7680x4320, e.g. 1280x800"};
  options.width = static_cast<int>(*width);
  options.height = static_cast<int>(*height);
  return {};
}

int refuse(const Error& error) {
  std::fprintf(stderr, "browx-player: %s\n", error.message().c_str());
  return kUsage;
}

}  // namespace

Result<Time> parse_moment(const std::string& text) {
  std::string_view rest = text;
  double unit = 1000;  // of a bare number: milliseconds
  std::optional<double> value;
  if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
    double whole = 0;
    bool good = true;
    for (std::size_t at = colon; good; at = rest.find(':')) {
      const auto part = number(rest.substr(0, at));
      good = part.has_value();
      whole = whole * 60 + part.value_or(0);
      if (at == std::string_view::npos) break;
      rest.remove_prefix(at + 1);
    }
    if (good) value = whole;
    unit = 1e6;
  } else {
    if (rest.ends_with("ms"))
      rest.remove_suffix(2);
    else if (rest.ends_with("s"))
      rest.remove_suffix(1), unit = 1e6;
    value = number(rest);
  }
  if (!value)
    return Error{Code::invalid_argument, fmt::format("--at \"{}\" is no moment", text),
                 "Give seconds or milliseconds since the session began: 3.2s, 3200ms, 0:03.2"};
  return Time{std::llround(*value * unit)};
}

std::variant<Options, int> parse_options(int argc, char** argv) {
  Options options;
  std::string at, size, panel, theme, scale;
  CLI::App app{
      "browx-player shows what a .browx archive recorded: timeline, steps, coverage by criterion, network, "
      "console, pages."};
  app.name("browx-player");
  app.set_version_flag("--version", "browx-player " BROWX_VERSION);
  app.add_option("file", options.file, "The archive; one still being recorded works too")->required();
  app.add_option("--at", at, "Where the playhead stands at first: 3.2s, 3200ms, 0:03.2")->type_name("TIME");
  app.add_option("--panel", panel, "What the list shows at first: " + panel_names())->type_name("NAME");
  app.add_option("--theme", theme, "dark (default) or light")->type_name("NAME");
  app.add_option("--size", size, "Size of the window, 1280x800 by default")->type_name("WxH");
  app.add_option("--scale", scale, "Device pixels a point, 0.5 to 4; default: what the display says")
      ->type_name("N");
  app.add_option("--shot", options.shot,
                 "Write the window as a PNG to this file and end; nothing is shown, but a display is needed")
      ->type_name("PNG");
  app.add_flag("--dump", options.dump, "Print as JSON what the panels would show and end; needs no display");
  app.add_option("--state", options.state,
                 "Keep this file up to date with what --dump would print (for tests)")
      ->type_name("FILE");
  app.add_option("--chromium", options.chromium,
                 "The browser that draws pages from the recording; none: only recorded pictures")
      ->type_name("PATH");
  app.footer(
      "Keys: Left/Right previous/next event, Shift+Left/Right failed step, Home/End, Space play, +/- zoom, F "
      "fit, 1-6 panels.\n"
      "Exit status: 0 all right, 1 no window could be made or no picture written, 2 wrong arguments, 3 the "
      "file cannot be read.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kOk : kUsage;
  }
  if (!at.empty() || app.count("--at")) {
    auto moment = parse_moment(at);
    if (!moment) return refuse(moment.error());
    options.at = *moment;
  }
  if (!size.empty() || app.count("--size"))
    if (Status good = parse_size(size, options); !good) return refuse(good.error());
  if (!panel.empty() || app.count("--panel")) {
    const auto found = panel_of(panel);
    if (!found)
      return refuse({Code::invalid_argument, fmt::format("there is no panel \"{}\"", panel),
                     "There are: " + panel_names()});
    options.panel = *found;
  }
  if (!theme.empty() && theme != "dark" && theme != "light")
    return refuse(
        {Code::invalid_argument, fmt::format("there is no theme \"{}\"", theme), "There are: dark, light"});
  options.light = theme == "light";
  if (!scale.empty()) {
    const auto value = number(scale);
    if (!value || *value < 0.5 || *value > 4)
      return refuse({Code::invalid_argument, fmt::format("--scale \"{}\" is no scale", scale),
                     "Give a number from 0.5 to 4"});
    options.scale = *value;
  }
  if (options.dump && !options.shot.empty())
    return refuse({Code::invalid_argument, "--dump and --shot exclude each other", "Call the player twice"});
  return options;
}

}  // namespace browx::player
