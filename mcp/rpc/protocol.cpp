#include "mcp/rpc/protocol.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace browx::mcp {
namespace {

constexpr std::int64_t kListTtlMs = 3600000;

Incoming invalid(Incoming in, RpcCode code, std::string message, Json data = nullptr) {
  in.kind = Incoming::Kind::invalid;
  in.error = RpcError{code, std::move(message), std::move(data)};
  return in;
}

/// Checks the `_meta` of a modern request; an error to answer, or nothing.
std::optional<RpcError> modern_problem(const Json& meta) {
  const Json& version = json_member(meta, kMetaVersion);
  if (!version.is_string())
    return RpcError{RpcCode::invalid_params, fmt::format("_meta[\"{}\"] must be a string", kMetaVersion)};
  const Json& capabilities = json_member(meta, kMetaCapabilities);
  if (!capabilities.is_object())
    return RpcError{
        RpcCode::invalid_params,
        fmt::format("_meta[\"{}\"] is required and must be an object, {{}} for none", kMetaCapabilities)};
  if (version.get<std::string>() != kModernVersion) {
    Json data = {{"supported", Json::array({std::string(kModernVersion)})}, {"requested", version}};
    return RpcError{RpcCode::unsupported_version, "Unsupported protocol version", std::move(data)};
  }
  return std::nullopt;
}

bool cacheable(std::string_view method) {
  return method == "server/discover" || method == "tools/list" || method == "resources/list" ||
         method == "resources/templates/list" || method == "resources/read";
}

/// Resources come from a user's recordings.
bool is_private(std::string_view method) { return method.starts_with("resources/"); }

/// 2025-03-26 knows neither titles nor output schemas nor structured content nor resource links.
void strip_for_2025_03_26(std::string_view method, OrderedJson& result) {
  if (method == "tools/list" && result.contains("tools"))
    for (auto& tool : result["tools"]) {
      tool.erase("title");
      tool.erase("outputSchema");
      tool.erase("icons");
      tool.erase("_meta");
    }
  if (method == "tools/call") {
    result.erase("structuredContent");
    if (result.contains("content"))
      for (auto& item : result["content"])
        if (item.value("type", "") == "resource_link") {
          OrderedJson text = {{"type", "text"}, {"text", item.value("uri", "")}};
          item = std::move(text);
        }
  }
  for (const char* list : {"resources", "resourceTemplates"})
    if (result.contains(list))
      for (auto& item : result[list]) {
        item.erase("title");
        item.erase("icons");
      }
}

}  // namespace

bool is_id(const Json& value) { return value.is_string() || value.is_number_integer(); }

std::string id_key(const Json& id) { return dump_json(id); }

bool may_batch(const Handshake& handshake) { return handshake.version == "2025-03-26"; }

std::string negotiate(std::string_view requested) {
  const auto found = std::find(kLegacyVersions.begin(), kLegacyVersions.end(), requested);
  return std::string(found == kLegacyVersions.end() ? kLegacyVersions.front() : *found);
}

Incoming classify(const Json& message, const Handshake& handshake) {
  Incoming in;
  if (!message.is_object())
    return invalid(std::move(in), RpcCode::invalid_request,
                   message.is_array()
                       ? "Batches are not part of this protocol version; send one message a line"
                       : "A message must be one JSON object");
  const Json& id = json_member(message, "id");
  if (is_id(id)) in.id = id;
  if (json_string(message, "jsonrpc") != "2.0")
    return invalid(std::move(in), RpcCode::invalid_request, "jsonrpc must be \"2.0\"");
  const Json& method = json_member(message, "method");
  if (!message.contains("method")) {
    if (is_id(id) && (message.contains("result") || message.contains("error"))) {
      in.kind = Incoming::Kind::response;
      return in;
    }
    return invalid(std::move(in), RpcCode::invalid_request,
                   "Neither a request nor a notification: method is missing");
  }
  if (!method.is_string()) return invalid(std::move(in), RpcCode::invalid_request, "method must be a string");
  in.method = method.get<std::string>();
  const bool notification = !message.contains("id");
  if (!notification && !is_id(id))
    return invalid(std::move(in), RpcCode::invalid_request, "id must be a string or an integer");
  if (message.contains("params")) {
    in.params = json_member(message, "params");
    if (!in.params.is_object()) {
      in.params = Json::object();
      return invalid(std::move(in), RpcCode::invalid_request, "params must be an object");
    }
  }

  const Json& meta = json_member(in.params, "_meta");
  const bool modern = meta.is_object() && meta.contains(kMetaVersion);
  in.era = modern ? Era::modern : Era::legacy;
  if (notification) {
    in.kind = Incoming::Kind::notification;
    return in;
  }
  if (in.params.contains("_meta") && !meta.is_object())
    return invalid(std::move(in), RpcCode::invalid_params, "_meta must be an object");
  if (modern) {
    if (auto problem = modern_problem(meta))
      return invalid(std::move(in), problem->code, problem->message, problem->data);
  } else if (in.method != "initialize" && in.method != "ping" && !handshake.done()) {
    return invalid(std::move(in), RpcCode::invalid_params,
                   fmt::format("Send _meta[\"{}\"] and _meta[\"{}\"] with each request, or initialize first",
                               kMetaVersion, kMetaCapabilities));
  }
  in.kind = Incoming::Kind::request;
  return in;
}

OrderedJson server_info() { return OrderedJson{{"name", "browx"}, {"version", BROWX_VERSION}}; }

OrderedJson result_message(const Json& id, OrderedJson result) {
  OrderedJson message;
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  message["result"] = std::move(result);
  return message;
}

OrderedJson error_message(const Json& id, const RpcError& error, const Handshake& handshake) {
  OrderedJson message;
  message["jsonrpc"] = "2.0";
  if (!id.is_null())
    message["id"] = id;
  else if (handshake.done())
    message["id"] = nullptr;
  OrderedJson body;
  body["code"] = static_cast<int>(error.code);
  body["message"] = error.message;
  if (!error.data.is_null()) body["data"] = error.data;
  message["error"] = std::move(body);
  return message;
}

OrderedJson dress_result(Era era, std::string_view legacy_version, std::string_view method,
                         OrderedJson result) {
  if (era == Era::legacy) {
    if (legacy_version == "2025-03-26") strip_for_2025_03_26(method, result);
    return result;
  }
  OrderedJson dressed;
  dressed["resultType"] = "complete";
  for (auto& [key, value] : result.items()) dressed[key] = std::move(value);
  if (cacheable(method)) {
    dressed["ttlMs"] = is_private(method) ? 0 : kListTtlMs;
    dressed["cacheScope"] = is_private(method) ? "private" : "public";
  }
  dressed["_meta"][std::string(kMetaServerInfo)] = server_info();
  return dressed;
}

OrderedJson progress_message(const Json& token, double progress, std::optional<double> total,
                             const std::string& message) {
  OrderedJson params;
  params["progressToken"] = token;
  params["progress"] = progress;
  if (total) params["total"] = *total;
  if (!message.empty()) params["message"] = message;
  OrderedJson out;
  out["jsonrpc"] = "2.0";
  out["method"] = "notifications/progress";
  out["params"] = std::move(params);
  return out;
}

Result<Json> parse_line(std::string_view line) {
  Result<Json> parsed = parse_json(line);
  if (parsed) return parsed;
  // Malformed UTF-8 and lone surrogate escapes are repaired; only what is still not JSON then is an error.
  std::string repaired = repair_surrogates(to_valid_utf8(line));
  if (repaired == line) return parsed;
  return parse_json(repaired);
}

}  // namespace browx::mcp
