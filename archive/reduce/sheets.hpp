#pragma once
// Style sheets of a document: those of elements, which live on their nodes, and adopted ones, which have ids
// of their own. Private to this folder.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "archive/dom.hpp"
#include "archive/reduce/read.hpp"

namespace browx::archive {

struct AdoptedSheets {
  std::unordered_map<std::int64_t, std::vector<std::string>> rules;
  std::vector<std::int64_t> of_document;
};

/// The rules of an element's sheet, split from its text when nobody asked before.
std::vector<std::string>& rules_of(Node& owner);

/// The children of a style element are about to change, so its sheet will be parsed anew: what was only in
/// the object model is lost, what a recorder had moved out of its text nodes goes back into them.
void text_will_change(Node& style);

/// StyleSheetRule and StyleDeclaration events on the sheet's rules. Errors name the reason to count.
Status change_rules(std::vector<std::string>& rules, JsonValue data);
Status change_declaration(std::vector<std::string>& rules, JsonValue data);

/// AdoptedStyleSheet on `owner`, a document or a host.
Status adopt(AdoptedSheets& sheets, Node& owner, JsonValue data);

}  // namespace browx::archive
