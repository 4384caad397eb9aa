#pragma once
// The tools that this server serves, beside their schema files.

#include <memory>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "mcp/options.hpp"
#include "mcp/schema/validator.hpp"
#include "mcp/tool.hpp"

namespace browx::mcp {

/// A tool with its file, parsed on first use: the start of the program must not pay for it. Thread: one.
class ToolEntry {
 public:
  ToolEntry(const Tool& tool, std::string_view file) : tool_(&tool), file_(file) {}
  const Tool& tool() const { return *tool_; }
  const Json& spec();  ///< the whole file
  const Json& input_schema();
  std::string capability();
  Validator& validator();
  /// As tools/list shows it, members in the file's order.
  OrderedJson listing() const;

 private:
  const Tool* tool_;
  std::string_view file_;
  Json spec_;
  std::unique_ptr<Validator> validator_;
};

/// Thread: the engine's.
class Registry {
 public:
  explicit Registry(const Options& options);
  /// Null when there is none, or its toolset is off.
  ToolEntry* find(std::string_view name);
  std::vector<ToolEntry>& entries() { return entries_; }

 private:
  std::vector<ToolEntry> entries_;
};

}  // namespace browx::mcp
