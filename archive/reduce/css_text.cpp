#include "archive/reduce/css_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace browx::archive {
namespace {

constexpr bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool starts_with_url(std::string_view text, std::size_t at) {
  if (at + 4 > text.size() || lower(text[at]) != 'u' || lower(text[at + 1]) != 'r' ||
      lower(text[at + 2]) != 'l' || text[at + 3] != '(')
    return false;
  const char before = at ? text[at - 1] : ' ';
  return !(before == '-' || before == '_' || before == '\\' ||
           (lower(before) >= 'a' && lower(before) <= 'z') || (before >= '0' && before <= '9') ||
           static_cast<unsigned char>(before) >= 0x80);
}

/// Where the token that begins at `at` ends, for tokens that hide brackets; `at + 1` for everything else.
std::size_t past(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\\') return std::min(at + 2, text.size());
  if (c == '/' && at + 1 < text.size() && text[at + 1] == '*') {
    const auto end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  if (c == '"' || c == '\'') {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == c)
        return i + 1;
      else if (text[i] == '\n')
        return i;  // a bad string ends with its line
    }
    return text.size();
  }
  if ((c == 'u' || c == 'U') && starts_with_url(text, at)) {
    std::size_t i = at + 4;
    while (i < text.size() && space(text[i])) ++i;
    if (i < text.size() && (text[i] == '"' || text[i] == '\'')) return at + 3;  // a function like any other
    for (; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == ')')
        return i + 1;
    }
    return text.size();
  }
  return at + 1;
}

constexpr char closer(char c) { return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

/// What must follow `text` so that nothing in it stays open.
std::string closing(std::string_view text) {
  std::string open;
  std::string tail;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t end = past(text, i);
    if (end == i + 1) {
      if (closer(c))
        open += closer(c);
      else if (!open.empty() && c == open.back())
        open.pop_back();
    } else if (end == text.size()) {
      if (c == '/' && (text.size() < i + 4 || text.substr(text.size() - 2) != "*/"))
        tail = "*/";
      else if ((c == '"' || c == '\'') && (end == i + 1 || text.back() != c))
        tail = std::string(1, c);
      else if ((c == 'u' || c == 'U') && text.back() != ')')
        tail = ")";
    }
    i = end;
  }
  std::reverse(open.begin(), open.end());
  return tail + open;
}

/// First '{' outside brackets and its '}', or npos.
std::pair<std::size_t, std::size_t> block_of(std::string_view rule) {
  std::string open;
  std::size_t begin = std::string_view::npos;
  for (std::size_t i = 0; i < rule.size();) {
    const std::size_t end = past(rule, i);
    if (end == i + 1) {
      const char c = rule[i];
      if (c == '{' && open.empty()) begin = i;
      if (closer(c))
        open += closer(c);
      else if (!open.empty() && c == open.back()) {
        open.pop_back();
        if (open.empty() && c == '}' && begin != std::string_view::npos) return {begin, i};
      }
    }
    i = end;
  }
  return {std::string_view::npos, std::string_view::npos};
}

struct Declaration {
  std::string name, text;  ///< text: "name: value"
};

std::vector<Declaration> split_declarations(std::string_view text) {
  std::vector<Declaration> out;
  std::string open;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    const auto whole = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    const auto colon = whole.find(':');
    if (colon == std::string_view::npos) return;
    std::string name(trimmed(whole.substr(0, colon)));
    if (!name.starts_with("--")) std::transform(name.begin(), name.end(), name.begin(), lower);
    out.push_back({std::move(name), std::string(whole)});
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = past(text, i);
    if (end == i + 1) {
      const char c = text[i];
      if (closer(c))
        open += closer(c);
      else if (!open.empty() && c == open.back())
        open.pop_back();
      else if (c == ';' && open.empty())
        take(i);
    }
    i = end;
  }
  if (begin < text.size()) take(text.size());
  return out;
}

struct Shorthand {
  std::string_view name;
  std::string_view longhands;  ///< separated by spaces; empty: everything that begins with "name-"
};
// Shorthands whose longhands do not all begin with their name.
constexpr std::array kShorthands{
    Shorthand{"inset", "top right bottom left"},
    Shorthand{"gap", "row-gap column-gap"},
    Shorthand{"flex-flow", "flex-direction flex-wrap"},
    Shorthand{"font", "font-style font-variant font-weight font-stretch font-size line-height font-family"},
    Shorthand{"place-content", "align-content justify-content"},
    Shorthand{"place-items", "align-items justify-items"},
    Shorthand{"place-self", "align-self justify-self"},
    Shorthand{"columns", "column-width column-count"},
    Shorthand{"grid-area", "grid-row-start grid-column-start grid-row-end grid-column-end"},
    Shorthand{"border-width", "border-top-width border-right-width border-bottom-width border-left-width"},
    Shorthand{"border-style", "border-top-style border-right-style border-bottom-style border-left-style"},
    Shorthand{"border-color", "border-top-color border-right-color border-bottom-color border-left-color"},
    Shorthand{"border-radius",
              "border-top-left-radius border-top-right-radius border-bottom-right-radius "
              "border-bottom-left-radius"},
    Shorthand{"all", "*"},
};

bool covers(std::string_view shorthand, std::string_view longhand) {
  if (shorthand == longhand || longhand.starts_with("--")) return false;
  for (const auto& one : kShorthands) {
    if (one.name != shorthand) continue;
    if (one.longhands == "*") return true;
    for (std::string_view rest = one.longhands; !rest.empty();) {
      const auto end = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, end) == longhand) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }
  return longhand.size() > shorthand.size() + 1 && longhand.starts_with(shorthand) &&
         longhand[shorthand.size()] == '-';
}

}  // namespace

std::vector<std::string> split_rules(std::string_view text) {
  std::vector<std::string> out;
  std::size_t i = 0;
  while (i < text.size()) {
    if (space(text[i]))
      ++i;
    else if (text.substr(i, 2) == "/*")
      i = past(text, i);
    else if (text.substr(i, 4) == "<!--")
      i += 4;
    else if (text.substr(i, 3) == "-->")
      i += 3;
    else {
      const std::size_t begin = i;
      const bool at_rule = text[i] == '@';
      std::string open;
      bool closed = false;
      while (i < text.size() && !closed) {
        const std::size_t end = past(text, i);
        if (end == i + 1) {
          const char c = text[i];
          if (closer(c))
            open += closer(c);
          else if (!open.empty() && c == open.back()) {
            open.pop_back();
            closed = open.empty() && c == '}';
          } else if (at_rule && open.empty() && c == ';') {
            closed = true;
          }
        }
        i = end;
      }
      std::string rule(trimmed(text.substr(begin, i - begin)));
      if (!closed) {
        rule += closing(rule);
        const auto [first, last] = block_of(rule);
        if (first == std::string_view::npos) {
          if (!at_rule) continue;  // half a selector is no rule
          rule += ';';
        }
      }
      out.push_back(std::move(rule));
    }
  }
  return out;
}

Status at_rule_path(std::vector<std::string>& rules, std::span<const std::int64_t> path,
                    const std::function<Status(std::vector<std::string>&, std::size_t)>& change) {
  constexpr std::size_t kDeepest = 32;
  const auto nowhere = [] {
    return Error{Code::invalid_argument, "a path to a rule leads nowhere", "", "bad-rule-index"};
  };
  if (path.empty() || path.size() > kDeepest || path.front() < 0) return nowhere();
  const auto index = static_cast<std::size_t>(path.front());
  if (path.size() == 1) return change(rules, index);
  if (index >= rules.size()) return nowhere();
  std::string& rule = rules[index];
  const auto [begin, end] = block_of(rule);
  if (begin == std::string::npos) return nowhere();
  auto inner = split_rules(std::string_view(rule).substr(begin + 1, end - begin - 1));
  BROWX_TRY(at_rule_path(inner, path.subspan(1), change));
  std::string text = rule.substr(0, begin + 1);
  for (const auto& one : inner) text += ' ' + one;
  rule = text + " }";
  return {};
}

std::string with_property(std::string_view declarations, std::string_view property, std::string_view value,
                          bool important) {
  std::string name(property);
  if (!name.starts_with("--")) std::transform(name.begin(), name.end(), name.begin(), lower);
  auto all = split_declarations(declarations);
  std::erase_if(all, [&](const Declaration& one) { return one.name == name; });
  const bool covered =
      std::any_of(all.begin(), all.end(), [&](const Declaration& one) { return covers(one.name, name); });
  if (!value.empty())
    all.push_back({name, fmt::format("{}: {}{}", name, value, important ? " !important" : "")});
  else if (covered)
    // The shorthand goes on to set its other parts; this one is as if it were not there.
    all.push_back({name, name + ": revert-layer"});
  std::string out;
  for (const auto& one : all) out += (out.empty() ? "" : " ") + one.text + ";";
  return out;
}

Status set_in_rule(std::string& rule, std::string_view property, std::string_view value, bool important) {
  const auto [begin, end] = block_of(rule);
  if (begin == std::string::npos)
    return Error{Code::invalid_argument, "a rule without a block has no properties", "", "bad-rule-index"};
  const std::string inner =
      with_property(std::string_view(rule).substr(begin + 1, end - begin - 1), property, value, important);
  rule = rule.substr(0, begin + 1) + " " + inner + " }";
  return {};
}

std::string replace_urls(std::string_view text, const std::function<std::string(std::string_view)>& replace) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (!starts_with_url(text, i)) {
      const std::size_t end = past(text, i);
      i = end;
      continue;
    }
    std::size_t begin = i + 4;
    while (begin < text.size() && space(text[begin])) ++begin;
    const char quote =
        begin < text.size() && (text[begin] == '"' || text[begin] == '\'') ? text[begin] : '\0';
    std::size_t end = quote ? past(text, begin) : past(text, i);
    std::string_view url = quote ? text.substr(begin + 1, end - begin - (end > begin + 1 ? 2 : 1))
                                 : trimmed(text.substr(begin, end - begin - (end > begin ? 1 : 0)));
    std::size_t close = end;
    if (quote) {
      close = text.find(')', end);
      close = close == std::string_view::npos ? text.size() : close + 1;
    }
    if (!url.empty() && url.front() != '#' && !url.starts_with("data:")) {
      std::string by = replace(url);
      std::string safe;
      for (const char c : by) {
        if (c == '"' || c == '\\') safe += '\\';
        if (c != '\n' && c != '\r' && c != '\f') safe += c;
      }
      out += text.substr(copied, i - copied);
      out += "url(\"" + safe + "\")";
      copied = close;
    }
    i = std::max(close, i + 1);
  }
  out += text.substr(copied);
  return out;
}

std::string without_tags(std::string_view css) {
  std::string out;
  out.reserve(css.size());
  for (std::size_t i = 0; i < css.size();) {
    const std::size_t end = past(css, i);
    const bool hidden = end > i + 1;  // a string, comment or url: an escape means the same
    for (std::size_t at = i; at < end; ++at) {
      out += css[at];
      if (css[at] != '<') continue;
      const char next = at + 1 < css.size() ? css[at + 1] : ' ';
      if (next == ' ' || next == '=' || (next >= '0' && next <= '9')) continue;
      if (hidden)
        out.back() = '\\', out += "3c ";
      else
        out += ' ';
    }
    i = end;
  }
  return out;
}

}  // namespace browx::archive
