#pragma once
// SQLite with owners. Private to this folder; included by its .cpp files only. Thread: one at a time per
// connection.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "base/result.hpp"

namespace browx::archive {

/// `corrupt` for damage, `unavailable` for everything the disk or a lock does.
Error sqlite_error(sqlite3* db, int code, std::string_view doing);

class Statement {
 public:
  explicit Statement(sqlite3_stmt* handle = nullptr) : handle_(handle) {}

  Statement& bind(int index, std::int64_t value) {
    sqlite3_bind_int64(get(), index, value);
    return *this;
  }
  Statement& bind_text(int index, std::string_view text) {
    sqlite3_bind_text64(get(), index, text.data() ? text.data() : "", text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
    return *this;
  }
  Statement& bind_blob(int index, std::string_view bytes) {
    sqlite3_bind_blob64(get(), index, bytes.data() ? bytes.data() : "", bytes.size(), SQLITE_STATIC);
    return *this;
  }
  Statement& bind_null(int index) {
    sqlite3_bind_null(get(), index);
    return *this;
  }

  /// SQLITE_ROW, SQLITE_DONE or an error code.
  int step() { return sqlite3_step(get()); }
  void reset() { sqlite3_reset(get()); }

  int columns() const { return sqlite3_column_count(get()); }
  int type(int column) const { return sqlite3_column_type(get(), column); }
  bool is_null(int column) const { return type(column) == SQLITE_NULL; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(get(), column); }
  /// Text or blob as bytes; valid until the next step().
  std::string_view bytes(int column) const {
    const void* data = type(column) == SQLITE_BLOB
                           ? sqlite3_column_blob(get(), column)
                           : static_cast<const void*>(sqlite3_column_text(get(), column));
    if (!data) return {};
    return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(get(), column))};
  }
  std::string text(int column) const { return std::string(bytes(column)); }
  sqlite3_stmt* get() const { return handle_.get(); }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

class Database {
 public:
  Database() = default;
  /// `flags` of sqlite3_open_v2. `name` may be a file: URI when SQLITE_OPEN_URI is set.
  static Result<Database> open(const std::string& name, int flags);

  Result<Statement> prepare(std::string_view sql) const;
  Status run(const std::string& sql) const;
  /// First column of the first row; `corrupt` when there is none.
  Result<std::int64_t> integer(std::string_view sql) const;
  Result<std::string> text(std::string_view sql) const;
  sqlite3* get() const { return handle_.get(); }
  explicit operator bool() const { return handle_ != nullptr; }
  void close() { handle_.reset(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// `path` as part of a file: URI.
std::string uri_path(const std::string& path);

}  // namespace browx::archive
