#pragma once
// What an archive can answer in the place of the network. Private to this folder.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/model/facts.hpp"

namespace browx::player {

/// Stylesheets, images and fonts by address. Thread: any, once made.
class Supply {
 public:
  explicit Supply(std::vector<archive::Asset> assets);

  /// The one that `document` loaded, else the one any document loaded from there; null when its bytes are not
  /// kept.
  const archive::Asset* find(std::optional<archive::DocumentId> document, std::string_view url) const;
  std::size_t size() const { return assets_.size(); }

 private:
  std::vector<archive::Asset> assets_;
  std::multimap<std::string, std::size_t, std::less<>> by_url_;
};

/// The Content-Type to answer with: text was stored as UTF-8.
std::string content_type(const archive::Asset& asset);

}  // namespace browx::player
