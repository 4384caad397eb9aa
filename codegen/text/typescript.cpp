#include "codegen/text/typescript.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/json.hpp"
#include "codegen/text/utf8.hpp"

namespace browx::codegen {
namespace {

std::string escaped(std::string_view raw, char quote) {
  const std::string text = to_valid_utf8(raw);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == '\\')
      out += "\\\\";
    else if (c == static_cast<unsigned char>(quote))
      (out += '\\') += quote;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (quote == '`' && c == '$' && text.substr(at, 1) == "{")
      out += "\\$";
    else if (needs_escape(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out.append(text, begin, at - begin);
  }
  return out;
}

std::string quoted(std::string_view text, char quote) { return quote + escaped(text, quote) + quote; }

/// Parentheses and arguments of a call.
DocPtr arguments_doc(const std::vector<Code>& arguments) {
  if (arguments.empty()) return doc_text("()");
  std::vector<DocPtr> items;
  for (const auto& argument : arguments) items.push_back(argument.doc);
  const DocPtr between = doc_concat({doc_text(","), doc_line()});
  const auto broken_out = [&](bool breaks) {
    return doc_group(
        doc_concat({doc_text("("), doc_indent(doc_concat({doc_soft_line(), doc_join(items, between)})),
                    doc_if_broken(doc_text(","), doc_text("")), doc_soft_line(), doc_text(")")}),
        breaks);
  };
  if (!arguments.back().hugs || (arguments.size() > 1 && arguments[arguments.size() - 2].hugs))
    return broken_out(false);
  const DocPtr last = items.back();
  const auto with_last = [&](const DocPtr& end) {
    std::vector<DocPtr> all(items.begin(), items.end() - 1);
    all.push_back(end);
    return doc_concat({doc_text("("), doc_join(all, doc_text(", ")), doc_text(")")});
  };
  return doc_states({with_last(last), with_last(doc_group(last, true)), broken_out(true)});
}

}  // namespace

std::string ts_single_quoted(std::string_view text) { return quoted(text, '\''); }

std::string ts_string(std::string_view text) {
  const auto singles = std::count(text.begin(), text.end(), '\''),
             doubles = std::count(text.begin(), text.end(), '"');
  return quoted(text, singles > doubles ? '"' : '\'');
}

std::string ts_template(const std::vector<std::string>& parts) {
  std::string out = "`";
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += i % 2 ? "${" + parts[i] + "}" : escaped(parts[i], '`');
  return out + "`";
}

std::string ts_value(const std::vector<std::string>& parts) {
  if (parts.size() == 1) return ts_string(parts.front());
  if (parts.size() == 3 && parts[0].empty() && parts[2].empty()) return "process.env." + parts[1] + "!";
  std::vector<std::string> named = parts;
  for (std::size_t i = 1; i < named.size(); i += 2) named[i] = "process.env." + named[i];
  return ts_template(named);
}

std::string ts_comment(std::string_view raw) {
  const std::string text = to_valid_utf8(raw);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == '\n' || c == '\r' || c == '\t')
      out += ' ';
    else if (needs_escape(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out.append(text, begin, at - begin);
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string ts_identifier(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kTaken{
      "page", "test", "expect", "context", "process", "new", "class", "delete", "in", "for", "if", "do"};
  std::string out;
  bool upper = false;
  for (const unsigned char c : text) {
    if (c < 0x80 && std::isalnum(c)) {
      out += static_cast<char>(upper && !out.empty() ? std::toupper(c) : out.empty() ? std::tolower(c) : c);
      upper = false;
    } else {
      upper = true;
    }
    if (out.size() >= 40) break;
  }
  if (out.empty()) out = "value";
  if (std::isdigit(static_cast<unsigned char>(out.front()))) out = "n" + out;
  if (std::find(kTaken.begin(), kTaken.end(), out) != kTaken.end()) out += "1";
  return out;
}

Code ts_raw(std::string text, bool simple) { return {doc_text(std::move(text)), simple, false}; }

Code ts_literal(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::text:
      return ts_raw(ts_string(literal.text));
    case Literal::Kind::regex: {
      const std::size_t end = literal.text.rfind('/');
      return ts_raw(literal.text, text_width(std::string_view(literal.text).substr(1, end - 1)) <= 5);
    }
    case Literal::Kind::object: {
      std::vector<std::pair<std::string, Code>> members;
      for (const auto& [key, value] : literal.members) members.emplace_back(key, ts_literal(value));
      return ts_object(members);
    }
    default:
      return ts_raw(literal.text);
  }
}

Code ts_object(const std::vector<std::pair<std::string, Code>>& members) {
  if (members.empty()) return ts_raw("{}");
  std::vector<DocPtr> items;
  bool simple = true;
  for (const auto& [key, value] : members) {
    items.push_back(doc_concat({doc_text(key + ": "), value.doc}));
    simple = simple && value.simple;
  }
  const DocPtr inside = doc_concat({doc_line(), doc_join(items, doc_concat({doc_text(","), doc_line()}))});
  return {doc_group(doc_concat({doc_text("{"), doc_indent(inside), doc_if_broken(doc_text(","), doc_text("")),
                                doc_line(), doc_text("}")})),
          simple, true};
}

Code ts_array(const std::vector<Code>& items) {
  if (items.empty()) return ts_raw("[]");
  std::vector<DocPtr> docs;
  bool simple = true;
  for (const auto& item : items) {
    docs.push_back(item.doc);
    simple = simple && item.simple;
  }
  const DocPtr inside =
      doc_concat({doc_soft_line(), doc_join(docs, doc_concat({doc_text(","), doc_line()}))});
  return {doc_group(doc_concat({doc_text("["), doc_indent(inside), doc_if_broken(doc_text(","), doc_text("")),
                                doc_soft_line(), doc_text("]")})),
          simple, true};
}

Code ts_chain(const std::string& head, const std::optional<std::vector<Code>>& head_arguments,
              const std::vector<Call>& calls) {
  DocPtr first = doc_text(head);
  bool all_simple = true;
  const auto look = [&](const std::vector<Code>& arguments) {
    for (const auto& argument : arguments) all_simple = all_simple && argument.simple;
  };
  if (head_arguments) {
    first = doc_concat({first, arguments_doc(*head_arguments)});
    look(*head_arguments);
  }
  std::vector<DocPtr> groups;
  for (const auto& call : calls) {
    groups.push_back(doc_concat({doc_text("." + call.method), arguments_doc(call.arguments)}));
    look(call.arguments);
  }
  std::vector<DocPtr> line{first};
  line.insert(line.end(), groups.begin(), groups.end());
  const DocPtr one_line = doc_concat(line);
  // As prettier's member chains: up to one call stays on the line of its object; three calls with arguments
  // that are not simple never share a line; else one line when it fits.
  if (groups.size() <= 1) return {doc_group(one_line), false, false};
  const DocPtr expanded =
      doc_concat({first, doc_indent(doc_concat({doc_hard_line(), doc_join(groups, doc_hard_line())}))});
  const std::size_t count = groups.size() + (head_arguments ? 1 : 0);
  if (count > 2 && !all_simple) return {doc_group(expanded), false, false};
  return {doc_states({one_line, expanded}), false, false};
}

std::vector<Call> ts_calls(const Chain& chain) {
  std::vector<Call> out;
  for (const auto& call : chain) {
    Call made{call.method, {}};
    for (const auto& argument : call.arguments) made.arguments.push_back(ts_literal(argument));
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace browx::codegen
