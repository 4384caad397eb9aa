#include "capture/refs.hpp"

#include <fmt/format.h>

namespace browx::capture {

std::string Refs::ref_of(Frame& frame, std::int64_t element) {
  const std::string key = fmt::format("{}/{}/{}", frame.id(), frame.generation(), element);
  auto [place, is_new] = by_key_.try_emplace(key);
  if (is_new) {
    place->second = fmt::format("e{}", ++last_);
    by_ref_.emplace(place->second, ElementHandle{frame.weak_from_this(), frame.generation(), element});
  }
  return place->second;
}

Result<ElementHandle> Refs::find(const std::string& ref) const {
  const auto found = by_ref_.find(ref);
  if (found == by_ref_.end())
    return Error{Code::not_found, fmt::format("There is no ref \"{}\"", ref),
                 "Refs come from snapshot, find and query answers of this session; take a new snapshot",
                 "ref-not-found"};
  const auto frame = found->second.frame.lock();
  if (!frame || !frame->attached())
    return Error{Code::gone, fmt::format("{} has gone: removed, with its frame", ref), "Take a new snapshot",
                 "ref-gone"};
  if (frame->generation() != found->second.generation)
    return Error{
        Code::gone,
        fmt::format("{} has gone: navigated, its frame {} now shows another document", ref, frame->id()),
        "Take a new snapshot", "ref-gone"};
  return found->second;
}

Status Refs::name(std::string name, const std::string& ref) {
  if (name.empty())
    return Error{Code::invalid_argument, "A name for a ref may not be empty",
                 "Give it a short name, e.g. \"save\""};
  if (!by_ref_.contains(ref))
    return Error{Code::not_found, fmt::format("There is no ref \"{}\"", ref), "Take a new snapshot",
                 "ref-not-found"};
  names_[std::move(name)] = ref;
  return {};
}

Result<std::string> Refs::named(const std::string& name) const {
  const auto found = names_.find(name);
  if (found == names_.end())
    return Error{Code::not_found, fmt::format("No element is named \"{}\"", name), "Name one with name_ref",
                 "name-not-found"};
  return found->second;
}

}  // namespace browx::capture
