#pragma once
// Registered secrets and what becomes of them in every text that leaves the program.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace browx {

/// The text that stands where a password, one-time code or card number would.
inline constexpr std::string_view kMaskedValue = "[masked value]";

/// Named secrets of one session. A value of six or more characters is replaced by `<NAME>` wherever it
/// occurs, also URL-encoded (percent, and + for space), JSON-escaped (\" \\ \uXXXX), HTML-escaped and inside
/// base64 (all three alignments); longer values win over their substrings. Shorter values (PIN, CVC) are
/// replaced only by mask_short(). Thread: one; copies are cheap enough to hand to another thread.
class Secrets {
 public:
  /// `name`: [A-Za-z_][A-Za-z0-9_]*, up to 64 characters; `value` not empty. Registering a name again
  /// replaces it. Error `invalid_argument`.
  Status add(std::string name, std::string value);
  bool empty() const { return entries_.empty(); }
  std::vector<std::string> names() const;
  /// The value of `<NAME>`; empty when there is none.
  std::string_view value(std::string_view name) const;

  /// `text` with `<NAME>` of registered names replaced by their values (what typing tools do).
  std::string substitute(std::string_view text) const;
  /// True when substitute() would change `text`.
  bool has_reference(std::string_view text) const;

  /// `text` with every long value and its encoded forms replaced by `<NAME>`.
  std::string mask(std::string_view text) const;
  /// mask() applied to every string and key of `value`, in place.
  void mask_json(Json& value) const;
  /// Also the values under six characters; for the nodes changed by a field's own input only.
  std::string mask_short(std::string_view text) const;

 private:
  struct Entry {
    std::string name, value;
  };
  struct Needle {
    std::string text;
    std::size_t entry;
  };
  void rebuild();
  std::vector<Entry> entries_;
  std::vector<Needle> needles_;  // longest first
};

}  // namespace browx
