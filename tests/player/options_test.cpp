#include "player/options.hpp"

#include <gtest/gtest.h>

namespace browx::player {
namespace {

TEST(Moment, IsReadInEveryDocumentedForm) {
  for (const auto& [text, us] : {std::pair{"3.2s", 3200000},
                                 {"3200ms", 3200000},
                                 {"3200", 3200000},
                                 {"0:03.2", 3200000},
                                 {"1:02:03.5", 3723500},
                                 {"0", 0},
                                 {"12.5", 12500}}) {
    const auto moment = parse_moment(text);
    ASSERT_TRUE(moment.ok()) << text;
    EXPECT_EQ(moment->us, text == std::string("1:02:03.5") ? 3723500000LL : us) << text;
  }
}

TEST(Moment, AnythingElseIsRefusedWithTheForms) {
  for (const char* text : {"", "s", "ms", "-1s", "3,2s", "1:", ":3", "1::2", "nan", "inf", "1e99", "3.2 s",
                           "3.2sec", "0x10", "1:-2"}) {
    const auto moment = parse_moment(text);
    ASSERT_FALSE(moment.ok()) << text;
    EXPECT_EQ(moment.error().code, Code::invalid_argument);
    EXPECT_NE(moment.error().hint.find("3.2s"), std::string::npos);
  }
}

}  // namespace
}  // namespace browx::player
