#pragma once
// What sensitive fields of the session's pages hold, as their recorders tell it, and the masking of it in
// everything that is not DOM (the recorders mask that themselves): requests, console lines, results.

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.hpp"
#include "base/secrets.hpp"
#include "capture/record/message.hpp"

namespace browx::capture {

/// Values are kept in memory only. Thread: the engine's.
class FieldValues {
 public:
  void told(const std::string& document, const RecorderMessage::Fields& fields);
  /// Its fields are gone; what they held stays masked.
  void document_ended(const std::string& document) { typing_.erase(document); }

  /// Whole values of six characters or more and their encoded forms; while a field is typed into, also every
  /// run of four or more characters of what it holds.
  std::string mask(std::string_view text) const;
  /// Whole values only: for DOM events, whose own document has masked the rest.
  std::string mask_whole(std::string_view text) const;
  /// A request's body: also parameters and JSON strings that are a value as a whole, however short.
  std::string mask_body(std::string_view body, std::string_view content_type) const;

  bool empty() const { return known_.empty() && typing_.empty(); }
  /// Texts that a picture must not show.
  std::vector<std::string> shown_texts() const;

 private:
  void learn(const std::string& value);
  bool is_value(const std::string& text) const;

  std::deque<std::string> known_;  // of any length, oldest first
  Secrets long_values_;
  std::size_t named_ = 0;
  std::unordered_map<std::string, std::vector<std::string>> typing_;  // document -> what is being typed there
};

/// `text` with every run of four or more consecutive characters (bytes) of one of `values` masked. Pure.
std::string mask_runs(std::string_view text, const std::vector<std::string>& values);

}  // namespace browx::capture
