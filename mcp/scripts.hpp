#pragma once
// The tests that were made of recordings, kept for export_playwright_script after a recording has ended.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "capture/recording.hpp"
#include "codegen/targets.hpp"

namespace browx::mcp {

struct Script {
  std::string name;  ///< of the flow
  std::string source;
  codegen::Stats stats;
};

/// The script of what a reader holds. No value of `secrets` is in it. Thread: the reader's.
Result<Script> make_script(archive::Reader& reader, const Secrets& secrets, const capture::LateEvents& late);

/// Thread: any; recordings end on threads of their own.
class Scripts {
 public:
  /// For RecordingOptions::make_artifacts: what a recording of `session` makes at its end is kept here.
  /// Outlives this object.
  capture::MakeArtifacts keeper(std::string session);
  /// That of the session's last recording that ended, or null.
  std::shared_ptr<const Script> last(std::string_view session) const;

 private:
  struct Kept {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const Script>, std::less<>> by_session;
  };
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

}  // namespace browx::mcp
