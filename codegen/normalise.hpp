#pragma once
// What a list of raw steps is tidied by before code is written from it. Pure; the archive keeps what was
// done.

#include "codegen/flow.hpp"

namespace browx::codegen {

/// The passes, each from a list of steps to a list of steps:
/// - a field filled several times in a row is filled once, with the last value;
/// - a step that failed and was then done with success is marked `retried`;
/// - the same expectation twice in a row is one;
/// - the viewport that is set before the first page is the flow's own.
Flow normalise(Flow flow);

}  // namespace browx::codegen
