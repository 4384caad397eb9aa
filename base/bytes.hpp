#pragma once
// Bytes as text and digests.

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace browx {

std::string base64_encode(std::string_view bytes);
/// Standard alphabet, padding required. Error `corrupt`.
Result<std::string> base64_decode(std::string_view text);

/// Lower-case hex of the SHA-256 of `bytes` (64 characters).
std::string sha256_hex(std::string_view bytes);

/// `count` random bytes of the system's generator, as lower-case hex (2 × count characters).
std::string random_hex(std::size_t count);

}  // namespace browx
