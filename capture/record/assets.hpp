#pragma once
// Stylesheets, images and fonts of the pages, taken from the traffic, so that a page can be shown again
// without a network.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "archive/model/facts.hpp"

namespace browx::capture {

/// Sees requests as they are (before masking) and answers what becomes an asset. Thread: the engine's.
class Assets {
 public:
  static constexpr std::int64_t kLargest = 2LL << 20;
  static constexpr std::int64_t kAll = 32LL << 20;

  static bool is_asset(std::string_view resource_type, std::string_view mime);

  void see(const archive::Request& request);
  void see(const archive::Response& response);
  /// An asset, with its bytes or why they are missing; nothing when the request is none or was stored
  /// already.
  std::optional<archive::Asset> see(const archive::RequestEnd& end);
  /// One that was had otherwise (a blob: read in the page, a resource loaded before the recording).
  std::optional<archive::Asset> take(archive::DocumentId document, std::string url, Time t, std::string mime,
                                     std::optional<std::string> bytes, std::string missing);

 private:
  struct Known {
    archive::DocumentId document;
    std::string url, type, mime;
    int status = 0;
  };
  std::unordered_map<archive::RequestId, Known> open_;
  std::set<std::pair<archive::DocumentId, std::string>> stored_;
  std::int64_t bytes_ = 0;
};

}  // namespace browx::capture
