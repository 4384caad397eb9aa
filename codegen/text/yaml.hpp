#pragma once
// Writing YAML that YAML 1.1 and 1.2 readers understand alike. Pure.

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace browx::codegen {

/// Always double-quoted: nothing is left to a reader's guess ("no", "1e3", "12:30:45" stay text). Everything
/// that is not plainly printable is escaped, so that nothing is folded, trimmed or normalised.
std::string yaml_string(std::string_view text);
/// Plain when no reader could take it for anything but this word, else yaml_string().
std::string yaml_key(std::string_view key);
/// A value on one line: flow mappings and sequences, numbers and booleans as they are.
std::string yaml_inline(const OrderedJson& value);

}  // namespace browx::codegen
