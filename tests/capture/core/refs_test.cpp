#include "capture/refs.hpp"

#include <gtest/gtest.h>

#include "tests/capture/core/fake_frame.hpp"

namespace browx::capture {
namespace {

TEST(Refs, TheSameElementAlwaysHasTheSameRefAndNumbersAreNeverReused) {
  Refs refs;
  auto frame = std::make_shared<FakeFrame>("f1"), other = std::make_shared<FakeFrame>("f2");
  EXPECT_EQ(refs.ref_of(*frame, 7), "e1");
  EXPECT_EQ(refs.ref_of(*other, 7), "e2");
  EXPECT_EQ(refs.ref_of(*frame, 7), "e1");
  frame->generation_now = 2;
  EXPECT_EQ(refs.ref_of(*frame, 7), "e3");
  const auto found = refs.find("e2");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->element, 7);
  EXPECT_EQ(found->frame.lock(), other);
}

TEST(Refs, AStaleRefSaysWhy) {
  Refs refs;
  auto frame = std::make_shared<FakeFrame>("f1");
  const auto ref = refs.ref_of(*frame, 1);
  EXPECT_EQ(refs.find("e99").error().kind, "ref-not-found");
  frame->generation_now = 2;
  EXPECT_EQ(refs.find(ref).error().kind, "ref-gone");
  EXPECT_NE(refs.find(ref).error().what.find("navigated"), std::string::npos);
  frame->attached_now = false;
  EXPECT_NE(refs.find(ref).error().what.find("removed"), std::string::npos);
  frame.reset();
  EXPECT_EQ(refs.find(ref).error().kind, "ref-gone");
}

TEST(Refs, NamesAreGivenToKnownRefsOnly) {
  Refs refs;
  auto frame = std::make_shared<FakeFrame>("f1");
  const auto ref = refs.ref_of(*frame, 1);
  EXPECT_TRUE(refs.name("save", ref).ok());
  EXPECT_EQ(*refs.named("save"), ref);
  EXPECT_EQ(refs.name("x", "e9").error().kind, "ref-not-found");
  EXPECT_EQ(refs.name("", ref).error().code, Code::invalid_argument);
  EXPECT_EQ(refs.named("other").error().kind, "name-not-found");
}

}  // namespace
}  // namespace browx::capture
