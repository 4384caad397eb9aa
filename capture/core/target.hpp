#pragma once
// One attached CDP target, as the session keeps it.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "capture/cdp/connection.hpp"
#include "capture/journal.hpp"

namespace browx::capture {

class TabImpl;

/// The world that the page bundle and browx's scripts live in.
inline constexpr std::string_view kWorld = "browx";

/// A JavaScript world of a frame. `unique_id` is never reused, unlike `id`.
struct Context {
  std::int64_t id = 0;
  std::string unique_id, frame, world, origin;
  bool main = false;  ///< the page's own world
};

/// Thread: the engine's. Owned by the session from attach to detach.
struct AttachedTarget {
  std::string session, type, cdp_id, parent_session;
  TargetId id;
  TabImpl* tab = nullptr;  ///< of pages, iframes and their workers; lives as long as the session
  bool ready = false;      ///< it has been set up and runs
  std::unordered_map<std::int64_t, Context> contexts;
  std::map<std::int64_t, std::string> scripts;  ///< session script id → CDP identifier
  std::unique_ptr<cdp::Connection::Subscription> subscription;

  bool is_document() const { return type == "page" || type == "iframe"; }
};

/// "tab", "iframe", "worker", … of a CDP type, as facts name it.
std::string_view fact_kind(std::string_view cdp_type);

}  // namespace browx::capture
