#include "capture/drive/target.hpp"

#include <algorithm>
#include <cmath>

#include "capture/drive/failure.hpp"
#include "capture/drive/frames.hpp"
#include "capture/session.hpp"

namespace browx::capture {
namespace {

/// Time kept back so that a refusal is answered before the deadline.
std::int64_t wait_ms(Deadline deadline) {
  const std::int64_t left = deadline.left().count();
  return std::max<std::int64_t>(1, left - std::clamp<std::int64_t>(left / 5, 5, 500));
}

Point point_of(const Json& value) { return {json_number(value, "x"), json_number(value, "y")}; }

/// A page function that begins with `prepare`, in the element's own frame, patient as kPatience says. Answers
/// a refusal as it is.
Task<Json> patiently(Element element, std::string function, Json argument, bool quick, Deadline deadline) {
  argument["id"] = element.element;
  argument["waitMs"] = wait_ms(deadline.at_most(kPatience));
  if (quick) argument["quick"] = true;
  auto answer = co_await element.frame->page(function, argument, deadline);
  if (answer && json_string(*answer, "refused") == "moving" &&
      deadline.left() > std::chrono::milliseconds(50)) {
    argument["waitMs"] = wait_ms(deadline);
    argument.erase("quick");
    answer = co_await element.frame->page(function, argument, deadline);
  }
  co_return answer;
}

Task<Json> prepare(Element element, std::string purpose, bool quick, std::string* cover, Deadline deadline) {
  Json argument = {{"for", purpose}, {"scroll", true}};
  auto prepared = co_await patiently(element, "prepare", std::move(argument), quick, deadline);
  if (!prepared || !prepared->contains("refused")) co_return prepared;
  if (cover) *cover = json_string(*prepared, "by");
  co_return refusal(*prepared, element.ref.empty() ? std::string("the element") : element.ref);
}

}  // namespace

Task<bool> show_frames(Element element, Deadline deadline) {
  auto steps = co_await frame_steps(element.frame, deadline);
  if (!steps) co_return std::move(steps).error();
  // Outermost first: each level scrolls within what is visible of it.
  for (auto step = steps->rbegin(); step != steps->rend(); ++step) {
    Json argument = {{"id", step->owner}};
    BROWX_CO_TRY(co_await step->parent->page("scrollIntoView", std::move(argument), deadline));
  }
  co_return true;
}

Task<Aim> aim(Tab& tab, Element element, std::string purpose, bool quick, std::string* cover,
              Deadline deadline) {
  const bool framed = element.frame.get() != &tab.main_frame();
  if (framed) BROWX_CO_TRY(co_await show_frames(element, deadline));
  auto prepared = co_await prepare(element, purpose, quick, cover, deadline);
  if (!prepared) co_return std::move(prepared).error();
  Aim out;
  out.inner = out.at = point_of(json_member(*prepared, "point"));
  out.box = json_member(*prepared, "box");
  out.scrolled = point_of(json_member(*prepared, "scrolled"));
  out.label = json_string(*prepared, "via") == "label";
  if (!framed) co_return out;

  const std::string name = element.ref.empty() ? std::string("the element") : element.ref;
  for (int attempt = 0;; ++attempt) {
    auto steps = co_await frame_steps(element.frame, deadline);
    if (!steps) co_return std::move(steps).error();
    Point at = out.inner;
    bool hit = true, scrolled = false;
    std::string by;
    for (const auto& step : *steps) {
      at = step.transform.to_main(at);
      Json argument = {{"id", step.owner}, {"x", at.x}, {"y", at.y}};
      auto hits = co_await step.parent->page("hits", std::move(argument), deadline);
      if (!hits) co_return std::move(hits).error();
      hit = json_bool(*hits, "hit");
      if (hit) continue;
      by = json_string(*hits, "by");
      // Outside of that viewport, or under something fixed at its edge: bring the very point further in, at
      // different heights.
      if (attempt < 4) {
        static constexpr double kHeights[] = {160, 300, 60, 420};
        Json scroll = Json::object();
        scroll["by"] = Json{{"x", at.x < 0 ? at.x - 40 : 0.0}, {"y", at.y - kHeights[attempt]}};
        auto moved = co_await step.parent->page("scroll", std::move(scroll), deadline);
        if (!moved) co_return std::move(moved).error();
        const Point far = point_of(json_member(*moved, "scrolled"));
        scrolled = far.x != 0 || far.y != 0;
      }
      break;
    }
    if (hit) {
      out.at = at;
      co_return out;
    }
    if (scrolled) continue;
    if (cover) *cover = by;
    Json refused = {{"refused", by.empty() ? "off-screen" : "covered"}, {"by", by}};
    co_return refusal(refused, name);
  }
}

Task<Standing> still_there(Element element, Aim aim, Deadline deadline) {
  Json argument = {{"id", element.element}, {"x", aim.inner.x}, {"y", aim.inner.y}};
  auto hits = co_await element.frame->page("hits", std::move(argument), deadline);
  if (!hits) co_return std::move(hits).error();
  Standing out;
  out.attached = json_bool(*hits, "attached", true);
  out.hit = json_bool(*hits, "hit");
  out.by = json_string(*hits, "by");
  const Json& box = json_member(*hits, "box");
  if (box.is_object() && aim.box.is_object())
    for (const char* side : {"x", "y", "width", "height"})
      if (std::abs(json_number(box, side) - json_number(aim.box, side)) > 0.5) out.moved = true;
  co_return out;
}

namespace {

/// The child frame that an element of `frame` holds; null when there is none.
asio::awaitable<std::shared_ptr<Frame>> child_in(std::shared_ptr<Frame> frame, std::int64_t element,
                                                 Deadline deadline) {
  std::vector<std::shared_ptr<Frame>> children;
  for (Frame* f : frame->children()) children.push_back(f->shared_from_this());
  for (const auto& child : children) {
    auto owner = co_await child->owner_element(deadline);
    if (owner && *owner == element) co_return child;
  }
  co_return nullptr;
}

}  // namespace

Task<Element> focused_element(Tab& tab, bool* sensitive, Deadline deadline) {
  Element out;
  out.frame = tab.main_frame().shared_from_this();
  for (;;) {
    Json argument = Json::object();
    auto found = co_await out.frame->page("focused", std::move(argument), deadline);
    if (!found) co_return std::move(found).error();
    out.element = json_int(*found, "id");
    *sensitive = json_bool(*found, "sensitive");
    if (out.element == 0 || !json_bool(*found, "frame")) break;
    const auto child = co_await child_in(out.frame, out.element, deadline);
    if (!child) break;
    out.frame = child;
    out.element = 0;
  }
  if (out.element) out.ref = tab.session().refs().ref_of(*out.frame, out.element);
  co_return out;
}

Task<Element> element_at(Tab& tab, Point point, Deadline deadline) {
  Element out;
  out.frame = tab.main_frame().shared_from_this();
  Point at = point;
  for (;;) {
    Json argument = {{"x", at.x}, {"y", at.y}};
    auto found = co_await out.frame->page("at", std::move(argument), deadline);
    if (!found) co_return std::move(found).error();
    out.element = json_int(*found, "id");
    if (out.element == 0 || !json_bool(*found, "frame")) break;
    const auto child = co_await child_in(out.frame, out.element, deadline);
    if (!child) break;
    Json owner = {{"id", out.element}};
    auto where = co_await out.frame->page("transform", std::move(owner), deadline);
    if (!where) co_return std::move(where).error();
    const double sx = json_number(*where, "scaleX", 1), sy = json_number(*where, "scaleY", 1);
    at = {(at.x - json_number(*where, "x")) / (sx == 0 ? 1 : sx),
          (at.y - json_number(*where, "y")) / (sy == 0 ? 1 : sy)};
    out.frame = child;
    out.element = 0;
  }
  if (out.element) out.ref = tab.session().refs().ref_of(*out.frame, out.element);
  out.point = point;
  co_return out;
}

Task<Json> make_ready(Tab& tab, Element element, std::string purpose, std::string* cover, Deadline deadline) {
  if (element.frame.get() != &tab.main_frame()) BROWX_CO_TRY(co_await show_frames(element, deadline));
  co_return co_await prepare(element, std::move(purpose), true, cover, deadline);
}

Task<Json> begin_input(Tab& tab, Element element, std::string function, Json argument, Deadline deadline) {
  if (element.frame.get() != &tab.main_frame()) BROWX_CO_TRY(co_await show_frames(element, deadline));
  co_return co_await patiently(element, std::move(function), std::move(argument), true, deadline);
}

}  // namespace browx::capture
