#include "archive/coverage.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/archive/sample.hpp"

namespace browx::archive {
namespace {

/// An archive of words: `A(` and `A)` open and close the span A, `A.` is a remark under A; `a+` and `a-` are
/// an action that worked and one that failed, `r+` a read, `v1+` the assert v1.
std::unique_ptr<Reader> recorded(const std::string& script) {
  WriterOptions options;
  options.session = "test";
  auto writer = Writer::create(":memory:", options);
  EXPECT_TRUE(writer.ok());
  std::istringstream words(script);
  std::int64_t us = 1000;
  for (std::string word; words >> word; us += 1000) {
    const char last = word.back();
    word.pop_back();
    if (last == '(' || last == ')' || last == '.') {
      Json payload = {{"label", word}, {"copy", "about " + word}};
      if (last != '.') payload["phase"] = last == '(' ? "start" : "end";
      (*writer)->add(event(us, "annotation", payload));
      continue;
    }
    const std::string kind = word[0] == 'a' ? "action" : word[0] == 'r' ? "read" : "assert";
    Json payload = {{"id", word},
                    {"tool", kind == "assert" ? "verify_text" : "click"},
                    {"ok", last == '+'},
                    {"arguments", {{"selector", "#" + word}, {"timeoutMs", us}}}};
    if (last == '-') payload["error"] = word + " broke";
    (*writer)->add(event(us, kind, payload));
  }
  auto report = (*writer)->seal({us}, "end_recording");
  EXPECT_TRUE(report.ok());
  auto reader = Reader::open_image(report->image);
  EXPECT_TRUE(reader.ok());
  return *std::move(reader);
}

Coverage coverage_of(const std::string& script, const std::vector<Criterion>& wanted = {}) {
  auto reader = recorded(script);
  return derive_coverage(*reader->events("annotation"), *reader->steps(), wanted);
}

/// "A passed 3 steps 1 asserts 0 failed 0 retried" for each criterion, joined by "; ".
std::string told(const Coverage& coverage) {
  std::string out;
  for (const auto& c : coverage.criteria) {
    if (!out.empty()) out += "; ";
    out += c.id + " " + state_name(c.state) + " " + std::to_string(c.steps.size()) + "/" +
           std::to_string(c.asserts) + "/" + std::to_string(c.failures) + "/" + std::to_string(c.retried);
  }
  return out;
}

struct Case {
  const char* script;
  const char* expected;  ///< id state steps/asserts/failures/retried
};

class CoverageStates : public testing::TestWithParam<Case> {};

TEST_P(CoverageStates, FollowTheRules) {
  EXPECT_EQ(told(coverage_of(GetParam().script)), GetParam().expected) << GetParam().script;
}

INSTANTIATE_TEST_SUITE_P(
    Coverage, CoverageStates,
    testing::Values(
        // The six states but missing.
        Case{"A( a+ v1+ A)", "A passed 2/1/0/0"}, Case{"A( a+ v1- A)", "A failed 2/1/1/0"},
        Case{"A( a+ r+ A)", "A exercised 2/0/0/0"}, Case{"A( a+ v1+", "A unclosed 2/1/0/0"},
        Case{"a+ A( A) v1+", "A empty 0/0/0/0"}, Case{"a+ v1+", ""},
        // Asserts: the last answer to each question counts.
        Case{"A( v1- v1+ A)", "A passed 2/2/1/1"}, Case{"A( v1+ v1- A)", "A failed 2/2/1/0"},
        Case{"A( v1- v2+ A)", "A failed 2/2/1/0"}, Case{"A( v1- v1- v1+ v2+ A)", "A passed 4/4/2/2"},
        Case{"A( v1- v1- A)", "A failed 2/2/2/1"},
        // Actions: the last one counts, whatever was asserted after it.
        Case{"A( a- v1+ A)", "A failed 2/1/1/0"}, Case{"A( a- a+ v1+ A)", "A passed 3/1/1/1"},
        Case{"A( a+ v1+ a- A)", "A failed 3/1/1/0"}, Case{"A( a- a+ A)", "A exercised 2/0/1/1"},
        Case{"A( a- A)", "A failed 1/0/1/0"},
        // A failed read is a failure that decides nothing.
        Case{"A( a+ r- v1+ A)", "A passed 3/1/1/0"},
        // Open spans: what fails has failed, closed or not; an open empty one is unclosed.
        Case{"A( a+ v1-", "A failed 2/1/1/0"}, Case{"A(", "A unclosed 0/0/0/0"},
        // A step counts for all open spans, once for each criterion.
        Case{"A( B( v1+ B) v2+ A)", "A passed 2/2/0/0; B passed 1/1/0/0"},
        Case{"A( B( v1- B) A)", "A failed 1/1/1/0; B failed 1/1/1/0"},
        Case{"A( A( v1+ A) A)", "A passed 1/1/0/0"},
        Case{"A( B( v1+ A) v2- B)", "A passed 1/1/0/0; B failed 2/2/1/0"},
        // A criterion tried again: its spans are one story.
        Case{"A( v1- A) a+ A( v1+ A)", "A passed 2/2/1/1"}, Case{"A( v1+ A) A( v1+", "A unclosed 2/2/0/0"},
        Case{"A( v1+ A) A( A)", "A passed 1/1/0/0"},
        // Remarks open nothing, and ends without a start close nothing.
        Case{"A. v1+", "A empty 0/0/0/0"}, Case{"A) v1+ B( v2+ B) B)", "A empty 0/0/0/0; B passed 1/1/0/0"}));

TEST(Coverage, WhatWasAskedForAndNeverAnnotatedIsMissing) {
  const Coverage coverage =
      coverage_of("B( v1+ B) A( v2+ A)", {{"A", "Alpha"}, {"C", "Gamma"}, {"A", "again"}});
  EXPECT_EQ(told(coverage), "A passed 1/1/0/0; C missing 0/0/0/0; B passed 1/1/0/0");
  EXPECT_EQ(coverage.criteria[0].title, "Alpha");
  EXPECT_EQ(coverage.criteria[1].title, "Gamma");
  EXPECT_EQ(coverage.criteria[2].title, "about B");
  EXPECT_EQ(coverage.total(CriterionState::passed), 2);
  EXPECT_EQ(coverage.total(CriterionState::missing), 1);
  EXPECT_EQ(coverage.total(CriterionState::failed), 0);
}

TEST(Coverage, SpansKnowTheirTimesDepthAndSteps) {
  const Coverage coverage = coverage_of("A( a+ B( v1+ B) a+");
  ASSERT_EQ(coverage.spans.size(), 2u);
  EXPECT_EQ(coverage.spans[0].from, Time{1000});
  EXPECT_FALSE(coverage.spans[0].to);
  EXPECT_EQ(coverage.spans[0].steps, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(coverage.spans[1].depth, 1u);
  EXPECT_EQ(coverage.spans[1].to, Time{5000});
  EXPECT_EQ(coverage.spans[1].steps, std::vector<std::size_t>{1});
}

TEST(Coverage, AReasonNamesTheStepAndItsError) {
  EXPECT_EQ(coverage_of("A( a+ v1- A)").criteria[0].reason, "the assert v1 failed: v1 broke");
  EXPECT_EQ(coverage_of("A( v1- v2- A)").criteria[0].reason,
            "2 asserts failed, the last of them v2: v2 broke");
  EXPECT_EQ(coverage_of("A( v1+ a- A)").criteria[0].reason, "its last action a failed: a broke");
  EXPECT_EQ(coverage_of("A( v1- v1+ A)").criteria[0].reason,
            "1 assert passed, after 1 step that failed and was retried");
}

}  // namespace
}  // namespace browx::archive
