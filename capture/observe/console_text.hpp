#pragma once
// Console arguments as one line of text, as DevTools shows them. Pure.

#include <string>

#include "base/json.hpp"

namespace browx::capture {

/// `args`: Runtime.RemoteObject list. The first string's %s %d %i %f %o %O %c %% are replaced, the rest
/// follow, parted by spaces. Objects are shown by their preview: {a: 1, b: Array(2)}, [1, 2], Map(1) {'k' =>
/// 1}.
std::string console_text(const Json& args);

/// One RemoteObject; strings are bare at the top and quoted inside.
std::string console_value(const Json& remote_object);

/// "at name (url:line:column)" lines of a Runtime.StackTrace, one-based, async parents included; at most
/// `limit` frames.
std::string stack_text(const Json& stack_trace, int limit = 50);

/// Text of Runtime.ExceptionDetails: what an uncaught error prints, e.g. "Uncaught TypeError: x is not a
/// function".
std::string exception_text(const Json& exception_details);

}  // namespace browx::capture
