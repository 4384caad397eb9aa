#include "base/bytes.hpp"

#include <array>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <fmt/format.h>

namespace browx {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<signed char, 256> inverse_alphabet() {
  std::array<signed char, 256> table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<signed char>(i);
  return table;
}
constexpr std::array<signed char, 256> kInverse = inverse_alphabet();

std::string to_hex(const unsigned char* bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out(count * 2, '0');
  for (std::size_t i = 0; i < count; ++i) {
    out[2 * i] = kDigits[bytes[i] >> 4];
    out[2 * i + 1] = kDigits[bytes[i] & 15];
  }
  return out;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const auto at = [&](std::size_t k) { return k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u; };
    const unsigned group = at(0) << 16 | at(1) << 8 | at(2);
    out += kAlphabet[group >> 18];
    out += kAlphabet[group >> 12 & 63];
    out += left > 1 ? kAlphabet[group >> 6 & 63] : '=';
    out += left > 2 ? kAlphabet[group & 63] : '=';
  }
  return out;
}

Result<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0)
    return Error{Code::corrupt, fmt::format("Not base64: {} characters is no multiple of four", text.size())};
  std::size_t padding = 0;
  if (!text.empty() && text.back() == '=') padding = text[text.size() - 2] == '=' ? 2 : 1;
  const std::size_t digits = text.size() - padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  unsigned group = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const int digit = kInverse[static_cast<unsigned char>(text[i])];
    if (digit < 0) return Error{Code::corrupt, fmt::format("Not base64 at byte {}", i)};
    group = group << 6 | static_cast<unsigned>(digit);
    if (i % 4 != 3) continue;
    out += static_cast<char>(group >> 16);
    out += static_cast<char>(group >> 8);
    out += static_cast<char>(group);
    group = 0;
  }
  if (padding == 1) {
    out += static_cast<char>(group >> 10);
    out += static_cast<char>(group >> 2);
  } else if (padding == 2) {
    out += static_cast<char>(group >> 4);
  }
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  BROWX_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) == 1);
  return to_hex(digest, size);
}

std::string random_hex(std::size_t count) {
  std::string bytes(count, '\0');
  auto* data = reinterpret_cast<unsigned char*>(bytes.data());
  BROWX_CHECK(RAND_bytes(data, static_cast<int>(count)) == 1);
  return to_hex(data, count);
}

}  // namespace browx
