#pragma once
// Reading one table of a file that may be damaged or hostile. Private to this folder.

#include <functional>
#include <string>
#include <string_view>

#include "archive/sqlite.hpp"
#include "base/json.hpp"

namespace browx::archive {

/// That `table` is a plain table: no view, virtual table or computed column in its place. Error `corrupt`.
Status check_plain_table(const Database& db, std::string_view table);

/// Calls `row` for every row in the order of their numbers (`columns` begins with the number), until it
/// answers false or the table is damaged: then what came before has been given and the answer is the error.
Status scan(const Database& db, std::string_view table, std::string_view columns,
            const std::function<bool(Statement&)>& row);

/// parse_json() for what a stranger wrote: nesting is bounded.
Result<Json> parse_stored_json(std::string_view text);

}  // namespace browx::archive
