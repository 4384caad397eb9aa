#pragma once
// The way to a file's rows without touching the file, by the state it is in. Private to this folder.
//
//  live    a writer holds it: ordinary read-only WAL access, for the length of one call
//  hot     its writer died and left a -wal: a private folder with a hard link (else a copy) of the file and a
//  copy of
//          the -wal, removed with the Source
//  still   nobody writes and nothing stands beside it: immutable
//  image   bytes in memory
//
// Thread: one at a time.

#include <filesystem>
#include <memory>
#include <string>

#include "archive/diagnose.hpp"
#include "archive/sqlite.hpp"

namespace browx::archive {

class Source {
 public:
  enum class State { live, hot, still, image };

  /// Errors as Reader::open.
  static Result<std::unique_ptr<Source>> of(const std::filesystem::path& path);
  static Result<std::unique_ptr<Source>> of_image(std::string image);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  State state() const { return state_; }
  /// Not empty: the file is shorter than it says, and this says so.
  const std::string& cut() const { return cut_; }

  /// A hardened connection: read-only, no trusted schema, no views or triggers of the file, reads of tables
  /// only. With `salvage`, damage of the schema or of the stated size does not refuse it.
  Result<Database> connect(bool salvage) const;

 private:
  Source() = default;
  State state_ = State::still;
  std::string uri_, image_, cut_;
  std::filesystem::path folder_;  ///< the private one, or empty
};

}  // namespace browx::archive
