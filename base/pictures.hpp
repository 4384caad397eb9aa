#pragma once
// Pictures as pixels, and painting over what a stored one must not show.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace browx {

struct PixelBox {
  double x = 0, y = 0, width = 0, height = 0;
};

/// Decodes a PNG or JPEG, paints `boxes` (pixels of the picture, clipped to it, grown to whole pixels) with an opaque
/// hatch, and encodes it again in the same format (JPEG at `jpeg_quality`). Without boxes the bytes come back as they
/// are. Error `corrupt`.
Result<std::string> paint_over(std::string_view picture, const std::vector<PixelBox>& boxes, int jpeg_quality = 60);

/// Width and height without decoding the pixels. Error `corrupt`.
Result<std::pair<int, int>> picture_size(std::string_view picture);

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::byte> rgba;  ///< width * height * 4, rows from the top
};
/// A PNG or JPEG as it is shown. Error `corrupt`.
Result<Pixels> decode_picture(std::string_view picture);

}  // namespace browx
