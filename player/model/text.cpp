#include "player/model/text.hpp"

#include <fmt/format.h>

namespace browx::player {
namespace {

/// Controls, and characters that change how others are shown.
bool invisible(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
         code == 0x2028 || code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe0fff) || code == 0x061c;
}

std::string as_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return {};
  return dump_json(value);
}

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    char32_t code = length == 1 ? lead : length == 2 ? lead & 0x1f : length == 3 ? lead & 0x0f : lead & 0x07;
    bool good = length != 0 && i + length <= text.size();
    for (std::size_t k = 1; good && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      good = (next & 0xc0) == 0x80;
      code = code << 6 | (next & 0x3f);
    }
    good = good && !(length == 3 && code < 0x800) && !(length == 4 && (code < 0x10000 || code > 0x10ffff)) &&
           !(code >= 0xd800 && code <= 0xdfff);
    out.push_back(good ? code : U'\ufffd');
    i += good ? length : 1;
  }
  return out;
}

std::string utf8(char32_t code) {
  std::string out;
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
  return out;
}

std::string shown(std::string_view text, std::size_t longest, const HasGlyph& has_glyph, bool lines) {
  // No code point takes more than four bytes: what lies behind cannot matter.
  const bool cut = text.size() > longest * 4 + 4;
  if (cut) text = text.substr(0, longest * 4 + 4);
  std::string out;
  std::size_t count = 0;
  for (const char32_t code : code_points(text)) {
    if (count++ == longest) return out + "…";
    if (lines && code == U'\n')
      out += '\n';
    else if (code == U'\n' || code == U'\t' || code == U'\r')
      out += ' ';
    else if (invisible(code) || (code != U' ' && has_glyph && !has_glyph(code)))
      out += fmt::format("\\u{{{:X}}}", static_cast<std::uint32_t>(code));
    else
      out += utf8(code);
  }
  return cut ? out + "…" : out;
}

std::vector<LocatorRow> locators_of(const archive::Step& step) {
  std::vector<LocatorRow> out;
  const Json& locators = json_member(step.payload, "locators");
  if (!locators.is_array()) return out;
  for (const Json& one : locators) {
    if (!one.is_object()) continue;
    out.push_back({json_string(one, "kind"), json_string(one, "playwright", json_string(one, "selector")),
                   json_string(one, "stability"), json_string(one, "reason"), json_int(one, "count"),
                   json_int(one, "index")});
  }
  return out;
}

std::string subject_of(const archive::Step& step) {
  for (const LocatorRow& locator : locators_of(step))
    if (locator.count == 1) return locator.playwright;
  const Json& arguments = json_member(step.payload, "arguments");
  for (const Json* from : {&step.target, &arguments})
    for (const char* key : {"selector", "named", "query", "url", "ref", "coords", "locator", "scope"})
      if (std::string text = as_text(json_member(*from, key)); !text.empty()) return text;
  return {};
}

std::string value_of(const archive::Step& step) {
  const Json& arguments = json_member(step.payload, "arguments");
  for (const char* key : {"value", "values", "text", "key", "n", "attr"})
    if (std::string text = as_text(json_member(arguments, key)); !text.empty()) return text;
  return {};
}

std::string short_url(std::string_view url) {
  if (url.starts_with("data:")) return std::string(url.substr(0, std::min<std::size_t>(url.find(','), 40)));
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  std::string_view rest = url.substr(scheme + 3);
  std::string_view query;
  if (const std::size_t mark = rest.find_first_of("?#"); mark != std::string_view::npos) {
    query = rest.substr(mark);
    rest = rest.substr(0, mark);
  }
  const std::size_t host_end = rest.find('/');
  if (host_end == std::string_view::npos || rest.substr(host_end) == "/")
    return std::string(rest.substr(0, host_end)) + "/" + std::string(query);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  return std::string(rest.substr(rest.rfind('/') + 1)) + std::string(query);
}

}  // namespace browx::player
