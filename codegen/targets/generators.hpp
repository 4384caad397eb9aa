#pragma once
// One function for each output language. Private to this folder and targets.cpp.

#include "codegen/targets.hpp"

namespace browx::codegen {

Generated generate_playwright(const Flow& flow);
Generated generate_yaml(const Flow& flow);
Generated generate_json(const Flow& flow);

}  // namespace browx::codegen
