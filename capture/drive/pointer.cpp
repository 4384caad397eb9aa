#include "capture/drive/pointer.hpp"

#include "capture/drive/input.hpp"
#include "capture/drive/resolve.hpp"

namespace browx::capture {
namespace {

/// How often an element may slip away from under the pointer before the action is refused.
constexpr int kTries = 4;

Error covered(const Acting& a, const std::string& by) {
  const std::string name = a.element->ref.empty() ? std::string("the element") : a.element->ref;
  return {Code::conflict,
          by.empty() ? name + " does not take the pointer" : name + " is covered by " + by,
          {},
          "covered"};
}

void tell_cover(Acting& a, const std::string& cover) {
  if (!cover.empty()) a.facts["hit"] = Json{{"delivered", false}, {"by", cover}};
}

void tell_scroll(Acting& a, Point scrolled) {
  if (scrolled.x != 0 || scrolled.y != 0) a.facts["scroll"] = Json{{"x", scrolled.x}, {"y", scrolled.y}};
}

/// Holds modifier keys for the length of a click.
class Held {
 public:
  explicit Held(Tab& tab) : tab_(tab) {}
  ~Held() { let_go(tab_, keys_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Task<bool> press(std::vector<Key> keys, Deadline deadline) {
    if (keys.empty()) co_return true;
    auto held = co_await hold(tab_, keys, deadline);
    if (held) keys_ = std::move(keys);
    co_return held;
  }

 private:
  Tab& tab_;
  std::vector<Key> keys_;
};

}  // namespace

Task<Aim> approach(Acting& a, std::string purpose, int modifiers) {
  if (a.address && a.address->coords) {  // a bare point: what lies there is what is meant
    Aim at;
    at.at = at.inner = *a.address->coords;
    BROWX_CO_TRY(co_await move_mouse(a.tab, at.at, modifiers, a.deadline));
    co_return at;
  }
  std::string by;
  for (int tries = 0; tries < kTries; ++tries) {
    std::string cover;
    auto aimed = co_await aim(a.tab, *a.element, purpose, tries == 0, &cover, a.deadline);
    if (!aimed) {
      tell_cover(a, cover);
      if (aimed.error().kind_or_code() != "detached") co_return aimed;
      // Replaced while we looked: a selector means whatever it matches now, a ref only that element.
    } else {
      BROWX_CO_TRY(co_await move_mouse(a.tab, aimed->at, modifiers, a.deadline));
      auto standing = co_await still_there(*a.element, *aimed, a.deadline);
      if (!standing) co_return std::move(standing).error();
      if (standing->attached && standing->hit && !standing->moved) {
        tell_scroll(a, aimed->scrolled);
        co_return aimed;
      }
      by = standing->by;
      if (standing->attached) continue;
    }
    if (!a.address->selector) {
      BROWX_CO_TRY(co_await check_alive(a.tab, *a.element, a.deadline));
      co_return Error{Code::gone, a.element->ref + " was taken out of the page", {}, "detached"};
    }
    const std::string before = a.element->ref;
    BROWX_CO_TRY(co_await find_target(a));
    a.result.warnings.push_back(before + " was replaced when the pointer came over it; acted on " +
                                a.element->ref);
  }
  tell_cover(a, by);
  co_return covered(a, by);
}

Task<bool> click_element(Acting& a, ClickOptions options) {
  int modifiers = 0;
  std::vector<Key> keys;
  for (const auto& name : options.modifiers) {
    auto bit = modifier_bit(name);
    if (!bit) co_return std::move(bit).error();
    if ((modifiers & *bit) != 0) continue;
    modifiers |= *bit;
    auto chord = parse_chord(name);
    if (!chord) co_return std::move(chord).error();
    keys.push_back(std::move(chord->key));
  }
  auto at = co_await approach(a, "click", modifiers);
  if (!at) co_return std::move(at).error();
  BROWX_CO_TRY(co_await watching(a));
  Held held(a.tab);
  BROWX_CO_TRY(co_await held.press(std::move(keys), a.deadline));
  a.acted = true;
  if (a.element && a.element->element) {
    a.must_press = true;
    a.must_click = options.button == "left";
  }
  const int count = std::max(1, options.count);
  MouseButton button;
  button.name = options.button;
  auto clicked = co_await click_mouse(a.tab, at->at, std::move(button), count, modifiers, a.deadline);
  co_return clicked;
}

namespace {

Task<bool> click_verb(Acting& a, ClickOptions options) {
  BROWX_CO_TRY(co_await find_target(a));
  co_return co_await click_element(a, std::move(options));
}

Task<bool> hover_verb(Acting& a) {
  BROWX_CO_TRY(co_await find_target(a));
  BROWX_CO_TRY(co_await watching(a));
  auto at = co_await approach(a, "hover", 0);
  if (!at) co_return std::move(at).error();
  a.acted = true;
  co_return true;
}

}  // namespace

Task<ActionResult> click(Session& session, Tab& tab, Address target, ClickOptions click,
                         ActionOptions options) {
  ActionSpec spec{"click", std::move(target), {}};
  Verb verb = [click](Acting& a) { return click_verb(a, click); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

Task<ActionResult> hover(Session& session, Tab& tab, Address target, ActionOptions options) {
  ActionSpec spec{"hover", std::move(target), {}};
  Verb verb = [](Acting& a) { return hover_verb(a); };
  co_return co_await run_action(session, tab, std::move(spec), std::move(options), std::move(verb));
}

}  // namespace browx::capture
