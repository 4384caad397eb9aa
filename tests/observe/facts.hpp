#pragma once
// What a session's journal told during a test.

#include <memory>
#include <string>
#include <vector>

#include "capture/session.hpp"

namespace browx::capture::testing {

/// Listens from its construction on.
class Told {
 public:
  explicit Told(Session& session)
      : listening_(session.journal().listen([this](const Fact& fact) { facts.push_back(fact); })) {}

  template <class T>
  std::vector<T> all() const {
    std::vector<T> out;
    for (const auto& fact : facts)
      if (const auto* one = std::get_if<T>(&fact)) out.push_back(*one);
    return out;
  }
  std::vector<archive::Event> events(const std::string& kind) const {
    std::vector<archive::Event> out;
    for (const auto& event : all<archive::Event>())
      if (event.kind == kind) out.push_back(event);
    return out;
  }
  /// Requests whose URL has `part`.
  std::vector<archive::Request> requests(const std::string& part) const {
    std::vector<archive::Request> out;
    for (const auto& row : all<archive::Request>())
      if (row.url.find(part) != std::string::npos) out.push_back(row);
    return out;
  }
  const archive::Response* response(RequestId id) const {
    for (const auto& fact : facts)
      if (const auto* row = std::get_if<archive::Response>(&fact); row && row->request == id) return row;
    return nullptr;
  }
  const archive::RequestEnd* end(RequestId id) const {
    for (const auto& fact : facts)
      if (const auto* row = std::get_if<archive::RequestEnd>(&fact); row && row->request == id) return row;
    return nullptr;
  }
  bool ended(const std::string& part) const {
    for (const auto& row : requests(part))
      if (end(row.id)) return true;
    return false;
  }

  std::vector<Fact> facts;

 private:
  std::unique_ptr<Journal::Subscription> listening_;
};

}  // namespace browx::capture::testing
