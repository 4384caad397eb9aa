#pragma once
// Recomputing the digest chain. Private to this folder.

#include <cstdint>
#include <string>

#include "archive/sqlite.hpp"
#include "base/time.hpp"

namespace browx::archive {

struct Chain {
  std::int64_t commits = 0;  ///< how many hold
  Time intact_until;         ///< time of the last one that holds
  std::string broken;        ///< empty: all of them do; else what is wrong after it
};

/// Reads the whole archive once. Damage is an answer, not an error.
Chain verify_chain(const Database& db);

}  // namespace browx::archive
