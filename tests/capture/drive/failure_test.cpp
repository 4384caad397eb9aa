#include "capture/drive/failure.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

TEST(Failure, NamesWhoIsToBlame) {
  EXPECT_EQ(failure_of({Code::conflict, "x", {}, "covered"}).source, "app");
  EXPECT_EQ(failure_of({Code::gone, "x", {}, "ref-gone"}).source, "app");
  EXPECT_EQ(failure_of({Code::invalid_argument, "x", {}, "invalid-selector"}).source, "browx");
  EXPECT_EQ(failure_of({Code::denied, "x", {}, "origin-blocked"}).source, "browx");
  EXPECT_EQ(failure_of({Code::unavailable, "x", {}, "browser-lost"}).source, "unknown");
}

TEST(Failure, FallsBackOnTheCodeWhereThereIsNoKind) {
  const Failure timeout = failure_of({Code::timeout, "x", {}, {}});
  EXPECT_EQ(timeout.kind, "timeout");
  EXPECT_EQ(timeout.source, "unknown");
  EXPECT_FALSE(timeout.hint.empty());
  EXPECT_EQ(failure_of({Code::internal, "x", {}, "something-new"}).source, "browx");
  EXPECT_EQ(failure_of({Code::unavailable, "x", {}, "something-new"}).kind, "something-new");
}

TEST(Failure, PrefersTheHintOfTheError) {
  EXPECT_EQ(failure_of({Code::gone, "x", "use e9", "ref-gone"}).hint, "use e9");
}

TEST(Refusal, NamesTheCoverAndTheTarget) {
  const Json covered = {{"refused", "covered"}, {"by", "i#veil"}};
  const Error error = refusal(covered, "e4");
  EXPECT_EQ(error.what, "e4 is covered by i#veil");
  EXPECT_EQ(error.kind, "covered");
}

TEST(Refusal, NamesTheFormatThatIsWanted) {
  const Json bad = {{"refused", "bad-format"}, {"wanted", "yyyy-mm-dd"}};
  const Error error = refusal(bad, "e4");
  EXPECT_EQ(error.code, Code::invalid_argument);
  EXPECT_NE(error.what.find("yyyy-mm-dd"), std::string::npos);
}

TEST(Refusal, GivesEveryKindATextOfItsOwn) {
  std::vector<std::string> texts;
  for (const auto* kind : {"detached", "hidden", "moving", "disabled", "readonly", "not-editable", "covered",
                           "off-screen", "option-not-found", "option-disabled", "not-a-select"}) {
    const Json refused = {{"refused", kind}};
    const Error error = refusal(refused, "e1");
    EXPECT_EQ(failure_of(error).kind, kind);
    EXPECT_FALSE(failure_of(error).hint.empty()) << kind;
    EXPECT_EQ(std::count(texts.begin(), texts.end(), error.what), 0) << kind;
    texts.push_back(error.what);
  }
}

}  // namespace
}  // namespace browx::capture
