#include "codegen/artifacts.hpp"

#include "codegen/read.hpp"

namespace browx::codegen {

Result<std::vector<MadeArtifact>> make_artifacts(archive::Reader& reader, const Secrets& secrets,
                                                 const std::vector<archive::Event>& late) {
  const auto flow = read_flow(reader, secrets, late);
  if (!flow) return flow.error();
  std::vector<MadeArtifact> out;
  for (const Target& target : targets()) {
    if (target.artifact.empty()) continue;
    Generated made = target.generate(*flow);
    // A value may have come together only in the text, of parts that did not show it.
    out.push_back({{std::string(target.artifact), std::string(target.mime), secrets.mask(made.content)},
                   std::move(made.stats)});
  }
  return out;
}

}  // namespace browx::codegen
