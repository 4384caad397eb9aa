#include "mcp/arguments.hpp"

#include "base/check.hpp"

namespace browx::mcp {

const Json& Arguments::get(std::string_view name) const {
  BROWX_CHECK(json_member(*schema_, "properties").contains(std::string(name)));
  return json_member(*values_, name);
}

bool Arguments::has(std::string_view name) const { return !get(name).is_null(); }

std::string Arguments::text(std::string_view name, std::string_view fallback) const {
  const Json& value = get(name);
  return value.is_string() ? value.get<std::string>() : std::string(fallback);
}

std::optional<std::string> Arguments::optional_text(std::string_view name) const {
  const Json& value = get(name);
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t fallback) const {
  return optional_integer(name).value_or(fallback);
}

std::optional<std::int64_t> Arguments::optional_integer(std::string_view name) const {
  const Json& value = get(name);
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

double Arguments::number(std::string_view name, double fallback) const {
  const Json& value = get(name);
  return value.is_number() ? value.get<double>() : fallback;
}

bool Arguments::flag(std::string_view name, bool fallback) const {
  const Json& value = get(name);
  return value.is_boolean() ? value.get<bool>() : fallback;
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  std::vector<std::string> out;
  const Json& value = get(name);
  if (value.is_array())
    for (const Json& item : value)
      if (item.is_string()) out.push_back(item.get<std::string>());
  return out;
}

Arguments Arguments::object(std::string_view name) const {
  return {get(name), json_member(json_member(*schema_, "properties"), name)};
}

std::vector<Arguments> Arguments::objects(std::string_view name) const {
  std::vector<Arguments> out;
  const Json& value = get(name);
  if (!value.is_array()) return out;
  const Json& items = json_member(json_member(json_member(*schema_, "properties"), name), "items");
  for (const Json& item : value) out.emplace_back(item, items);
  return out;
}

const Json& Arguments::raw(std::string_view name) const { return get(name); }

std::optional<Misfit> check_target(const Arguments& arguments, TargetUse use,
                                   std::vector<std::string_view> others) {
  std::vector<std::string_view> keys{"ref", "selector", "named", "coords"};
  keys.insert(keys.end(), others.begin(), others.end());
  std::string given, names;
  int count = 0;
  for (const std::string_view key : keys) {
    names += (names.empty() ? "" : ", ") + std::string(key);
    if (!arguments.has(key)) continue;
    given += (given.empty() ? "" : " and ") + std::string(key);
    ++count;
  }
  if (count > 1) return Misfit{"", "exactly one of " + names, "Several targets given: " + given};
  if (count == 0 && use == TargetUse::required)
    return Misfit{"", "exactly one of " + names, "No target given"};
  if (arguments.has("contextRef") && !arguments.has("selector"))
    return Misfit{"/contextRef", "selector beside contextRef",
                  "contextRef scopes a selector, and none is given"};
  return std::nullopt;
}

std::optional<capture::Address> read_target(const Arguments& arguments) {
  capture::Address address;
  address.ref = arguments.optional_text("ref");
  address.selector = arguments.optional_text("selector");
  address.named = arguments.optional_text("named");
  if (arguments.has("coords")) {
    const Arguments coords = arguments.object("coords");
    address.coords = capture::Point{coords.number("x"), coords.number("y")};
  }
  address.context_ref = arguments.optional_text("contextRef");
  if (!address.ref && !address.selector && !address.named && !address.coords) return std::nullopt;
  return address;
}

}  // namespace browx::mcp
