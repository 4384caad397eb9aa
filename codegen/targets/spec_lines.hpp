#pragma once
// The lines of a TypeScript file that is being written. Private to this folder.

#include <string>
#include <string_view>

#include "codegen/text/typescript.hpp"

namespace browx::codegen {

class SpecLines {
 public:
  void blank() { out_ += "\n"; }
  /// A line as it is; the caller knows that prettier leaves it alone.
  void raw(std::string_view line) { out_ += pad() + std::string(line) + "\n"; }
  void comment(std::string_view text) { raw("// " + ts_comment(text)); }
  /// `before` + the expression + `after`, laid out in the width.
  void statement(std::string_view before, const Code& code, std::string_view after = ";") {
    const DocPtr doc = doc_concat({doc_text(std::string(before)), code.doc, doc_text(std::string(after))});
    out_ += pad() + print_doc(doc, kPrintWidth, indent_, indent_) + "\n";
  }
  /// A line that opens a block, and the one that ends it.
  void open(std::string_view line) {
    raw(line);
    indent_ += 2;
  }
  void close(std::string_view line) {
    indent_ -= 2;
    raw(line);
  }
  int indent() const { return indent_; }
  bool fits(std::string_view line) const { return indent_ + text_width(line) <= kPrintWidth; }
  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  std::string pad() const { return std::string(static_cast<std::size_t>(indent_), ' '); }
  std::string out_;
  int indent_ = 0;
};

/// The expression on one line, for a comment.
inline std::string one_line(const Code& code) { return print_doc(code.doc, 1 << 20, 0, 0); }

}  // namespace browx::codegen
