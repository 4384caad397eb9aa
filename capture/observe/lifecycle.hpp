#pragma once
// What becomes of pages: events of kind `lifecycle` {name, url?, frame?, kind?, title?}. `name`: navigated (a
// new document; kind "full_load"), same-document (kind "spa" | "hash"), dom-content-loaded, load, title
// (of a tab, once a load or a navigation within has ended), crashed. `frame` is the CDP frame id, as in
// Document.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "capture/observe/hub.hpp"

namespace browx::capture {

class Lifecycle : public Domain {
 public:
  /// `target_of_cdp_target`: the tab's id of a CDP target id, none when it is not a tab of this session.
  Lifecycle(Hub& hub, std::function<std::optional<TargetId>(const std::string&)> target_of_cdp_target);

 private:
  void navigated(const Incoming& event);
  void within(const Incoming& event);
  void milestone(const Incoming& event);
  void info_changed(const Json& info, Time t);
  void ask_title(const Incoming& event);
  void publish(Time t, std::optional<TargetId> target, Json payload);

  Hub& hub_;
  std::function<std::optional<TargetId>(const std::string&)> target_of_cdp_target_;
  std::unordered_map<std::string, std::string> types_;   // CDP session -> type
  std::unordered_map<std::string, std::string> urls_;    // CDP frame id -> URL without the fragment
  std::unordered_map<std::string, std::string> titles_;  // CDP target id -> title
  // Milestones told of each frame's current document: enabling lifecycle events twice repeats them.
  std::unordered_map<std::string, std::pair<std::string, std::set<std::string>>> told_;
};

}  // namespace browx::capture
