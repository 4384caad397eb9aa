#include "capture/reads/masks.hpp"

#include <fmt/format.h>

#include "capture/drive/frames.hpp"

namespace browx::capture {
namespace {

struct Placed {
  FrameTransform transform;
  bool pinned = false, hidden = false;
};

/// Where a frame lies in the main viewport, and whether it moves with the page.
Task<Placed> place_of(std::shared_ptr<Frame> frame, Deadline deadline) {
  Placed out;
  for (std::shared_ptr<Frame> inner = std::move(frame); inner->parent();) {
    std::shared_ptr<Frame> parent = inner->parent()->shared_from_this();
    auto owner = co_await inner->owner_element(deadline);
    if (!owner) co_return std::move(owner).error();
    Json argument = {{"id", *owner}};
    auto where = co_await parent->page("transform", std::move(argument), deadline);
    if (!where) co_return std::move(where).error();
    const FrameTransform step{json_number(*where, "x"), json_number(*where, "y"),
                              json_number(*where, "scaleX", 1), json_number(*where, "scaleY", 1)};
    out.transform = compose(step, out.transform);
    out.pinned = out.pinned || json_bool(*where, "pinned");
    out.hidden = out.hidden || json_bool(*where, "hidden");
    inner = parent;
  }
  co_return out;
}

Task<std::vector<MaskBox>> boxes_of(std::shared_ptr<Frame> frame, Json argument, Deadline deadline) {
  std::vector<MaskBox> out;
  auto answer = co_await frame->page("sensitiveBoxes", std::move(argument), deadline);
  if (!answer) co_return std::move(answer).error();
  const Json boxes = json_member(*answer, "boxes");
  if (!boxes.is_array() || boxes.empty()) co_return out;
  auto place = co_await place_of(frame, deadline);
  if (!place) co_return std::move(place).error();
  if (place->hidden) co_return out;
  for (const auto& box : boxes)
    out.push_back({place->transform.to_main(Box{json_number(box, "x"), json_number(box, "y"),
                                                json_number(box, "width"), json_number(box, "height")}),
                   place->pinned || json_bool(box, "pinned")});
  co_return out;
}

}  // namespace

Task<std::vector<MaskBox>> mask_boxes(Session& session, std::shared_ptr<Tab> tab, Deadline deadline) {
  Json secrets = Json::array();
  for (const auto& name : session.secrets().names())
    secrets.push_back(std::string(session.secrets().value(name)));
  const Json argument = {{"secrets", secrets}};
  std::vector<MaskBox> out;
  const auto frames = tab->frames();
  for (const auto& frame : frames) {
    Json copy = argument;
    auto boxes = co_await boxes_of(frame, std::move(copy), deadline);
    if (boxes) {
      out.insert(out.end(), boxes->begin(), boxes->end());
      continue;
    }
    if (frame->parent() && !frame->attached()) continue;  // it left, and with it what it showed
    const Error& error = boxes.error();
    if (!frame->parent() && (error.code == Code::unavailable || error.kind == "dialog-open")) co_return error;
    co_return Error{
        Code::conflict,
        fmt::format("what must be painted over in frame {} cannot be told: {}", frame->id(), error.what),
        "wait until the page has loaded and try again", "mask-unknown"};
  }
  co_return out;
}

}  // namespace browx::capture
