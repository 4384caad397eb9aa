#pragma once
// What the page of a tab looked like at a moment: the page as the archive's DOM stream describes it, drawn by
// a private headless Chromium that reaches nothing but the archive; the nearest screencast frame while it
// draws and where there is no such browser.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/model/facts.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace browx::player {

enum class PictureSource { dom, screencast, none };

struct Picture {
  int width = 0, height = 0;    ///< device pixels
  double scale = 1;             ///< device pixels a CSS pixel
  std::vector<std::byte> rgba;  ///< width * height * 4, rows from the top, not premultiplied
  PictureSource source = PictureSource::none;
  archive::TargetId tab;  ///< what was asked
  Time t;
  Time shown;        ///< the moment the picture is of (of a screencast frame: its own time)
  std::string note;  ///< one line said under the stage: source, gaps of this moment, why not exact
};

struct StageOptions {
  std::string chromium;  ///< a path or name; empty: found as `browx doctor` does; "none": never start one
};

/// Owns its thread, on which the archive is read and the browser is spoken to. Methods may be called from any
/// thread. The browser starts with the first question that needs it and ends after a minute without one.
class Stage {
 public:
  static std::unique_ptr<Stage> create(std::filesystem::path archive, StageOptions options);
  virtual ~Stage() = default;

  /// Never blocks; the newest question wins. The same one twice in a row is one question.
  virtual void ask(archive::TargetId tab, Time t) = 0;
  /// The newest answer not taken yet: first the nearest screencast frame, then the exact page.
  virtual std::optional<Picture> take() = 0;
  /// Blocks; the exact page (source `dom`), or the reason why there is none.
  virtual Result<Picture> render(archive::TargetId tab, Time t, std::chrono::milliseconds deadline) = 0;
};

}  // namespace browx::player
