#pragma once
// The output languages.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "codegen/flow.hpp"

namespace browx::codegen {

struct Note {
  std::string step;  ///< its id
  std::string reason;
};

struct Stats {
  int steps = 0;                ///< all that were recorded
  int handled = 0;              ///< those that the output does again, tests or keeps
  std::vector<Note> unhandled;  ///< those that cannot be written, or failed when they were recorded
  std::vector<Note> fragile;    ///< those whose locator may find another element tomorrow
  Json json() const;
};

struct Generated {
  std::string content;
  Stats stats;
};

/// One output language. `generate` is pure and takes a flow as read_flow() answers it.
struct Target {
  std::string_view name, extension;
  std::string_view artifact;  ///< its name inside an archive; empty when none is kept
  std::string_view mime, help;
  Generated (*generate)(const Flow& flow);
};

/// All of them, in the order of the help text. A new one: targets/<name>.cpp and a line here.
const std::vector<Target>& targets();
/// Error `invalid_argument`, kind "unknown-target", naming those there are.
Result<const Target*> find_target(std::string_view name);

}  // namespace browx::codegen
