#include "capture/drive/frames.hpp"

#include <algorithm>
#include <map>

#include "capture/drive/running.hpp"
#include "capture/session.hpp"

namespace browx::capture {
namespace {

std::shared_ptr<Frame> shared(Frame* frame) { return frame ? frame->shared_from_this() : nullptr; }

Task<Json> page(std::shared_ptr<Frame> frame, std::string function, Json argument, Deadline deadline) {
  co_return co_await frame->page(std::move(function), std::move(argument), deadline);
}

/// The children of `parent` by position of their owner elements.
asio::awaitable<std::vector<std::shared_ptr<Frame>>> ordered_children(std::shared_ptr<Frame> parent,
                                                                      Deadline deadline) {
  std::vector<std::shared_ptr<Frame>> children;
  for (Frame* child : parent->children())
    if (child && child->attached()) children.push_back(child->shared_from_this());
  if (children.size() < 2) co_return children;
  asio::any_io_executor executor = parent->tab().session().executor();
  Json argument = {{"selector", "iframe, frame, object, embed, fencedframe"}, {"limit", 1000}};
  auto query = Running<Json>::start(executor, page(parent, "query", std::move(argument), deadline));
  std::vector<Running<std::int64_t>> owners;
  for (const auto& child : children)
    owners.push_back(Running<std::int64_t>::start(executor, child->owner_element(deadline)));
  auto found = co_await query.get(deadline);
  std::map<std::int64_t, std::size_t> place;
  if (found)
    for (const auto& id : json_member(*found, "ids"))
      if (id.is_number_integer()) place.emplace(id.get<std::int64_t>(), place.size());
  std::vector<std::pair<std::size_t, std::shared_ptr<Frame>>> placed;
  for (std::size_t i = 0; i < children.size(); ++i) {
    auto owner = co_await owners[i].get(deadline);
    const auto at = owner ? place.find(*owner) : place.end();
    placed.emplace_back(at == place.end() ? std::size_t(-1) : at->second, children[i]);
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  children.clear();
  for (auto& [unused, child] : placed) children.push_back(std::move(child));
  co_return children;
}

}  // namespace

asio::awaitable<std::vector<std::shared_ptr<Frame>>> frames_in_document_order(std::shared_ptr<Tab> tab,
                                                                              Deadline deadline) {
  std::vector<std::shared_ptr<Frame>> out;
  std::vector<std::shared_ptr<Frame>> stack{tab->main_frame().shared_from_this()};
  while (!stack.empty()) {
    std::shared_ptr<Frame> frame = std::move(stack.back());
    stack.pop_back();
    out.push_back(frame);
    if (frame->children().empty()) continue;
    auto children = co_await ordered_children(frame, deadline);
    std::move(children.rbegin(), children.rend(), std::back_inserter(stack));
  }
  co_return out;
}

Task<std::vector<FrameStep>> frame_steps(std::shared_ptr<Frame> frame, Deadline deadline) {
  std::vector<FrameStep> steps;
  for (std::shared_ptr<Frame> inner = std::move(frame); inner->parent();) {
    FrameStep step;
    step.parent = shared(inner->parent());
    auto owner = co_await inner->owner_element(deadline);
    if (!owner) co_return std::move(owner).error();
    step.owner = *owner;
    Json argument = {{"id", step.owner}};
    auto where = co_await step.parent->page("transform", std::move(argument), deadline);
    if (!where) co_return std::move(where).error();
    step.transform = {json_number(*where, "x"), json_number(*where, "y"), json_number(*where, "scaleX", 1),
                      json_number(*where, "scaleY", 1)};
    inner = step.parent;
    steps.push_back(std::move(step));
  }
  co_return steps;
}

FrameTransform compose(const FrameTransform& outer, const FrameTransform& inner) {
  const Point origin = outer.to_main(Point{inner.x, inner.y});
  return {origin.x, origin.y, outer.scale_x * inner.scale_x, outer.scale_y * inner.scale_y};
}

Task<FrameTransform> frame_transform(Frame& frame, Deadline deadline) {
  auto steps = co_await frame_steps(frame.shared_from_this(), deadline);
  if (!steps) co_return std::move(steps).error();
  FrameTransform all;
  for (const auto& step : *steps) all = compose(step.transform, all);
  co_return all;
}

}  // namespace browx::capture
