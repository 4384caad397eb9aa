#pragma once
// What is kept inside an archive of its own steps: flow.yaml and spec.ts.

#include <vector>

#include "archive/reader.hpp"
#include "base/result.hpp"
#include "base/secrets.hpp"
#include "codegen/targets.hpp"

namespace browx::codegen {

struct MadeArtifact {
  archive::Artifact artifact;
  Stats stats;
};

/// One for each target that has an artifact's name. No value of `secrets` is in them; `late` as for
/// read_flow(). Thread: the reader's. Errors: the reader's.
Result<std::vector<MadeArtifact>> make_artifacts(archive::Reader& reader, const Secrets& secrets,
                                                 const std::vector<archive::Event>& late);

}  // namespace browx::codegen
