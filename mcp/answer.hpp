#pragma once
// What a tool answers, before it is masked, bounded and put into a message.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace browx::mcp {

struct Picture {
  std::string bytes, mime;
};

struct Answer {
  Json object = Json::object();     ///< structuredContent; always has `ok`
  std::optional<std::string> text;  ///< the text content when it is not the object as JSON (snapshot)
  std::vector<Picture> pictures;
  bool failed() const { return !json_bool(object, "ok", true); }
};

/// {ok:true, …}.
Answer succeed(Json object = Json::object());

/// {ok:false, error, code, failure:{source, kind, hint?}} of an Error. Who is to blame: the page for what the
/// page threw, browx for its own refusals, unknown otherwise.
Answer fail(const Error& error);

/// {ok:false, code:"invalid-argument", pointer, expected, error}.
Answer refuse_input(std::string pointer, std::string expected, std::string error);

/// {ok:false, error, code:"capability-denied", requiredCapability}.
Answer refuse_capability(std::string_view what, std::string_view capability);

}  // namespace browx::mcp
