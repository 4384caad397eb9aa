#include "capture/reads/tree.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

TreeRow row(int depth, std::string role, std::string name, std::int64_t element = 0,
            std::vector<std::string> states = {}) {
  return {depth, std::move(role), std::move(name), element, std::move(states), false};
}

std::string ref(std::int64_t element) { return element ? "e" + std::to_string(element) : std::string(); }

bool add(TreePrinter& printer, const TreeRow& one, int base = 0) {
  return printer.add(one, base, ref(one.element));
}

TEST(TreeRows, ComeOutOfAWalksAnswer) {
  const Json rows = Json::parse(
      R"([[0,"button","Save",7,["disabled"],0],[1,"iframe","",8,[],1],"nonsense",[0],[2,"text","Hi",0,[]]])");
  const auto out = tree_rows(rows);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].role, "button");
  EXPECT_EQ(out[0].element, 7);
  EXPECT_EQ(out[0].states, std::vector<std::string>{"disabled"});
  EXPECT_TRUE(out[1].frame);
  EXPECT_EQ(out[2].depth, 2);
  EXPECT_TRUE(tree_rows(Json("no rows")).empty());
}

TEST(TreeLine, QuotesTheNameAndBracketsTheStates) {
  EXPECT_EQ(tree_line(row(1, "textbox", "Say \"hi\"\n", 4, {"required", "value=\"x\""}), 1, "e4"),
            "    textbox \"Say \\\"hi\\\"\\n\" [ref=e4] [required] [value=\"x\"]");
  EXPECT_EQ(tree_line(row(0, "text", "日本"), 0, ""), "text \"日本\"");
  EXPECT_EQ(tree_line(row(0, "list", "", 2), 0, "e2"), "list [ref=e2]");
}

TEST(TreePrinter, GivesTheWholeTreeWhenItFits) {
  TreePrinter printer(1000, 0);
  EXPECT_TRUE(add(printer, row(0, "list", "", 1)));
  EXPECT_TRUE(add(printer, row(1, "text", "one")));
  EXPECT_EQ(printer.text(), "list [ref=e1]\n  text \"one\"");
  EXPECT_FALSE(printer.more());
  EXPECT_FALSE(printer.full());
}

TEST(TreePrinter, CutsBehindARowWithARefAndCountsTheRest) {
  TreePrinter printer(40, 0);
  EXPECT_TRUE(add(printer, row(0, "button", "A", 1)));  // 21 bytes with its line end
  EXPECT_TRUE(add(printer, row(0, "text", "b")));       // 9
  EXPECT_FALSE(add(printer, row(0, "button", "C", 3)));
  EXPECT_FALSE(add(printer, row(0, "text", "d")));
  printer.skip(10);
  EXPECT_EQ(printer.text(), "button \"A\" [ref=e1]");
  ASSERT_TRUE(printer.more());
  EXPECT_EQ(printer.more()->first, "e1");
  EXPECT_EQ(printer.more()->second, 13);  // the text that a cut takes back, both that did not fit, ten unseen
}

TEST(TreePrinter, NeverPassesItsBudgetButForTheFirstRow) {
  TreePrinter printer(64, 0);
  EXPECT_TRUE(add(printer, row(0, "button", std::string(200, 'x'), 1)));
  EXPECT_FALSE(add(printer, row(0, "button", "B", 2)));
  EXPECT_EQ(printer.rows(), 1u);
  EXPECT_EQ(printer.more()->second, 1);

  TreePrinter many(500, 0);
  for (int i = 1; i <= 100; ++i) add(many, row(i % 4, "button", "Name", i));
  EXPECT_LE(many.text().size(), 500u);
  EXPECT_EQ(static_cast<std::int64_t>(many.rows()) + many.more()->second, 100);
}

TEST(TreePrinter, CountsRowsWhereThatIsTheLimit) {
  TreePrinter printer(10000, 2);
  EXPECT_EQ(printer.rows_left(), 2u);
  for (int i = 1; i <= 5; ++i) add(printer, row(0, "button", "B", i));
  EXPECT_EQ(printer.rows(), 2u);
  EXPECT_EQ(printer.more()->first, "e2");
  EXPECT_EQ(printer.more()->second, 3);
}

TEST(TreePrinter, IsCutWhenThePageWasCut) {
  TreePrinter printer(1000, 0);
  add(printer, row(0, "button", "A", 1));
  printer.skip(7);
  EXPECT_TRUE(printer.full());
  EXPECT_EQ(*printer.more(), (std::pair<std::string, std::int64_t>("e1", 7)));
}

}  // namespace
}  // namespace browx::capture
