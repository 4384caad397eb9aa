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

 private:
  void frame(const Incoming& event);

  Hub& hub_;
  std::unordered_map<std::string, std::string> running_;  // CDP session -> digest of its last picture
};

}  // namespace browx::capture
