#pragma once
// The recordings whose output is kept under tests/golden. Adding one: a function here and a line in cases().

#include <string>
#include <vector>

#include "codegen/flow.hpp"

namespace browx::codegen {

struct Case {
  std::string name;
  Flow (*make)();
};
std::vector<Case> cases();

}  // namespace browx::codegen
