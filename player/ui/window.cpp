#define GL_GLEXT_PROTOTYPES
#include "player/ui/window.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <GL/gl.h>
#include <GL/glext.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

namespace browx::player {
namespace {

std::string glfw_said() {
  const char* text = nullptr;
  return glfwGetError(&text) != GLFW_NO_ERROR && text ? text : "the window system gave no reason";
}

}  // namespace

Texture::~Texture() {
  if (id_) glDeleteTextures(1, &id_);
}

void Texture::load(int width, int height, const std::byte* rgba) {
  if (!id_) glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  // Pictures are shown smaller than they are most of the time.
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  glGenerateMipmap(GL_TEXTURE_2D);
  width_ = width;
  height_ = height;
}

Result<std::unique_ptr<Window>> Window::create(const WindowOptions& options) {
  const char *x = std::getenv("DISPLAY"), *wayland = std::getenv("WAYLAND_DISPLAY");
  const bool nowhere = (!x || !*x) && (!wayland || !*wayland);
  const std::string hint =
      "Run it on a desktop, or below a virtual display: xvfb-run -a browx-player …  (browx-player --dump "
      "needs none)";
  if (nowhere)
    return Error{Code::unavailable, "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set", hint};
  std::unique_ptr<Window> out(new Window);
  if (!glfwInit()) return Error{Code::unavailable, "No window can be made: " + glfw_said(), hint};
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, options.hidden ? GLFW_FALSE : GLFW_TRUE);
  out->hidden_ = options.hidden;
  out->scale_ = options.scale;
  if (out->scale_ <= 0) {
    float across = 1, down = 1;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor(); monitor && !options.hidden)
      glfwGetMonitorContentScale(monitor, &across, &down);
    out->scale_ = std::clamp(static_cast<double>(across), 0.5, 4.0);
  }
  const int width = static_cast<int>(std::lround(options.width * out->scale_)),
            height = static_cast<int>(std::lround(options.height * out->scale_));
  // Where it is not shown, the frame is drawn into a picture of its own, so that the display's size does not
  // matter.
  out->window_ = glfwCreateWindow(options.hidden ? 64 : width, options.hidden ? 64 : height,
                                  options.title.c_str(), nullptr, nullptr);
  if (!out->window_)
    return Error{Code::unavailable, "No window with OpenGL 3.2 can be made: " + glfw_said(),
                 "Mesa's software renderer will do: Debian's package libgl1-mesa-dri"};
  glfwMakeContextCurrent(out->window_);
  glfwSwapInterval(options.hidden ? 0 : 1);
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  out->imgui_ = true;
  ImGui::GetIO().IniFilename = nullptr;
  out->listen();
  ImGui_ImplGlfw_InitForOpenGL(out->window_, true);  // calls what listen() set, too
  if (!ImGui_ImplOpenGL3_Init("#version 150"))
    return Error{Code::unavailable, "OpenGL cannot be used",
                 "Mesa's software renderer will do: Debian's package libgl1-mesa-dri"};
  if (options.hidden) {
    out->width_ = width;
    out->height_ = height;
    glGenTextures(1, &out->colour_);
    glBindTexture(GL_TEXTURE_2D, out->colour_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glGenFramebuffers(1, &out->frame_buffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, out->frame_buffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, out->colour_, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      return Error{Code::unavailable, "OpenGL refuses a picture of that size",
                   "Give a smaller --size or --scale"};
  }
  return out;
}

Window::~Window() {
  if (imgui_) {
    if (ImGui::GetIO().BackendRendererUserData) ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  if (frame_buffer_) glDeleteFramebuffers(1, &frame_buffer_);
  if (colour_) glDeleteTextures(1, &colour_);
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const { return glfwWindowShouldClose(window_); }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

void Window::wait(double seconds) {
  if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
}

bool Window::touched() { return std::exchange(touched_, false); }

std::vector<KeyPress> Window::take_keys() { return std::exchange(keys_, {}); }

void Window::listen() {
  glfwSetWindowUserPointer(window_, this);
  static constexpr auto touch = [](GLFWwindow* window) {
    static_cast<Window*>(glfwGetWindowUserPointer(window))->touched_ = true;
  };
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int mods) {
    if (action != GLFW_RELEASE)
      static_cast<Window*>(glfwGetWindowUserPointer(w))->keys_.push_back({key, mods});
    touch(w);
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned) { touch(w); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { touch(w); });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { touch(w); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { touch(w); });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { touch(w); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { touch(w); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { touch(w); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { touch(w); });
}

void Window::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (hidden_) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
  }
  ImGui::NewFrame();
}

void Window::end_frame() {
  ImGui::Render();
  int width = width_, height = height_;
  if (!hidden_) glfwGetFramebufferSize(window_, &width, &height);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_buffer_);
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (!hidden_) glfwSwapBuffers(window_);
}

Pixels Window::pixels() const {
  Pixels out{width_, height_, {}};
  const std::size_t row = static_cast<std::size_t>(width_) * 4;
  std::vector<std::byte> below(row * static_cast<std::size_t>(height_));
  glBindFramebuffer(GL_FRAMEBUFFER, frame_buffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, below.data());
  out.rgba.resize(below.size());
  // OpenGL's rows go from the bottom, and its alpha says nothing of a window.
  for (std::size_t y = 0; y < static_cast<std::size_t>(height_); ++y)
    std::memcpy(out.rgba.data() + y * row, below.data() + (static_cast<std::size_t>(height_) - 1 - y) * row,
                row);
  for (std::size_t i = 3; i < out.rgba.size(); i += 4) out.rgba[i] = std::byte{255};
  return out;
}

}  // namespace browx::player
