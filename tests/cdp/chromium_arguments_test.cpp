#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/cdp/chromium.hpp"

namespace browx::cdp {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ChromiumArguments, TheSandboxStaysOnUnlessRoot) {
  ChromiumOptions options;
  options.profile = "/p";
  EXPECT_THAT(chromium_arguments(options, false), Not(Contains("--no-sandbox")));
  EXPECT_THAT(chromium_arguments(options, true), Contains("--no-sandbox"));
  EXPECT_THAT(chromium_arguments(options, true), Contains("--user-data-dir=/p"));
}

TEST(ChromiumArguments, AHeadedBrowserHasNoHeadlessFlags) {
  ChromiumOptions options;
  options.headless = false;
  options.extra_arguments = {"--window-size=1,2"};
  const auto arguments = chromium_arguments(options, false);
  EXPECT_THAT(arguments, Not(Contains("--headless")));
  EXPECT_THAT(arguments, Contains("--window-size=1,2"));
}

TEST(FindChromium, AConfiguredPathThatIsNoExecutableIsNamedWithTheRemedy) {
  const auto found = find_chromium("/nonexistent/chrome");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, "chromium-missing");
  EXPECT_THAT(found.error().what, HasSubstr("/nonexistent/chrome"));
  EXPECT_THAT(found.error().hint, HasSubstr("BROWX_CHROMIUM"));
}

TEST(FindChromium, AnEmptyPathVariableNamesWhatWasTried) {
  const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  ::setenv("PATH", "", 1);
  const auto found = find_chromium("");
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().what, HasSubstr("google-chrome"));
}

}  // namespace
}  // namespace browx::cdp
