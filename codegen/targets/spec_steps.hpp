#pragma once
// One step as Playwright code. Private to this folder.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/choose.hpp"
#include "codegen/targets.hpp"
#include "codegen/targets/spec_lines.hpp"

namespace browx::codegen {

/// What steps need at the head of the file, found before a line is written.
struct SpecNeeds {
  std::map<std::string, std::string> origins;  ///< other origins: the constant that names each
  std::string test_id_attribute;               ///< the one that all test ids have; empty: data-testid
  std::vector<std::string> page_names;         ///< a variable for each page of the flow
  std::set<std::size_t> pages_used;            ///< by steps
};
SpecNeeds spec_needs(const Flow& flow);

/// Writes steps, one after the other.
class SpecSteps {
 public:
  SpecSteps(const Flow& flow, const SpecNeeds& needs, SpecLines& lines, Stats& stats)
      : flow_(flow), needs_(needs), lines_(lines), stats_(stats) {}
  /// `index` of the step among the flow's.
  void write(std::size_t index);
  /// Goes to where the recording began.
  void go_to_start();

 private:
  /// What is awaited, with the reason why its locator is fragile, or why there is none.
  struct Act {
    Code code;
    std::string fragile, refused;
  };
  struct Place {
    std::string head;
    std::vector<Call> calls;
    std::string fragile, refused;
    Chain chain;  ///< of the target within its frame
  };

  Act act(const Step& step) const;
  Act action(const Step& step) const;
  Act assertion(const Step& step) const;
  Act scroll(const Step& step) const;
  Act click(const Step& step) const;
  Act on_target(const Step& step, std::string method, std::vector<Code> arguments) const;
  Act on_page(const Step& step, const std::string& object, std::string method,
              std::vector<Code> arguments) const;
  Act expectation(Place place, Call matcher) const;
  Place target(const Step& step) const;
  void enter_frames(const Step& step, Place& place) const;
  std::vector<Call> calls(Chain chain) const;
  Code value(const std::string& text) const { return ts_raw(ts_value(split_secrets(text, flow_.secrets))); }
  Code address(const std::string& url) const;
  const std::string& page(const Step& step) const { return needs_.page_names[step.page]; }

  void around(std::size_t index, const Act& act);
  void answer_dialogs(const Step& step, std::size_t at, const std::string& variable_prefix);
  std::string variable(const std::string& wanted);
  void refuse(const Step& step, const std::string& reason);

  const Flow& flow_;
  const SpecNeeds& needs_;
  SpecLines& lines_;
  Stats& stats_;
  std::map<std::string, int> variables_;
  std::set<std::size_t> pages_made_{0};
};

}  // namespace browx::codegen
