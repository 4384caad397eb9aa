#include "capture/record/field_values.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

namespace browx::capture {
namespace {

constexpr std::size_t kRun = 4;
constexpr std::size_t kLong = 6;
constexpr std::size_t kKept = 256;
constexpr std::string_view kName = "BROWX_FIELD_";

bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string percent_decoded(std::string_view text) {
  std::string out;
  const auto hex = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

/// "<BROWX_FIELD_7>" becomes "[masked value]".
std::string unnamed(std::string text) {
  const std::string open = "<" + std::string(kName);
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    const std::size_t close = text.find('>', at);
    if (close == std::string::npos) break;
    text.replace(at, close + 1 - at, kMaskedValue);
    at += kMaskedValue.size();
  }
  return text;
}

}  // namespace

std::string mask_runs(std::string_view text, const std::vector<std::string>& values) {
  std::unordered_set<std::string_view> grams;
  for (const auto& value : values)
    for (std::size_t i = 0; i + kRun <= value.size(); ++i)
      grams.insert(std::string_view(value).substr(i, kRun));
  if (grams.empty() || text.size() < kRun) return std::string(text);
  std::string out;
  std::size_t copied = 0;
  for (std::size_t i = 0; i + kRun <= text.size(); ++i) {
    if (!grams.contains(text.substr(i, kRun))) continue;
    std::size_t begin = i, end = i + kRun;
    while (end < text.size() && grams.contains(text.substr(end - kRun + 1, kRun))) ++end;
    i = end - 1;
    // Whole characters of UTF-8 only.
    while (begin > copied && continuation(text[begin])) --begin;
    while (end < text.size() && continuation(text[end])) ++end;
    out.append(text.substr(copied, begin - copied)).append(kMaskedValue);
    copied = end;
    i = std::max(i, end - 1);
  }
  return out.append(text.substr(copied));
}

void FieldValues::told(const std::string& document, const RecorderMessage::Fields& fields) {
  for (const auto& value : fields.values) learn(value);
  for (const auto& value : fields.recent) learn(value);
  if (fields.typing && !fields.recent.empty())
    typing_[document] = fields.recent;
  else
    typing_.erase(document);
}

void FieldValues::learn(const std::string& value) {
  if (value.empty() || std::find(known_.begin(), known_.end(), value) != known_.end()) return;
  known_.push_back(value);
  if (value.size() >= kLong) (void)long_values_.add(fmt::format("{}{}", kName, ++named_), value);
  if (known_.size() <= kKept) return;
  // The oldest go; what was typed last is what may still turn up.
  known_.pop_front();
  Secrets fresh;
  for (const auto& kept : known_)
    if (kept.size() >= kLong) (void)fresh.add(fmt::format("{}{}", kName, ++named_), kept);
  long_values_ = std::move(fresh);
}

bool FieldValues::is_value(const std::string& text) const {
  return !text.empty() && std::find(known_.begin(), known_.end(), text) != known_.end();
}

std::string FieldValues::mask(std::string_view text) const {
  if (empty()) return std::string(text);
  std::string out = unnamed(long_values_.mask(text));
  for (const auto& [document, values] : typing_) out = mask_runs(out, values);
  return out;
}

std::string FieldValues::mask_whole(std::string_view text) const {
  return known_.empty() ? std::string(text) : unnamed(long_values_.mask(text));
}

std::string FieldValues::mask_body(std::string_view body, std::string_view content_type) const {
  if (known_.empty()) return std::string(body);
  if (content_type.find("json") != std::string_view::npos) {
    auto json = parse_json(body);
    if (json) {
      bool changed = false;
      const auto visit = [&](auto&& self, Json& value) -> void {
        if (value.is_string() && is_value(value.get_ref<const std::string&>())) {
          value = kMaskedValue;
          changed = true;
        } else if (value.is_number() && is_value(dump_json(value))) {
          value = kMaskedValue;
          changed = true;
        } else if (value.is_structured()) {
          for (auto& item : value) self(self, item);
        }
      };
      visit(visit, *json);
      return mask(changed ? dump_json(*json) : body);
    }
  }
  if (content_type.find("x-www-form-urlencoded") != std::string_view::npos) {
    std::string out;
    for (std::size_t begin = 0; begin <= body.size();) {
      std::size_t end = body.find('&', begin);
      if (end == std::string_view::npos) end = body.size();
      const std::string_view pair = body.substr(begin, end - begin);
      const std::size_t equals = pair.find('=');
      if (begin) out += '&';
      if (equals != std::string_view::npos && is_value(percent_decoded(pair.substr(equals + 1))))
        out.append(pair.substr(0, equals + 1)).append(kMaskedValue);
      else
        out += pair;
      begin = end + 1;
    }
    return mask(out);
  }
  if (content_type.find("multipart/form-data") != std::string_view::npos) {
    // A part's content stands between an empty line and the next boundary.
    std::string out(body);
    for (std::size_t at = out.find("\r\n\r\n"); at != std::string::npos; at = out.find("\r\n\r\n", at)) {
      at += 4;
      const std::size_t end = out.find("\r\n--", at);
      if (end == std::string::npos) break;
      if (!is_value(out.substr(at, end - at))) continue;
      out.replace(at, end - at, kMaskedValue);
    }
    return mask(out);
  }
  return mask(body);
}

std::vector<std::string> FieldValues::shown_texts() const {
  std::vector<std::string> out;
  for (const auto& value : known_)
    if (value.size() >= kRun) out.push_back(value);
  return out;
}

}  // namespace browx::capture
