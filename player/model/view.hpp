#pragma once
// What a reviewer looks at: playhead, selection, panel, stretch of time. The window draws it and sends it
// keys and clicks; `--dump` prints it. Thread: one at a time; a plain value.

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "player/model/session.hpp"
#include "player/model/viewport.hpp"

namespace browx::player {

enum class Panel { steps, coverage, network, console, gaps, session };
inline constexpr Panel kPanels[] = {Panel::steps,   Panel::coverage, Panel::network,
                                    Panel::console, Panel::gaps,     Panel::session};
/// "steps", …
const char* panel_name(Panel panel);
std::optional<Panel> panel_of(std::string_view name);
/// "steps, coverage, …", for messages.
std::string panel_names();

class View {
 public:
  explicit View(Session session);

  const Session& session() const { return session_; }
  Time t() const { return t_; }
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  /// The step that had begun at the playhead, or the one that was chosen.
  std::optional<std::size_t> step() const { return step_; }
  std::optional<std::size_t> request() const { return request_; }
  std::optional<std::size_t> criterion() const { return criterion_; }
  archive::TargetId tab() const { return tab_ ? *tab_ : session_.tab_at(t_); }

  Panel panel = Panel::steps;
  Viewport viewport;

  /// Clamped to the recording. The selected step follows.
  void move_to(Time t);
  /// To the next (`count` > 0) or previous moments at which something happened.
  void step_moments(int count);
  /// To the beginning of the next or previous failed step; false when there is none.
  bool step_failures(int direction);
  void select_step(std::size_t index);
  void select_request(std::size_t index);
  /// Goes to its first span, and shows it whole where the timeline is zoomed in.
  void select_criterion(std::size_t index);
  /// Absent: follows the playhead.
  void select_tab(std::optional<archive::TargetId> tab) { tab_ = tab; }
  void home() { move_to(session_.first); }
  void end() { move_to(session_.end); }
  void toggle_play();
  void set_speed(double speed) { speed_ = speed; }
  /// Moves a playing playhead by that much time of the watcher; it stops at the end.
  void advance(double seconds);
  /// The same recording, longer: keeps playhead and selection. A playhead at the end follows it.
  void reload(Session session);

 private:
  Session session_;
  Time t_;
  bool playing_ = false;
  double speed_ = 1, carried_us_ = 0;
  std::optional<std::size_t> step_, request_, criterion_;
  std::optional<archive::TargetId> tab_;
};

}  // namespace browx::player
