#pragma once
// JSON at the edges: nlohmann values, parsing that answers instead of throwing, and text repaired to valid
// UTF-8.

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.hpp"

namespace browx {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Parses one JSON text. Error `corrupt` with the byte position.
Result<Json> parse_json(std::string_view text);

/// Compact JSON. Invalid UTF-8 inside becomes U+FFFD; never throws.
std::string dump_json(const Json& value);
std::string dump_json(const OrderedJson& value);

/// Chromium sends lone surrogates as bare `\ud83d` escapes, which JSON parsers refuse. Replaces each with
/// `\ufffd` (same length); text without any is answered unchanged. Works on raw JSON text.
std::string repair_surrogates(std::string_view json_text);
/// True when `json_text` contains a surrogate escape that has no partner.
bool has_lone_surrogate(std::string_view json_text);

/// `bytes` as valid UTF-8: each malformed sequence becomes U+FFFD.
std::string to_valid_utf8(std::string_view bytes);

/// Members by name, without throwing: absent or of another type answers the fallback.
std::string json_string(const Json& object, std::string_view key, std::string_view fallback = {});
double json_number(const Json& object, std::string_view key, double fallback = 0);
std::int64_t json_int(const Json& object, std::string_view key, std::int64_t fallback = 0);
bool json_bool(const Json& object, std::string_view key, bool fallback = false);
/// The member, or a null value that lives for ever.
const Json& json_member(const Json& object, std::string_view key);

}  // namespace browx
