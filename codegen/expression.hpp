#pragma once
// Playwright's locator expressions as values: read from the code that a page's candidates hold, written in
// any form. What is not a chain of known methods with literal arguments is refused, so that no foreign code
// gets into a file. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace browx::codegen {

/// A literal argument.
struct Literal {
  enum class Kind { text, number, boolean, regex, object };
  Kind kind = Kind::text;
  std::string text;  ///< the string itself; the digits; "true"; "/pattern/flags"
  std::vector<std::pair<std::string, Literal>> members;  ///< of an object
};

/// One call of a chain: getByRole('button', { name: 'Save' }).
struct MethodCall {
  std::string method;
  std::vector<Literal> arguments;
};
using Chain = std::vector<MethodCall>;

Literal text_literal(std::string text);
Literal number_literal(std::int64_t number);
Literal flag_literal(bool value);
Literal object_literal(std::vector<std::pair<std::string, Literal>> members);

/// Reads "getByRole('row', { name: 'Ada' }).getByText('x')". Nothing when it is anything else.
std::optional<Chain> parse_chain(std::string_view code);

/// Single-quoted, as one pastes it: "getByRole('button', { name: 'O\'Brien' })".
std::string chain_code(const Chain& chain);

/// The chain's parts as generate_locator tells them: [{kind, value, name?, attribute?}].
Json chain_components(const Chain& chain);

/// True when a text that the chain looks for contains `text` (white space and case aside).
bool mentions(const Chain& chain, std::string_view text);

/// Attribute and value of locator('[data-cy="save"]') and of getByTestId('save'); nothing for any other call.
std::optional<std::pair<std::string, std::string>> test_id_of(const MethodCall& call);

/// A selector that a person gave, as a chain: `role=button[name="Save"]` becomes getByRole, the rest
/// locator().
Chain chain_of_selector(const std::string& selector);

}  // namespace browx::codegen
