// The snapshot of a tab: each frame walks itself, and the walks are put together by the elements that hold
// the frames.

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "capture/reads.hpp"
#include "capture/reads/tree.hpp"

namespace browx::capture {
namespace {

/// A child frame that does not answer delays the rest no longer than this.
constexpr std::chrono::milliseconds kChildFrameWait{2000};

struct Work {
  Session& session;
  Deadline deadline;
  std::vector<std::string> omit;
  TreePrinter printer;
  std::vector<std::string> warnings;
  int frames = 0;
};

struct Start {
  std::shared_ptr<Frame> frame;
  std::int64_t root = 0, after = 0;  ///< element ids; 0: none
  int base_depth = 0;
};

Deadline patience(const Work& work, const Frame& frame) {
  return frame.parent() ? work.deadline.at_most(kChildFrameWait) : work.deadline;
}

Task<Json> walk_page(Work& work, Start start) {
  Json argument = {{"maxBytes", work.printer.bytes_left()}};
  if (start.root) argument["root"] = start.root;
  if (start.after) argument["after"] = start.after;
  if (const auto rows = work.printer.rows_left()) argument["maxNodes"] = rows;
  if (!work.omit.empty()) argument["omit"] = work.omit;
  const Deadline deadline = patience(work, *start.frame);
  co_return co_await start.frame->page("walk", std::move(argument), deadline);
}

/// The child frames by the element that holds them.
asio::awaitable<std::map<std::int64_t, std::shared_ptr<Frame>>> children_by_owner(
    std::shared_ptr<Frame> frame, Deadline deadline) {
  std::map<std::int64_t, std::shared_ptr<Frame>> out;
  std::vector<std::shared_ptr<Frame>> children;
  for (Frame* child : frame->children())
    if (child && child->attached()) children.push_back(child->shared_from_this());
  for (const auto& child : children) {
    auto owner = co_await child->owner_element(deadline);
    if (owner) out.emplace(*owner, child);
  }
  co_return out;
}

Task<bool> print_frame(Work& work, Start start);

/// Prints the rows of a walk of `start.frame`, child frames included.
Task<bool> print_walk(Work& work, Start start, Json walked) {
  ++work.frames;
  const auto rows = tree_rows(json_member(walked, "rows"));
  std::map<std::int64_t, std::shared_ptr<Frame>> children;
  if (std::any_of(rows.begin(), rows.end(), [](const TreeRow& row) { return row.frame; }))
    children = co_await children_by_owner(start.frame, patience(work, *start.frame));
  for (const auto& row : rows) {
    const std::string ref =
        row.element ? work.session.refs().ref_of(*start.frame, row.element) : std::string();
    if (!work.printer.add(row, start.base_depth, ref) || !row.frame) continue;
    const auto child = children.find(row.element);
    if (child == children.end()) continue;
    const Start inner{child->second, 0, 0, start.base_depth + row.depth + 1};
    auto printed = co_await print_frame(work, inner);
    if (printed) continue;
    // A frame that left took its content with it; one that does not answer is told.
    const std::string kind = printed.error().kind_or_code();
    if (inner.frame->attached() && kind != "navigated" && kind != "frame-detached" && kind != "target-gone")
      work.warnings.push_back(fmt::format("frame {} ({}) is missing: {}", inner.frame->id(),
                                          inner.frame->url(), printed.error().what));
  }
  if (const Json& more = json_member(walked, "more"); more.is_object())
    work.printer.skip(json_int(more, "remaining"));
  co_return true;
}

Task<bool> print_frame(Work& work, Start start) {
  auto walked = co_await walk_page(work, start);
  if (!walked) co_return std::move(walked).error();
  co_return co_await print_walk(work, start, *std::move(walked));
}

/// Goes on behind an element: first what is left of its own frame, then of the frames around it.
Task<bool> print_after(Work& work, Start whole, std::shared_ptr<Frame> frame, std::int64_t element) {
  std::vector<Start> inside_out;
  std::shared_ptr<Frame> at = frame;
  std::int64_t after = element;
  for (;;) {
    const bool outermost = at == whole.frame;
    inside_out.push_back({at, outermost ? whole.root : 0, after, 0});
    if (outermost) break;
    if (!at->parent())
      co_return Error{Code::invalid_argument,
                      "the row to continue after lies outside what is to be read",
                      "leave out `after`",
                      {}};
    auto owner = co_await at->owner_element(work.deadline);
    if (!owner) co_return std::move(owner).error();
    after = *owner;
    at = at->parent()->shared_from_this();
  }
  // Depths come from outside, text from inside.
  std::vector<Json> walks(inside_out.size());
  int base = 0;
  for (std::size_t i = inside_out.size(); i-- > 0;) {
    inside_out[i].base_depth = base;
    auto walked = co_await walk_page(work, inside_out[i]);
    if (!walked) co_return std::move(walked).error();
    walks[i] = *std::move(walked);
    base += static_cast<int>(json_int(walks[i], "afterDepth")) + 1;
  }
  // The element may itself hold a frame that was cut off.
  auto held = co_await children_by_owner(frame, patience(work, *frame));
  if (const auto child = held.find(element); child != held.end()) {
    const Start inner{child->second, 0, 0, base};
    BROWX_CO_TRY(co_await print_frame(work, inner));
  }
  for (std::size_t i = 0; i < walks.size(); ++i)
    BROWX_CO_TRY(co_await print_walk(work, inside_out[i], std::move(walks[i])));
  co_return true;
}

/// An element that is no longer listed cannot be continued after.
Error stale_after(Error error, const std::string& ref) {
  if (error.kind != "element-gone") return error;
  return {Code::gone, ref + " is no longer in the page, so the snapshot cannot go on behind it",
          "take the snapshot from its beginning", "ref-gone"};
}

}  // namespace

Task<Snapshot> snapshot(Session& session, Tab& tab, SnapshotOptions options, Deadline deadline) {
  Start whole{tab.main_frame().shared_from_this(), 0, 0, 0};
  if (options.frame) {
    whole.frame = tab.frame_by_id(*options.frame);
    if (!whole.frame)
      co_return Error{Code::not_found, "there is no frame " + *options.frame,
                      "frames_list names those there are", "frame-not-found"};
  }
  Snapshot out;
  if (options.scope) {
    auto scope = co_await resolve(tab, *options.scope, deadline);
    if (!scope) co_return std::move(scope).error();
    if (!scope->element)
      co_return Error{Code::invalid_argument,
                      "a point cannot be the scope of a snapshot",
                      "pass a ref or a selector",
                      {}};
    whole.frame = scope->frame;
    whole.root = scope->element;
    out.warnings = std::move(scope->warnings);
  }
  const int rows = std::max(0, options.max_nodes), bytes = std::max(200, options.max_bytes);
  Work work{session,
            deadline,
            std::move(options.omit),
            TreePrinter(static_cast<std::size_t>(bytes), static_cast<std::size_t>(rows)),
            {},
            0};
  if (options.after) {
    auto after = session.refs().find(*options.after);
    if (!after) co_return std::move(after).error();
    auto frame = after->frame.lock();
    if (!frame || !frame->attached() || frame->generation() != after->generation)
      co_return Error{Code::gone, *options.after + " is gone: navigated, its document has been left",
                      "take the snapshot from its beginning", "ref-gone"};
    auto printed = co_await print_after(work, whole, frame, after->element);
    if (!printed) co_return stale_after(std::move(printed).error(), *options.after);
    out.url = whole.frame->url();
  } else {
    auto walked = co_await walk_page(work, whole);
    if (!walked) co_return std::move(walked).error();
    out.url = json_string(*walked, "url");
    out.title = json_string(*walked, "title");
    BROWX_CO_TRY(co_await print_walk(work, whole, *std::move(walked)));
  }
  if (out.title.empty()) out.title = tab.title();
  out.tree = work.printer.text();
  out.more = work.printer.more();
  out.stats = Json{{"nodes", work.printer.rows()}, {"frames", work.frames}, {"bytes", out.tree.size()}};
  for (auto& warning : work.warnings) out.warnings.push_back(std::move(warning));
  co_return out;
}

}  // namespace browx::capture
