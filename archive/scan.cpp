#include "archive/scan.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace browx::archive {
namespace {

constexpr int kDeepestJson = 200;

bool names_a_table(std::string_view table) {
  return !table.empty() && table.size() <= 64 &&
         std::all_of(table.begin(), table.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

Status check_plain_table(const Database& db, std::string_view table) {
  if (!names_a_table(table)) return Error{Code::corrupt, "a table has an impossible name"};
  auto names = db.prepare("SELECT name, type, rootpage, sql FROM main.sqlite_schema");
  if (!names) return std::move(names).error();
  for (int code; (code = names->step()) != SQLITE_DONE;) {
    if (code != SQLITE_ROW) return sqlite_error(db.get(), code, "Reading the schema");
    if (names->bytes(0) != table) continue;
    std::string sql = names->text(3);
    std::transform(sql.begin(), sql.end(), sql.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    // A computed column says AS (…); nothing that browx ever wrote does.
    const bool computed = sql.find("AS (") != std::string::npos || sql.find("AS(") != std::string::npos ||
                          sql.find("GENERATED") != std::string::npos ||
                          sql.find("WITHOUT") != std::string::npos;
    if (names->bytes(1) != "table" || names->integer(2) <= 0 || computed)
      return Error{Code::corrupt, fmt::format("{} is not the table that it should be", table)};
    return {};
  }
  return Error{Code::corrupt, fmt::format("the table {} is missing", table)};
}

Status scan(const Database& db, std::string_view table, std::string_view columns,
            const std::function<bool(Statement&)>& row) {
  BROWX_TRY(check_plain_table(db, table));
  // NOT INDEXED: an index may be damaged where the table is not, and the order is the table's own.
  auto rows = db.prepare(fmt::format("SELECT {} FROM main.\"{}\" NOT INDEXED", columns, table));
  if (!rows) return std::move(rows).error();
  std::int64_t last = 0;
  while (true) {
    const int code = rows->step();
    if (code == SQLITE_DONE) return {};
    if (code != SQLITE_ROW) return sqlite_error(db.get(), code, fmt::format("Reading {}", table));
    const std::int64_t number = rows->integer(0);
    // A page that leads back to another would otherwise be read for ever.
    if (number <= last) return Error{Code::corrupt, fmt::format("the rows of {} are out of order", table)};
    last = number;
    if (!row(*rows)) return {};
  }
}

Result<Json> parse_stored_json(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepestJson) return Error{Code::corrupt, "JSON that is nested too deeply"};
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return parse_json(text);
}

}  // namespace browx::archive
