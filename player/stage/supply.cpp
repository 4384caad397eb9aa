#include "player/stage/supply.hpp"

#include <array>
#include <utility>

namespace browx::player {
namespace {

std::string_view without_fragment(std::string_view url) { return url.substr(0, url.find('#')); }

}  // namespace

Supply::Supply(std::vector<archive::Asset> assets) : assets_(std::move(assets)) {
  for (std::size_t i = 0; i < assets_.size(); ++i)
    if (assets_[i].bytes) by_url_.emplace(without_fragment(assets_[i].url), i);
}

const archive::Asset* Supply::find(std::optional<archive::DocumentId> document, std::string_view url) const {
  const auto [begin, end] = by_url_.equal_range(without_fragment(url));
  const archive::Asset* any = nullptr;
  for (auto at = begin; at != end; ++at) {
    const archive::Asset& asset = assets_[at->second];
    if (document && asset.document == *document) return &asset;
    if (!any) any = &asset;
  }
  return any;
}

std::string content_type(const archive::Asset& asset) {
  if (asset.mime == "text/css" || asset.mime == "image/svg+xml") return asset.mime + "; charset=utf-8";
  if (!asset.mime.empty()) return asset.mime;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kByEnding{
      {{".css", "text/css; charset=utf-8"},
       {".svg", "image/svg+xml"},
       {".png", "image/png"},
       {".woff2", "font/woff2"},
       {".woff", "font/woff"}}};
  const std::string_view path = std::string_view(asset.url).substr(0, asset.url.find_first_of("?#"));
  for (const auto& [ending, mime] : kByEnding)
    if (path.ends_with(ending)) return std::string(mime);
  return "application/octet-stream";
}

}  // namespace browx::player
