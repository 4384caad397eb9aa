#pragma once
// What a file is, judged by its first bytes: an archive, or what it looks like instead. Private to this
// folder.

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace browx::archive {

/// From the database header (https://www.sqlite.org/fileformat.html, 1.3).
struct FileHeader {
  std::int64_t page_size = 0;
  std::int64_t pages = 0;  ///< as the header states; 0 when it does not
  std::int64_t format = 0;
  bool wal = false;
  /// The file is shorter than it says.
  bool cut(std::int64_t file_size) const { return pages > 0 && file_size < pages * page_size; }
};

/// `head`: the first bytes (512 are enough). Errors: kinds not-an-archive, archive-too-new, archive-corrupt.
Result<FileHeader> diagnose(std::string_view head, std::int64_t file_size);

}  // namespace browx::archive
