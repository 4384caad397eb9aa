// What each output language makes of small recordings, compared with files that were reviewed. With
// BROWX_UPDATE_GOLDEN=1 the files are written anew; look at the difference before committing it.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "codegen/targets.hpp"
#include "tests/codegen/cases.hpp"

namespace browx::codegen {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Golden, EveryTargetWritesWhatWasReviewed) {
  for (const Case& one : cases()) {
    Flow flow = one.make();
    flow.browx = "1.0.0";
    for (const Target& target : targets()) {
      const auto path =
          std::filesystem::path(BROWX_GOLDEN) / target.name / (one.name + std::string(target.extension));
      const std::string made = target.generate(flow).content;
      if (std::getenv("BROWX_UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << made;
      EXPECT_EQ(made, contents(path))
          << path << ": if it should be so, run with BROWX_UPDATE_GOLDEN=1 and review";
    }
  }
}

TEST(Golden, TheSameRecordingGivesTheSameText) {
  for (const Case& one : cases())
    for (const Target& target : targets())
      EXPECT_EQ(target.generate(one.make()).content, target.generate(one.make()).content);
}

}  // namespace
}  // namespace browx::codegen
