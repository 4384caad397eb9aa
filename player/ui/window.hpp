#pragma once
// The one window of the program: GLFW, OpenGL 3 and the frame that ImGui draws into. Thread: the main one.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"

struct GLFWwindow;

namespace browx::player {

struct WindowOptions {
  int width = 1280, height = 800;  ///< points
  double scale = 0;                ///< device pixels a point; 0: the display's
  bool hidden = false;
  std::string title;
};

/// A key that went down or repeats, as GLFW names it (GLFW_KEY_…, GLFW_MOD_…).
struct KeyPress {
  int key = 0, mods = 0;
};

/// Pixels, 4 bytes each, rows from the top.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::byte> rgba;
};

/// A picture on the graphics card. Must die before its window.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  void load(int width, int height, const std::byte* rgba);
  unsigned id() const { return id_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  unsigned id_ = 0;
  int width_ = 0, height_ = 0;
};

class Window {
 public:
  /// Error `unavailable` where there is no display or no OpenGL 3.
  static Result<std::unique_ptr<Window>> create(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  double scale() const { return scale_; }
  bool closing() const;
  void close();
  void set_title(const std::string& title);
  /// Waits for input, at most that long; 0 does not wait.
  void wait(double seconds);
  /// Whether input came since this was last asked.
  bool touched();
  /// Key presses since this was last asked, in order. ImGui's own state of keys loses one that is pressed and
  /// released between two frames.
  std::vector<KeyPress> take_keys();
  /// Fonts and style must be set between create() and the first frame.
  void begin_frame();
  /// Ends the frame and draws it: on the screen, or where the window is hidden, into a picture of exactly the
  /// wished size.
  void end_frame();
  /// What the last frame looked like. Only of a hidden window.
  Pixels pixels() const;

 private:
  Window() = default;
  void listen();
  GLFWwindow* window_ = nullptr;
  double scale_ = 1;
  bool hidden_ = false, imgui_ = false, touched_ = true;
  int width_ = 0, height_ = 0;  ///< device pixels, of a hidden window
  std::vector<KeyPress> keys_;
  unsigned frame_buffer_ = 0, colour_ = 0;
};

}  // namespace browx::player
