#include "capture/observe/body.hpp"

#include "base/bytes.hpp"
#include "capture/cdp/envelope.hpp"

namespace browx::capture {

Result<std::string> decode_body(std::string_view raw_result) {
  std::string body = cdp::raw_string_member(raw_result, "body");
  // A quote inside the body's own text is escaped, so this can only be the member.
  if (raw_result.find("\"base64Encoded\":true") == std::string_view::npos) return body;
  return base64_decode(body);
}

}  // namespace browx::capture
