#pragma once
// Laying out code in a width: documents of text and possible line breaks, and the printer that chooses among
// them. The algorithm is Wadler's as prettier uses it (groups, and groups with several states), so that what
// is printed is what prettier would leave alone. Pure; thread: any.

#include <memory>
#include <string>
#include <vector>

namespace browx::codegen {

class Doc;
using DocPtr = std::shared_ptr<const Doc>;

/// One node of a document; made by the functions below.
class Doc {
 public:
  enum class Kind { text, concat, indent, group, line, soft_line, hard_line, if_broken };
  Kind kind = Kind::text;
  std::string text;
  std::vector<DocPtr>
      parts;  ///< of a concat; the content of an indent or group; broken and flat of if_broken
  std::vector<DocPtr> states;  ///< of a group with several: from the flattest to the most broken
  bool breaks = false;         ///< a group that must not stay on one line
};

DocPtr doc_text(std::string text);
DocPtr doc_concat(std::vector<DocPtr> parts);
DocPtr doc_indent(DocPtr content);
/// On one line when it fits (and nothing in it forces a break), else with all its own lines broken.
DocPtr doc_group(DocPtr content, bool breaks = false);
/// The first state that fits, else the last.
DocPtr doc_states(std::vector<DocPtr> states);
DocPtr doc_line();       ///< a space, or a break
DocPtr doc_soft_line();  ///< nothing, or a break
DocPtr doc_hard_line();  ///< always a break
DocPtr doc_if_broken(DocPtr broken, DocPtr flat);
DocPtr doc_join(const std::vector<DocPtr>& items, const DocPtr& between);
/// Something in it forces a break.
bool doc_breaks(const DocPtr& doc);

/// The text, indented by `indent` from its second line on; the first begins in column `column`.
std::string print_doc(const DocPtr& doc, int width, int indent, int column);

/// Columns that `text` takes in a fixed-width font.
int text_width(std::string_view text);

}  // namespace browx::codegen
