#pragma once
// From an archive to a flow.

#include "archive/reader.hpp"
#include "base/result.hpp"
#include "base/secrets.hpp"
#include "codegen/flow.hpp"

namespace browx::codegen {

/// The recording's steps, as they were recorded. `mask`: secrets that became known later, whose values are
/// replaced by `<NAME>` in everything that is read. `late`: steps and annotations that may be missing from
/// the archive, with their order numbers. Thread: the reader's. Errors: the reader's.
Result<Flow> read_flow(archive::Reader& reader, const Secrets& mask = {},
                       const std::vector<archive::Event>& late = {});

}  // namespace browx::codegen
