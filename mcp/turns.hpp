#pragma once
// One call of a session at a time, in order of arrival; sessions do not wait for each other.

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "base/async.hpp"

namespace browx::mcp {

/// Thread: the engine's. Must outlive its turns.
class Turns {
 public:
  explicit Turns(asio::any_io_executor executor) : executor_(executor) {}

  /// A place in the line of `name`; dying gives it up, wherever it stands.
  class Turn {
   public:
    Turn(Turns& turns, std::string name);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    bool first() const;
    /// Until first(). Cancellation throws, as usual.
    asio::awaitable<void> come();

   private:
    Turns& turns_;
    std::string name_;
  };

 private:
  struct Line {
    explicit Line(const asio::any_io_executor& executor) : moved(executor) {}
    std::deque<const Turn*> waiting;
    Signal moved;
  };
  asio::any_io_executor executor_;
  std::map<std::string, std::unique_ptr<Line>> lines_;
};

}  // namespace browx::mcp
