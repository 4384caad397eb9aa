#pragma once
// Reading: snapshot, verification, pictures. Nothing here changes the page.

#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/json.hpp"
#include "capture/locator.hpp"
#include "capture/session.hpp"

namespace browx::capture {

struct SnapshotOptions {
  std::optional<Address> scope;
  int max_nodes = 0;              ///< 0: no limit but the bytes
  std::vector<std::string> omit;  ///< roles left out
  std::optional<std::string> frame;
  std::optional<std::string> after;  ///< continues behind this ref
  int max_bytes = 16000;
};
struct Snapshot {
  std::string url, title, tree;  ///< tree: lines `role "name" [ref=eN] [state]`, two spaces a level
  Json stats = Json::object();   ///< {nodes, frames, bytes}
  std::vector<std::string> warnings;
  std::optional<std::pair<std::string, std::int64_t>> more;  ///< after, remaining
};
Task<Snapshot> snapshot(Session& session, Tab& tab, SnapshotOptions options, Deadline deadline);

/// The outcome of one verify_*; `expected` and `actual` only when it failed. A page that does not hold is ok
/// false, source "app"; a target that cannot be resolved is ok false with the resolve error's kind.
struct Verdict {
  bool ok = false;
  std::string kind;
  Json expected, actual;
  std::string error, hint;
  std::string source = "app";
  /// What met the expectation: "content" | "shown" | "value" | "label" | "checked"; of a count, "frames" when
  /// child frames had a part in it. Empty when that goes without saying.
  std::string matched;
};
/// They wait up to the deadline for the expectation to hold, as web-first assertions do.
Task<Verdict> verify_visible(Session& session, Tab& tab, Address target, Deadline deadline);
Task<Verdict> verify_text(Session& session, Tab& tab, Address target, std::string text, bool exact,
                          Deadline deadline);
Task<Verdict> verify_value(Session& session, Tab& tab, Address target, std::string value, Deadline deadline);
Task<Verdict> verify_count(Session& session, Tab& tab, std::optional<std::string> selector,
                           std::optional<std::string> text, int n, Deadline deadline);
Task<Verdict> verify_attribute(Session& session, Tab& tab, Address target, std::string attribute,
                               std::optional<std::string> value, Deadline deadline);

struct ScreenshotOptions {
  std::optional<Address> target;
  bool full_page = false;
  std::string format = "png";  ///< png | jpeg
  int quality = 80;
  double scale = 1;
};
struct Screenshot {
  std::string bytes, mime;
  int width = 0, height = 0;
  std::vector<std::string> warnings;
};
/// Sensitive fields and elements that show registered secrets are painted over. Error `conflict`, kind
/// "mask-unknown", when their boxes cannot be told.
Task<Screenshot> screenshot(Session& session, Tab& tab, ScreenshotOptions options, Deadline deadline);

/// eval_js: the value in JSON. Sensitive field values inside come back as "[masked value]".
Task<Json> eval_js(Session& session, Tab& tab, std::string expression, bool by_value, Deadline deadline);

}  // namespace browx::capture
