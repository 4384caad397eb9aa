#pragma once
// The pure half of MCP: which era a message belongs to, what is wrong with it, and the shape of what is
// answered. One server speaks two eras: modern (2026-07-28, every request carries its version and
// capabilities) and legacy (2025-11-25, 2025-06-18, 2025-03-26, which begin with a handshake). Thread: any;
// plain values and functions.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace browx::mcp {

inline constexpr std::string_view kModernVersion = "2026-07-28";
/// Newest first; the first is what an unknown version is answered with.
inline constexpr std::array<std::string_view, 3> kLegacyVersions{"2025-11-25", "2025-06-18", "2025-03-26"};

inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaServerInfo = "io.modelcontextprotocol/serverInfo";

enum class Era { modern, legacy };

/// JSON-RPC and MCP error codes.
enum class RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,  ///< legacy only
  unsupported_version = -32022,
};

struct RpcError {
  RpcCode code = RpcCode::internal_error;
  std::string message;
  Json data{};  ///< null: none
};

/// What a legacy `initialize` settled, for one stdio process (or one HTTP session).
struct Handshake {
  std::string version;  ///< empty: none yet
  bool done() const { return !version.empty(); }
};

/// One message, understood as far as its envelope.
struct Incoming {
  enum class Kind { request, notification, response, invalid };
  Kind kind = Kind::invalid;
  Era era = Era::legacy;
  Json id;  ///< string or integer; null when there is none that can be read
  std::string method;
  Json params = Json::object();  ///< always an object
  RpcError error{};              ///< when kind is invalid: what to answer
};

/// Decides the era from the body alone and checks the envelope. `message` is not an array.
Incoming classify(const Json& message, const Handshake& handshake);

/// True when a JSON array of messages must be served: only a peer that negotiated 2025-03-26 may batch.
bool may_batch(const Handshake& handshake);

/// The version to answer a legacy `initialize` with.
std::string negotiate(std::string_view requested);

/// A whole response. `id` null leaves the member out, except towards a legacy peer that finished its
/// handshake, which gets `id: null`.
OrderedJson result_message(const Json& id, OrderedJson result);
OrderedJson error_message(const Json& id, const RpcError& error, const Handshake& handshake);

/// Adds what the era wants to a result: `resultType`, `_meta` with the server's identity and, for the
/// cacheable methods, `ttlMs` and `cacheScope` (modern); nothing for legacy peers, whose older versions lose
/// newer keys.
OrderedJson dress_result(Era era, std::string_view legacy_version, std::string_view method,
                         OrderedJson result);

/// {"name":"browx","version":…}.
OrderedJson server_info();

/// The `notifications/progress` of a token.
OrderedJson progress_message(const Json& token, double progress, std::optional<double> total,
                             const std::string& message);

/// The parsed line, its UTF-8 and lone surrogates repaired when it needs it. Error `corrupt`.
Result<Json> parse_line(std::string_view line);

/// Map key of a request id: 1 and "1" are different.
std::string id_key(const Json& id);
bool is_id(const Json& value);

}  // namespace browx::mcp
