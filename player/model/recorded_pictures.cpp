#include "player/model/recorded_pictures.hpp"

#include <utility>

#include "archive/reader.hpp"
#include "base/pictures.hpp"
#include "player/model/viewport.hpp"

namespace browx::player {
namespace {

class RecordedPictures final : public Stage {
 public:
  explicit RecordedPictures(std::filesystem::path path) : path_(std::move(path)) {}

  void ask(archive::TargetId tab, Time t) override {
    Picture picture;
    picture.tab = tab;
    picture.t = picture.shown = t;
    load();
    const archive::Frame* frame = nearest(tab, t);
    if (!frame) {
      picture.note = "No picture of this tab was recorded.";
    } else if (!decode(*frame, picture)) {
      picture.note = "The picture of " + clock_text(frame->t) + " cannot be decoded.";
    } else {
      picture.source = PictureSource::screencast;
      picture.shown = frame->t;
      picture.note =
          (frame->source == "screenshot" ? "Screenshot of " : "Screencast of ") + clock_text(frame->t);
    }
    answer_ = std::move(picture);
  }
  std::optional<Picture> take() override { return std::exchange(answer_, std::nullopt); }
  Result<Picture> render(archive::TargetId, Time, std::chrono::milliseconds) override {
    return Error{Code::unavailable, "Pages are not drawn from the recording here",
                 "The recorded pictures are shown instead"};
  }

 private:
  void load() {
    if (loaded_) return;
    loaded_ = true;
    auto reader = archive::Reader::open(path_);
    if (!reader) return;
    auto frames = (*reader)->frames(true);
    if (frames) frames_ = *std::move(frames);
  }

  const archive::Frame* nearest(archive::TargetId tab, Time t) const {
    const archive::Frame* before = nullptr;
    const archive::Frame* after = nullptr;
    for (const auto& frame : frames_) {
      if (frame.target != tab) continue;
      if (frame.t <= t && (!before || frame.t >= before->t)) before = &frame;
      if (frame.t > t && (!after || frame.t < after->t)) after = &frame;
    }
    return before ? before : after;
  }

  static bool decode(const archive::Frame& frame, Picture& picture) {
    auto decoded = decode_picture(frame.bytes);
    if (!decoded) return false;
    picture.width = decoded->width;
    picture.height = decoded->height;
    picture.rgba = std::move(decoded->rgba);
    return true;
  }

  std::filesystem::path path_;
  bool loaded_ = false;
  std::vector<archive::Frame> frames_;
  std::optional<Picture> answer_;
};

}  // namespace

std::unique_ptr<Stage> recorded_pictures(std::filesystem::path archive) {
  return std::make_unique<RecordedPictures>(std::move(archive));
}

}  // namespace browx::player
