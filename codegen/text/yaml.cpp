#include "codegen/text/yaml.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "codegen/text/utf8.hpp"

namespace browx::codegen {
namespace {

bool is_word(std::string_view key) {
  static constexpr std::array<std::string_view, 12> kTaken{"y",    "n",     "yes",  "no",  "on",  "off",
                                                           "true", "false", "null", "nan", "inf", "none"};
  if (key.empty() || key.size() > 60 || !std::isalpha(static_cast<unsigned char>(key.front()))) return false;
  const bool plain = std::all_of(key.begin(), key.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return plain && std::find(kTaken.begin(), kTaken.end(), lower) == kTaken.end();
}

}  // namespace

std::string yaml_string(std::string_view raw) {
  const std::string text = to_valid_utf8(raw);
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == '"')
      out += "\\\"";
    else if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (!needs_escape(c) && c <= 0xffff)
      out.append(text, begin, at - begin);
    else if (c <= 0xff)
      out += fmt::format("\\x{:02X}", static_cast<unsigned>(c));
    else if (c <= 0xffff)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += fmt::format("\\U{:08X}", static_cast<unsigned>(c));
  }
  return out + "\"";
}

std::string yaml_key(std::string_view key) { return is_word(key) ? std::string(key) : yaml_string(key); }

std::string yaml_inline(const OrderedJson& value) {
  if (value.is_string()) return yaml_string(value.get_ref<const std::string&>());
  if (value.is_number_float()) {
    // YAML 1.1 wants a point in every float.
    std::string text = value.dump();
    const std::size_t e = text.find('e');
    if (e != std::string::npos && text.find('.') == std::string::npos) text.insert(e, ".0");
    return text;
  }
  if (value.is_array()) {
    std::string out = "[";
    for (const auto& item : value) out += (out.size() > 1 ? ", " : "") + yaml_inline(item);
    return out + "]";
  }
  if (value.is_object()) {
    if (value.empty()) return "{}";
    std::string out = "{ ";
    bool first = true;
    for (const auto& [key, item] : value.items()) {
      if (!first) out += ", ";
      first = false;
      out += yaml_key(key) + ": " + yaml_inline(item);
    }
    return out + " }";
  }
  return value.dump();
}

}  // namespace browx::codegen
