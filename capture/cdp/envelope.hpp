#pragma once
// What a protocol message says on the outside, found without building a JSON tree.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace browx::cdp {

struct Envelope {
  std::optional<std::int64_t> id;  ///< an answer
  std::string_view method;         ///< an event
  std::string_view session_id;
  std::string_view result, params, error;  ///< raw JSON spans of the message
};

/// Reuses its buffers over messages. Thread: one.
class EnvelopeParser {
 public:
  EnvelopeParser();
  ~EnvelopeParser();
  /// `message` has Transport::kPadding readable bytes behind its end. The views point into it (strings that
  /// need unescaping into the parser) and live until the next call. Error `corrupt`.
  Result<Envelope> parse(std::string_view message);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One member of a raw JSON object as an unescaped string, without a tree (binding payloads). Empty when
/// absent.
std::string raw_string_member(std::string_view object, std::string_view key);
/// The same for a whole number; 0 when absent.
std::int64_t raw_int_member(std::string_view object, std::string_view key);

}  // namespace browx::cdp
