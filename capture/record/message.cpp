#include "capture/record/message.hpp"

#include <charconv>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace browx::capture {
namespace {

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  if (!list.is_array()) return out;
  for (const auto& item : list)
    if (item.is_string()) out.push_back(item.get<std::string>());
  return out;
}

Error foreign(std::string what) { return {Code::corrupt, "A recorder message " + std::move(what), ""}; }

}  // namespace

Result<RecorderMessage> parse_message(std::string_view payload) {
  std::size_t end = payload.find('\n');
  auto header = parse_json(payload.substr(0, end));
  if (!header || !header->is_object()) return foreign("has no header");
  RecorderMessage message;
  message.document = json_string(*header, "doc");
  if (message.document.empty()) return foreign("names no document");
  message.now_ms = json_number(*header, "now");
  message.first = json_int(*header, "first");
  const Json& gaps = json_member(*header, "gaps");
  if (gaps.is_array()) {
    for (const auto& gap : gaps) {
      RecorderMessage::Gap row{json_string(gap, "reason"), json_string(gap, "detail"), std::nullopt};
      if (const auto node = json_int(gap, "node"); node > 0) row.node = node;
      message.gaps.push_back(std::move(row));
    }
  }
  if (const Json& fields = json_member(*header, "fields"); fields.is_object())
    message.fields =
        RecorderMessage::Fields{texts(json_member(fields, "values")), texts(json_member(fields, "recent")),
                                json_bool(fields, "typing")};
  if (const Json& asset = json_member(*header, "asset"); asset.is_object()) {
    RecorderMessage::Asset row{json_string(asset, "url"), json_string(asset, "mime"), std::nullopt,
                               json_string(asset, "missing")};
    if (row.missing.empty()) {
      auto bytes = base64_decode(json_string(asset, "base64"));
      if (bytes)
        row.bytes = *std::move(bytes);
      else
        row.missing = "it arrived damaged";
    }
    message.asset = std::move(row);
  }
  while (end != std::string_view::npos) {
    const std::size_t begin = end + 1;
    end = payload.find('\n', begin);
    const std::string_view line = payload.substr(begin, end == std::string_view::npos ? end : end - begin);
    RecorderMessage::Event event;
    const auto [stop, failed] = std::from_chars(line.data(), line.data() + line.size(), event.page_ms);
    const auto used = static_cast<std::size_t>(stop - line.data());
    if (failed != std::errc() || used + 1 >= line.size() || line[used] != ' ')
      return foreign("has a malformed line");
    event.json = line.substr(used + 1);
    message.events.push_back(event);
  }
  return message;
}

}  // namespace browx::capture
