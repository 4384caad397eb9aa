#pragma once
// The console: what scripts print, what they throw, and what the browser itself complains about. Events of
// kind `console` {level, text, source, url?, line?, column?, stack?, frame?, type?} and `exception` {text,
// stack?, url?, line?, column?, frame?}. `level`: log | info | warning | error | debug. Lines and
// columns count from one; `frame` is the CDP frame id, as in Document.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>

#include "capture/observe/hub.hpp"

namespace browx::capture {

class Console : public Domain {
 public:
  explicit Console(Hub& hub);

 private:
  void called(const Incoming& event);
  void thrown(const Incoming& event);
  void logged(const Incoming& event);
  std::string frame_of(const std::string& session, std::int64_t context) const;
  bool told_before(const Incoming& event, const std::string& what);

  Hub& hub_;
  // (CDP session, execution context id) -> CDP frame id
  std::map<std::pair<std::string, std::int64_t>, std::string> contexts_;
  std::unordered_map<std::string, std::string> types_;  // CDP session -> target type
  std::deque<std::pair<std::string, std::string>>
      recent_;  // (session, line) of workers, which may be attached twice
};

}  // namespace browx::capture
