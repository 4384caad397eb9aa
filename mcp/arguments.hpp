#pragma once
// A tool's input as its handler sees it: typed, and only what the schema declares.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "capture/locator.hpp"
#include "mcp/schema/validator.hpp"

namespace browx::mcp {

/// A view of validated arguments beside the schema that they fit. Reading a name that the schema does not
/// declare is a bug (BROWX_CHECK), so that no parameter exists without its description. Thread: any. Both
/// references must live.
class Arguments {
 public:
  Arguments(const Json& values, const Json& schema) : values_(&values), schema_(&schema) {}

  bool has(std::string_view name) const;
  std::string text(std::string_view name, std::string_view fallback = {}) const;
  std::optional<std::string> optional_text(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback = 0) const;
  std::optional<std::int64_t> optional_integer(std::string_view name) const;
  double number(std::string_view name, double fallback = 0) const;
  bool flag(std::string_view name, bool fallback = false) const;
  std::vector<std::string> texts(std::string_view name) const;
  /// A nested object; an empty view when it is absent.
  Arguments object(std::string_view name) const;
  /// The items of an array of objects.
  std::vector<Arguments> objects(std::string_view name) const;
  /// A value whose inside the schema leaves open (storageState, batch's args); null when absent.
  const Json& raw(std::string_view name) const;
  const Json& values() const { return *values_; }

 private:
  const Json& get(std::string_view name) const;
  const Json* values_;
  const Json* schema_;
};

/// Whether a target must be there or may be there.
enum class TargetUse { required, optional };

/// What is wrong with the target keys: exactly one of ref, selector, named, coords (and `others`) must be
/// given, at most one when optional; contextRef only beside selector.
std::optional<Misfit> check_target(const Arguments& arguments, TargetUse use,
                                   std::vector<std::string_view> others = {});

/// The target that passed check_target(); nothing when none is given.
std::optional<capture::Address> read_target(const Arguments& arguments);

}  // namespace browx::mcp
