#include "base/pictures.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace browx {
namespace {

/// A PNG of one colour, written without the code under test: stored (uncompressed) deflate blocks.
std::string flat_png(int width, int height, std::array<unsigned char, 3> colour) {
  const auto big = [](std::uint32_t n) {
    return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                       static_cast<char>(n)};
  };
  const auto crc = [](std::string_view bytes) {
    std::uint32_t value = ~0u;
    for (const unsigned char c : bytes) {
      value ^= c;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
    }
    return ~value;
  };
  const auto chunk = [&](std::string type, std::string body) {
    const std::string both = type + body;
    return big(static_cast<std::uint32_t>(body.size())) + both + big(crc(both));
  };
  std::string raw;
  for (int y = 0; y < height; ++y) {
    raw += '\0';
    for (int x = 0; x < width; ++x)
      for (const unsigned char c : colour) raw += static_cast<char>(c);
  }
  std::uint32_t a = 1, b = 0;
  for (const unsigned char c : raw) {
    a = (a + c) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<unsigned>(raw.size());  // under 65536
  std::string zlib{'\x78',
                   '\x01',
                   '\x01',
                   static_cast<char>(size),
                   static_cast<char>(size >> 8),
                   static_cast<char>(~size),
                   static_cast<char>(~size >> 8)};
  zlib += raw + big(b << 16 | a);
  return "\x89PNG\r\n\x1A\n" +
         chunk("IHDR", big(static_cast<std::uint32_t>(width)) + big(static_cast<std::uint32_t>(height)) +
                           std::string("\x08\x02\0\0\0", 5)) +
         chunk("IDAT", zlib) + chunk("IEND", "");
}

// 8×8 pixels of as many colours.
const char* kJpeg =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////"
    "m8H///"
    "/6/+b9//gBKy0tPDU8dkFBdviljKX4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+P/"
    "AABEIAAgACAMB"
    "IgACEQEDEQH/"
    "xAGiAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCC"
    "NCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlp"
    "eYmZqi"
    "o6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/"
    "j5+gEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQ"
    "oLEQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZGiYnKCkqNTY3ODk6Q0"
    "RFRkdI"
    "SUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY"
    "2dri4+"
    "Tl5ufo6ery8/T19vf4+fr/2gAMAwEAAhEDEQA/AIFsPan/AGD2q8tOoA//2Q==";

TEST(Pictures, TheSizeIsReadFromTheHeader) {
  EXPECT_EQ(*picture_size(flat_png(30, 20, {1, 2, 3})), std::pair(30, 20));
  EXPECT_EQ(*picture_size(*base64_decode(kJpeg)), std::pair(8, 8));
}

TEST(Pictures, WhatIsNoPictureIsCorrupt) {
  const std::string png = flat_png(30, 20, {1, 2, 3});
  for (const std::string& bytes :
       {std::string(), std::string("GIF89a"), png.substr(0, 20), std::string("\xFF\xD8\xFF")}) {
    const auto size = picture_size(bytes);
    ASSERT_FALSE(size.ok());
    EXPECT_EQ(size.error().code, Code::corrupt);
    EXPECT_FALSE(paint_over(bytes, {{0, 0, 1, 1}}).ok());
  }
  EXPECT_FALSE(paint_over(png.substr(0, png.size() / 2), {{0, 0, 1, 1}}).ok());
}

TEST(Pictures, WithoutBoxesTheBytesComeBackAsTheyAre) { EXPECT_EQ(*paint_over("anything", {}), "anything"); }

TEST(Pictures, APaintedPictureTellsNothingOfWhatWasThere) {
  const std::vector<PixelBox> whole{{-5, -5, 1000, 1000}};
  const auto red = paint_over(flat_png(30, 20, {255, 0, 0}), whole),
             blue = paint_over(flat_png(30, 20, {0, 0, 255}), whole);
  ASSERT_TRUE(red.ok() && blue.ok());
  EXPECT_EQ(*red, *blue);
  EXPECT_EQ(*picture_size(*red), std::pair(30, 20));
  const auto unknown =
      paint_over(flat_png(30, 20, {255, 0, 0}), {{std::numeric_limits<double>::quiet_NaN(), 0, 1, 1}});
  EXPECT_EQ(*unknown, *red) << "a box that is none hides everything";
}

TEST(Pictures, OnlyTheBoxIsPaintedAndItIsGrownToWholePixels) {
  // Two pictures that differ everywhere are alike after painting exactly where the box was: painting the rest
  // makes them equal.
  const std::string red = flat_png(30, 20, {255, 0, 0}), blue = flat_png(30, 20, {0, 0, 255});
  const PixelBox box{10.4, 5.5, 4.2, 3};  // pixels 10–14 × 5–8
  const auto painted_red = paint_over(red, {box}), painted_blue = paint_over(blue, {box});
  ASSERT_TRUE(painted_red.ok() && painted_blue.ok());
  EXPECT_NE(*painted_red, *painted_blue) << "the rest is left alone";
  EXPECT_NE(*painted_red, *paint_over(red, {{0, 0, 0, 0}}));
  EXPECT_EQ(*painted_red, *paint_over(red, {{10, 5, 5, 4}}));
  EXPECT_NE(*painted_red, *paint_over(red, {{10, 5, 6, 4}}));
  const std::vector<PixelBox> around{{0, 0, 30, 5}, {0, 9, 30, 11}, {0, 5, 10, 4}, {15, 5, 15, 4}};
  EXPECT_EQ(*paint_over(*painted_red, around), *paint_over(*painted_blue, around));
  EXPECT_NE(*paint_over(red, around), *paint_over(blue, around));
}

TEST(Pictures, AJpegStaysAJpeg) {
  const auto painted = paint_over(*base64_decode(kJpeg), {{0, 0, 8, 8}});
  ASSERT_TRUE(painted.ok()) << painted.error().message();
  EXPECT_TRUE(painted->starts_with("\xFF\xD8\xFF"));
  EXPECT_EQ(*picture_size(*painted), std::pair(8, 8));
}

}  // namespace
}  // namespace browx
