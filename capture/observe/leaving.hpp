#pragma once
// What a page sends while it is being left. The Network domain is silent about sendBeacon and keepalive
// requests made in pagehide or visibilitychange; the Fetch domain pauses them. So from the moment a
// navigation is asked for (or, when a page asks itself, is told to have started: the answer must not be
// faster than that) until the new document has loaded, the frames that are being left have Fetch on,
// everything paused goes on at once, and what Network does not know of (no networkId) is told here: Request,
// Response and RequestEnd, without a body.
//
// Not seen: what out-of-process child frames send when their parent page is left (their CDP sessions end
// first; said by one gap, reason "unload-unobserved"), and what a page sends when its tab is closed. When an
// origin policy restricts the session, Fetch is on for other reasons and belongs to others: then only the
// events are read here.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "archive/model/facts.hpp"
#include "capture/observe/hub.hpp"

namespace browx::capture {

class Leaving : public Domain {
 public:
  Leaving(Hub& hub, bool fetch_is_ours);

  /// A navigation of the page's main frame is about to be asked for on its CDP session: commands keep their
  /// order.
  void about_to_leave(const std::string& cdp_session, const std::string& main_frame);

 private:
  struct Sent {
    archive::Request row;
    std::string session;
    bool over = false;
  };
  std::vector<std::string> family(const std::string& session) const;
  void arm(const std::string& cdp_session, const std::string& frame);
  void left(const std::string& frame);
  void paused(const Incoming& event);
  void end(const std::shared_ptr<Sent>& sent, Time t, bool ok, std::string error);

  Hub& hub_;
  bool fetch_is_ours_;
  std::unordered_map<std::string, std::string> types_;  // CDP session -> type
  std::unordered_map<std::string, std::string>
      parents_;  // CDP session -> the session it was attached through
  std::map<std::string, std::set<std::string>>
      armed_;  // CDP session -> frames being left that asked for Fetch
  std::unordered_map<std::string, std::optional<DocumentId>>
      documents_;                                                // CDP frame id -> the document being left
  std::set<std::string> announced_;                              // frames about to be left, nothing begun yet
  std::set<std::string> started_;                                // frames whose navigation is on its way
  std::unordered_map<std::string, std::shared_ptr<Sent>> sent_;  // Fetch request id -> its rows
};

}  // namespace browx::capture
