#include "archive/derive.hpp"

#include <gtest/gtest.h>

namespace browx::archive {
namespace {

Event at(std::int64_t us, std::string kind, Json payload, std::int64_t target = 1) {
  Event out{EventSeq(us), {us}, TargetId(target), std::move(kind), std::move(payload)};
  return out;
}
Event span(std::int64_t us, const char* label, const char* phase) {
  return at(us, "annotation", {{"label", label}, {"phase", phase}});
}
Event step(std::int64_t us, std::int64_t target = 1) {
  return at(us, "action", {{"tool", "click"}, {"ok", true}}, target);
}
Document document(std::int64_t id, std::int64_t target, const char* url, std::int64_t from) {
  Document out;
  out.id = DocumentId(id);
  out.target = TargetId(target);
  out.frame = "F" + std::to_string(target);
  out.url = url;
  out.from = {from};
  return out;
}
std::string spans_of(const std::vector<Event>& events) {
  std::string out;
  for (const auto& one : derive_steps(events, {})) out += "[" + one.span + "]";
  return out;
}

TEST(Derive, AStepBelongsToTheInnermostOpenSpan) {
  EXPECT_EQ(spans_of({step(1), span(2, "A", "start"), step(3), span(4, "B", "start"), step(5),
                      span(6, "B", "end"), step(7), span(8, "A", "end"), step(9)}),
            "[][A][B][A][]");
}

TEST(Derive, SpansMayEndOutOfOrderOrNever) {
  EXPECT_EQ(spans_of({span(1, "A", "start"), span(2, "B", "start"), span(3, "A", "end"), step(4),
                      span(5, "C", "end"), step(6)}),
            "[B][B]");
  EXPECT_EQ(spans_of({span(1, "A", "start"), span(2, "A", "start"), span(3, "A", "end"), step(4),
                      span(5, "A", "end"), step(6)}),
            "[A][]");
}

TEST(Derive, APointAnnotationOpensNothing) {
  EXPECT_EQ(spans_of({at(1, "annotation", {{"label", "A"}}),
                      at(2, "annotation", {{"copy", "look"}, {"phase", "start"}}), step(3)}),
            "[]");
}

TEST(Derive, AStepHasTheAddressOfThePageItActedOn) {
  const std::vector<Document> documents{document(1, 1, "https://a.test/", 1),
                                        document(2, 2, "https://b.test/", 2),
                                        document(3, 1, "https://a.test/next", 10)};
  const auto steps = derive_steps(
      {step(5), step(6, 2), at(7, "lifecycle", {{"name", "same-document"}, {"url", "https://a.test/#x"}}),
       step(8),
       at(9, "lifecycle", {{"name", "same-document"}, {"url", "https://frame.test/#y"}, {"frame", "F77"}}),
       step(11), at(12, "action", {{"tool", "click"}, {"url", "https://own.test/"}})},
      documents);
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].url, "https://a.test/");
  EXPECT_EQ(steps[1].url, "https://b.test/");
  EXPECT_EQ(steps[2].url, "https://a.test/#x");
  EXPECT_EQ(steps[3].url, "https://a.test/next");
  EXPECT_EQ(steps[4].url, "https://own.test/");
}

TEST(Derive, AFailureSaysItsErrorInWhateverShapeItWasStored) {
  const auto steps = derive_steps({at(1, "action", {{"ok", false}, {"error", {{"message", "gone"}}}}),
                                   at(2, "read", {{"ok", false}, {"code", "timeout"}}),
                                   at(3, "assert", {{"ok", true}, {"error", "stale"}})},
                                  {});
  EXPECT_EQ(steps[0].error, "gone");
  EXPECT_EQ(steps[1].error, "timeout");
  EXPECT_EQ(steps[2].error, "");
}

TEST(Derive, PagesAreTopDocumentsOfTabsWithTheirLastTitle) {
  std::vector<Document> documents{document(1, 1, "https://a.test/", 1),
                                  document(2, 1, "https://a.test/next", 10),
                                  document(3, 5, "https://frame.test/", 3)};
  documents.push_back(document(4, 1, "https://child.test/", 2));
  documents.back().parent = DocumentId(1);
  Target tab, frame;
  tab.id = TargetId(1);
  tab.kind = "tab";
  frame.id = TargetId(5);
  frame.kind = "iframe";
  const auto pages = derive_pages({at(2, "lifecycle", {{"name", "title"}, {"title", "One"}}),
                                   at(5, "lifecycle", {{"name", "title"}, {"title", "Two"}}),
                                   at(11, "lifecycle", {{"name", "title"}, {"title", "Next"}}),
                                   at(12, "lifecycle", {{"name", "title"}, {"title", "Other"}}, 5)},
                                  documents, {tab, frame});
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].title, "Two");
  EXPECT_EQ(pages[1].title, "Next");
  EXPECT_EQ(pages[1].from, Time{10});
}

}  // namespace
}  // namespace browx::archive
