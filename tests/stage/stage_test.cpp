// The stage on real recordings: its picture is that of the browser at that moment, whatever has become of the
// servers, and nothing is asked of any network.

#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "archive/page_at.hpp"
#include "archive/reader.hpp"
#include "base/bytes.hpp"
#include "base/pictures.hpp"
#include "capture/recording.hpp"
#include "player/stage/stage.hpp"
#include "tests/support/engine_fixture.hpp"

namespace browx::player {
namespace {

using ::testing::HasSubstr;
using testing::PageResponse;
using testing::PageServer;

std::string file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(in), {}};
  EXPECT_FALSE(out.empty()) << path;
  return out;
}

/// A picture with a pattern, so that a wrong size or place shows.
std::string pattern() {
  // 8 × 8, four colours; made once with any PNG writer.
  const auto png = base64_decode(
      "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAIUlEQVR42mM4IWcDR3I9AXDEQEUJDZsTcPThhAYcUVECACIbUoF3XZ"
      "aTAAAAAElFTkSuQmCC");
  return png ? *png : "";
}

struct Difference {
  double share = 1;
  std::string said;
};

Difference difference(const RawPicture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height)
    return {1, fmt::format("{}×{} against {}×{}", a.width, a.height, b.width, b.height)};
  std::size_t differ = 0, first = 0;
  const std::size_t pixels = a.rgba.size() / 4;
  for (std::size_t i = 0; i < pixels; ++i) {
    if (std::equal(&a.rgba[i * 4], &a.rgba[i * 4] + 4, &b.rgba[i * 4])) continue;
    if (!differ++) first = i;
  }
  const auto width = static_cast<std::size_t>(a.width);
  return {static_cast<double>(differ) / static_cast<double>(pixels),
          fmt::format("{} of {} pixels, the first at {},{}", differ, pixels, first % width, first / width)};
}

/// Where BROWX_TEST_OUT names a folder, for looking at.
void keep(const std::string& name, int width, int height, const std::vector<std::byte>& rgba) {
  const char* folder = std::getenv("BROWX_TEST_OUT");
  if (!folder) return;
  std::ofstream out(std::filesystem::path(folder) / (name + ".ppm"), std::ios::binary);
  out << "P6 " << width << ' ' << height << " 255\n";
  for (std::size_t i = 0; i < rgba.size(); i += 4) out.write(reinterpret_cast<const char*>(&rgba[i]), 3);
}

class StageTest : public browx::testing::EngineTest {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("browx-stage-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    near_ = std::make_unique<PageServer>();
    far_ = std::make_unique<PageServer>();
    serve(*near_);
    serve(*far_);
    session = open();
    tab = session->current_tab();
  }
  void TearDown() override {
    EngineTest::TearDown();
    std::filesystem::remove_all(folder_);
  }

  void serve(PageServer& on) {
    const std::filesystem::path pages = BROWX_TEST_PAGES;
    for (const char* name :
         {"stage.html", "stage-frame.html", "stage.css", "site.css", "square.ttf", "stage.png"}) {
      std::string content = std::string_view(name) == "stage.png" ? pattern() : file(pages / name);
      for (std::size_t at; (at = content.find("{{other}}")) != std::string::npos;)
        content.replace(at, 9, far_ ? far_->other_site("") : "");
      const std::string ending = std::filesystem::path(name).extension();
      const std::string type = ending == ".css"   ? "text/css"
                               : ending == ".ttf" ? "font/ttf"
                               : ending == ".png" ? "image/png"
                                                  : "text/html; charset=utf-8";
      on.on(std::string("/pages/") + name, [content, type](const testing::PageRequest&) {
        PageResponse response;
        response.body = content;
        response.content_type = type;
        response.headers.emplace_back("Access-Control-Allow-Origin", "*");
        return response;
      });
    }
  }

  capture::Recording& start() {
    capture::RecordingOptions options;
    options.flow_name = "stage";
    options.tier = archive::Tier::replay;
    options.directory = folder_;
    return *must(capture::Recording::start(*session, std::move(options)));
  }
  Deadline soon() const { return Deadline::in(std::chrono::seconds(10)); }
  void step(capture::Recording& recording, std::string tool, std::function<void()> act) {
    const auto token = must(recording.begin_step(tool, std::nullopt, soon()));
    act();
    capture::StepRecord record;
    record.kind = "action";
    record.tool = std::move(tool);
    must(recording.end_step(token, std::move(record)));
  }
  RawPicture live() {
    Json params = {{"format", "png"}};
    const Json shot = must(
        session->connection().call(tab->cdp_session(), "Page.captureScreenshot", std::move(params), soon()));
    auto png = base64_decode(json_string(shot, "data"));
    auto pixels = decode_picture(*png);
    if (!pixels) throw std::runtime_error(pixels.error().message());
    return *std::move(pixels);
  }
  /// Ends the recording and answers when each step ended.
  std::vector<Time> finish(capture::Recording& recording) {
    path_ = must(recording.end("ended")).replay->path;
    auto reader = archive::Reader::open(path_);
    if (!reader) throw std::runtime_error(reader.error().message());
    std::vector<Time> times;
    const auto steps = (*reader)->steps();
    for (const auto& one : *steps)
      times.push_back(Time{one.t.us + static_cast<std::int64_t>(one.duration_ms * 1000)});
    return times;
  }
  archive::TargetId tab_id() const { return tab->target(); }

  std::unique_ptr<PageServer> near_, far_;
  std::shared_ptr<capture::Session> session;
  std::shared_ptr<capture::Tab> tab;
  std::filesystem::path folder_, path_;
};

TEST_F(StageTest, ThePictureIsThatOfTheBrowserWithTheServersGone) {
  auto& recording = start();
  step(recording, "navigate", [&] {
    go(*tab, near_->url("/pages/stage.html"));
    ASSERT_TRUE(until([&] { return eval(tab->main_frame(), "document.readyState") == "complete"; }));
    eval(tab->main_frame(), "document.fonts.ready.then(() => true)");
  });
  const RawPicture first = live();
  const auto frame = frame_showing(*tab, "stage-frame.html");
  ASSERT_TRUE(frame);
  step(recording, "eval", [&] {
    eval(tab->main_frame(), "void change()");
    eval(*frame, "void change()");
    eval(tab->main_frame(),
         "new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))");
  });
  const RawPicture second = live();
  step(recording, "eval", [&] {
    eval(tab->main_frame(), "void document.getElementById('dialog').showModal()");
    eval(tab->main_frame(),
         "new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))");
  });
  const RawPicture third = live();
  const auto times = finish(recording);
  ASSERT_EQ(times.size(), 3u);

  // The servers still listen: they are the witnesses.
  const auto asked = near_->log().size() + far_->log().size();
  const auto witness = [&] { return near_->log().size() + far_->log().size(); };
  auto stage = Stage::create(path_, {});
  auto picture = stage->render(tab_id(), times[0], std::chrono::seconds(60));
  ASSERT_TRUE(picture) << picture.error().message();
  EXPECT_EQ(witness(), asked);
  EXPECT_EQ(picture->source, PictureSource::dom);
  EXPECT_EQ(picture->note, "drawn from the recorded DOM");

  stage.reset();
  near_.reset();
  far_.reset();
  stage = Stage::create(path_, {});
  const std::vector<const RawPicture*> seen{&first, &second, &third};
  // Also backwards: no moment depends on the one before.
  for (const std::size_t i : {2u, 0u, 1u}) {
    picture = stage->render(tab_id(), times[i], std::chrono::seconds(60));
    ASSERT_TRUE(picture) << picture.error().message();
    const auto same = difference(*seen[i], *picture);
    keep(fmt::format("live-{}", i), seen[i]->width, seen[i]->height, seen[i]->rgba);
    keep(fmt::format("stage-{}", i), picture->width, picture->height, picture->rgba);
    RecordProperty(fmt::format("difference_{}", i), same.said);
    std::printf("picture %zu: %s\n", i, same.said.c_str());
    EXPECT_LE(same.share, 0.02) << i << ": " << same.said;
    // And it is not a picture of anything else.
    EXPECT_GT(difference(*seen[(i + 1) % 3], *picture).share, 0.02) << i;
  }
}

TEST_F(StageTest, AFrameOfTheScreencastComesFirstAndWhatIsNotKeptIsNeverFetched) {
  near_->page("/plain",
              "<!doctype html><title>Plain</title><h1 style='background:#fc0'>Plain</h1><img src=/lost.png>");
  near_->on("/lost.png", [](const testing::PageRequest&) {
    PageResponse response;
    response.drop = true;
    return response;
  });
  auto& recording = start();
  step(recording, "navigate", [&] { go(*tab, near_->url("/plain")); });
  // The screencast tells of a page when it has drawn it.
  eval(tab->main_frame(),
       "new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))");
  step(recording, "eval",
       [&] { eval(tab->main_frame(), "void(document.querySelector('h1').textContent = 'Changed')"); });
  const Time t = finish(recording).back();
  const int asked = near_->count("/lost.png");
  EXPECT_GE(asked, 1);

  auto stage = Stage::create(path_, {});
  stage->ask(tab_id(), t);
  std::vector<Picture> pictures;
  const auto end = SteadyClock::now() + std::chrono::seconds(60);
  while ((pictures.empty() || pictures.back().source != PictureSource::dom) && SteadyClock::now() < end) {
    if (auto picture = stage->take()) pictures.push_back(*std::move(picture));
    std::this_thread::yield();
  }
  ASSERT_FALSE(pictures.empty());
  for (const auto& picture : pictures) {
    EXPECT_EQ(picture.t, t);
    EXPECT_EQ(picture.tab, tab_id());
    EXPECT_EQ(picture.rgba.size(),
              static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4);
  }
  EXPECT_EQ(pictures.back().source, PictureSource::dom);
  EXPECT_THAT(pictures.back().note, HasSubstr("1 resource was not kept"));
  EXPECT_EQ(near_->count("/lost.png"), asked);
  if (pictures.size() > 1) {
    EXPECT_EQ(pictures.front().source, PictureSource::screencast);
    EXPECT_LE(pictures.front().shown, t);
    EXPECT_THAT(pictures.front().note, HasSubstr("screencast frame of"));
  }

  // Without a browser the same question is answered by the screencast, which says so.
  stage = Stage::create(path_, {"none"});
  auto none = stage->render(tab_id(), t, std::chrono::seconds(10));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, "no-chromium");
  auto unknown = stage->render(archive::TargetId(999), t, std::chrono::seconds(10));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, "no-document");
  stage->ask(tab_id(), t);
  std::optional<Picture> last;
  while ((!last || last->note.find("exact page is being drawn") != std::string::npos) &&
         SteadyClock::now() < end) {
    if (auto picture = stage->take()) last = std::move(picture);
    std::this_thread::yield();
  }
  ASSERT_TRUE(last);
  EXPECT_NE(last->source, PictureSource::dom);
  EXPECT_THAT(last->note, HasSubstr("no browser draws it"));
}

/// Case b12: the colours of `expected.json`, whichever moment is asked for first.
class StylesInReplay : public StageTest {
 protected:
  Json colours() {
    return eval(tab->main_frame(), R"j((() => {
      const of = (element) => getComputedStyle(element).color;
      const out = Object.fromEntries([...'abcdef'].map((name) => [name, of(document.querySelector('.' + name))]));
      out.shadow = of(document.querySelector('x-box').shadowRoot.querySelector('p'));
      return out;
    })())j");
  }

  void follow(bool late) {
    const std::filesystem::path folder = std::filesystem::path(BROWX_TEST_CASES) / "b12-styles-in-replay";
    near_->page("/b12", file(folder / "index.html"));
    const auto expected = parse_json(file(folder / "expected.json"));
    ASSERT_TRUE(expected);
    if (late) go(*tab, near_->url("/b12"));
    auto& recording = start();
    step(recording, "navigate", [&] {
      if (!late) go(*tab, near_->url("/b12"));
    });
    ASSERT_EQ(colours(), (*expected)["0"]);
    for (const char* clicks : {"1", "2"}) {
      step(recording, "click", [&] { eval(tab->main_frame(), "document.getElementById('next').click()"); });
      ASSERT_EQ(colours(), (*expected)[clicks]);
    }
    const auto times = finish(recording);
    auto reader = archive::Reader::open(path_);
    ASSERT_TRUE(reader);
    for (const std::size_t clicks : {0u, 1u, 2u, 1u, 0u}) {
      auto page = archive::page_at(**reader, tab_id(), times[clicks]);
      ASSERT_TRUE(page) << page.error().message();
      EXPECT_THAT(page->top().state.skipped(), ::testing::IsEmpty());
      const std::string path = fmt::format("/archived-{}", clicks);
      near_->page(path, archive::html(*page));
      const auto before = near_->log().size();
      go(*tab, near_->url(path));
      EXPECT_EQ(colours(), (*expected)[std::to_string(clicks)]) << "after " << clicks << " clicks";
      // It runs nothing and fetches nothing.
      EXPECT_EQ(eval(tab->main_frame(), "typeof s"), "undefined");
      EXPECT_EQ(near_->log().size(), before + 1);
    }
  }
};

TEST_F(StylesInReplay, HoldTheirColoursWhenTheRecordingBeganLate) { follow(true); }
TEST_F(StylesInReplay, HoldTheirColoursWhenTheRecordingSawThePageLoad) { follow(false); }

}  // namespace
}  // namespace browx::player
