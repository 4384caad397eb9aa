// Pictures of a page, with what they must not show painted over before anybody sees them.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/pictures.hpp"
#include "capture/drive/target.hpp"
#include "capture/observers.hpp"
#include "capture/reads.hpp"
#include "capture/reads/masks.hpp"

namespace browx::capture {
namespace {

/// What is in the picture, in CSS pixels of the document.
struct Window {
  double page_x = 0, page_y = 0;           ///< the viewport's corner in the document
  double width = 0, height = 0;            ///< of the viewport
  double full_width = 0, full_height = 0;  ///< of the document
};

Task<Window> window_of(std::shared_ptr<Tab> tab, Deadline deadline) {
  Json none = Json::object();
  auto metrics = co_await tab->call("Page.getLayoutMetrics", std::move(none), deadline);
  if (!metrics) co_return std::move(metrics).error();
  const Json& visual = json_member(*metrics, "cssVisualViewport");
  const Json& content = json_member(*metrics, "cssContentSize");
  Window out;
  out.page_x = json_number(visual, "pageX");
  out.page_y = json_number(visual, "pageY");
  out.width = json_number(visual, "clientWidth");
  out.height = json_number(visual, "clientHeight");
  out.full_width = json_number(content, "width", out.width);
  out.full_height = json_number(content, "height", out.height);
  if (out.width < 1 || out.height < 1)
    co_return Error{Code::conflict, "the page has no visible area", {}, "no-viewport"};
  co_return out;
}

/// The target's box in the main viewport, after it was brought into view.
Task<Box> box_of(Tab& tab, Address target, std::vector<std::string>* warnings, Deadline deadline) {
  Element element;
  if (target.coords) {
    auto at = co_await element_at(tab, *target.coords, deadline);
    if (!at) co_return std::move(at).error();
    element = *std::move(at);
  } else {
    auto found = co_await resolve(tab, std::move(target), deadline);
    if (!found) co_return std::move(found).error();
    element = *std::move(found);
  }
  if (!element.element)
    co_return Error{Code::not_found, "there is no element at that point", {}, "element-not-found"};
  *warnings = element.warnings;
  BROWX_CO_TRY(co_await show_frames(element, deadline));
  Json argument = {{"id", element.element}};
  auto shown = co_await element.frame->page("scrollIntoView", std::move(argument), deadline);
  if (!shown) co_return std::move(shown).error();
  auto transform = co_await frame_transform(*element.frame, deadline);
  if (!transform) co_return std::move(transform).error();
  const Json& box = json_member(*shown, "box");
  const Box out = transform->to_main(Box{json_number(box, "x"), json_number(box, "y"),
                                         json_number(box, "width"), json_number(box, "height")});
  if (out.width < 1 || out.height < 1)
    co_return Error{Code::conflict, "the element has no visible box", "take a snapshot to see what is there",
                    "hidden"};
  co_return out;
}

/// To take a part of the page the browser moves and scales the whole of it, and the surface keeps showing
/// that until the page's next frame. No screencast picture may be taken of it: nobody knows where its masks
/// would go.
class NoScreencast {
 public:
  explicit NoScreencast(std::shared_ptr<Tab> tab)
      : tab_(std::move(tab)), from_(tab_->session().journal().now()) {
    tab_->session().observers().pause_screencast(*tab_);
  }
  /// Without release() the pause lasts: that there are no pictures any more is said.
  ~NoScreencast() {
    if (!tab_) return;
    archive::Gap gap;
    gap.target = tab_->target();
    gap.from = from_;
    gap.reason = "frame-dropped";
    gap.detail = "the page drew nothing after a screenshot was taken; no pictures of this tab from here on";
    tab_->session().journal().publish(gap);
  }
  NoScreencast(const NoScreencast&) = delete;
  NoScreencast& operator=(const NoScreencast&) = delete;
  void release() {
    tab_->session().observers().resume_screencast(*tab_);
    tab_.reset();
  }

 private:
  std::shared_ptr<Tab> tab_;
  Time from_;
};

}  // namespace

Task<Screenshot> screenshot(Session& session, Tab& tab, ScreenshotOptions options, Deadline deadline) {
  const std::shared_ptr<Tab> keep = session.tab(tab.id());
  if (!keep) co_return Error{Code::gone, "the tab was closed", {}, "tab-closed"};
  if (options.format != "png" && options.format != "jpeg")
    co_return Error{
        Code::invalid_argument, "there is no picture format \"" + options.format + "\"", "png or jpeg", {}};
  Screenshot out;
  std::optional<Box> target;
  if (options.target) {
    auto box = co_await box_of(tab, *options.target, &out.warnings, deadline);
    if (!box) co_return std::move(box).error();
    target = *box;
  }
  auto window = co_await window_of(keep, deadline);
  if (!window) co_return std::move(window).error();

  // The part of the document that is taken.
  Box clip{window->page_x, window->page_y, window->width, window->height};
  if (target)
    clip = {target->x + window->page_x, target->y + window->page_y, target->width, target->height};
  else if (options.full_page)
    clip = {0, 0, window->full_width, window->full_height};
  const bool beyond = clip.x < window->page_x - 1 || clip.y < window->page_y - 1 ||
                      clip.x + clip.width > window->page_x + window->width + 1 ||
                      clip.y + clip.height > window->page_y + window->height + 1;

  auto before = co_await mask_boxes(session, keep, deadline);
  if (!before) co_return std::move(before).error();
  const double scale = std::clamp(options.scale, 0.1, 4.0);
  Json params = {{"format", options.format}, {"captureBeyondViewport", beyond}};
  params["clip"] =
      Json{{"x", clip.x}, {"y", clip.y}, {"width", clip.width}, {"height", clip.height}, {"scale", scale}};
  const int quality = std::clamp(options.quality, 1, 100);
  if (options.format == "jpeg") params["quality"] = quality;
  NoScreencast alone(keep);
  auto taken = co_await keep->call("Page.captureScreenshot", std::move(params), deadline);
  Json nothing = Json::object();
  auto drawn =
      co_await keep->main_frame().page("drawn", std::move(nothing), Deadline::in(std::chrono::seconds(2)));
  // A document that was left meanwhile has drawn its successor.
  if (drawn || drawn.error().code == Code::gone) alone.release();
  if (!taken) co_return std::move(taken).error();
  // What moved meanwhile is painted over where it was and where it is.
  auto after = co_await mask_boxes(session, keep, deadline);
  if (!after) co_return std::move(after).error();
  auto moved = co_await window_of(keep, deadline);
  if (!moved) co_return std::move(moved).error();

  auto bytes = base64_decode(json_string(*taken, "data"));
  if (!bytes) co_return Error{Code::internal, "the browser's picture is not base64", {}, {}};
  auto size = picture_size(*bytes);
  if (!size) co_return std::move(size).error();
  const double pixels_x = size->first / clip.width, pixels_y = size->second / clip.height;
  std::vector<PixelBox> paint;
  const auto add = [&](const std::vector<MaskBox>& boxes, const Window& at) {
    for (const auto& mask : boxes)
      paint.push_back({(mask.box.x + at.page_x - clip.x) * pixels_x - 1,
                       (mask.box.y + at.page_y - clip.y) * pixels_y - 1, mask.box.width * pixels_x + 2,
                       mask.box.height * pixels_y + 2});
  };
  add(*before, *window);
  add(*after, *moved);
  if (beyond)
    for (const auto* boxes : {&*before, &*after})
      for (const auto& mask : *boxes)
        if (mask.pinned)
          co_return Error{Code::conflict,
                          "a field that must be painted over is fixed to the window, and where it stands in "
                          "a larger picture cannot be told",
                          "take a picture of the window alone", "mask-unknown"};
  auto painted = paint_over(*bytes, paint, quality);
  if (!painted) co_return std::move(painted).error();
  out.bytes = *std::move(painted);
  out.mime = "image/" + options.format;
  out.width = size->first;
  out.height = size->second;
  co_return out;
}

}  // namespace browx::capture
