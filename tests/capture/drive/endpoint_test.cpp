#include "capture/drive/endpoint.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

TEST(UrlPattern, ReplacesIdShapedSegmentsAndDropsTheQuery) {
  EXPECT_EQ(url_pattern("https://api.example.com/v1/records?user=7#x"), "https://api.example.com/v1/records");
  EXPECT_EQ(url_pattern("https://api.example.com/v1/records/4711"), "https://api.example.com/v1/records/:id");
  EXPECT_EQ(url_pattern("https://a.test/u/123e4567-e89b-12d3-a456-426614174000/mail"),
            "https://a.test/u/:id/mail");
  EXPECT_EQ(url_pattern("https://a.test/o/507f1f77bcf86cd799439011/"), "https://a.test/o/:id/");
  EXPECT_EQ(url_pattern("http://user:pw@a.test:8080/x"), "http://a.test:8080/x");
}

TEST(UrlPattern, KeepsWordsThatMerelyLookHexadecimal) {
  EXPECT_EQ(url_pattern("https://a.test/facade/decade"), "https://a.test/facade/decade");
  EXPECT_EQ(url_pattern("https://a.test/v1/deadbeef"), "https://a.test/v1/deadbeef");
  EXPECT_EQ(url_pattern("https://a.test/"), "https://a.test/");
}

TEST(ResponseShape, TellsTopLevelKeysInTheirOrderAndNoValues) {
  EXPECT_EQ(response_shape(R"({"id":1,"date":"x","type":{"deep":2},"task":[]})"),
            Json({"id", "date", "type", "task"}));
}

TEST(ResponseShape, TellsTheKeysOfObjectsInAnArrayOnce) {
  EXPECT_EQ(response_shape(R"([{"a":1,"b":2},{"b":3,"c":4}])"), Json({"[].a", "[].b", "[].c"}));
}

TEST(ResponseShape, StopsAtTwentyKeys) {
  Json big = Json::object();
  for (int i = 0; i < 50; ++i) big["k" + std::to_string(i)] = i;
  EXPECT_EQ(response_shape(big.dump()).size(), 20u);
}

TEST(ResponseShape, IsAbsentForWhatIsNotAJsonObjectOrTooLarge) {
  EXPECT_TRUE(response_shape("").is_null());
  EXPECT_TRUE(response_shape("<html>").is_null());
  EXPECT_TRUE(response_shape("42").is_null());
  EXPECT_TRUE(response_shape("[1,2]").is_null());
  EXPECT_TRUE(response_shape("{\"a\":\"" + std::string(kMaxShapeBytes, 'x') + "\"}").is_null());
}

TEST(JsonMime, AcceptsJsonAndItsRelatives) {
  EXPECT_TRUE(json_mime("application/json; charset=utf-8"));
  EXPECT_TRUE(json_mime("application/problem+json"));
  EXPECT_FALSE(json_mime("text/html"));
  EXPECT_FALSE(json_mime("application/octet-stream"));
}

}  // namespace
}  // namespace browx::capture
