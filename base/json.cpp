#include "base/json.hpp"

#include <cmath>

#include <fmt/format.h>

namespace browx {
namespace {

bool hex4(std::string_view text, std::size_t at, unsigned& out) {
  if (at + 4 > text.size()) return false;
  out = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    unsigned digit = 0;
    if (c >= '0' && c <= '9')
      digit = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = static_cast<unsigned>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      digit = static_cast<unsigned>(c - 'A' + 10);
    else
      return false;
    out = out * 16 + digit;
  }
  return true;
}

/// Calls `found(position of the backslash)` for each surrogate escape without a partner.
template <class Found>
void each_lone_surrogate(std::string_view text, Found found) {
  std::size_t i = text.find('\\');
  while (i != std::string_view::npos && i + 1 < text.size()) {
    unsigned unit = 0;
    if (text[i + 1] != 'u' || !hex4(text, i + 2, unit)) {
      i = text.find('\\', i + 2);
      continue;
    }
    std::size_t next = i + 6;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      unsigned low = 0;
      const bool paired = next + 1 < text.size() && text[next] == '\\' && text[next + 1] == 'u' &&
                          hex4(text, next + 2, low) && low >= 0xDC00 && low <= 0xDFFF;
      if (paired)
        next += 6;
      else if (!found(i))
        return;
    } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
      if (!found(i)) return;
    }
    i = text.find('\\', next);
  }
}

/// Length of the valid UTF-8 sequence at `i`, 0 when malformed.
std::size_t utf8_length(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(s[k]); };
  const auto tail = [&](std::size_t k) { return k < s.size() && (byte(k) & 0xC0) == 0x80; };
  const unsigned char c = byte(i);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return tail(i + 1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) {
    if (!tail(i + 1) || !tail(i + 2)) return 0;
    if (c == 0xE0 && byte(i + 1) < 0xA0) return 0;
    if (c == 0xED && byte(i + 1) > 0x9F) return 0;
    return 3;
  }
  if (c >= 0xF0 && c <= 0xF4) {
    if (!tail(i + 1) || !tail(i + 2) || !tail(i + 3)) return 0;
    if (c == 0xF0 && byte(i + 1) < 0x90) return 0;
    if (c == 0xF4 && byte(i + 1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    return Error{Code::corrupt, fmt::format("Not valid JSON at byte {}", e.byte)};
  } catch (const Json::exception& e) {
    return Error{Code::corrupt, fmt::format("Not valid JSON: {}", e.what())};
  }
}

std::string dump_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}
std::string dump_json(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

bool has_lone_surrogate(std::string_view json_text) {
  bool any = false;
  each_lone_surrogate(json_text, [&](std::size_t) {
    any = true;
    return false;
  });
  return any;
}

std::string repair_surrogates(std::string_view json_text) {
  std::string out(json_text);
  each_lone_surrogate(json_text, [&](std::size_t at) {
    out.replace(at, 6, "\\ufffd");
    return true;
  });
  return out;
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    if (const std::size_t n = utf8_length(bytes, i)) {
      out.append(bytes.substr(i, n));
      i += n;
    } else {
      out += "\xEF\xBF\xBD";
      ++i;
    }
  }
  return out;
}

const Json& json_member(const Json& object, std::string_view key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::string json_string(const Json& object, std::string_view key, std::string_view fallback) {
  const Json& member = json_member(object, key);
  return member.is_string() ? member.get<std::string>() : std::string(fallback);
}

double json_number(const Json& object, std::string_view key, double fallback) {
  const Json& member = json_member(object, key);
  return member.is_number() ? member.get<double>() : fallback;
}

std::int64_t json_int(const Json& object, std::string_view key, std::int64_t fallback) {
  const Json& member = json_member(object, key);
  if (member.is_number_integer()) return member.get<std::int64_t>();
  if (!member.is_number_float()) return fallback;
  const double number = member.get<double>();
  return std::abs(number) < 9.0e18 ? static_cast<std::int64_t>(number) : fallback;
}

bool json_bool(const Json& object, std::string_view key, bool fallback) {
  const Json& member = json_member(object, key);
  return member.is_boolean() ? member.get<bool>() : fallback;
}

}  // namespace browx
