#include "archive/seal.hpp"

namespace browx::archive {

Status make_durable(const Database& db) { return db.run("PRAGMA synchronous=FULL"); }

Status leave_wal(const Database& db, std::chrono::milliseconds patience) {
  sqlite3_busy_timeout(db.get(), static_cast<int>(patience.count()));
  auto busy = db.integer("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!busy) return std::move(busy).error();
  auto mode = db.text("PRAGMA journal_mode=DELETE");
  if (!mode) return std::move(mode).error();
  if (*mode != "delete") return Error{Code::unavailable, "The archive is still open elsewhere"};
  return {};
}

}  // namespace browx::archive
