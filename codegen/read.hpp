#pragma once
// From an archive to a flow.

#include "archive/reader.hpp"
#include "base/result.hpp"
#include "base/secrets.hpp"
#include "codegen/flow.hpp"

namespace browx::codegen {

/// The recording's steps, as they were recorded. `mask`: secrets that became known later, whose values are
/// replaced by
/// `<NAME>` in everything that is read. Thread: the reader's. Errors: the reader's.
Result<Flow> read_flow(archive::Reader& reader, const Secrets& mask = {});

}  // namespace browx::codegen
