#pragma once
// Pieces of TypeScript: literals of any content, and expressions laid out as prettier does (single quotes,
// two spaces, kPrintWidth columns). Pure.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/expression.hpp"
#include "codegen/text/doc.hpp"

namespace browx::codegen {

inline constexpr int kPrintWidth = 100;

/// Always in single quotes: 'O\'Brien'. What could be folded, reordered or end a line is escaped.
std::string ts_single_quoted(std::string_view text);
/// In the quotes that need fewer escapes: "O'Brien".
std::string ts_string(std::string_view text);
/// A template literal: text, expression, text, …
std::string ts_template(const std::vector<std::string>& parts);
/// `parts` as split_secrets() answers them: a string, process.env.NAME!, or a template of both.
std::string ts_value(const std::vector<std::string>& parts);
/// One line for a comment: nothing in it can end the comment or the line.
std::string ts_comment(std::string_view text);
/// Letters and digits of `text` in lowerCamelCase, never empty, never a reserved word.
std::string ts_identifier(std::string_view text);

/// An expression with what the layout of its surroundings depends on.
struct Code {
  DocPtr doc;
  bool simple = true;  ///< prettier's isSimpleCallArgument()
  bool hugs = false;   ///< an object or array: may stay on the line of its call's parenthesis
};

Code ts_raw(std::string text, bool simple = true);
Code ts_literal(const Literal& literal);
Code ts_object(const std::vector<std::pair<std::string, Code>>& members);
Code ts_array(const std::vector<Code>& items);

struct Call {
  std::string method;
  std::vector<Code> arguments;
};
/// head.method(…).method(…); `head_arguments` when the head is a call itself, as in expect(…).toBeVisible().
Code ts_chain(const std::string& head, const std::optional<std::vector<Code>>& head_arguments,
              const std::vector<Call>& calls);
std::vector<Call> ts_calls(const Chain& chain);

}  // namespace browx::codegen
