#pragma once
// What a write-shaped request of an action came to, without its data: endpoint pattern and the shape of the
// answer. Thread: any; pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace browx::capture {

/// The URL without userinfo, query and fragment, with id-shaped path segments (numbers, UUIDs, eight or more
/// hex digits with a number among them) as ":id".
std::string url_pattern(std::string_view url);

/// Largest answer that is looked at.
inline constexpr std::int64_t kMaxShapeBytes = 256 * 1024;

/// Top-level keys of a JSON object, "[].key" for an array of objects, at most 20; null when the text is not
/// JSON, larger than kMaxShapeBytes, or has no keys to tell.
Json response_shape(std::string_view body);

/// Whether a body of this media type can be JSON ("application/json", "…+json").
bool json_mime(std::string_view mime);
/// POST, PUT, PATCH, DELETE.
bool write_method(std::string_view method);

}  // namespace browx::capture
