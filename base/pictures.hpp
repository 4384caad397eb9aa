#pragma once
// Painting over what a stored picture must not show.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace browx {

struct PixelBox {
  double x = 0, y = 0, width = 0, height = 0;
};

/// Decodes a PNG or JPEG, paints `boxes` (pixels of the picture, clipped to it, grown to whole pixels) with
/// an opaque hatch, and encodes it again in the same format (JPEG at `jpeg_quality`). Without boxes the bytes
/// come back as they are. Error `corrupt`.
Result<std::string> paint_over(std::string_view picture, const std::vector<PixelBox>& boxes,
                               int jpeg_quality = 60);

/// Width and height without decoding the pixels. Error `corrupt`.
Result<std::pair<int, int>> picture_size(std::string_view picture);

/// Decoded pixels: 4 bytes each, rows from the top.
struct RawPicture {
  int width = 0, height = 0;
  std::vector<std::byte> rgba;
};
/// A PNG or JPEG picture. Error `corrupt`, also for one of more than 200 million pixels.
Result<RawPicture> decode_picture(std::string_view picture);

/// `picture` as a PNG. Error `internal`.
Result<std::string> encode_png(const RawPicture& picture);

}  // namespace browx
