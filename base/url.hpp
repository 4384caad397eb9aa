#pragma once
// URLs: what may be shown of them, and where a page may go.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace browx {

struct Url {
  std::string scheme;  ///< lower case, without ':'
  std::string userinfo;
  std::string host;  ///< lower case; IPv6 in brackets
  int port = -1;     ///< -1: the scheme's default
  std::string path, query, fragment;
  bool has_query = false, has_fragment = false, has_authority = false;
  /// "scheme://host[:port]" without a default port; "null" for schemes without an authority.
  std::string origin() const;
};

/// Splits an absolute URL as WHATWG would for http, https, ws, wss, file, data, blob, about, chrome. Error
/// `invalid_argument` for what no browser would open (no scheme, empty host, bad port).
Result<Url> parse_url(std::string_view text);

/// For answers and logs: userinfo dropped, a query becomes "?…", a fragment "#…"; data: URLs keep their media
/// type only ("data:image/png,…").
std::string redact_url(std::string_view url);
/// For `replay` archives: the query's keys stay, every value becomes "…" (so does a part without `=` of more
/// than 20 characters: a token, not a flag); userinfo and fragment as redact_url().
std::string redact_url_values(std::string_view url);

/// One entry of BROWX_ALLOWED_ORIGINS / BROWX_BLOCKED_ORIGINS: scheme://host[:port], `*` in the host matches
/// any run of characters, no port means any port.
struct OriginPattern {
  std::string scheme, host;
  int port = -1;
};

/// Where pages may go. Blocked wins; an empty allow list allows every origin. Opaque schemes (about:, data:,
/// blob:) are judged by their creator and pass here. Thread: any; a value.
class OriginPolicy {
 public:
  /// Comma-separated lists. Error `invalid_argument` naming the entry that is wrong.
  static Result<OriginPolicy> parse(std::string_view allowed, std::string_view blocked);
  bool allows(std::string_view url) const;
  bool restricts() const { return !allowed_.empty() || !blocked_.empty(); }

 private:
  std::vector<OriginPattern> allowed_, blocked_;
};

}  // namespace browx
