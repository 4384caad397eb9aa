#pragma once
// The printed snapshot: rows of the page bundle become lines, the rows of child frames under their iframe,
// cut at a budget. Pure; thread: any.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace browx::capture {

/// One row of `walk` (capture/page/contract.md).
struct TreeRow {
  int depth = 0;
  std::string role, name;
  std::int64_t element = 0;  ///< 0: none
  std::vector<std::string> states;
  bool frame = false;  ///< a child frame may hang under it
};

/// Rows out of a walk's answer; what is not a row is left out.
std::vector<TreeRow> tree_rows(const Json& rows);

/// `role "name" [ref=e7] [state]…`, indented by two spaces a level.
std::string tree_line(const TreeRow& row, int base_depth, const std::string& ref);

/// Collects lines until one more would pass the budget. From then on lines are only counted.
class TreePrinter {
 public:
  TreePrinter(std::size_t max_bytes, std::size_t max_rows) : max_bytes_(max_bytes), max_rows_(max_rows) {}

  /// `ref`: empty for rows without an element. True when the line is in.
  bool add(const TreeRow& row, int base_depth, const std::string& ref);
  /// Rows that the page has and did not send.
  void skip(std::int64_t rows);
  bool full() const { return full_; }
  /// What a page may still send: at least 1.
  std::size_t bytes_left() const;
  /// 0 for no limit.
  std::size_t rows_left() const;

  /// The text without a final line end. A cut text ends with a row that has a ref, so that the next call goes
  /// on behind it and tells no row twice.
  std::string text() const;
  std::size_t rows() const { return lines_.size(); }
  /// The ref to go on behind, and how many rows are left; nothing when all is in.
  std::optional<std::pair<std::string, std::int64_t>> more() const;

 private:
  struct Line {
    std::string text, ref;
  };
  std::size_t max_bytes_, max_rows_;  // max_rows_ 0: no limit
  std::vector<Line> lines_;
  std::size_t bytes_ = 0;
  std::int64_t left_ = 0;
  bool full_ = false;
};

}  // namespace browx::capture
