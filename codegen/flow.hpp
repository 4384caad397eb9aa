#pragma once
// A recording as a list of steps that can be done again: what every output language is printed from. Plain
// values; thread: any.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace browx::codegen {

/// One way to find an element, counted in its document at the moment of the step, under Playwright's rules.
struct Candidate {
  std::string kind;  ///< testid | role | label | placeholder | text | alt | title | css
  std::string
      playwright;        ///< "getByRole('button', { name: 'Save' })", without the page or frame it begins at
  std::string selector;  ///< the same as a selector, the flow YAML's selectorHint
  std::int64_t count = 0;   ///< matches in the document
  std::int64_t index = -1;  ///< which of the matches it was, from 0; -1: none of them
  std::string stability;    ///< high | medium | low
  bool scoped = false;      ///< found inside a named container
  bool unique() const { return count == 1 && index == 0; }
};

/// An element that steps speak of. Equal selectors in one frame are one locator.
struct Locator {
  std::string name;  ///< unique in the flow: "button_sign_in"
  Candidate best;
  std::string frame_url;  ///< of the child frame it is in, as recorded; empty in the main frame
  std::string reason;     ///< why the stability is not high
};

/// How a dialog that a step brought up was answered.
struct DialogAnswer {
  std::string type, message;
  bool accepted = false;
  std::string text;  ///< given to a prompt
};

/// What stands between the steps: a stretch under one label.
struct Span {
  std::string label;
  std::string title;  ///< its first annotation's copy
};

/// A tab. Index 0 is the one that the recording began in.
struct Page {
  /// The step (index into Flow::steps) whose action opened it.
  std::optional<std::size_t> opened_by;
};

enum class StepKind { action, read, assertion };

struct Step {
  std::string id;  ///< "click-4"
  StepKind kind = StepKind::action;
  std::string tool;
  /// The tool's own arguments. A masked value is `<NAME>` with NAME in Flow::secrets.
  Json arguments = Json::object();
  std::size_t page = 0;
  std::optional<std::size_t> locator;  ///< into Flow::locators
  std::vector<Candidate> candidates;   ///< of its target, best first, as counted then
  bool in_frame = false;
  std::vector<std::vector<Candidate>> frames;  ///< the frame elements around the target, from the outside in
  std::vector<DialogAnswer> dialogs;
  std::vector<std::string> downloads;  ///< suggested names
  std::vector<std::size_t> spans;      ///< into Flow::spans; open then, innermost last
  Json result = Json::object();        ///< what was seen afterwards
  bool ok = true;
  std::string error;
  bool retried = false;  ///< failed, and done again with success (set by normalise())
};

struct Viewport {
  int width = 0, height = 0;
};

struct Flow {
  std::string name;
  std::int64_t recorded_wall_ms = 0;
  std::string browx;      ///< version that recorded
  std::string base_url;   ///< origin of the first http(s) page; empty when there is none
  std::string start_url;  ///< where the first tab was when the recording began; empty for a blank one
  std::optional<Viewport> viewport;
  std::string locale, timezone;
  std::vector<std::string> secrets;  ///< names that values refer to, in order of use
  std::vector<Locator> locators;
  std::vector<Span> spans;
  std::vector<Page> pages;
  std::vector<Step> steps;
  std::string partial;  ///< why something is missing from the archive; empty when nothing is
};

/// Candidates as the page answers them and steps store them: [{kind, playwright, selector, count, index,
/// stability}].
std::vector<Candidate> candidates_of(const Json& list);

/// `url` without `base` when it lies there: "/login?x=1".
std::string relative_url(const std::string& url, const std::string& base);

/// `text` cut at the references to secrets: literal, name, literal, name, …, literal (always an odd number).
std::vector<std::string> split_secrets(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace browx::codegen
