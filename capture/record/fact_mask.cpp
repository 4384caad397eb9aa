#include "capture/record/fact_mask.hpp"

#include <algorithm>
#include <cctype>

#include "base/url.hpp"

namespace browx::capture {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string content_type_of(const archive::Headers& headers) {
  for (const auto& [name, value] : headers)
    if (lower(name) == "content-type") return lower(value);
  return {};
}

bool looks_like_url(std::string_view text) {
  for (const char* scheme : {"http://", "https://", "ws://", "wss://", "file://", "data:", "blob:"})
    if (text.starts_with(scheme)) return true;
  return false;
}

}  // namespace

FactMask::FactMask(archive::Tier tier, std::vector<std::string> headers, std::vector<std::string> body_paths,
                   const Secrets& secrets, const FieldValues& fields)
    : tier_(tier),
      hidden_headers_{"authorization", "cookie", "set-cookie", "proxy-authorization"},
      secrets_(secrets),
      fields_(fields) {
  for (const auto& name : headers) hidden_headers_.push_back(lower(name));
  for (const auto& path : body_paths)
    if (auto keys = parse_body_path(path); !keys.empty()) body_paths_.push_back(std::move(keys));
}

std::string FactMask::text(std::string_view text) const { return fields_.mask(secrets_.mask(text)); }

std::string FactMask::url(std::string_view url) const {
  if (tier_ == archive::Tier::reexecutable) return text(url);
  return text(redact_url_values(url));
}

void FactMask::member(const std::string& key, Json& value) const {
  if (value.is_string()) {
    const auto& string = value.get_ref<const std::string&>();
    const bool address =
        (key == "url" || key == "from" || key == "to" || key == "documentURL" || key == "href") &&
        looks_like_url(string);
    value = address ? url(string) : text(string);
  } else {
    json(value);
  }
}

void FactMask::json(Json& value) const {
  if (value.is_string()) {
    value = text(value.get_ref<const std::string&>());
  } else if (value.is_array()) {
    for (auto& item : value) json(item);
  } else if (value.is_object()) {
    Json out = Json::object();
    for (auto& [key, item] : value.items()) {
      member(key, item);
      out[text(key)] = std::move(item);
    }
    value = std::move(out);
  }
}

archive::Headers FactMask::headers(const archive::Headers& headers) const {
  archive::Headers out;
  for (const auto& [name, value] : headers) {
    const std::string key = lower(name);
    if (std::find(hidden_headers_.begin(), hidden_headers_.end(), key) != hidden_headers_.end()) {
      out.emplace_back(name, kMaskedValue);
    } else if (key == "referer" || key == "location" || key == "content-location" || key == "sourcemap") {
      out.emplace_back(name, url(value));
    } else if (key == ":path") {
      constexpr std::string_view kBase = "http://x";
      std::string full = url(std::string(kBase) + value);
      out.emplace_back(name, full.starts_with(kBase) ? full.substr(kBase.size()) : std::string(kMaskedValue));
    } else {
      out.emplace_back(name, text(value));
    }
  }
  return out;
}

bool FactMask::text_like(std::string_view mime) {
  const std::string type = lower(mime);
  for (const char* part : {"text/", "json", "javascript", "ecmascript", "xml", "x-www-form-urlencoded",
                           "graphql", "multipart/form-data"})
    if (type.find(part) != std::string::npos) return true;
  return false;
}

std::string FactMask::body(std::string_view body, std::string_view content_type) const {
  std::string out(body);
  if (!body_paths_.empty()) {
    // JSON is recognised by its text: servers send it under other names.
    if (auto value = parse_json(body); value && value->is_structured()) {
      bool changed = false;
      for (const auto& path : body_paths_) changed = mask_path(*value, path) || changed;
      if (changed) out = dump_json(*value);
    }
  }
  return secrets_.mask(fields_.mask_body(out, content_type));
}

archive::Fact FactMask::masked(archive::Fact fact) {
  using namespace archive;
  if (auto* target = std::get_if<Target>(&fact)) {
    target->url = url(target->url);
  } else if (auto* document = std::get_if<Document>(&fact)) {
    document->url = url(document->url);
  } else if (auto* gap = std::get_if<Gap>(&fact)) {
    gap->detail = text(gap->detail);
  } else if (auto* event = std::get_if<Event>(&fact)) {
    json(event->payload);
  } else if (auto* request = std::get_if<Request>(&fact)) {
    request->url = url(request->url);
    if (request->body && tier_ == Tier::reexecutable)
      request->body = body(*request->body, content_type_of(request->headers));
    else
      request->body.reset();
    request->headers = headers(request->headers);
  } else if (auto* response = std::get_if<Response>(&fact)) {
    response->headers = headers(response->headers);
    response->request_headers = headers(response->request_headers);
    response->status_text = text(response->status_text);
    if (tier_ == Tier::reexecutable) mimes_[response->request] = response->mime;
  } else if (auto* end = std::get_if<RequestEnd>(&fact)) {
    end->error = text(end->error);
    const auto mime = mimes_.find(end->request);
    const std::string type = mime == mimes_.end() ? std::string() : mime->second;
    if (mime != mimes_.end()) mimes_.erase(mime);
    if (tier_ != Tier::reexecutable) {
      end->body.reset();
      end->body_missing.clear();
    } else if (end->body) {
      if (text_like(type))
        end->body = body(*end->body, type);
      else
        end->body.reset();  // pictures, fonts and media are assets, or not kept
    }
  } else if (auto* frame = std::get_if<ChannelFrame>(&fact)) {
    if (tier_ == Tier::reexecutable) {
      frame->payload = text(frame->payload);
    } else {
      frame->truncated = frame->truncated || !frame->payload.empty();
      frame->payload.clear();
    }
    frame->event = text(frame->event);
  }
  return fact;
}

std::vector<std::string> parse_body_path(std::string_view path) {
  std::vector<std::string> keys;
  std::string key;
  const auto end_key = [&] {
    if (!key.empty()) keys.push_back(std::move(key));
    key.clear();
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '.') {
      end_key();
    } else if (c == '[') {
      end_key();
      const std::size_t close = path.find(']', i);
      std::string_view inside = path.substr(i + 1, close == std::string_view::npos ? close : close - i - 1);
      if (inside.size() >= 2 && (inside.front() == '"' || inside.front() == '\'') &&
          inside.back() == inside.front())
        inside = inside.substr(1, inside.size() - 2);
      keys.emplace_back(inside.empty() ? "*" : inside);
      if (close == std::string_view::npos) break;
      i = close;
    } else {
      key += c;
    }
  }
  end_key();
  if (!keys.empty() && keys.front() == "$") keys.erase(keys.begin());
  return keys;
}

bool mask_path(Json& value, const std::vector<std::string>& path, std::size_t from) {
  if (from == path.size()) {
    value = kMaskedValue;
    return true;
  }
  const std::string& key = path[from];
  bool found = false;
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (key == "*" || key == std::to_string(i)) found = mask_path(value[i], path, from + 1) || found;
  } else if (value.is_object()) {
    for (auto& [name, item] : value.items())
      if (key == "*" || key == name) found = mask_path(item, path, from + 1) || found;
  }
  return found;
}

}  // namespace browx::capture
