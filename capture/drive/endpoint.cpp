#include "capture/drive/endpoint.hpp"

#include <algorithm>
#include <cctype>

#include "base/url.hpp"

namespace browx::capture {
namespace {

constexpr std::size_t kMaxKeys = 20;

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_uuid(std::string_view s) {
  if (s.size() != 36) return false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? s[i] != '-' : !is_hex(s[i])) return false;
  }
  return true;
}

bool id_shaped(std::string_view s) {
  if (s.empty()) return false;
  if (std::all_of(s.begin(), s.end(), is_digit)) return true;
  if (is_uuid(s)) return true;
  return s.size() >= 8 && std::all_of(s.begin(), s.end(), is_hex) &&
         std::any_of(s.begin(), s.end(), is_digit);
}

}  // namespace

std::string url_pattern(std::string_view url) {
  auto parsed = parse_url(url);
  if (!parsed) return redact_url(url);
  std::string out = parsed->has_authority ? parsed->origin() : parsed->scheme + ":";
  std::string_view path = parsed->path;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', path[0] == '/' ? 1 : 0), path.size());
    std::string_view segment = path.substr(0, end);
    const bool slash = segment[0] == '/';
    if (slash) segment.remove_prefix(1);
    if (slash) out += '/';
    out += id_shaped(segment) ? std::string_view(":id") : segment;
    path.remove_prefix(end);
  }
  return out;
}

Json response_shape(std::string_view body) {
  if (body.empty() || static_cast<std::int64_t>(body.size()) > kMaxShapeBytes) return nullptr;
  // Keys in the order of the answer: parsed as an ordered document.
  OrderedJson document = OrderedJson::parse(body, nullptr, false);
  if (document.is_discarded()) return nullptr;
  Json shape = Json::array();
  if (document.is_object()) {
    for (const auto& [key, unused] : document.items()) {
      if (shape.size() >= kMaxKeys) break;
      shape.push_back(key);
    }
  } else if (document.is_array()) {
    for (const auto& item : document) {
      if (!item.is_object()) continue;
      for (const auto& [key, unused] : item.items()) {
        if (shape.size() >= kMaxKeys) break;
        std::string name = "[]." + key;
        if (std::find(shape.begin(), shape.end(), Json(name)) == shape.end())
          shape.push_back(std::move(name));
      }
    }
  }
  return shape.empty() ? Json(nullptr) : shape;
}

bool json_mime(std::string_view mime) {
  mime = mime.substr(0, mime.find(';'));
  while (!mime.empty() && mime.back() == ' ') mime.remove_suffix(1);
  return mime == "application/json" || mime == "text/json" || mime.ends_with("+json");
}

bool write_method(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
}

}  // namespace browx::capture
