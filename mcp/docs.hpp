#pragma once
// docs/tools.md, printed from the schema files and the table of codes.

#include <string>

namespace browx::mcp {

std::string tools_markdown();

}  // namespace browx::mcp
