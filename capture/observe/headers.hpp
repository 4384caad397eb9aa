#pragma once
// Header lists out of CDP's objects. Pure.

#include "archive/model/facts.hpp"
#include "base/json.hpp"

namespace browx::capture {

/// CDP's {name: value} object as a list; CDP joins repeated headers (Set-Cookie) by line feeds, here they are
/// apart again.
archive::Headers headers_of(const Json& cdp_headers);

/// The body of a CDP Request: the exact bytes of postDataEntries when given, else postData; nothing when the
/// browser left it out (too long, a file) or there is none.
std::optional<std::string> post_data(const Json& cdp_request);

}  // namespace browx::capture
