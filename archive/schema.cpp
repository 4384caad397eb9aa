#include "archive/schema.hpp"

#include <string>

#include <fmt/format.h>

#include "archive_schema/embedded.hpp"

namespace browx::archive {

Status create_schema(const Database& db) {
  const std::string_view ddl = archive_schema::embedded_file("format1.sql");
  BROWX_CHECK(!ddl.empty());
  return db.run(fmt::format(
      "PRAGMA page_size={}; PRAGMA application_id={}; PRAGMA user_version={}; BEGIN;\n{}\nCOMMIT;", kPageSize,
      kApplicationId, kFormat, ddl));
}

}  // namespace browx::archive
