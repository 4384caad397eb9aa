#pragma once
// Mutation events on a tree. Private to this folder.

#include <functional>

#include "archive/dom.hpp"
#include "archive/reduce/read.hpp"

namespace browx::archive {

/// Removes, adds, texts and attributes, in this order, as a replayer applies them. `skip` is told the reason
/// of each single change that refers to nothing.
void apply_mutation(Tree& tree, Node& root, JsonValue data,
                    const std::function<void(const char* reason)>& skip);

}  // namespace browx::archive
