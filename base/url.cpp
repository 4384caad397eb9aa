#include "base/url.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/json.hpp"

namespace browx {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}
bool alpha(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

int default_port(std::string_view scheme) {
  if (scheme == "http" || scheme == "ws") return 80;
  if (scheme == "https" || scheme == "wss") return 443;
  return -1;
}
bool is_special(std::string_view scheme) { return default_port(scheme) > 0 || scheme == "file"; }

/// Length of "scheme" before its ':', 0 when there is none.
std::size_t scheme_size(std::string_view text) {
  if (text.empty() || !alpha(text[0])) return 0;
  std::size_t i = 1;
  while (i < text.size() &&
         (alpha(text[i]) || digit(text[i]) || text[i] == '+' || text[i] == '-' || text[i] == '.'))
    ++i;
  return i < text.size() && text[i] == ':' ? i : 0;
}

Error bad_url(std::string_view text, std::string_view why) {
  return {Code::invalid_argument,
          fmt::format("\"{}\" is no URL that a browser opens: {}", redact_url(to_valid_utf8(text)), why),
          "Give an absolute URL such as https://example.com/path"};
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// WHATWG's IPv4 parser: hexadecimal, octal and shortened forms name the same address. Not a number at the
/// end: the host is a name and comes back as it is; a number that is no address: nothing.
std::optional<std::string> canonical_ipv4(const std::string& host) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t dot = host.find('.', from);
    parts.push_back(host.substr(from, dot == std::string::npos ? dot : dot - from));
    if (dot == std::string::npos) break;
    from = dot + 1;
  }
  if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  const auto number = [](std::string_view part) -> std::optional<std::uint64_t> {
    int base = 10;
    if (part.starts_with("0x")) {
      base = 16;
      part.remove_prefix(2);
      if (part.empty()) return 0;
    } else if (part.size() > 1 && part[0] == '0') {
      base = 8;
      part.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
    if (part.empty() || error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    return value;
  };
  const std::string& last = parts.back();
  const bool digits_only = !last.empty() && std::all_of(last.begin(), last.end(), digit);
  if (!digits_only && !(last.starts_with("0x") && number(last))) return host;
  if (parts.size() > 4) return std::nullopt;
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto value = number(parts[i]);
    const bool is_last = i + 1 == parts.size();
    const std::uint64_t limit = is_last ? (std::uint64_t{1} << (8 * (5 - parts.size()))) : 256;
    if (!value || *value >= limit) return std::nullopt;
    address += is_last ? *value : *value << (8 * (3 - i));
  }
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

/// Where the parts of a URL lie in its text, for redaction that changes nothing else.
struct Cuts {
  std::size_t userinfo_from = 0, userinfo_to = 0;  // including '@'; equal: none
  std::size_t query = std::string_view::npos;      // the '?'
  std::size_t fragment = std::string_view::npos;   // the '#'
};

Cuts cuts_of(std::string_view url) {
  Cuts cuts;
  cuts.fragment = url.find('#');
  const std::string_view before = url.substr(0, cuts.fragment);
  cuts.query = before.find('?');
  const std::string_view head = before.substr(0, cuts.query);
  std::size_t from = head.find("//");
  if (const std::size_t scheme = scheme_size(url); scheme && is_special(lower(url.substr(0, scheme)))) {
    from = scheme + 1;
    while (from < head.size() && (head[from] == '/' || head[from] == '\\')) ++from;
  } else if (from != std::string_view::npos) {
    from += 2;
  }
  if (from == std::string_view::npos || from > head.size()) return cuts;
  const std::string_view authority = head.substr(from, head.find_first_of("/\\", from) - from);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    cuts.userinfo_from = from;
    cuts.userinfo_to = from + at + 1;
  }
  return cuts;
}

/// The answer for schemes whose text is content, not an address; nothing for the others.
std::optional<std::string> redact_content(std::string_view url) {
  const std::string scheme = lower(url.substr(0, scheme_size(url)));
  if (scheme == "data") return std::string(url.substr(0, url.find(','))) + "," + std::string(kEllipsis);
  if (scheme == "javascript") return "javascript:" + std::string(kEllipsis);
  return std::nullopt;
}

bool wildcard_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// A name with and without its final dot is one host.
std::string_view without_final_dot(std::string_view host) {
  if (host.size() > 1 && host.back() == '.') host.remove_suffix(1);
  return host;
}

bool matches(const OriginPattern& pattern, const Url& url) {
  if (pattern.scheme != url.scheme || !wildcard_match(pattern.host, without_final_dot(url.host)))
    return false;
  const int port = url.port < 0 ? default_port(url.scheme) : url.port;
  return pattern.port < 0 || pattern.port == port;
}

Result<std::vector<OriginPattern>> parse_patterns(std::string_view list) {
  std::vector<OriginPattern> out;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view entry = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!entry.empty() && blank(entry.front())) entry.remove_prefix(1);
    while (!entry.empty() && blank(entry.back())) entry.remove_suffix(1);
    if (entry.empty()) continue;
    const auto wrong = [&](std::string_view why) {
      return Error{Code::invalid_argument,
                   fmt::format("\"{}\" is no origin pattern: {}", to_valid_utf8(entry), why),
                   "Write scheme://host or scheme://host:port, with * for any characters of the host"};
    };
    OriginPattern pattern;
    const std::size_t scheme = scheme_size(entry);
    if (scheme == 0 || !entry.substr(scheme).starts_with("://")) return wrong("it has no scheme://");
    pattern.scheme = lower(entry.substr(0, scheme));
    std::string_view host = entry.substr(scheme + 3);
    if (!host.empty() && host.back() == '/') host.remove_suffix(1);
    if (host.find_first_of("/\\?#@ ") != std::string_view::npos) return wrong("more than an origin");
    const std::size_t colon =
        host.find(':', host.starts_with("[") ? std::min(host.find(']'), host.size()) : 0);
    if (colon != std::string_view::npos) {
      const std::string_view port = host.substr(colon + 1);
      const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), pattern.port);
      if (error != std::errc() || end != port.data() + port.size() || pattern.port < 1 ||
          pattern.port > 65535)
        return wrong("the port is no number from 1 to 65535");
      host = host.substr(0, colon);
    }
    pattern.host = std::string(without_final_dot(lower(host)));
    if (pattern.host.empty() && pattern.scheme != "file") return wrong("the host is empty");
    if (std::any_of(pattern.host.begin(), pattern.host.end(),
                    [](char c) { return static_cast<unsigned char>(c) > 127; }))
      return wrong("the host is not ASCII (write its xn-- form)");
    out.push_back(std::move(pattern));
  }
  return out;
}

}  // namespace

std::string Url::origin() const {
  if (!has_authority) return "null";
  std::string out = scheme + "://" + host;
  if (port >= 0) out += ":" + std::to_string(port);
  return out;
}

Result<Url> parse_url(std::string_view text) {
  const std::string_view given = text;
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  std::string kept(text);
  std::erase_if(kept, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  std::string_view rest = kept;

  Url url;
  const std::size_t scheme = scheme_size(rest);
  if (scheme == 0) return bad_url(given, "it has no scheme");
  url.scheme = lower(rest.substr(0, scheme));
  rest.remove_prefix(scheme + 1);
  if (const std::size_t hash = rest.find('#'); hash != std::string_view::npos) {
    url.has_fragment = true;
    url.fragment = std::string(rest.substr(hash + 1));
    rest = rest.substr(0, hash);
  }
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    url.has_query = true;
    url.query = std::string(rest.substr(mark + 1));
    rest = rest.substr(0, mark);
  }
  const bool special = is_special(url.scheme);
  const auto slash = [&](char c) { return c == '/' || (special && c == '\\'); };
  if (special && url.scheme != "file") {
    while (!rest.empty() && slash(rest[0])) rest.remove_prefix(1);
    url.has_authority = true;
  } else if (rest.size() >= 2 && slash(rest[0]) && slash(rest[1])) {
    rest.remove_prefix(2);
    url.has_authority = true;
  }
  if (url.has_authority) {
    const std::size_t end =
        static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), slash) - rest.begin());
    std::string_view authority = rest.substr(0, end);
    rest = rest.substr(end);
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
      url.userinfo = std::string(authority.substr(0, at));
      authority = authority.substr(at + 1);
    }
    const std::size_t bracket = authority.starts_with("[") ? authority.find(']') : 0;
    if (bracket == std::string_view::npos) return bad_url(given, "the IPv6 address has no ']'");
    if (const std::size_t colon = authority.find(':', bracket); colon != std::string_view::npos) {
      const std::string_view port = authority.substr(colon + 1);
      if (!port.empty()) {
        const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
        if (error != std::errc() || stop != port.data() + port.size() || url.port < 0 || url.port > 65535)
          return bad_url(given, "the port is no number up to 65535");
      }
      authority = authority.substr(0, colon);
    }
    if (url.port == default_port(url.scheme)) url.port = -1;
    url.host = lower(percent_decoded(authority));
    if (url.host.empty() && url.scheme != "file") return bad_url(given, "the host is empty");
    if (bracket != 0) {
      const std::string_view inside = std::string_view(url.host).substr(1, url.host.size() - 2);
      if (bracket + 1 != authority.size() || inside.find(':') == std::string_view::npos ||
          inside.find_first_not_of("0123456789abcdef:.") != std::string_view::npos)
        return bad_url(given, "the IPv6 address is malformed");
    } else if (special) {
      const bool forbidden = std::any_of(url.host.begin(), url.host.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' || byte == 127 ||
               std::string_view("#/:<>?@[\\]^|%").find(c) != std::string_view::npos;
      });
      if (forbidden) return bad_url(given, "the host has a character that no host may have");
      auto address = canonical_ipv4(url.host);
      if (!address) return bad_url(given, "the host is a number but no IPv4 address");
      url.host = std::move(*address);
    }
  }
  url.path = std::string(rest);
  if (special) std::replace(url.path.begin(), url.path.end(), '\\', '/');
  if (special && url.path.empty()) url.path = "/";
  return url;
}

std::string redact_url(std::string_view url) {
  if (auto content = redact_content(url)) return *content;
  const Cuts cuts = cuts_of(url);
  const std::size_t head = std::min({cuts.query, cuts.fragment, url.size()});
  std::string out(url.substr(0, cuts.userinfo_from));
  out += url.substr(cuts.userinfo_to, head - cuts.userinfo_to);
  if (cuts.query != std::string_view::npos) out.append("?").append(kEllipsis);
  if (cuts.fragment != std::string_view::npos) out.append("#").append(kEllipsis);
  return out;
}

std::string redact_url_values(std::string_view url) {
  if (auto content = redact_content(url)) return *content;
  const Cuts cuts = cuts_of(url);
  if (cuts.query == std::string_view::npos) return redact_url(url);
  std::string out(url.substr(0, cuts.userinfo_from));
  out += url.substr(cuts.userinfo_to, cuts.query + 1 - cuts.userinfo_to);
  std::string_view query = url.substr(cuts.query + 1, std::min(cuts.fragment, url.size()) - cuts.query - 1);
  while (true) {
    const std::size_t end = query.find_first_of("&;");
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = pair.find('=');
    // Without '=' there is no telling a flag from a token; a short word passes as a flag.
    if (equals != std::string_view::npos)
      out.append(pair.substr(0, equals + 1)).append(kEllipsis);
    else if (pair.size() <= 20)
      out += pair;
    else
      out += kEllipsis;
    if (end == std::string_view::npos) break;
    out += query[end];
    query.remove_prefix(end + 1);
  }
  if (cuts.fragment != std::string_view::npos) out.append("#").append(kEllipsis);
  return out;
}

Result<OriginPolicy> OriginPolicy::parse(std::string_view allowed, std::string_view blocked) {
  auto allow = parse_patterns(allowed);
  if (!allow) return std::move(allow).error();
  auto block = parse_patterns(blocked);
  if (!block) return std::move(block).error();
  OriginPolicy policy;
  policy.allowed_ = std::move(allow).value();
  policy.blocked_ = std::move(block).value();
  return policy;
}

bool OriginPolicy::allows(std::string_view text) const {
  if (!restricts()) return true;
  auto parsed = parse_url(text);
  if (!parsed) return false;
  const Url& url = *parsed;
  if (url.scheme == "view-source") return allows(text.substr(text.find(':') + 1));
  for (const char* opaque : {"about", "data", "blob", "javascript", "chrome-error"})
    if (url.scheme == opaque) return true;
  // How a browser maps such a host to ASCII cannot be judged here; in its xn-- form it can.
  if (std::any_of(url.host.begin(), url.host.end(),
                  [](char c) { return static_cast<unsigned char>(c) > 127; }))
    return false;
  const auto in = [&](const std::vector<OriginPattern>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const OriginPattern& p) { return matches(p, url); });
  };
  if (in(blocked_)) return false;
  return allowed_.empty() || in(allowed_);
}

}  // namespace browx
