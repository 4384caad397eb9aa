#pragma once
// zstd, bounded. Private to this folder. Thread: one per object.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace browx::archive {

class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  /// One zstd frame that states its content size.
  std::string compress(std::string_view bytes, int level = 3);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// The content of `frame`, which must be exactly `size` bytes; never allocates more. Error `corrupt`.
Result<std::string> decompress(std::string_view frame, std::int64_t size);
/// The same where the size is not known beforehand: what the frame states, up to `most`.
Result<std::string> decompress_up_to(std::string_view frame, std::int64_t most);

}  // namespace browx::archive
