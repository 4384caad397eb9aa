#include "codegen/names.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/secrets.hpp"
#include "codegen/expression.hpp"

namespace browx::codegen {
namespace {

/// Letters and digits of `text` in lower case, words joined by '_'; bounded.
std::string slug(std::string_view text) {
  std::string out;
  for (const unsigned char c : text) {
    if (c < 0x80 && std::isalnum(c))
      out += static_cast<char>(std::tolower(c));
    else if (!out.empty() && out.back() != '_')
      out += '_';
    if (out.size() >= 40) break;
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

/// "button_sign_in": role and name where there is a role candidate, else the kind and its text.
std::string wanted_name(const std::vector<Candidate>& candidates, const Candidate& best) {
  for (const auto& candidate : candidates) {
    if (candidate.kind != "role") continue;
    const auto chain = parse_chain(candidate.playwright);
    if (!chain) continue;
    // The innermost role: what is around it is context.
    for (auto call = chain->rbegin(); call != chain->rend(); ++call) {
      if (call->method != "getByRole" || call->arguments.empty()) continue;
      std::string name = slug(call->arguments.front().text);
      if (call->arguments.size() > 1)
        for (const auto& [key, value] : call->arguments[1].members)
          if (const std::string text = slug(value.text); key == "name" && !text.empty()) name += "_" + text;
      if (!name.empty()) return name;
    }
  }
  const std::string text = slug(best.selector), kind = slug(best.kind);
  const std::string name = text.starts_with(kind) || kind.empty() ? text : kind + "_" + text;
  return name.empty() ? "element" : name;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::string why_not_high(const Candidate& best) {
  if (best.stability == "high") return {};
  if (best.count > 1) return fmt::format("it matches {} elements", best.count);
  if (best.scoped) return "its name repeats; it is found inside its container";
  if (best.kind == "css")
    return best.stability == "low" ? "only its place in the page tells it apart"
                                   : "it has no name, only an id";
  return fmt::format("it is found by its {} alone", best.kind);
}

std::size_t LocatorNames::of(const std::vector<Candidate>& candidates, const Candidate& best,
                             const std::string& frame_url) {
  for (std::size_t i = 0; i < list_.size(); ++i)
    if (list_[i].best.selector == best.selector && list_[i].frame_url == frame_url) return i;
  list_.push_back({unique(wanted_name(candidates, best)), best, frame_url, why_not_high(best)});
  return list_.size() - 1;
}

std::string LocatorNames::unique(const std::string& wanted) {
  const std::string stem =
      std::isalpha(static_cast<unsigned char>(wanted.front())) ? wanted : "element_" + wanted;
  std::string name = stem;
  for (int n = 2; taken_.contains(name); ++n) name = fmt::format("{}_{}", stem, n);
  taken_.insert(name);
  return name;
}

void SecretNames::use(const std::string& name) {
  if (std::find(used_.begin(), used_.end(), name) == used_.end()) used_.push_back(name);
}

void SecretNames::replace(Json& value, const std::string& locator) {
  if (value.is_structured()) {
    for (auto& item : value) replace(item, locator);
    return;
  }
  if (!value.is_string()) return;
  auto text = value.get<std::string>();
  const std::string own = "BROWX_" + (locator.empty() ? std::string("SECRET") : upper(locator));
  for (std::size_t at = text.find(kMaskedValue); at != std::string::npos; at = text.find(kMaskedValue, at)) {
    text.replace(at, kMaskedValue.size(), "<" + own + ">");
    at += own.size() + 2;
    use(own);
  }
  for (const auto& name : registered_)
    if (text.find("<" + name + ">") != std::string::npos) use(name);
  value = text;
}

}  // namespace browx::codegen
