#include "archive/sqlite.hpp"

#include <fmt/format.h>

namespace browx::archive {

Error sqlite_error(sqlite3* db, int code, std::string_view doing) {
  const int primary = code & 0xFF;
  const bool damaged = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_FORMAT;
  const std::string message = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  return {damaged ? Code::corrupt : Code::unavailable,
          fmt::format("{} failed: {} ({})", doing, message, code)};
}

Result<Database> Database::open(const std::string& name, int flags) {
  Database db;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  db.handle_.reset(handle);
  if (code != SQLITE_OK) return sqlite_error(handle, code, "Opening the database");
  sqlite3_extended_result_codes(handle, 1);
  return db;
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) return sqlite_error(get(), code, fmt::format("\"{}\"", sql.substr(0, 80)));
  return Statement(handle);
}

Status Database::run(const std::string& sql) const {
  const int code = sqlite3_exec(get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return sqlite_error(get(), code, fmt::format("\"{}\"", sql.substr(0, 80)));
  return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return std::move(statement).error();
  const int code = statement->step();
  if (code == SQLITE_DONE) return Error{Code::corrupt, fmt::format("\"{}\" answered no row", sql)};
  if (code != SQLITE_ROW) return sqlite_error(get(), code, fmt::format("\"{}\"", sql));
  return statement->integer(0);
}

Result<std::string> Database::text(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return std::move(statement).error();
  const int code = statement->step();
  if (code == SQLITE_DONE) return Error{Code::corrupt, fmt::format("\"{}\" answered no row", sql)};
  if (code != SQLITE_ROW) return sqlite_error(get(), code, fmt::format("\"{}\"", sql));
  return statement->text(0);
}

std::string uri_path(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace browx::archive
