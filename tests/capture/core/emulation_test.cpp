#include "capture/core/emulation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

const Json* params_of(const std::vector<ProtocolCommand>& commands, const std::string& method) {
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const auto& c) { return c.method == method; });
  return found == commands.end() ? nullptr : &found->params;
}

TEST(Emulation, OnlyWhatWasAskedForIsSent) {
  const auto plain = emulation_commands(SessionOptions{}, "page");
  EXPECT_TRUE(params_of(plain, "Emulation.setDeviceMetricsOverride"));
  EXPECT_FALSE(params_of(plain, "Emulation.setUserAgentOverride"));
  EXPECT_FALSE(params_of(plain, "Emulation.setTimezoneOverride"));
  EXPECT_TRUE(emulation_commands(SessionOptions{}, "iframe").empty());
  EXPECT_TRUE(emulation_commands(SessionOptions{}, "worker").empty());
}

TEST(Emulation, FramesAndWorkersGetTheirShare) {
  SessionOptions options;
  options.device.user_agent = "UA";
  options.device.touch = true;
  options.locale = "de-CH";
  options.timezone = "Europe/Zurich";
  const auto frame = emulation_commands(options, "iframe");
  EXPECT_EQ((*params_of(frame, "Emulation.setUserAgentOverride"))["acceptLanguage"], "de-CH");
  EXPECT_EQ((*params_of(frame, "Emulation.setLocaleOverride"))["locale"], "de_CH");
  EXPECT_TRUE(params_of(frame, "Emulation.setTouchEmulationEnabled"));
  EXPECT_FALSE(params_of(frame, "Emulation.setDeviceMetricsOverride"));
  const auto worker = emulation_commands(options, "service_worker");
  EXPECT_TRUE(params_of(worker, "Network.setUserAgentOverride"));
  EXPECT_EQ(worker.size(), 1u);
}

TEST(Emulation, ImpossibleOptionsAreNamed) {
  SessionOptions options;
  EXPECT_TRUE(check_options(options).ok());
  options.viewport.height = 100000;
  EXPECT_EQ(check_options(options).error().code, Code::invalid_argument);
  options = {};
  options.device.scale_factor = 0;
  EXPECT_FALSE(check_options(options).ok());
  options = {};
  options.device.color_scheme = "blue";
  EXPECT_NE(check_options(options).error().what.find("blue"), std::string::npos);
  options = {};
  options.device.geolocation = {{91, 0}};
  EXPECT_FALSE(check_options(options).ok());
  options = {};
  options.storage_state = Json::array();
  EXPECT_FALSE(check_options(options).ok());
}

}  // namespace
}  // namespace browx::capture
