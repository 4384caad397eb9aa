#pragma once
// Ids of browx's own, so that a reused CDP id never means two things.

#include <compare>
#include <cstdint>
#include <functional>

namespace browx {

/// A typed number ≥ 1; 0 is "none". No implicit conversions between tags.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::int64_t value) : value_(value) {}
  constexpr std::int64_t value() const { return value_; }
  constexpr explicit operator bool() const { return value_ != 0; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::int64_t value_ = 0;
};

}  // namespace browx

template <class Tag>
struct std::hash<browx::Id<Tag>> {
  std::size_t operator()(browx::Id<Tag> id) const noexcept { return std::hash<std::int64_t>{}(id.value()); }
};
