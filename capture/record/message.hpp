#pragma once
// What recorder.js sends over its binding (capture/page/contract.md): lines, the first a JSON header.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace browx::capture {

struct RecorderMessage {
  struct Gap {
    std::string reason, detail;
    std::optional<std::int64_t> node;
  };
  /// What sensitive fields hold: for masking in memory, never stored.
  struct Fields {
    std::vector<std::string> values;  ///< whole values known
    std::vector<std::string> recent;  ///< of fields being typed into
    bool typing = false;
  };
  struct Asset {
    std::string url, mime;
    std::optional<std::string> bytes;
    std::string missing;
  };
  struct Event {
    double page_ms = 0;     ///< the document's performance.now()
    std::string_view json;  ///< into the payload
  };

  std::string document;  ///< the document's random name
  double now_ms = 0;     ///< performance.now() at sending
  std::int64_t first = 0;
  std::vector<Gap> gaps;
  std::optional<Fields> fields;
  std::optional<Asset> asset;
  std::vector<Event> events;
};

/// Splits a message without parsing its events. The views live as long as `payload`. Error `corrupt`: not
/// ours.
Result<RecorderMessage> parse_message(std::string_view payload);

}  // namespace browx::capture
