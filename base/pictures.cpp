#include "base/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_FAILURE_STRINGS
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace browx {
namespace {

constexpr std::int64_t kMostPixels = 200'000'000;
constexpr unsigned char kLight = 0xB4, kDark = 0x82;
constexpr int kStripe = 6;  // pixels

bool is_png(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1A\n"); }
bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xFF\xD8\xFF"); }

Error no_picture(std::string_view why) {
  return {Code::corrupt, fmt::format("Not a PNG or JPEG picture: {}", why)};
}

const stbi_uc* data_of(std::string_view bytes) { return reinterpret_cast<const stbi_uc*>(bytes.data()); }

struct Picture {
  struct Free {
    void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
  };
  std::unique_ptr<stbi_uc, Free> pixels;
  int width = 0, height = 0, channels = 0;

  /// Diagonal stripes, whatever was there.
  void hatch(const PixelBox& box) {
    // Where a box is no box at all, nothing of the picture may be shown.
    const bool known =
        std::isfinite(box.x) && std::isfinite(box.y) && std::isfinite(box.width) && std::isfinite(box.height);
    const auto clip = [](double value, int most) {
      return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
    };
    const int left = known ? clip(std::floor(box.x), width) : 0,
              right = known ? clip(std::ceil(box.x + box.width), width) : width;
    const int top = known ? clip(std::floor(box.y), height) : 0,
              bottom = known ? clip(std::ceil(box.y + box.height), height) : height;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        stbi_uc* pixel = pixels.get() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                         static_cast<std::size_t>(x)) *
                                            static_cast<std::size_t>(channels);
        const stbi_uc grey = (x + y) / kStripe % 2 == 0 ? kLight : kDark;
        const bool alpha = channels == 2 || channels == 4;
        std::fill_n(pixel, alpha ? channels - 1 : channels, grey);
        if (alpha) pixel[channels - 1] = 0xFF;
      }
    }
  }
};

void append(void* out, void* bytes, int size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace

Result<std::pair<int, int>> picture_size(std::string_view picture) {
  if (!is_png(picture) && !is_jpeg(picture)) return no_picture("its first bytes are of neither");
  if (picture.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return no_picture("it is too large");
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data_of(picture), static_cast<int>(picture.size()), &width, &height,
                             &channels) ||
      width < 1 || height < 1)
    return no_picture("its header is damaged");
  return std::pair(width, height);
}

Result<std::string> paint_over(std::string_view bytes, const std::vector<PixelBox>& boxes, int jpeg_quality) {
  if (boxes.empty()) return std::string(bytes);
  const auto size = picture_size(bytes);
  if (!size) return size.error();
  if (std::int64_t{size->first} * size->second > kMostPixels)
    return no_picture(fmt::format("{}×{} pixels are too many", size->first, size->second));
  Picture picture;
  picture.pixels.reset(stbi_load_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &picture.width,
                                             &picture.height, &picture.channels, 0));
  if (!picture.pixels) return no_picture("its pixels are damaged");
  for (const auto& box : boxes) picture.hatch(box);
  std::string out;
  const int written =
      is_png(bytes) ? stbi_write_png_to_func(append, &out, picture.width, picture.height, picture.channels,
                                             picture.pixels.get(), picture.width * picture.channels)
                    : stbi_write_jpg_to_func(append, &out, picture.width, picture.height, picture.channels,
                                             picture.pixels.get(), jpeg_quality);
  if (!written || out.empty()) return Error{Code::internal, "A picture could not be encoded again"};
  return out;
}

Result<RawPicture> decode_picture(std::string_view bytes) {
  const auto size = picture_size(bytes);
  if (!size) return size.error();
  if (std::int64_t{size->first} * size->second > kMostPixels)
    return no_picture(fmt::format("{}×{} pixels are too many", size->first, size->second));
  Picture picture;
  picture.pixels.reset(stbi_load_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &picture.width,
                                             &picture.height, &picture.channels, 4));
  if (!picture.pixels) return no_picture("its pixels are damaged");
  RawPicture out{picture.width, picture.height, {}};
  const auto* from = reinterpret_cast<const std::byte*>(picture.pixels.get());
  out.rgba.assign(from,
                  from + static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 4);
  return out;
}

Result<std::string> encode_png(const RawPicture& picture) {
  const std::size_t wanted = static_cast<std::size_t>(std::max(picture.width, 0)) *
                             static_cast<std::size_t>(std::max(picture.height, 0)) * 4;
  std::string out;
  if (wanted == 0 || picture.rgba.size() != wanted ||
      !stbi_write_png_to_func(append, &out, picture.width, picture.height, 4, picture.rgba.data(),
                              picture.width * 4) ||
      out.empty())
    return Error{Code::internal, "A picture could not be encoded"};
  return out;
}

}  // namespace browx
