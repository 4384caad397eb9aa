#include "base/bytes.hpp"

#include <gtest/gtest.h>

namespace browx {
namespace {

TEST(Bytes, Base64FollowsTheVectorsOfRfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    const auto decoded = base64_decode(text);
    ASSERT_TRUE(decoded.ok()) << text;
    EXPECT_EQ(*decoded, bytes);
  }
}

TEST(Bytes, EveryByteSurvivesBase64) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t size = 250; size <= 256; ++size) {
    const auto back = base64_decode(base64_encode(bytes.substr(0, size)));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, bytes.substr(0, size));
  }
}

TEST(Bytes, WhatIsNotBase64IsCorrupt) {
  for (const char* text : {"Zg=", "Zg", "Z===", "Zm9v!mFy", "Zm=v", "====", "Zm9v\n"}) {
    const auto decoded = base64_decode(text);
    ASSERT_FALSE(decoded.ok()) << text;
    EXPECT_EQ(decoded.error().code, Code::corrupt);
  }
}

TEST(Bytes, Sha256FollowsTheVectorsOfFips180) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Bytes, RandomHexIsAsLongAsAskedAndDiffers) {
  const std::string a = random_hex(16), b = random_hex(16);
  EXPECT_EQ(a.size(), 32u);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(a, b);
  EXPECT_EQ(random_hex(0), "");
}

}  // namespace
}  // namespace browx
