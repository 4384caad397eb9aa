#pragma once
// The steps of a recording as the flow YAML (TOOLS "The flow YAML"). Pure.

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace browx::capture {

/// One step as the flow needs it; `arguments` and `result` are masked already.
struct FlowStep {
  std::string id, kind, tool;
  Json arguments = Json::object();
  Json result = Json::object();
  Json locators = Json::array();  ///< the page's candidates, best first
  std::string frame_url;          ///< of an element in a child frame
  std::string criterion;
  bool ok = true;
  std::string error;
};

struct FlowHead {
  std::string name;
  std::int64_t recorded_wall_ms = 0;
  std::vector<std::string> secrets;  ///< registered names
};

/// The YAML text. Secrets never carry a value: a masked argument becomes "<NAME>", with the registered name
/// or one made of its locator, and NAME is among the inputs.
std::string flow_yaml(const FlowHead& head, const std::vector<FlowStep>& steps);

/// "scheme://host[:port]" of the first page that was navigated to over http or https; empty when there is
/// none.
std::string base_url(const std::vector<FlowStep>& steps);

}  // namespace browx::capture
