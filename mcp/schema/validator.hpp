#pragma once
// JSON Schema (the draft-07 subset that valijson understands) checked before a handler sees anything.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace browx::mcp {

/// The first thing that does not fit.
struct Misfit {
  std::string pointer;   ///< JSON Pointer into the checked value; "" is the whole
  std::string expected;  ///< "one of \"left\", \"right\"", "an integer", "one of the parameters …"
  std::string error;     ///< one sentence
};

/// A compiled schema. Compiling costs a millisecond or so: done on first use. Thread: one at a time.
class Validator {
 public:
  /// `schema` must be valid: it is ours (BROWX_CHECK).
  explicit Validator(Json schema);
  ~Validator();
  Validator(Validator&&) noexcept;
  Validator& operator=(Validator&&) noexcept;

  std::optional<Misfit> check(const Json& value);
  const Json& schema() const { return schema_; }

 private:
  struct Compiled;
  Json schema_;
  std::unique_ptr<Compiled> compiled_;
};

/// Makes `value` ready to be checked against `schema`: 1.0 becomes 1 where an integer is wanted, and limits
/// (the parameters named in normalize.cpp) above their maximum are clamped. Answers one warning for each
/// clamp.
std::vector<std::string> normalize(Json& value, const Json& schema);

/// The subschema that describes the value at `pointer`, through `properties` and `items`; null when there is
/// none.
const Json& schema_at(const Json& schema, std::string_view pointer);

/// "a string", "an integer from 1 to 500", "one of \"a\", \"b\"".
std::string describe_schema(const Json& schema);

/// A key as one JSON Pointer token ("~" and "/" escaped).
std::string pointer_token(std::string_view key);

}  // namespace browx::mcp
