#include "mcp/registry.hpp"

#include "base/check.hpp"
#include "core_tool_schemas/embedded.hpp"

namespace browx::mcp {

const Json& ToolEntry::spec() {
  if (spec_.is_null()) {
    Result<Json> parsed = parse_json(file_);
    BROWX_CHECK(parsed.ok());
    spec_ = *std::move(parsed);
  }
  return spec_;
}

const Json& ToolEntry::input_schema() { return json_member(spec(), "inputSchema"); }

std::string ToolEntry::capability() { return json_string(spec(), "capability"); }

Validator& ToolEntry::validator() {
  if (!validator_) validator_ = std::make_unique<Validator>(input_schema());
  return *validator_;
}

OrderedJson ToolEntry::listing() const {
  OrderedJson listing = OrderedJson::parse(file_, nullptr, false);
  BROWX_CHECK(listing.is_object());
  listing.erase("capability");
  return listing;
}

Registry::Registry(const Options& options) {
  for (const Tool& tool : core_tools()) {
    if (!options.serves(tool.name, "core")) continue;
    const std::string_view file = core_schemas::embedded_file(std::string(tool.name) + ".json");
    BROWX_CHECK(!file.empty());
    entries_.emplace_back(tool, file);
  }
}

ToolEntry* Registry::find(std::string_view name) {
  for (ToolEntry& entry : entries_)
    if (entry.tool().name == name) return &entry;
  return nullptr;
}

}  // namespace browx::mcp
