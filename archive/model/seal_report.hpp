#pragma once
// What a recording's end tells: plain values, so that capture's public headers need not see the writer.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/time.hpp"

namespace browx::archive {

struct Truncation {
  Time at;
  std::string reason;  ///< size-cap | event-cap | backpressure | disk-full
  std::int64_t dropped = 0;
};

struct SealReport {
  std::filesystem::path path;
  std::int64_t bytes = 0, events = 0;
  Json counts;  ///< rows by table
  std::optional<Truncation> truncated;
  std::string image;  ///< of a ":memory:" archive: the whole database, for Reader::open_image()
};

}  // namespace browx::archive
