#include "capture/record/assets.hpp"

#include <fmt/format.h>

namespace browx::capture {

bool Assets::is_asset(std::string_view type, std::string_view mime) {
  return type == "Stylesheet" || type == "Image" || type == "Font" || mime == "text/css" ||
         mime.starts_with("image/") || mime.starts_with("font/");
}

void Assets::see(const archive::Request& request) {
  if (!request.document || request.url.starts_with("data:")) return;
  open_[request.id] = Known{*request.document, request.url, request.resource_type, {}, 0};
}

void Assets::see(const archive::Response& response) {
  const auto known = open_.find(response.request);
  if (known == open_.end()) return;
  known->second.mime = response.mime;
  known->second.status = response.status;
}

std::optional<archive::Asset> Assets::see(const archive::RequestEnd& end) {
  auto known = open_.extract(end.request);
  if (known.empty()) return std::nullopt;
  Known& request = known.mapped();
  // A redirect's hop ends too; the last one has the bytes, and its own address.
  if (!is_asset(request.type, request.mime) || (request.status >= 300 && request.status < 400))
    return std::nullopt;
  std::string missing;
  if (!end.ok)
    missing = end.error.empty() ? "it did not load" : end.error;
  else if (!end.body)
    missing = end.body_missing.empty() ? "its body was not available" : end.body_missing;
  return take(request.document, std::move(request.url), end.t, std::move(request.mime),
              end.ok ? end.body : std::nullopt, std::move(missing));
}

std::optional<archive::Asset> Assets::take(archive::DocumentId document, std::string url, Time t,
                                           std::string mime, std::optional<std::string> bytes,
                                           std::string missing) {
  if (!stored_.emplace(document, url).second) return std::nullopt;
  archive::Asset asset{document, std::move(url), t, std::move(mime), std::move(bytes), std::move(missing)};
  if (asset.bytes) {
    const auto size = static_cast<std::int64_t>(asset.bytes->size());
    if (size > kLargest)
      asset.why_missing = fmt::format("larger than {} bytes", kLargest);
    else if (bytes_ + size > kAll)
      asset.why_missing = fmt::format("the recording has {} bytes of assets already", kAll);
    else
      bytes_ += size;
    if (!asset.why_missing.empty()) asset.bytes.reset();
  }
  return asset;
}

}  // namespace browx::capture
