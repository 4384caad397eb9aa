#include "archive/verify.hpp"

#include <map>

#include <fmt/format.h>

#include "archive/digest.hpp"
#include "archive/scan.hpp"
#include "archive/schema.hpp"

namespace browx::archive {
namespace {

/// The rows of one table, hashed in order.
class Cursor {
 public:
  static Result<Cursor> of(const Database& db, std::string_view table) {
    BROWX_TRY(check_plain_table(db, table));
    auto rows = db.prepare(fmt::format("SELECT * FROM main.\"{}\" NOT INDEXED", table));
    if (!rows) return std::move(rows).error();
    Cursor cursor;
    cursor.rows_ = std::move(*rows);
    cursor.table_ = table;
    cursor.db_ = &db;
    return cursor;
  }

  /// Hashes the rows up to number `upto`.
  Result<Digest> hash_to(std::int64_t upto) {
    while (true) {
      BROWX_TRY(look());
      if (done_ || number_ > upto) return hasher_.finish();
      for (int column = 0; column < rows_.columns(); ++column) hash(column);
      ready_ = false;
    }
  }
  /// True when a row is left.
  Result<bool> more() {
    BROWX_TRY(look());
    return !done_;
  }

 private:
  Status look() {
    if (ready_ || done_) return {};
    const int code = rows_.step();
    if (code == SQLITE_DONE) {
      done_ = true;
      return {};
    }
    if (code != SQLITE_ROW) return sqlite_error(db_->get(), code, fmt::format("Reading {}", table_));
    const std::int64_t number = rows_.integer(0);
    if (number <= number_)
      return Error{Code::corrupt, fmt::format("the rows of {} are out of order", table_)};
    number_ = number;
    ready_ = true;
    return {};
  }
  void hash(int column) {
    switch (rows_.type(column)) {
      case SQLITE_INTEGER:
        return hasher_.integer(rows_.integer(column));
      case SQLITE_FLOAT:
        return hasher_.real(sqlite3_column_double(rows_.get(), column));
      case SQLITE_TEXT:
        return hasher_.text(rows_.bytes(column));
      case SQLITE_BLOB:
        return hasher_.blob(rows_.bytes(column));
      default:
        return hasher_.null();
    }
  }

  Statement rows_;
  std::string table_;
  const Database* db_ = nullptr;
  Hasher hasher_;
  std::int64_t number_ = 0;
  bool ready_ = false, done_ = false;
};

}  // namespace

Chain verify_chain(const Database& db) {
  Chain chain;
  Digest previous;
  std::map<std::string, Cursor> cursors;
  const auto broken = [&](std::string what) {
    chain.broken = std::move(what);
    return chain;
  };
  const auto cursor_of = [&](const std::string& table) -> Result<Cursor*> {
    auto found = cursors.find(table);
    if (found == cursors.end()) {
      auto made = Cursor::of(db, table);
      if (!made) return std::move(made).error();
      found = cursors.emplace(table, std::move(*made)).first;
    }
    return &found->second;
  };

  if (Status plain = check_plain_table(db, "commits"); !plain) return broken(plain.error().what);
  auto commits = db.prepare("SELECT n, t, upto, digest FROM main.commits NOT INDEXED");
  if (!commits) return broken(commits.error().what);
  while (true) {
    const int code = commits->step();
    if (code == SQLITE_DONE) break;
    if (code != SQLITE_ROW) return broken(sqlite_error(db.get(), code, "Reading commits").what);
    const std::int64_t n = commits->integer(0), t = commits->integer(1);
    const std::string upto = commits->text(2);
    if (n != chain.commits + 1) return broken(fmt::format("commit {} is missing", chain.commits + 1));
    OrderedJson tables = OrderedJson::parse(upto, nullptr, false);
    if (!tables.is_object()) return broken(fmt::format("commit {} is unreadable", n));
    CommitHasher hasher(previous, t, upto);
    for (const auto& [table, last] : tables.items()) {
      auto cursor = cursor_of(table);
      if (!cursor) return broken(fmt::format("commit {}: {}", n, cursor.error().what));
      auto rows = (*cursor)->hash_to(last.is_number_integer() ? last.get<std::int64_t>() : 0);
      if (!rows) return broken(fmt::format("commit {}: {}", n, rows.error().what));
      hasher.table(table, *rows);
    }
    previous = hasher.finish();
    if (previous != commits->bytes(3)) return broken(fmt::format("the digest of commit {} differs", n));
    ++chain.commits;
    chain.intact_until = {t};
  }
  for (const auto& info : kTableInfo) {
    auto cursor = cursor_of(std::string(info.name));
    if (!cursor) return broken(cursor.error().what);
    auto more = (*cursor)->more();
    if (!more) return broken(more.error().what);
    if (*more) return broken(fmt::format("{} has rows that no commit covers", info.name));
  }
  return chain;
}

}  // namespace browx::archive
