#include "capture/observe/headers.hpp"

#include "base/bytes.hpp"

namespace browx::capture {

archive::Headers headers_of(const Json& cdp_headers) {
  archive::Headers headers;
  if (!cdp_headers.is_object()) return headers;
  for (const auto& [name, value] : cdp_headers.items()) {
    if (!value.is_string()) continue;
    const auto& text = value.get_ref<const std::string&>();
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      headers.emplace_back(name, text.substr(begin, end - begin));
    headers.emplace_back(name, text.substr(begin));
  }
  return headers;
}

std::optional<std::string> post_data(const Json& cdp_request) {
  const Json& entries = json_member(cdp_request, "postDataEntries");
  if (entries.is_array() && !entries.empty()) {
    std::string bytes;
    for (const auto& entry : entries) {
      const Json& encoded = json_member(entry, "bytes");
      if (!encoded.is_string()) return std::nullopt;  // a file: its bytes are not told
      auto decoded = base64_decode(encoded.get_ref<const std::string&>());
      if (!decoded) return std::nullopt;
      bytes += *decoded;
    }
    return bytes;
  }
  const Json& text = json_member(cdp_request, "postData");
  if (text.is_string()) return text.get<std::string>();
  return std::nullopt;
}

}  // namespace browx::capture
