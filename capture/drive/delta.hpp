#pragma once
// Rows of the page bundle's walk as the lines an agent reads. Thread: the engine's.

#include <string>

#include "base/json.hpp"
#include "capture/frame.hpp"
#include "capture/refs.hpp"

namespace browx::capture {

struct Tree {
  std::string text;
  bool truncated = false;
};

/// `role "name" [ref=eN] [state]` a row (contract.md `walk`), two spaces a level, names as JSON strings; at
/// most `max_bytes`, cut between lines.
Tree tree_of_rows(const Json& rows, Frame& frame, Refs& refs, std::size_t max_bytes);

}  // namespace browx::capture
