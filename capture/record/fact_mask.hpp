#pragma once
// What of a fact reaches the archive: kept, cut and masked by kind, tier and configuration. Pure but for what
// it reads.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/model/facts.hpp"
#include "base/secrets.hpp"
#include "capture/record/field_values.hpp"

namespace browx::capture {

/// Thread: the engine's. `secrets` and `fields` are read at every call, so that a secret registered late
/// counts at once.
class FactMask {
 public:
  FactMask(archive::Tier tier, std::vector<std::string> headers, std::vector<std::string> body_paths,
           const Secrets& secrets, const FieldValues& fields);

  /// The fact as it may be stored. Frames, DOM events and assets are not its business: they come back as they
  /// are.
  archive::Fact masked(archive::Fact fact);

  std::string text(std::string_view text) const;
  /// By tier: query keys only, or whole; without secrets either way.
  std::string url(std::string_view url) const;
  /// Every string of it; members named url, from and to as URLs.
  void json(Json& value) const;
  std::string body(std::string_view body, std::string_view content_type) const;

  static bool text_like(std::string_view mime);

 private:
  archive::Headers headers(const archive::Headers& headers) const;
  void member(const std::string& key, Json& value) const;

  archive::Tier tier_;
  std::vector<std::string> hidden_headers_;
  std::vector<std::vector<std::string>> body_paths_;
  const Secrets& secrets_;
  const FieldValues& fields_;
  std::unordered_map<archive::RequestId, std::string> mimes_;  // of responses whose body may come
};

/// "user.token", "items[].id", "$.a['b']": the keys in order, "*" for any key or index.
std::vector<std::string> parse_body_path(std::string_view path);
/// Replaces what the path names by kMaskedValue; true when there was something.
bool mask_path(Json& value, const std::vector<std::string>& path, std::size_t from = 0);

}  // namespace browx::capture
