#pragma once
// Format 1: its constants, its tables in the order of schemas/archive/format1.sql, and how a new file gets
// them.

#include <array>
#include <cstdint>
#include <string_view>

#include "archive/sqlite.hpp"
#include "base/result.hpp"

namespace browx::archive {

inline constexpr std::uint32_t kApplicationId = 0x42525758;  // "BRWX"
inline constexpr std::int64_t kFormat = 1;  // user_version: the oldest reader that understands the file
inline constexpr int kPageSize = 1024;

enum class Table {
  manifest,
  target,
  target_end,
  document,
  document_owner,
  document_end,
  gap,
  event,
  request,
  response,
  request_end,
  ws_frame,
  blob,
  asset,
  dom_chunk,
  frame,
  artifact,
  count
};
inline constexpr std::size_t kTables = static_cast<std::size_t>(Table::count);

struct TableInfo {
  std::string_view name;
  int columns;  ///< the first one is the row's number
};
/// In digest order. `commits` and the text index are no part of the chain.
inline constexpr std::array<TableInfo, kTables> kTableInfo{{{"manifest", 3},
                                                            {"target", 9},
                                                            {"target_end", 4},
                                                            {"document", 9},
                                                            {"document_owner", 5},
                                                            {"document_end", 4},
                                                            {"gap", 8},
                                                            {"event", 5},
                                                            {"request", 13},
                                                            {"response", 13},
                                                            {"request_end", 8},
                                                            {"ws_frame", 11},
                                                            {"blob", 5},
                                                            {"asset", 7},
                                                            {"dom_chunk", 10},
                                                            {"frame", 8},
                                                            {"artifact", 4}}};

/// Makes tables and views in an empty database, in a rollback journal so that the file itself holds them.
Status create_schema(const Database& db);

}  // namespace browx::archive
