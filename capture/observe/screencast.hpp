#pragma once
// Pictures of a tab while somebody wants them. Each differs from the one before; none is masked yet.

#include <string>
#include <unordered_map>

#include "capture/observe/hub.hpp"

namespace browx::capture {

class Screencast : public Domain {
 public:
  explicit Screencast(Hub& hub);
  void start(const std::string& cdp_session);
  void stop(const std::string& cdp_session);
  /// Between the two no picture is taken. Pauses nest; one of a tab without a screencast does nothing but
  /// hold back one that starts meanwhile.
  void pause(const std::string& cdp_session);
  void resume(const std::string& cdp_session);

 private:
  void frame(const Incoming& event);
  void post_start(const std::string& cdp_session);
  void post_stop(const std::string& cdp_session);

  Hub& hub_;
  std::unordered_map<std::string, std::string> running_;  // CDP session -> digest of its last picture
  std::unordered_map<std::string, int> paused_;           // CDP session -> pauses
};

}  // namespace browx::capture
