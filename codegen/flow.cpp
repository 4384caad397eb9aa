#include "codegen/flow.hpp"

#include <algorithm>

namespace browx::codegen {

std::string relative_url(const std::string& url, const std::string& base) {
  if (base.empty() || !url.starts_with(base)) return url;
  const std::string rest = url.substr(base.size());
  if (rest.empty()) return "/";
  if (rest.front() == '/') return rest;
  return rest.front() == '?' || rest.front() == '#' ? "/" + rest : url;
}

std::vector<Candidate> candidates_of(const Json& list) {
  std::vector<Candidate> out;
  if (!list.is_array()) return out;
  for (const auto& one : list) {
    Candidate candidate;
    candidate.kind = json_string(one, "kind");
    candidate.playwright = json_string(one, "playwright");
    candidate.selector = json_string(one, "selector");
    candidate.count = json_int(one, "count");
    candidate.index = json_int(one, "index", -1);
    candidate.stability = json_string(one, "stability", "low");
    candidate.scoped = json_bool(one, "scoped");
    out.push_back(std::move(candidate));
  }
  return out;
}

std::vector<std::string> split_secrets(std::string_view text, const std::vector<std::string>& secrets) {
  std::vector<std::string> parts{""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '<' ? text.find('>', at) : std::string_view::npos;
    const std::string name(end == std::string_view::npos ? std::string_view()
                                                         : text.substr(at + 1, end - at - 1));
    if (!name.empty() && std::find(secrets.begin(), secrets.end(), name) != secrets.end()) {
      parts.push_back(name);
      parts.emplace_back();
      at = end + 1;
    } else {
      parts.back() += text[at++];
    }
  }
  return parts;
}

}  // namespace browx::codegen
