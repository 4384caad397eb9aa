#include "capture/reads/tree.hpp"

#include <algorithm>

namespace browx::capture {

std::vector<TreeRow> tree_rows(const Json& rows) {
  std::vector<TreeRow> out;
  if (!rows.is_array()) return out;
  out.reserve(rows.size());
  for (const auto& item : rows) {
    if (!item.is_array() || item.size() < 4 || !item[0].is_number() || !item[1].is_string() ||
        !item[2].is_string() || !item[3].is_number_integer())
      continue;
    TreeRow row;
    row.depth = std::clamp(item[0].get<int>(), 0, 500);
    row.role = item[1].get<std::string>();
    row.name = item[2].get<std::string>();
    row.element = item[3].get<std::int64_t>();
    if (item.size() > 4 && item[4].is_array())
      for (const auto& state : item[4])
        if (state.is_string()) row.states.push_back(state.get<std::string>());
    row.frame = item.size() > 5 && item[5].is_number() && item[5].get<int>() != 0;
    out.push_back(std::move(row));
  }
  return out;
}

std::string tree_line(const TreeRow& row, int base_depth, const std::string& ref) {
  std::string line(2 * static_cast<std::size_t>(std::max(0, row.depth + base_depth)), ' ');
  line += row.role;
  if (!row.name.empty()) line += " " + dump_json(Json(row.name));
  if (!ref.empty()) line += " [ref=" + ref + "]";
  for (const auto& state : row.states) line += " [" + state + "]";
  return line;
}

bool TreePrinter::add(const TreeRow& row, int base_depth, const std::string& ref) {
  if (!full_) {
    Line line{tree_line(row, base_depth, ref), ref};
    const std::size_t size = line.text.size() + 1;
    const bool fits = bytes_ + size <= max_bytes_ && (max_rows_ == 0 || lines_.size() < max_rows_);
    // The first row is always told, or nobody would ever get past it.
    if (fits || lines_.empty()) {
      bytes_ += size;
      lines_.push_back(std::move(line));
      return true;
    }
    skip(0);
  }
  ++left_;
  return false;
}

void TreePrinter::skip(std::int64_t rows) {
  left_ += rows;
  if (full_) return;
  full_ = true;
  while (!lines_.empty() && lines_.back().ref.empty()) {
    bytes_ -= lines_.back().text.size() + 1;
    lines_.pop_back();
    ++left_;
  }
}

std::size_t TreePrinter::bytes_left() const { return bytes_ < max_bytes_ ? max_bytes_ - bytes_ : 1; }

std::size_t TreePrinter::rows_left() const {
  if (max_rows_ == 0) return 0;
  return lines_.size() < max_rows_ ? max_rows_ - lines_.size() : 1;
}

std::string TreePrinter::text() const {
  std::string out;
  out.reserve(bytes_);
  for (const auto& line : lines_) {
    if (!out.empty()) out += '\n';
    out += line.text;
  }
  return out;
}

std::optional<std::pair<std::string, std::int64_t>> TreePrinter::more() const {
  if (!full_ || left_ == 0 || lines_.empty()) return std::nullopt;
  return std::pair(lines_.back().ref, left_);
}

}  // namespace browx::capture
