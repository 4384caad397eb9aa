#include "archive/compress.hpp"

#include <fmt/format.h>
#include <zstd.h>

namespace browx::archive {

struct Compressor::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  std::string scratch;  // kept: to grow a string anew costs filling it
  ~Context() { ZSTD_freeCCtx(zstd); }
};

Compressor::Compressor() : context_(std::make_unique<Context>()) { BROWX_CHECK(context_->zstd); }
Compressor::~Compressor() = default;

std::string Compressor::compress(std::string_view bytes, int level) {
  std::string& scratch = context_->scratch;
  if (const std::size_t bound = ZSTD_compressBound(bytes.size()); scratch.size() < bound)
    scratch.resize(bound);
  const std::size_t size =
      ZSTD_compressCCtx(context_->zstd, scratch.data(), scratch.size(), bytes.data(), bytes.size(), level);
  BROWX_CHECK(!ZSTD_isError(size));
  std::string out(scratch, 0, size);
  if (scratch.size() > (4 << 20)) std::string().swap(scratch);
  return out;
}

Result<std::string> decompress(std::string_view frame, std::int64_t size) {
  const unsigned long long stated = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size < 0 || stated != static_cast<unsigned long long>(size))
    return Error{Code::corrupt, fmt::format("Compressed data does not have the {} bytes it should", size)};
  std::string out(static_cast<std::size_t>(size), '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(got))
    return Error{Code::corrupt, fmt::format("Compressed data is damaged: {}", ZSTD_getErrorName(got))};
  if (got != out.size()) return Error{Code::corrupt, "Compressed data is shorter than it says"};
  return out;
}

Result<std::string> decompress_up_to(std::string_view frame, std::int64_t most) {
  const unsigned long long stated = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (stated > static_cast<unsigned long long>(most))
    return Error{Code::corrupt, "Compressed data is damaged or too large"};
  return decompress(frame, static_cast<std::int64_t>(stated));
}

}  // namespace browx::archive
