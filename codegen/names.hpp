#pragma once
// The names that a flow gives: of its locators, and of values that it must not hold. Private to this folder.
// Pure.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/flow.hpp"

namespace browx::codegen {

/// Why an element is not found for certain; empty for the stability high.
std::string why_not_high(const Candidate& best);

/// Gives each element of a flow one name.
class LocatorNames {
 public:
  /// The index of the locator among list(), made on first sight. `candidates` has a choice().
  std::size_t of(const std::vector<Candidate>& candidates, const Candidate& best,
                 const std::string& frame_url);
  std::vector<Locator> take() { return std::move(list_); }
  const std::vector<Locator>& list() const { return list_; }

 private:
  std::string unique(const std::string& wanted);
  std::vector<Locator> list_;
  std::set<std::string> taken_;
};

/// Replaces masked values by `<NAME>` and collects the names that stand there.
class SecretNames {
 public:
  explicit SecretNames(std::vector<std::string> registered) : registered_(std::move(registered)) {}
  /// `locator`: the name of the element that the value belongs to, or empty.
  void replace(Json& value, const std::string& locator);
  const std::vector<std::string>& used() const { return used_; }

 private:
  void use(const std::string& name);
  std::vector<std::string> registered_, used_;
};

}  // namespace browx::codegen
