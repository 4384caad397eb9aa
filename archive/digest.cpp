#include "archive/digest.hpp"

#include <bit>
#include <cstring>

#include <openssl/evp.h>

#include "base/check.hpp"

namespace browx::archive {

struct Hasher::Context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(evp); }
  void begin() { BROWX_CHECK(EVP_DigestInit_ex(evp, EVP_sha256(), nullptr) == 1); }
};

Hasher::Hasher() : context_(std::make_unique<Context>()) { context_->begin(); }
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::raw(std::string_view bytes) { EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()); }

namespace {

/// A tag and a number, little-endian.
std::array<char, 9> tagged(char tag, std::uint64_t value) {
  std::array<char, 9> out{tag};
  for (std::size_t i = 0; i < 8; ++i) out[i + 1] = static_cast<char>(value >> (8 * i));
  return out;
}

}  // namespace

void Hasher::null() { raw("N"); }
void Hasher::integer(std::int64_t value) {
  const auto bytes = tagged('I', static_cast<std::uint64_t>(value));
  raw({bytes.data(), bytes.size()});
}
void Hasher::real(double value) {
  const auto bytes = tagged('F', std::bit_cast<std::uint64_t>(value));
  raw({bytes.data(), bytes.size()});
}
void Hasher::text(std::string_view value) {
  const auto bytes = tagged('T', value.size());
  raw({bytes.data(), bytes.size()});
  raw(value);
}
void Hasher::blob(std::string_view value) {
  const auto bytes = tagged('B', value.size());
  raw({bytes.data(), bytes.size()});
  raw(value);
}

Digest Hasher::finish() {
  Digest out(32, '\0');
  BROWX_CHECK(EVP_DigestFinal_ex(context_->evp, reinterpret_cast<unsigned char*>(out.data()), nullptr) == 1);
  context_->begin();
  return out;
}

Digest sha256(std::string_view bytes) {
  Digest out(32, '\0');
  BROWX_CHECK(EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), nullptr,
                         EVP_sha256(), nullptr) == 1);
  return out;
}

CommitHasher::CommitHasher(std::string_view previous, std::int64_t t, std::string_view upto) {
  hasher_.blob(previous);
  hasher_.integer(t);
  hasher_.text(upto);
}
void CommitHasher::table(std::string_view name, const Digest& rows) {
  hasher_.text(name);
  hasher_.blob(rows);
}
Digest CommitHasher::finish() { return hasher_.finish(); }

}  // namespace browx::archive
