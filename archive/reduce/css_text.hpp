#pragma once
// CSS as far as rules and declarations can be told apart without understanding them. Private to this folder.
//
// The grammar's brackets, strings, comments, escapes and unquoted url() are honoured (css-syntax-3); what a
// browser would make of a rule is not decided here.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace browx::archive {

/// Top-level rules of a sheet's text, comments between them dropped. What is left open at the end is closed,
/// so that the rules can be joined again.
std::vector<std::string> split_rules(std::string_view text);

/// The list of rules that `path` without its last index leads to, changed by `change`, which gets that list
/// and that index. Errors `invalid_argument` for a path that leads nowhere.
Status at_rule_path(std::vector<std::string>& rules, std::span<const std::int64_t> path,
                    const std::function<Status(std::vector<std::string>&, std::size_t)>& change);

/// `declarations` (of a style attribute or a block) after setProperty(); an empty value removes.
std::string with_property(std::string_view declarations, std::string_view property, std::string_view value,
                          bool important);

/// The same inside the first block of a rule.
Status set_in_rule(std::string& rule, std::string_view property, std::string_view value, bool important);

/// `text` with every url() that is not empty, a fragment or data: given to `replace`, whose answer stands in
/// its place.
std::string replace_urls(std::string_view text, const std::function<std::string(std::string_view)>& replace);

/// The same style sheet in which no `<` begins a tag, whichever parser reads it.
std::string without_tags(std::string_view css);

}  // namespace browx::archive
