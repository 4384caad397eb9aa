#pragma once
// The window's contents: layout, keys, the stage's picture. Private to the window's half of the player.
// Thread: the main one.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "player/stage/stage.hpp"
#include "player/ui/ui.hpp"
#include "player/ui/window.hpp"

namespace browx::player {

class App {
  static constexpr int kFollow = 4;

 public:
  /// `window` must outlive it. Loads fonts for the texts of the session.
  App(Window& window, View& view, Stage& stage, bool light);

  /// One frame between Window::begin_frame() and end_frame(). `seconds` since the last one.
  void draw(double seconds);
  /// The session was loaded anew.
  void refresh();
  /// Takes what the stage has drawn; true when there is something new.
  bool poll();
  /// An answer of the stage may still come.
  bool expecting() const { return waiting_ && SteadyClock::now() < patience_; }
  /// Where the last frame drew the timeline's time: x, y, width, height in device pixels.
  ImVec4 plot() const { return plot_; }
  /// A picture that was drawn by Stage::render(), shown instead of the stage's own answers.
  void show(Picture picture);

 private:
  void keys();
  void press(const KeyPress& press);
  void ask();
  void accept(Picture picture);
  void draw_bar(Ui& ui, float height);
  float draw_notices(Ui& ui);
  void draw_list(Ui& ui);
  void draw_stage(Ui& ui);
  void draw_details_in(Ui& ui, ImVec2 size);
  /// A draggable line; `value` is the points on its `before` side.
  void splitter(Ui& ui, const char* id, bool vertical, float& value, float least, float most,
                float direction);

  Window& window_;
  View& view_;
  Stage& stage_;
  Palette colours_;
  Fonts fonts_;
  std::vector<Lane> lanes_;
  Texture texture_;
  std::optional<Picture> picture_;  ///< without its pixels
  std::optional<std::pair<archive::TargetId, Time>> asked_;
  bool waiting_ = false;
  ImVec4 plot_{};
  SteadyClock::time_point patience_;
  int follow_ = kFollow;  ///< frames for which lists follow the playhead
  Panel drawn_panel_;
  float list_ = 400, details_ = 320, timeline_ = 0;  ///< points
};

/// The code points of what is shown of a session, as far as they matter to fonts.
std::u32string texts_of(const Session& session);

}  // namespace browx::player
