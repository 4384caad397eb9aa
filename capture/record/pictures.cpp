#include "capture/record/pictures.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/log.hpp"
#include "capture/record/core.hpp"

namespace browx::capture {
namespace {

constexpr std::size_t kWaiting = 32;
constexpr auto kPatience = std::chrono::milliseconds(500);

}  // namespace

void Pictures::take(archive::Frame picture) {
  Lane& lane = lanes_[picture.target];
  if (lane.waiting.size() >= kWaiting) {
    drop(lane, picture);
    return;
  }
  const TargetId target = picture.target;
  lane.waiting.push_back(std::move(picture));
  if (lane.working) return;
  lane.working = true;
  spawn(core_.session_->executor(), work(core_.shared_from_this(), target));
}

asio::awaitable<void> Pictures::work(std::shared_ptr<RecordingCore> core, TargetId target) {
  while (!core->over_) {
    Lane& lane = core->pictures_->lanes_[target];
    if (lane.waiting.empty()) {
      lane.working = false;
      co_return;
    }
    archive::Frame picture = std::move(lane.waiting.front());
    lane.waiting.pop_front();
    std::shared_ptr<Tab> tab;
    for (const auto& one : core->session_->tabs())
      if (one->target() == target) tab = one;
    if (!tab || tab->closed()) {
      core->pictures_->drop(lane, picture);
      continue;
    }
    auto now = co_await boxes(core, tab, Deadline::in(kPatience));
    if (core->over_) co_return;
    // std::map keeps its nodes: the lane is where it was.
    if (!now) {
      lane.before.reset();
      core->pictures_->drop(lane, picture);
      continue;
    }
    std::vector<PixelBox> paint = *now;
    if (lane.before) paint.insert(paint.end(), lane.before->begin(), lane.before->end());
    lane.before = *std::move(now);
    const auto size = picture_size(picture.bytes);
    if (!size) {
      core->pictures_->drop(lane, picture);
      continue;
    }
    picture.width = size->first;
    picture.height = size->second;
    if (!paint.empty()) {
      const double scale =
          static_cast<double>(size->first) / std::max(1, core->session_->options().viewport.width);
      for (auto& box : paint) {
        // A little more than the field: its border and the picture's own rounding.
        box = {(box.x - 2) * scale, (box.y - 2) * scale, (box.width + 4) * scale, (box.height + 4) * scale};
      }
      auto painted = paint_over(picture.bytes, paint);
      if (!painted) {
        core->pictures_->drop(lane, picture);
        continue;
      }
      picture.bytes = *std::move(painted);
    }
    core->pictures_->tell_dropped(lane, target);
    picture.t = core->rebased(picture.t);
    core->add(std::move(picture));
  }
}

Task<std::vector<PixelBox>> Pictures::boxes(std::shared_ptr<RecordingCore> core, std::shared_ptr<Tab> tab,
                                            Deadline deadline) {
  std::vector<PixelBox> out;
  std::vector<std::string> secrets = core->fields_.shown_texts();
  for (const auto& name : core->session_->secrets().names())
    secrets.emplace_back(core->session_->secrets().value(name));
  for (const auto& frame : tab->frames()) {
    if (!frame->attached()) continue;
    Json argument = {{"secrets", secrets}, {"selectors", core->options_.mask_selectors}};
    auto answer = co_await frame->page("sensitiveBoxes", std::move(argument), deadline);
    if (!answer) {
      // A frame that has gone shows nothing any more; of any other it is not known what it shows.
      if (!frame->attached()) continue;
      co_return std::move(answer).error();
    }
    const Json& list = json_member(*answer, "boxes");
    if (!list.is_array() || list.empty()) continue;
    FrameTransform place;
    if (frame->parent()) {
      auto transform = co_await frame_transform(*frame, deadline);
      if (!transform) co_return std::move(transform).error();
      place = *transform;
    }
    for (const auto& box : list) {
      const Box main = place.to_main(Box{json_number(box, "x"), json_number(box, "y"),
                                         json_number(box, "width"), json_number(box, "height")});
      out.push_back({main.x, main.y, main.width, main.height});
    }
  }
  co_return out;
}

void Pictures::drop(Lane& lane, const archive::Frame& picture) {
  if (!lane.dropping_since) lane.dropping_since = core_.rebased(picture.t);
  lane.dropped_last = core_.rebased(picture.t);
  ++lane.dropped;
}

void Pictures::tell_dropped(Lane& lane, TargetId target) {
  if (!lane.dropping_since) return;
  core_.add(archive::Gap{std::nullopt, target, std::nullopt, *lane.dropping_since, lane.dropped_last,
                         "frame-dropped",
                         fmt::format("{} pictures whose masking could not be told", lane.dropped)});
  lane.dropping_since.reset();
  lane.dropped = 0;
}

void Pictures::end() {
  for (auto& [target, lane] : lanes_) {
    for (const auto& picture : lane.waiting) drop(lane, picture);
    lane.waiting.clear();
    tell_dropped(lane, target);
  }
}

}  // namespace browx::capture
