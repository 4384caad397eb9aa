#include "mcp/scripts.hpp"

#include "codegen/artifacts.hpp"

namespace browx::mcp {
namespace {

constexpr std::string_view kScript = "spec.ts";

Script script_of(archive::Reader& reader, codegen::MadeArtifact made) {
  const auto manifest = reader.manifest();
  const std::string name = manifest ? json_string(*manifest, "title") : std::string();
  return {name, std::move(made.artifact.bytes), std::move(made.stats)};
}

}  // namespace

Result<Script> make_script(archive::Reader& reader, const Secrets& secrets, const capture::LateEvents& late) {
  auto made = codegen::make_artifacts(reader, secrets, late);
  if (!made) return std::move(made).error();
  for (auto& one : *made)
    if (one.artifact.name == kScript) return script_of(reader, std::move(one));
  return Error{Code::internal, "No test was made"};
}

capture::MakeArtifacts Scripts::keeper(std::string session) {
  return [kept = kept_, session = std::move(session)](
             archive::Reader& reader, const Secrets& secrets,
             const capture::LateEvents& late) -> Result<std::vector<archive::Artifact>> {
    auto made = codegen::make_artifacts(reader, secrets, late);
    if (!made) return std::move(made).error();
    std::vector<archive::Artifact> artifacts;
    for (auto& one : *made) {
      artifacts.push_back(one.artifact);
      if (one.artifact.name != kScript) continue;
      auto script = std::make_shared<const Script>(script_of(reader, std::move(one)));
      const std::lock_guard lock(kept->mutex);
      kept->by_session[session] = std::move(script);
    }
    return artifacts;
  };
}

std::shared_ptr<const Script> Scripts::last(std::string_view session) const {
  const std::lock_guard lock(kept_->mutex);
  const auto found = kept_->by_session.find(session);
  return found == kept_->by_session.end() ? nullptr : found->second;
}

}  // namespace browx::mcp
