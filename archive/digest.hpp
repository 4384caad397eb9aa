#pragma once
// The digest chain: what is hashed, the same way by the writer and by verify(). docs/format.md, "The digest".
// Private to this folder. Thread: one per object.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace browx::archive {

using Digest = std::string;  // 32 bytes

/// SHA-256 over typed values.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  void null();
  void integer(std::int64_t value);
  void real(double value);
  void text(std::string_view value);
  void blob(std::string_view value);
  /// Bytes without tag or length.
  void raw(std::string_view bytes);
  /// The digest; the object begins anew.
  Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// SHA-256 of bytes, as 32 bytes.
Digest sha256(std::string_view bytes);

/// Digest of a commit: of the one before it (empty for the first), its time and `upto` text, and the digests
/// of its rows by table, in the order of `upto`.
class CommitHasher {
 public:
  CommitHasher(std::string_view previous, std::int64_t t, std::string_view upto);
  void table(std::string_view name, const Digest& rows);
  Digest finish();

 private:
  Hasher hasher_;
};

}  // namespace browx::archive
