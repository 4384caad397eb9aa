#include "player/stage/stage.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "archive/page_at.hpp"
#include "archive/reader.hpp"
#include "base/async.hpp"
#include "base/log.hpp"
#include "base/pictures.hpp"
#include "player/stage/screen.hpp"
#include "player/stage/supply.hpp"

namespace browx::player {
namespace {

using archive::TargetId;

constexpr auto kIdle = std::chrono::minutes(1);
constexpr auto kPatience = std::chrono::seconds(30);  // for a picture nobody waits for
constexpr auto kStart = std::chrono::seconds(20);
constexpr std::size_t kPicturesKept = 24;
constexpr std::size_t kBytesKept = 96u << 20;

struct Question {
  TargetId tab;
  Time t;
  friend bool operator==(const Question&, const Question&) = default;
};

/// A render() that somebody waits for; shared, since either side may leave first.
struct Wait {
  Question question;
  Deadline deadline;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Result<Picture>> answer;
};

/// Pictures by the state they show, the newest first.
class Shelf {
 public:
  const Picture* find(const std::string& key) {
    for (auto at = kept_.begin(); at != kept_.end(); ++at) {
      if (at->first != key) continue;
      kept_.splice(kept_.begin(), kept_, at);
      return &kept_.front().second;
    }
    return nullptr;
  }
  void keep(std::string key, Picture picture) {
    bytes_ += picture.rgba.size();
    kept_.emplace_front(std::move(key), std::move(picture));
    while (kept_.size() > kPicturesKept || (bytes_ > kBytesKept && kept_.size() > 1)) {
      bytes_ -= kept_.back().second.rgba.size();
      kept_.pop_back();
    }
  }

 private:
  std::list<std::pair<std::string, Picture>> kept_;
  std::size_t bytes_ = 0;
};

std::string key_of(const archive::PageAt& page) {
  std::string key = fmt::format("{}x{}@{}", page.viewport.width, page.viewport.height, page.scale);
  for (const auto& [id, document] : page.documents)
    key += fmt::format(" {}:{}:{}", id.value(), document.state.applied(), document.owner);
  return key;
}

std::string gaps_note(const archive::PageAt& page, std::size_t missing) {
  std::map<std::string, int> reasons;
  for (const auto& gap : page.gaps)
    if (gap.reason != "asset-missing") ++reasons[gap.reason];
  std::string out;
  for (const auto& [reason, count] : reasons)
    out += (out.empty() ? "; not recorded: " : ", ") +
           (count > 1 ? fmt::format("{} ×{}", reason, count) : reason);
  if (missing)
    out += fmt::format("; {} {} not kept", missing, missing == 1 ? "resource was" : "resources were");
  if (!page.note.empty()) out += "; " + page.note;
  return out;
}

class OwnStage final : public Stage {
 public:
  OwnStage(std::filesystem::path archive, StageOptions options)
      : archive_(std::move(archive)), options_(std::move(options)), wake_(io_.get_executor()) {
    asio::co_spawn(io_, run(), asio::bind_cancellation_slot(cancel_.slot(), [this](std::exception_ptr error) {
                     if (error && !quitting_) log_error("the stage ended by an exception");
                     screen_.reset();
                     io_.stop();
                   }));
    thread_ = std::thread([this] {
      const auto work = asio::make_work_guard(io_);
      io_.run();
    });
  }

  ~OwnStage() override {
    quitting_ = true;
    // What is being waited for ends now; the loop ends with the coroutine, and the browser before it.
    asio::post(io_, [this] { cancel_.emit(asio::cancellation_type::terminal); });
    thread_.join();
    for (const auto& wait : waits_)
      answer(*wait, Error{Code::cancelled, "The stage was closed", "", "stage-closed"});
    if (serving_) answer(*serving_, Error{Code::cancelled, "The stage was closed", "", "stage-closed"});
  }

  void ask(TargetId tab, Time t) override {
    const std::lock_guard lock(mutex_);
    const Question question{tab, t};
    if (newest_ == question) return;
    newest_ = question;
    pending_ = question;
    asio::post(io_, [this, question] {
      preview(question);
      wake_.notify();
    });
  }

  std::optional<Picture> take() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(answer_, std::nullopt);
  }

  Result<Picture> render(TargetId tab, Time t, std::chrono::milliseconds deadline) override {
    auto wait = std::make_shared<Wait>(Question{tab, t}, Deadline::in(deadline));
    {
      const std::lock_guard lock(mutex_);
      waits_.push_back(wait);
    }
    asio::post(io_, [this] { wake_.notify(); });
    std::unique_lock lock(wait->mutex);
    // A little more: the one who draws keeps the deadline and knows why it was missed.
    wait->changed.wait_until(lock, wait->deadline.at() + std::chrono::milliseconds(500),
                             [&] { return wait->answer.has_value(); });
    if (!wait->answer)
      return Error{Code::timeout, "The page was not drawn in time", "Ask again, with more time",
                   "stage-timeout"};
    return *std::move(wait->answer);
  }

 private:
  static void answer(Wait& wait, Result<Picture> picture) {
    const std::lock_guard lock(wait.mutex);
    if (!wait.answer) wait.answer.emplace(std::move(picture));
    wait.changed.notify_all();
  }

  bool current(const Question& question) {
    const std::lock_guard lock(mutex_);
    return newest_ == question;
  }
  void publish(const Question& question, Picture picture) {
    const std::lock_guard lock(mutex_);
    if (newest_ == question) answer_ = std::move(picture);
  }

  asio::awaitable<void> run() {
    while (!quitting_) {
      std::shared_ptr<Wait> wait;
      std::optional<Question> question;
      {
        const std::lock_guard lock(mutex_);
        if (!waits_.empty()) {
          wait = waits_.front();
          waits_.pop_front();
          serving_ = wait;
        } else {
          question = std::exchange(pending_, std::nullopt);
        }
      }
      if (wait) {
        auto picture = co_await exact(wait->question, wait->deadline);
        answer(*wait, std::move(picture));
        const std::lock_guard lock(mutex_);
        serving_.reset();
      } else if (question) {
        auto picture = co_await exact(*question, Deadline::in(kPatience));
        if (picture)
          publish(*question, *std::move(picture));
        else
          publish(*question, instead(*question, picture.error()));
      } else {
        const bool woken = co_await wake_.wait(Deadline::in(kIdle));
        if (!woken) screen_.reset();
      }
    }
  }

  Result<archive::Reader*> reader() {
    if (!reader_) {
      auto opened = archive::Reader::open(archive_);
      if (!opened) return std::move(opened).error();
      reader_ = *std::move(opened);
    }
    return reader_.get();
  }

  Result<std::shared_ptr<const Supply>> supply(archive::Reader& from) {
    if (supply_ && from.live()) {
      auto known = from.assets(false);
      if (known && known->size() != supply_->size()) supply_.reset();
    }
    if (!supply_) {
      auto assets = from.assets(true);
      if (!assets) return std::move(assets).error();
      supply_ = std::make_shared<const Supply>(*std::move(assets));
    }
    return supply_;
  }

  Task<Picture> exact(Question question, Deadline deadline) {
    auto from = reader();
    if (!from) co_return std::move(from).error();
    auto reduced = archive::page_at(**from, question.tab, question.t);
    if (!reduced) co_return std::move(reduced).error();
    auto page = std::make_shared<const archive::PageAt>(*std::move(reduced));
    const std::string key = key_of(*page);
    if (const Picture* kept = shelf_.find(key)) {
      Picture again = *kept;
      again.t = again.shown = question.t;
      co_return std::move(again);
    }
    if (options_.chromium == "none")
      co_return Error{Code::unavailable, "no browser draws it", "Let the stage have a Chromium",
                      "no-chromium"};
    auto resources = supply(**from);
    if (!resources) co_return std::move(resources).error();
    if (screen_ && !screen_->alive()) screen_.reset();
    if (!screen_) {
      auto started = co_await Screen::start(options_.chromium, deadline.at_most(kStart));
      if (!started) co_return std::move(started).error();
      screen_ = *std::move(started);
    }
    std::shared_ptr<const Supply> held = *resources;
    auto drawing = co_await screen_->draw(page, held, deadline);
    if (!drawing) {
      screen_.reset();
      co_return std::move(drawing).error();
    }
    auto pixels = decode_picture(drawing->png);
    if (!pixels) co_return std::move(pixels).error();
    Picture picture;
    picture.width = pixels->width;
    picture.height = pixels->height;
    picture.scale = page->scale;
    picture.rgba = std::move(pixels->rgba);
    picture.source = PictureSource::dom;
    picture.tab = question.tab;
    picture.t = picture.shown = question.t;
    picture.note = "drawn from the recorded DOM" + gaps_note(*page, drawing->missing.size());
    shelf_.keep(key, picture);
    co_return std::move(picture);
  }

  /// The nearest screencast frame, or a picture of nothing; never an error, since this is what errors lead
  /// to.
  Picture frame(const Question& question, std::string& why_none) {
    Picture picture;
    picture.tab = question.tab;
    picture.t = picture.shown = question.t;
    auto from = reader();
    if (!from) {
      why_none = from.error().message();
      return picture;
    }
    auto found = (*from)->screencast_at(question.tab, question.t);
    if (!found || !*found) {
      why_none = found ? "no screencast frame so early" : found.error().message();
      return picture;
    }
    auto pixels = decode_picture((*found)->bytes);
    if (!pixels) {
      why_none = pixels.error().message();
      return picture;
    }
    picture.width = pixels->width;
    picture.height = pixels->height;
    picture.rgba = std::move(pixels->rgba);
    picture.source = PictureSource::screencast;
    picture.shown = (*found)->t;
    // As wide as the viewport was, whatever its pixels.
    if (auto manifest = (*from)->manifest()) {
      const double width = json_number(json_member(*manifest, "viewport"), "width");
      if (width > 0) picture.scale = picture.width / width;
    }
    picture.note = fmt::format("screencast frame of {:.0f} ms", picture.shown.ms());
    return picture;
  }

  void preview(const Question& question) {
    if (!current(question)) return;
    std::string why_none;
    Picture picture = frame(question, why_none);
    if (picture.source == PictureSource::none) return;
    picture.note += "; the exact page is being drawn";
    publish(question, std::move(picture));
  }

  Picture instead(const Question& question, const Error& error) {
    std::string why_none;
    Picture picture = frame(question, why_none);
    if (picture.source == PictureSource::none)
      picture.note = fmt::format("no picture: {}; {}", error.message(), why_none);
    else
      picture.note += "; not exact: " + error.message();
    return picture;
  }

  const std::filesystem::path archive_;
  const StageOptions options_;
  asio::io_context io_;
  Signal wake_;
  asio::cancellation_signal cancel_;
  std::atomic<bool> quitting_{false};

  // The stage's thread only.
  std::unique_ptr<archive::Reader> reader_;
  std::shared_ptr<const Supply> supply_;
  std::unique_ptr<Screen> screen_;
  Shelf shelf_;

  std::mutex mutex_;  ///< guards what follows
  std::optional<Question> newest_, pending_;
  std::optional<Picture> answer_;
  std::deque<std::shared_ptr<Wait>> waits_;
  std::shared_ptr<Wait> serving_;

  std::thread thread_;
};

}  // namespace

std::unique_ptr<Stage> Stage::create(std::filesystem::path archive, StageOptions options) {
  return std::make_unique<OwnStage>(std::move(archive), std::move(options));
}

}  // namespace browx::player
