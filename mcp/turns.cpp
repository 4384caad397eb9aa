#include "mcp/turns.hpp"

#include <algorithm>

namespace browx::mcp {

Turns::Turn::Turn(Turns& turns, std::string name) : turns_(turns), name_(std::move(name)) {
  auto& line = turns_.lines_[name_];
  if (!line) line = std::make_unique<Line>(turns_.executor_);
  line->waiting.push_back(this);
}

Turns::Turn::~Turn() {
  const auto found = turns_.lines_.find(name_);
  std::erase(found->second->waiting, this);
  if (found->second->waiting.empty())
    turns_.lines_.erase(found);
  else
    found->second->moved.notify();
}

bool Turns::Turn::first() const { return turns_.lines_.at(name_)->waiting.front() == this; }

asio::awaitable<void> Turns::Turn::come() {
  constexpr std::chrono::hours kPatience{24};  // deadlines belong to the calls in front
  while (!first()) {
    const Deadline later = Deadline::in(kPatience);
    co_await turns_.lines_.at(name_)->moved.wait(later);
  }
}

}  // namespace browx::mcp
