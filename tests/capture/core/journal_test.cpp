#include "capture/journal.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

Fact event(const std::string& kind) {
  archive::Event out;
  out.kind = kind;
  return out;
}
std::string kind_of(const Fact& fact) { return std::get<archive::Event>(fact).kind; }

TEST(Journal, EveryListenerHearsEveryFactInOrderUntilItsTokenDies) {
  Journal journal;
  std::vector<std::string> first, second;
  auto one = journal.listen([&](const Fact& fact) { first.push_back(kind_of(fact)); });
  {
    auto two = journal.listen([&](const Fact& fact) { second.push_back(kind_of(fact)); });
    journal.publish(event("a"));
  }
  journal.publish(event("b"));
  EXPECT_EQ(first, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(second, (std::vector<std::string>{"a"}));
}

TEST(Journal, AListenerMayEndItselfStartOthersAndPublishWhileItIsTold) {
  Journal journal;
  std::vector<std::string> heard;
  std::unique_ptr<Journal::Subscription> self, later;
  self = journal.listen([&](const Fact& fact) {
    heard.push_back("self " + kind_of(fact));
    self.reset();
    later = journal.listen([&](const Fact& other) { heard.push_back("later " + kind_of(other)); });
    journal.publish(event("inner"));
  });
  auto after = journal.listen([&](const Fact& fact) { heard.push_back("after " + kind_of(fact)); });
  journal.publish(event("outer"));
  journal.publish(event("next"));
  EXPECT_EQ(std::count(heard.begin(), heard.end(), "self outer"), 1);
  EXPECT_EQ(std::count(heard.begin(), heard.end(), "self next"), 0);
  EXPECT_EQ(std::count(heard.begin(), heard.end(), "after inner"), 1);
  EXPECT_EQ(std::count(heard.begin(), heard.end(), "after outer"), 1);
  EXPECT_EQ(std::count(heard.begin(), heard.end(), "later next"), 1);
}

TEST(Journal, ATokenMayOutliveItsJournal) {
  std::unique_ptr<Journal::Subscription> token;
  {
    Journal journal;
    token = journal.listen([](const Fact&) {});
  }
  token.reset();
}

TEST(Journal, IdsRiseAndTimesStartAtZero) {
  Journal journal;
  EXPECT_EQ(journal.next_document().value(), 1);
  EXPECT_EQ(journal.next_document().value(), 2);
  EXPECT_EQ(journal.next_target().value(), 1);
  EXPECT_GE(journal.now().us, 0);
  EXPECT_LT(journal.at(SteadyClock::now() - std::chrono::hours(1)).us, 0);
}

}  // namespace
}  // namespace browx::capture
