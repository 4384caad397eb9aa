#include "codegen/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "codegen/text/typescript.hpp"

namespace browx::codegen {
namespace {

constexpr std::array<std::string_view, 14> kMethods{
    "getByRole",  "getByText",   "getByLabel",   "getByPlaceholder", "getByAltText",
    "getByTitle", "getByTestId", "locator",      "filter",           "nth",
    "first",      "last",        "contentFrame", "frameLocator"};

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

/// Recursive descent over one expression; every function answers false (or nothing) on anything unexpected.
class Parser {
 public:
  explicit Parser(std::string_view code) : code_(code) {}

  std::optional<Chain> chain() {
    Chain out;
    do {
      MethodCall call;
      if (!name(call.method)) return std::nullopt;
      if (std::find(kMethods.begin(), kMethods.end(), call.method) == kMethods.end()) return std::nullopt;
      if (!eat('(')) return std::nullopt;
      if (!eat(')')) {
        do {
          Literal literal;
          if (!value(literal, 0)) return std::nullopt;
          call.arguments.push_back(std::move(literal));
        } while (eat(','));
        if (!eat(')')) return std::nullopt;
      }
      out.push_back(std::move(call));
    } while (eat('.'));
    skip();
    if (at_ != code_.size()) return std::nullopt;
    return out;
  }

 private:
  void skip() {
    while (at_ < code_.size() && (code_[at_] == ' ' || code_[at_] == '\n')) ++at_;
  }
  bool eat(char c) {
    skip();
    if (at_ >= code_.size() || code_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool name(std::string& out) {
    skip();
    const std::size_t begin = at_;
    while (at_ < code_.size() && is_name_char(code_[at_])) ++at_;
    out = code_.substr(begin, at_ - begin);
    return !out.empty() && !std::isdigit(static_cast<unsigned char>(out.front()));
  }

  bool value(Literal& out, int depth) {
    skip();
    if (at_ >= code_.size() || depth > 4) return false;
    const char c = code_[at_];
    if (c == '\'' || c == '"') return string(out);
    if (c == '/') return regex(out);
    if (c == '{') return object(out, depth);
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-') {
      const std::size_t begin = at_++;
      while (at_ < code_.size() && std::isdigit(static_cast<unsigned char>(code_[at_]))) ++at_;
      out.kind = Literal::Kind::number;
      out.text = code_.substr(begin, at_ - begin);
      return out.text != "-";
    }
    out.kind = Literal::Kind::boolean;
    return name(out.text) && (out.text == "true" || out.text == "false");
  }

  bool string(Literal& out) {
    const char quote = code_[at_++];
    out.kind = Literal::Kind::text;
    while (at_ < code_.size()) {
      const char c = code_[at_++];
      if (c == quote) return true;
      if (c == '\n') return false;
      if (c != '\\') {
        out.text += c;
        continue;
      }
      if (at_ >= code_.size()) return false;
      switch (const char escaped = code_[at_++]) {
        case 'n':
          out.text += '\n';
          break;
        case 'r':
          out.text += '\r';
          break;
        case 't':
          out.text += '\t';
          break;
        case 'u': {
          char32_t point = 0;
          if (!unit(point)) return false;
          if (point >= 0xd800 && point <= 0xdbff && code_.substr(at_, 2) == "\\u") {
            const std::size_t mark = at_;
            at_ += 2;
            char32_t low = 0;
            if (!unit(low)) return false;
            if (low >= 0xdc00 && low <= 0xdfff)
              point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
            else
              at_ = mark;
          }
          append_utf8(out.text, point >= 0xd800 && point <= 0xdfff ? 0xfffd : point);
          break;
        }
        case '\'':
        case '"':
        case '\\':
        case '/':
        case '`':
          out.text += escaped;
          break;
        default:
          return false;
      }
    }
    return false;
  }

  bool unit(char32_t& out) {
    if (at_ + 4 > code_.size()) return false;
    out = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = code_[at_++];
      if (!std::isxdigit(static_cast<unsigned char>(c))) return false;
      out = out * 16 + static_cast<char32_t>(
                           std::isdigit(static_cast<unsigned char>(c)) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return true;
  }

  bool regex(Literal& out) {
    const std::size_t begin = at_++;
    bool in_class = false;
    for (; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\')
        ++at_;
      else if (c == '[')
        in_class = true;
      else if (c == ']')
        in_class = false;
      else if (c == '/' && !in_class)
        break;
    }
    if (at_ >= code_.size() || at_ == begin + 1) return false;
    ++at_;
    while (at_ < code_.size() && std::string_view("dgimsuvy").find(code_[at_]) != std::string_view::npos)
      ++at_;
    out.kind = Literal::Kind::regex;
    out.text = code_.substr(begin, at_ - begin);
    return out.text.find("\xE2\x80\xA8") == std::string::npos &&
           out.text.find("\xE2\x80\xA9") == std::string::npos;
  }

  bool object(Literal& out, int depth) {
    out.kind = Literal::Kind::object;
    ++at_;
    if (eat('}')) return true;
    do {
      std::pair<std::string, Literal> member;
      if (!name(member.first) || !eat(':') || !value(member.second, depth + 1)) return false;
      out.members.push_back(std::move(member));
    } while (eat(','));
    return eat('}');
  }

  std::string_view code_;
  std::size_t at_ = 0;
};

std::string literal_code(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::text:
      return ts_single_quoted(literal.text);
    case Literal::Kind::object: {
      if (literal.members.empty()) return "{}";
      std::string out = "{ ";
      for (const auto& [key, value] : literal.members)
        out += (out.size() > 2 ? ", " : "") + key + ": " + literal_code(value);
      return out + " }";
    }
    default:
      return literal.text;
  }
}

const Literal* member(const Literal& object, std::string_view key) {
  for (const auto& [name, value] : object.members)
    if (name == key) return &value;
  return nullptr;
}

/// Lower case, white space collapsed.
std::string folded(std::string_view text) {
  std::string out;
  for (const unsigned char c : text) {
    if (std::isspace(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += static_cast<char>(std::tolower(c));
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

bool literal_mentions(const Literal& literal, const std::string& wanted) {
  if (literal.kind == Literal::Kind::text || literal.kind == Literal::Kind::regex)
    return folded(literal.text).find(wanted) != std::string::npos;
  return std::any_of(literal.members.begin(), literal.members.end(),
                     [&](const auto& one) { return literal_mentions(one.second, wanted); });
}

/// `[data-cy="save"]` and nothing else: attribute and value.
std::optional<std::pair<std::string, std::string>> attribute_selector(const std::string& css) {
  const std::size_t equals = css.find("=\"");
  if (css.size() < 6 || css.front() != '[' || !css.ends_with("\"]") || equals == std::string::npos)
    return std::nullopt;
  const std::string attribute = css.substr(1, equals - 1);
  if (!std::all_of(attribute.begin(), attribute.end(), [](char c) { return is_name_char(c) || c == '-'; }))
    return std::nullopt;
  std::string value;
  for (std::size_t at = equals + 2; at < css.size() - 2; ++at) {
    if (css[at] == '"') return std::nullopt;
    if (css[at] == '\\') {
      ++at;
      if (css.compare(at, 2, "a ") == 0) {
        value += '\n';
        ++at;
        continue;
      }
    }
    value += css[at];
  }
  return std::pair(attribute, value);
}

}  // namespace

std::optional<std::pair<std::string, std::string>> test_id_of(const MethodCall& call) {
  if (call.arguments.size() != 1 || call.arguments.front().kind != Literal::Kind::text) return std::nullopt;
  const std::string& value = call.arguments.front().text;
  if (call.method == "getByTestId") return std::pair(std::string("data-testid"), value);
  if (call.method != "locator") return std::nullopt;
  auto attribute = attribute_selector(value);
  return attribute && attribute->first.starts_with("data-") ? attribute : std::nullopt;
}

namespace {

Json component(const MethodCall& call) {
  const std::string value = call.arguments.empty() ? std::string() : call.arguments.front().text;
  const Literal* options = nullptr;
  for (const auto& argument : call.arguments)
    if (argument.kind == Literal::Kind::object) options = &argument;
  const auto option = [&](std::string_view key) { return options ? member(*options, key) : nullptr; };
  Json out;
  if (call.method == "getByRole") {
    out = {{"kind", "role"}, {"value", value}};
    if (const Literal* name = option("name")) out["name"] = name->text;
  } else if (const auto test_id = test_id_of(call)) {
    out = {{"kind", "testid"}, {"value", test_id->second}, {"attribute", test_id->first}};
  } else if (call.method == "locator" || call.method == "frameLocator") {
    out = {{"kind", "css"}, {"value", value}};
  } else if (call.method == "filter") {
    const Literal* text = option("hasText");
    out = {{"kind", "filter"}, {"value", text ? text->text : std::string()}};
  } else if (call.method == "nth") {
    out = {{"kind", "nth"}, {"value", value}};
  } else if (call.method.starts_with("getBy")) {
    std::string kind = call.method.substr(5);
    if (kind == "AltText") kind = "alt";
    std::transform(kind.begin(), kind.end(), kind.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    out = {{"kind", kind}, {"value", value}};
  } else {
    out = {{"kind", call.method}, {"value", value}};
  }
  if (const Literal* exact = option("exact")) out["exact"] = exact->text == "true";
  return out;
}

}  // namespace

Literal text_literal(std::string text) { return {Literal::Kind::text, std::move(text), {}}; }
Literal number_literal(std::int64_t number) { return {Literal::Kind::number, std::to_string(number), {}}; }
Literal flag_literal(bool value) { return {Literal::Kind::boolean, value ? "true" : "false", {}}; }
Literal object_literal(std::vector<std::pair<std::string, Literal>> members) {
  return {Literal::Kind::object, {}, std::move(members)};
}

std::optional<Chain> parse_chain(std::string_view code) { return Parser(code).chain(); }

std::string chain_code(const Chain& chain) {
  std::string out;
  for (const auto& call : chain) {
    out += (out.empty() ? "" : ".") + call.method + "(";
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      out += (i ? ", " : "") + literal_code(call.arguments[i]);
    out += ")";
  }
  return out;
}

Json chain_components(const Chain& chain) {
  Json out = Json::array();
  for (const auto& call : chain) out.push_back(component(call));
  return out;
}

bool mentions(const Chain& chain, std::string_view text) {
  const std::string wanted = folded(text);
  if (wanted.empty()) return false;
  return std::any_of(chain.begin(), chain.end(), [&](const MethodCall& call) {
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [&](const Literal& literal) { return literal_mentions(literal, wanted); });
  });
}

Chain chain_of_selector(const std::string& selector) {
  // role=button, role=button[name="Save"]: everything else is left to Playwright's own selector engines.
  if (selector.starts_with("role=")) {
    std::size_t end = 5;
    while (end < selector.size() && (std::islower(static_cast<unsigned char>(selector[end])))) ++end;
    const std::string role = selector.substr(5, end - 5), rest = selector.substr(end);
    if (!role.empty() && rest.empty()) return {{"getByRole", {text_literal(role)}}};
    if (!role.empty() && rest.starts_with("[name="))
      if (const auto named = attribute_selector(rest); named && named->first == "name")
        return {{"getByRole",
                 {text_literal(role),
                  object_literal({{"name", text_literal(named->second)}, {"exact", flag_literal(true)}})}}};
  }
  return {{"locator", {text_literal(selector)}}};
}

}  // namespace browx::codegen
