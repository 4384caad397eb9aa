#include "capture/drive/delta.hpp"

namespace browx::capture {

Tree tree_of_rows(const Json& rows, Frame& frame, Refs& refs, std::size_t max_bytes) {
  Tree out;
  if (!rows.is_array()) return out;
  for (const auto& row : rows) {
    if (!row.is_array() || row.size() < 4) continue;
    std::string line;
    if (row[0].is_number()) line.assign(2 * row[0].get<std::size_t>(), ' ');
    line += row[1].is_string() ? row[1].get<std::string>() : std::string("generic");
    if (row[2].is_string() && !row[2].get_ref<const std::string&>().empty()) line += " " + dump_json(row[2]);
    if (row[3].is_number_integer() && row[3].get<std::int64_t>() > 0)
      line += " [ref=" + refs.ref_of(frame, row[3].get<std::int64_t>()) + "]";
    if (row.size() > 4 && row[4].is_array())
      for (const auto& state : row[4])
        if (state.is_string()) line += " [" + state.get<std::string>() + "]";
    if (out.text.size() + line.size() + 1 > max_bytes) {
      out.truncated = true;
      break;
    }
    if (!out.text.empty()) out.text += '\n';
    out.text += line;
  }
  return out;
}

}  // namespace browx::capture
