#include "capture/drive/input.hpp"

#include <algorithm>

#include "capture/drive/running.hpp"
#include "capture/session.hpp"

namespace browx::capture {
namespace {

/// How long a dialog may stay open before it counts as one that stays: the policy answers its own at once.
constexpr std::chrono::milliseconds kDialogGrace{250};

bool dialog_open(Tab& tab) {
  const auto dialogs = tab.pending_dialogs();
  return std::any_of(dialogs.begin(), dialogs.end(), [](const Dialog& d) { return d.open; });
}

Task<Json> call(cdp::Connection& connection, std::string session, std::string method, Json params,
                Deadline deadline) {
  return connection.call(std::move(session), std::move(method), std::move(params), deadline);
}

struct Command {
  std::string method;
  Json params;
};

/// Sends all commands at once and waits for their answers, but not for those that an open dialog holds up.
Task<bool> send(Tab& tab, std::vector<Command> commands, Deadline deadline) {
  asio::any_io_executor executor = tab.session().executor();
  std::vector<Running<Json>> running;
  for (auto& c : commands)
    running.push_back(Running<Json>::start(
        executor,
        call(tab.connection(), tab.cdp_session(), std::move(c.method), std::move(c.params), deadline)));
  std::optional<SteadyClock::time_point> dialog_since;
  for (auto& one : running) {
    while (!one.done()) {
      Deadline next = deadline;
      if (dialog_open(tab)) {
        if (!dialog_since) dialog_since = SteadyClock::now();
        const Deadline grace(*dialog_since + kDialogGrace);
        if (grace.passed())
          co_return Error{Code::conflict, "a dialog is open over the page", "answer it first", "dialog-open"};
        next = Deadline(std::min(next.at(), grace.at()));
      } else {
        dialog_since.reset();
        // The tab tells of a dialog, the command of its end: looked at by turns, as either may come first.
        next = next.at_most(std::chrono::milliseconds(100));
      }
      co_await one.ended().wait(next);
      if (deadline.passed() && !one.done())
        co_return Error{Code::timeout, "the page did not take the input in time", {}, {}};
    }
    auto answer = co_await one.get(deadline);
    if (!answer) co_return std::move(answer).error();
  }
  co_return true;
}

Json mouse_event(const char* type, Point at, int modifiers) {
  Json params = {{"type", type}, {"x", at.x}, {"y", at.y}, {"modifiers", modifiers}};
  return params;
}

Json key_event(const char* type, const Key& key, int modifiers) {
  Json params = {{"type", type}, {"key", key.key}, {"code", key.code}, {"modifiers", modifiers}};
  params["windowsVirtualKeyCode"] = key.key_code;
  params["location"] = key.location;
  if (key.location == 3) params["isKeypad"] = true;
  return params;
}

Command key_down(const Key& key, int modifiers) {
  const bool types = !key.text.empty() && (modifiers & (kControl | kAlt | kMeta)) == 0;
  Json params = key_event(types ? "keyDown" : "rawKeyDown", key, modifiers);
  if (types) {
    params["text"] = key.text;
    params["unmodifiedText"] = key.text;
  }
  return {"Input.dispatchKeyEvent", std::move(params)};
}

Command key_up(const Key& key, int modifiers) {
  return {"Input.dispatchKeyEvent", key_event("keyUp", key, modifiers)};
}

/// Posts commands when it dies, unless told that they were sent.
class Release {
 public:
  Release(Tab& tab, std::vector<Command> commands)
      : connection_(tab.connection()), session_(tab.cdp_session()), commands_(std::move(commands)) {}
  ~Release() {
    for (auto& c : commands_) connection_.post(session_, std::move(c.method), std::move(c.params));
  }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;
  void sent() { commands_.clear(); }

 private:
  cdp::Connection& connection_;
  std::string session_;
  std::vector<Command> commands_;
};

}  // namespace

Task<bool> move_mouse(Tab& tab, Point to, int modifiers, Deadline deadline) {
  std::vector<Command> commands;
  commands.push_back({"Input.dispatchMouseEvent", mouse_event("mouseMoved", to, modifiers)});
  co_return co_await send(tab, std::move(commands), deadline);
}

Task<bool> click_mouse(Tab& tab, Point at, MouseButton button, int count, int modifiers, Deadline deadline) {
  // All presses and releases leave together: commands of one session are carried out in order, and a release
  // that is already on its way cannot be forgotten, whatever becomes of this coroutine.
  std::vector<Command> commands;
  for (int n = 1; n <= count; ++n) {
    Json press = mouse_event("mousePressed", at, modifiers);
    press["button"] = button.name;
    press["buttons"] = button.mask();
    press["clickCount"] = n;
    Json release = mouse_event("mouseReleased", at, modifiers);
    release["button"] = button.name;
    release["buttons"] = 0;
    release["clickCount"] = n;
    commands.push_back({"Input.dispatchMouseEvent", std::move(press)});
    commands.push_back({"Input.dispatchMouseEvent", std::move(release)});
  }
  co_return co_await send(tab, std::move(commands), deadline);
}

Task<bool> turn_wheel(Tab& tab, Point at, double dx, double dy, Deadline deadline) {
  Json params = mouse_event("mouseWheel", at, 0);
  params["deltaX"] = dx;
  params["deltaY"] = dy;
  std::vector<Command> commands;
  commands.push_back({"Input.dispatchMouseEvent", std::move(params)});
  co_return co_await send(tab, std::move(commands), deadline);
}

Task<bool> strike(Tab& tab, Chord chord, Deadline deadline) {
  std::vector<Command> commands;
  int modifiers = 0;
  for (const auto& k : chord.held) {
    modifiers |= k.modifier;
    commands.push_back(key_down(k, modifiers));
  }
  commands.push_back(key_down(chord.key, modifiers | chord.key.modifier));
  commands.push_back(key_up(chord.key, modifiers));
  for (auto k = chord.held.rbegin(); k != chord.held.rend(); ++k) {
    modifiers &= ~k->modifier;
    commands.push_back(key_up(*k, modifiers));
  }
  co_return co_await send(tab, std::move(commands), deadline);
}

Task<bool> hold(Tab& tab, std::vector<Key> keys, Deadline deadline) {
  std::vector<Command> downs, ups;
  int modifiers = 0;
  for (const auto& k : keys) {
    modifiers |= k.modifier;
    downs.push_back(key_down(k, modifiers));
    ups.insert(ups.begin(), key_up(k, modifiers & ~k.modifier));
  }
  Release release(tab, std::move(ups));
  auto held = co_await send(tab, std::move(downs), deadline);
  if (held) release.sent();  // the caller lets go
  co_return held;
}

void let_go(Tab& tab, const std::vector<Key>& keys) {
  int modifiers = 0;
  for (const auto& k : keys) modifiers |= k.modifier;
  for (auto k = keys.rbegin(); k != keys.rend(); ++k) {
    modifiers &= ~k->modifier;
    Command up = key_up(*k, modifiers);
    tab.connection().post(tab.cdp_session(), std::move(up.method), std::move(up.params));
  }
}

Task<bool> insert_text(Tab& tab, std::string text, Deadline deadline) {
  Json params = {{"text", text}};
  std::vector<Command> commands;
  commands.push_back({"Input.insertText", std::move(params)});
  co_return co_await send(tab, std::move(commands), deadline);
}

}  // namespace browx::capture
