#include "capture/core/emulation.hpp"

#include <cmath>

#include <fmt/format.h>

namespace browx::capture {

ProtocolCommand viewport_command(const SessionOptions& options) {
  Json params = {{"width", options.viewport.width},
                 {"height", options.viewport.height},
                 {"deviceScaleFactor", options.device.scale_factor},
                 {"mobile", false},
                 {"screenWidth", options.viewport.width},
                 {"screenHeight", options.viewport.height}};
  return {"Emulation.setDeviceMetricsOverride", std::move(params)};
}

std::vector<ProtocolCommand> emulation_commands(const SessionOptions& options, std::string_view type) {
  std::vector<ProtocolCommand> out;
  const bool document = type == "page" || type == "iframe";
  const Device& device = options.device;
  if (type == "page") {
    out.push_back(viewport_command(options));
    out.push_back({"Emulation.setFocusEmulationEnabled", {{"enabled", true}}});
  }
  if (document && device.touch)
    out.push_back({"Emulation.setTouchEmulationEnabled", {{"enabled", true}, {"maxTouchPoints", 5}}});
  if (document && !device.color_scheme.empty()) {
    Json feature = {{"name", "prefers-color-scheme"}, {"value", device.color_scheme}};
    out.push_back({"Emulation.setEmulatedMedia", {{"features", Json::array({feature})}}});
  }
  if (type == "page" && device.geolocation) {
    out.push_back({"Emulation.setGeolocationOverride",
                   {{"latitude", device.geolocation->first},
                    {"longitude", device.geolocation->second},
                    {"accuracy", 1}}});
  }
  if (!device.user_agent.empty() || !options.locale.empty()) {
    // An empty userAgent keeps the browser's own.
    Json params = {{"userAgent", device.user_agent}};
    if (!options.locale.empty()) params["acceptLanguage"] = options.locale;
    out.push_back(
        {document ? "Emulation.setUserAgentOverride" : "Network.setUserAgentOverride", std::move(params)});
  }
  if (document && !options.locale.empty()) {
    std::string locale = options.locale;
    for (char& c : locale)
      if (c == '-') c = '_';  // ICU's spelling
    out.push_back({"Emulation.setLocaleOverride", {{"locale", locale}}});
  }
  if (document && !options.timezone.empty())
    out.push_back({"Emulation.setTimezoneOverride", {{"timezoneId", options.timezone}}});
  return out;
}

Status check_options(const SessionOptions& options) {
  const auto wrong = [](std::string what, std::string hint) {
    return Error{Code::invalid_argument, std::move(what), std::move(hint)};
  };
  if (options.name.empty()) return wrong("A session's name may not be empty", "Leave it out for \"default\"");
  if (options.mode == "persistent")
    return Error{Code::unavailable, "Persistent sessions are not available in this version",
                 "Use mode \"incognito\" with storageState", "mode-unavailable"};
  if (options.mode == "attached")
    return Error{
        Code::unavailable,
        "Sessions in a running browser's own profile (mode \"attached\") are not available in this version",
        "Use mode \"incognito\"; with BROWX_ATTACH_CDP it is opened in that browser", "mode-unavailable"};
  if (options.mode != "incognito")
    return wrong(fmt::format("\"{}\" is not a mode", options.mode), "Use \"incognito\"");
  if (options.viewport.width < 1 || options.viewport.height < 1 || options.viewport.width > 10000 ||
      options.viewport.height > 10000)
    return wrong(
        fmt::format("A viewport of {} × {} is not possible", options.viewport.width, options.viewport.height),
        "Use 1 to 10000 pixels each way");
  const Device& device = options.device;
  if (!(device.scale_factor > 0 && device.scale_factor <= 10))
    return wrong(fmt::format("A scaleFactor of {} is not possible", device.scale_factor),
                 "Use more than 0, up to 10");
  if (!device.color_scheme.empty() && device.color_scheme != "light" && device.color_scheme != "dark" &&
      device.color_scheme != "no-preference")
    return wrong(fmt::format("\"{}\" is not a colorScheme", device.color_scheme),
                 "Use light, dark or no-preference");
  if (device.geolocation &&
      !(std::abs(device.geolocation->first) <= 90 && std::abs(device.geolocation->second) <= 180))
    return wrong("The geolocation lies outside the world", "latitude -90…90, longitude -180…180");
  if (!options.storage_state.is_null() && !options.storage_state.is_object())
    return wrong("storageState is not an object", "Use {cookies:[…], origins:[…]} as Playwright saves it");
  return {};
}

}  // namespace browx::capture
