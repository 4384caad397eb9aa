#pragma once
// The answer of Network.getResponseBody as bytes. Pure.

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace browx::capture {

/// `raw_result`: the result object as JSON text; bodies are large, so no tree is built. Error `corrupt`.
Result<std::string> decode_body(std::string_view raw_result);

}  // namespace browx::capture
