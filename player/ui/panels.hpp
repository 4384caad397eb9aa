#pragma once
// The lists at the left, one function each. To add one: a Panel, a function, a line in panel_list(). Private
// to the window's half of the player. Thread: the main one.

#include <span>
#include <string>

#include "player/ui/ui.hpp"

namespace browx::player {

struct PanelKind {
  Panel panel;
  const char* title;
  void (*draw)(Ui& ui);
  std::string (*count)(const Session& session);  ///< behind the title
  bool (*alarm)(const Session& session);         ///< the count is drawn in red
};
std::span<const PanelKind> panel_list();

void draw_steps(Ui& ui);
void draw_coverage(Ui& ui);
void draw_network(Ui& ui);
void draw_console(Ui& ui);
void draw_gaps(Ui& ui);
void draw_session(Ui& ui);

/// What is selected, in full.
void draw_details(Ui& ui);
/// The lanes. `height`: of the whole; answers nothing, moves playhead, selection and viewport.
void draw_timeline(Ui& ui);
/// Points that the timeline would like to have.
float timeline_height(const Ui& ui);

}  // namespace browx::player
