#pragma once
// Downloads: kept in the workspace's downloads/<session>/ under a safe, unique form of the suggested name;
// without a workspace they are denied, and said to be. Events of kind `download` {id, url, suggestedFilename,
// state, bytes, path?, frame?}: when one begins and when it ends; `path` is relative to the workspace. In a
// browser that browx did not start (mode "attached") the user's own settings stand: downloads are told of,
// not kept.

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/workspace.hpp"
#include "capture/observe/hub.hpp"
#include "capture/observe/network.hpp"
#include "capture/observe/observers.hpp"

namespace browx::capture {

/// Moves `file` beside itself to a safe form of `suggested` that no file has yet ("a.txt", "a-2.txt", …),
/// never overwriting. Error `unavailable`.
Result<std::filesystem::path> move_to_suggested(const std::filesystem::path& file,
                                                std::string_view suggested);

class Downloads : public Domain {
 public:
  struct Options {
    std::optional<Workspace> workspace;
    std::string session;
    bool attached = false;
  };
  Downloads(Hub& hub, Network& network, Options options);

  std::vector<Download> since(Time from) const;

 private:
  struct Entry {
    Download download;
    std::optional<TargetId> target;
    std::string frame;
    RequestId request;  ///< of ours, when no navigation's request told of it
  };
  void configure(const std::string& cdp_session);
  void set_behaviour(Json context);
  void began(const Incoming& event);
  void progressed(const Incoming& event);
  void tell(const Entry& entry);
  void keep(Entry& entry, const std::string& reported);

  Hub& hub_;
  Network& network_;
  Options options_;
  std::filesystem::path folder_;  // empty: nothing is kept
  bool configured_ = false;
  std::vector<Entry> entries_;
};

}  // namespace browx::capture
