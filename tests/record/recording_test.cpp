// A recording of real pages in real Chromium, read back through the archive's reader.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/reader.hpp"
#include "base/bytes.hpp"
#include "capture/action.hpp"
#include "capture/recording.hpp"
#include "codegen/artifacts.hpp"
#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// By value: a range-for over a temporary Result would read freed memory.
template <class T>
T all(Result<T> answer) {
  if (!answer) throw std::runtime_error(answer.error().message());
  return std::move(answer).value();
}

Result<std::vector<archive::Artifact>> made_by_codegen(archive::Reader& reader, const Secrets& secrets,
                                                       const LateEvents& late) {
  auto made = codegen::make_artifacts(reader, secrets, late);
  if (!made) return std::move(made).error();
  std::vector<archive::Artifact> out;
  for (auto& one : *made) out.push_back(std::move(one.artifact));
  return out;
}

class RecordingTest : public browx::testing::EngineTest {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("browx-recording-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    session = open();
    tab = session->current_tab();
  }
  void TearDown() override {
    EngineTest::TearDown();
    std::filesystem::remove_all(folder_);
  }

  Recording& start(archive::Tier tier = archive::Tier::replay, std::vector<std::string> mask_selectors = {}) {
    RecordingOptions options;
    options.flow_name = "a flow";
    options.tier = tier;
    options.directory = folder_;
    options.mask_selectors = std::move(mask_selectors);
    options.make_artifacts = made_by_codegen;
    return *must(Recording::start(*session, std::move(options)));
  }
  Deadline soon() const { return Deadline::in(std::chrono::seconds(5)); }

  /// One step around `act`, which gets nothing and answers nothing.
  std::string step(Recording& recording, std::string tool, Json arguments, std::function<void()> act) {
    const auto token = must(recording.begin_step(tool, std::nullopt, soon()));
    act();
    StepRecord record;
    record.kind = "action";
    record.tool = std::move(tool);
    record.arguments = std::move(arguments);
    return must(recording.end_step(token, std::move(record)));
  }
  std::string navigate(Recording& recording, const std::string& url) {
    return step(recording, "navigate", Json{{"url", url}}, [&] { go(*tab, url); });
  }
  std::unique_ptr<archive::Reader> finish(Recording& recording) {
    ended = must(recording.end("ended"));
    EXPECT_EQ(session->recording(), nullptr);
    auto reader = archive::Reader::open(ended.replay->path);
    if (!reader) throw std::runtime_error(reader.error().message());
    return *std::move(reader);
  }
  /// How many green points a picture has in the box 100, 100, 300 × 80 of the page. The browser decodes it.
  template <class Picture>
  int green_in(const Picture& picture) {
    const std::string script =
        "(async () => { const image = new Image(); image.src = 'data:" + picture.mime + ";base64," +
        base64_encode(picture.bytes) +
        "'; await image.decode(); const canvas = new OffscreenCanvas(image.width, image.height);"
        "const pen = canvas.getContext('2d'); pen.drawImage(image, 0, 0); const scale = image.width / "
        "innerWidth;"
        "const seen = []; for (let x = 105; x < 395; x += 5) for (let y = 105; y < 175; y += 5) {"
        "const [r, g, b] = pen.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data;"
        "if (g > 180 && r < 90 && b < 90) seen.push(x + ',' + y); } return seen.length; })()";
    return eval(tab->main_frame(), script).template get<int>();
  }
  std::string bytes_of_file() const {
    std::ifstream file(ended.replay->path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// All DOM events of a document, one a line.
  static std::string dom(archive::Reader& reader, archive::DocumentId document) {
    std::string out;
    for (const auto& event : all(reader.dom_events(document))) out += event.json + "\n";
    return out;
  }
  static archive::Document document_at(archive::Reader& reader, const std::string& url) {
    for (const auto& document : all(reader.documents()))
      if (document.url.find(url) != std::string::npos) return document;
    ADD_FAILURE() << "no document of " << url;
    return {};
  }

  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
  Recording::Ended ended;
  std::filesystem::path folder_;
};

TEST_F(RecordingTest, AStepHoldsTheDomThatItSawBeforeAndAfter) {
  server.page("/one", "<!doctype html><title>One</title><p id=p>first</p>");
  auto& recording = start();
  navigate(recording, server.url("/one"));
  const auto id = step(recording, "eval", Json::object(), [&] {
    eval(tab->main_frame(), "void(document.getElementById('p').textContent = 'second')");
  });
  EXPECT_EQ(id, "eval-2");
  const auto reader = finish(recording);
  EXPECT_TRUE(reader->sealed());
  EXPECT_FALSE(reader->partial());
  const auto steps = all(reader->steps());
  ASSERT_EQ(steps.size(), 2u);
  const auto document = document_at(*reader, "/one");
  EXPECT_EQ(document.recorder, "rrweb/2.2.2");
  const auto events = all(reader->dom_events(document.id));
  const auto index = [&](const char* when) {
    for (const auto& position : steps[1].payload[when])
      if (position["document"] == document.id.value()) return position["event"].get<std::size_t>();
    return std::size_t(0);
  };
  ASSERT_LT(index("before"), index("after"));
  ASSERT_LE(index("after"), events.size());
  std::string before, within;
  for (std::size_t i = 0; i < index("after"); ++i) (i < index("before") ? before : within) += events[i].json;
  EXPECT_THAT(before, HasSubstr("first"));
  EXPECT_THAT(before, Not(HasSubstr("second")));
  EXPECT_THAT(within, HasSubstr("second"));
  for (std::size_t i = 1; i < events.size(); ++i) EXPECT_LE(events[i - 1].t, events[i].t);
  EXPECT_GE(events.front().t.us, 0);
  EXPECT_LE(events.back().t, all(reader->end()));
}

TEST_F(RecordingTest, EveryFrameHasItsOwnStreamAndKnowsItsOwner) {
  server.page("/child", "<!doctype html><title>C</title><p>inside same</p>");
  server.page("/far", "<!doctype html><title>F</title><p>inside far</p>");
  server.page("/parent",
              "<!doctype html><title>P</title><p>outside</p><iframe src=/child></iframe><iframe src='" +
                  server.other_site("/far") + "'></iframe>");
  auto& recording = start();
  navigate(recording, server.url("/parent"));
  frame_showing(*tab, "/child");
  frame_showing(*tab, "/far");
  step(recording, "wait_for", Json::object(), [] {});
  step(recording, "wait_for", Json::object(), [] {});
  const auto reader = finish(recording);
  const auto parent = document_at(*reader, "/parent");
  const auto same = document_at(*reader, "/child");
  const auto far = document_at(*reader, "/far");
  EXPECT_EQ(same.parent, parent.id);
  EXPECT_EQ(far.parent, parent.id);
  EXPECT_THAT(dom(*reader, parent.id), Not(HasSubstr("inside")));
  EXPECT_THAT(dom(*reader, same.id), HasSubstr("inside same"));
  EXPECT_THAT(dom(*reader, far.id), HasSubstr("inside far"));
  std::vector<std::int64_t> owners;
  for (const auto& owner : all(reader->document_owners()))
    if (owner.parent == parent.id && owner.owner_node > 0) owners.push_back(owner.document.value());
  EXPECT_THAT(owners, Contains(same.id.value()));
  EXPECT_THAT(owners, Contains(far.id.value()));
}

TEST_F(RecordingTest, ARecordingBegunOnAStandingPageHasThatPageAndItsAssets) {
  server.on("/look.css", [](const auto&) {
    browx::testing::PageResponse css;
    css.content_type = "text/css";
    css.body = "p{color:rgb(1,2,3)}";
    return css;
  });
  server.page("/standing",
              "<!doctype html><title>S</title><link rel=stylesheet href=/look.css><p>standing</p>");
  go(*tab, server.url("/standing"));
  auto& recording = start();
  step(recording, "wait_for", Json::object(), [] {});
  const auto reader = finish(recording);
  const auto document = document_at(*reader, "/standing");
  EXPECT_THAT(dom(*reader, document.id), HasSubstr("standing"));
  const auto targets = all(reader->targets());
  EXPECT_TRUE(
      std::any_of(targets.begin(), targets.end(), [](const auto& target) { return target.kind == "tab"; }));
  bool found = false;
  for (const auto& asset : all(reader->assets(true)))
    found = found || (asset.url.find("/look.css") != std::string::npos && asset.bytes &&
                      *asset.bytes == "p{color:rgb(1,2,3)}");
  EXPECT_TRUE(found);
}

TEST_F(RecordingTest, NoPartOfASensitiveValueReachesTheFile) {
  server.on("/login", [](const auto&) { return browx::testing::PageResponse{}; });
  server.page(
      "/form",
      "<!doctype html><title>F</title><input id=p type=password><input id=o "
      "autocomplete=one-time-code><output id=out></output>"
      "<script>p.oninput = () => { out.textContent = 'typed ' + p.value; console.log('log ' + p.value); };"
      "window.send = () => fetch('/login?p=' + encodeURIComponent(p.value), {method: 'POST', body: new "
      "URLSearchParams({p: p.value, o: o.value})});</script>");
  ASSERT_TRUE(session->secrets().add("API_KEY", "registered-secret-1"));
  auto& recording = start(archive::Tier::reexecutable);
  navigate(recording, server.url("/form"));
  const std::string password = "Xq7-zzP.Rt9_Lp4";
  step(recording, "fill", Json{{"value", "[masked value]"}}, [&] {
    ActionOptions options{.deadline = soon(), .max_result_tokens = 600, .on_target = {}};
    Address address;
    address.selector = "#p";
    EXPECT_TRUE(must(fill(*session, *tab, address, password, options)).ok);
    address.selector = "#o";
    EXPECT_TRUE(must(fill(*session, *tab, address, "8314", options)).ok);
    eval(tab->main_frame(), "send().then(() => true)");
    eval(tab->main_frame(),
         "void(document.title = 'key registered-secret-1', console.warn('registered-secret-1'))");
  });
  const auto reader = finish(recording);
  std::string everything = ended.yaml;
  for (const auto& document : all(reader->documents()))
    everything += document.url + dom(*reader, document.id);
  for (const auto& event : all(reader->events(""))) everything += dump_json(event.payload);
  for (const auto& request : all(reader->requests())) everything += request.url;
  everything += bytes_of_file();
  for (std::size_t i = 0; i + 5 <= password.size(); ++i)
    EXPECT_THAT(everything, Not(HasSubstr(password.substr(i, 5))));
  EXPECT_THAT(everything, Not(HasSubstr("registered-secret-1")));
  EXPECT_THAT(everything, HasSubstr("<API_KEY>"));
  EXPECT_THAT(everything, HasSubstr("typed [masked value]"));
}

TEST_F(RecordingTest, WhatHappenedIsThereWithTheRightTimes) {
  server.page("/busy",
              "<!doctype html><title>B</title><script>console.log('said'); "
              "fetch('/data?key=private').catch(() => 0)</script>");
  server.on("/data", [](const auto&) { return browx::testing::PageResponse{}; });
  auto& recording = start();
  navigate(recording, server.url("/busy"));
  EXPECT_TRUE(until([&] { return server.count("/data") == 1; }));
  step(recording, "wait_for", Json::object(), [] {});
  const auto reader = finish(recording);
  bool said = false;
  for (const auto& event : all(reader->events("console")))
    said = said || dump_json(event.payload).find("said") != std::string::npos;
  EXPECT_TRUE(said);
  bool asked = false;
  for (const auto& request : all(reader->requests())) {
    EXPECT_EQ(request.url.find("private"), std::string::npos);
    if (request.url.find("/data?key=…") != std::string::npos) asked = true;
    EXPECT_GE(request.t.us, -1'000'000);
    EXPECT_LE(request.t, all(reader->end()));
  }
  EXPECT_TRUE(asked);
}

TEST_F(RecordingTest, StepsHaveLocatorsCountedBeforeTheActionAndTheFlowUsesThem) {
  server.page("/go", "<!doctype html><title>G</title><button onclick='this.remove()'>Press me</button>");
  auto& recording = start();
  navigate(recording, server.url("/go"));
  must(recording.annotate(
      {.copy = "", .arrow = "", .label = "AC-1", .phase = "start", .target = {}, .step_id = ""}));
  const auto token = must(recording.begin_step("click", std::nullopt, soon()));
  Address address;
  address.selector = "button";
  const auto element = must(resolve(*tab, address, soon()));
  must(recording.locate_step(token, element, soon()));
  ActionOptions options{.deadline = soon(), .max_result_tokens = 600, .on_target = {}};
  EXPECT_TRUE(must(click(*session, *tab, address, ClickOptions{}, options)).ok);
  StepRecord record;
  record.kind = "action";
  record.tool = "click";
  record.arguments = Json{{"selector", "button"}};
  record.element = element;
  EXPECT_EQ(must(recording.end_step(token, record)), "click-2");
  must(recording.annotate(
      {.copy = "pressed", .arrow = "", .label = "", .phase = "", .target = {}, .step_id = "click-2"}));
  must(recording.annotate(
      {.copy = "", .arrow = "", .label = "AC-1", .phase = "end", .target = {}, .step_id = ""}));
  EXPECT_EQ(run(recording.annotate(
                    {.copy = "", .arrow = "", .label = "AC-1", .phase = "end", .target = {}, .step_id = ""}))
                .error()
                .kind,
            "label-not-open");
  EXPECT_EQ(run(recording.annotate(
                    {.copy = "x", .arrow = "", .label = "", .phase = "", .target = {}, .step_id = "click-9"}))
                .error()
                .kind,
            "step-not-found");
  const auto reader = finish(recording);
  const auto steps = all(reader->steps());
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].span, "AC-1");
  EXPECT_GT(steps[1].payload["target"]["node"].get<int>(), 0);
  ASSERT_FALSE(steps[1].payload["locators"].empty());
  EXPECT_EQ(steps[1].payload["locators"][0]["count"], 1);
  EXPECT_THAT(ended.yaml, HasSubstr("$button_press_me"));
  EXPECT_THAT(ended.yaml, HasSubstr("criterion: \"AC-1\""));
  EXPECT_THAT(ended.yaml, HasSubstr("value: \"/go\""));
  EXPECT_EQ(all(reader->artifact("flow.yaml"))->bytes, ended.yaml);
}

TEST_F(RecordingTest, AnAcknowledgedStepIsReadableWhileTheRecordingRuns) {
  server.page("/live", "<!doctype html><title>L</title><p>alive</p>");
  auto& recording = start();
  navigate(recording, server.url("/live"));
  {
    auto reader = archive::Reader::open(recording.path());
    ASSERT_TRUE(reader) << reader.error().message();
    EXPECT_TRUE((*reader)->live());
    EXPECT_EQ((*reader)->steps()->size(), 1u);
    EXPECT_THAT(dom(**reader, document_at(**reader, "/live").id), HasSubstr("alive"));
  }
  finish(recording);
}

TEST_F(RecordingTest, ASecondRecordingIsRefusedAndAnotherMayFollow) {
  auto& recording = start();
  RecordingOptions options;
  options.flow_name = "other";
  EXPECT_EQ(run(Recording::start(*session, options)).error().kind, "recording-active");
  finish(recording);
  const auto first = ended.replay->path;
  auto& second = start();
  finish(second);
  EXPECT_NE(ended.replay->path, first);
}

TEST_F(RecordingTest, WithoutATierTheFlowComesFromMemory) {
  RecordingOptions options;
  options.flow_name = "in memory";
  options.make_artifacts = made_by_codegen;
  auto& recording = *must(Recording::start(*session, options));
  EXPECT_TRUE(recording.path().empty());
  server.page("/m", "<!doctype html><title>M</title>");
  navigate(recording, server.url("/m"));
  auto done = must(recording.end("ended"));
  EXPECT_FALSE(done.replay);
  EXPECT_EQ(done.step_count, 1);
  EXPECT_THAT(done.yaml, HasSubstr("navigate-1"));
}

TEST_F(RecordingTest, ADocumentThatForbidsScriptsIsSaidToBeMissing) {
  server.on("/boxed", [](const auto&) {
    browx::testing::PageResponse page;
    page.headers = {{"content-security-policy", "default-src 'self'; sandbox allow-forms"}};
    page.body = "<!doctype html><title>B</title><p>boxed</p>";
    return page;
  });
  auto& recording = start();
  navigate(recording, server.url("/boxed"));
  const auto reader = finish(recording);
  const auto document = document_at(*reader, "/boxed");
  std::vector<std::string> told;
  for (const auto& gap : all(reader->gaps()))
    if (gap.document == document.id) told.push_back(gap.reason);
  if (!document.recorder.starts_with("rrweb")) {
    EXPECT_THAT(told, ::testing::Contains("csp-sandbox"));
  }
}

TEST_F(RecordingTest, PicturesHideSensitiveFields) {
  server.page(
      "/shown",
      "<!doctype html><title>S</title><body style='margin:0;background:#fff'><input id=p type=password "
      "value='secret-in-picture' "
      "style='position:absolute;left:100px;top:100px;width:300px;height:80px;border:0;background:#0f0'>");
  auto& recording = start();
  navigate(recording, server.url("/shown"));
  step(recording, "eval", Json::object(), [&] {
    eval(tab->main_frame(),
         "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
  });
  const auto reader = finish(recording);
  const auto frames = all(reader->frames(true));
  for (const auto& gap : all(reader->gaps())) EXPECT_NE(gap.reason, "frame-dropped") << gap.detail;
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(green_in(frames.back()), 0);
}

TEST_F(RecordingTest, PicturesHideWhatMaskSelectorsName) {
  server.page(
      "/named",
      "<!doctype html><title>S</title><body style='margin:0;background:#fff'><div class=card "
      "style='position:absolute;left:100px;top:100px;width:300px;height:80px;background:#0f0'></div>");
  const auto recorded = [&](std::vector<std::string> selectors) {
    auto& recording = start(archive::Tier::replay, std::move(selectors));
    navigate(recording, server.url("/named"));
    step(recording, "eval", Json::object(), [&] {
      eval(tab->main_frame(),
           "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    });
    const auto reader = finish(recording);
    const auto frames = all(reader->frames(true));
    if (frames.empty()) throw std::runtime_error("no picture was stored");
    EXPECT_GT(frames.back().width, 0);
    EXPECT_GT(frames.back().height, 0);
    return green_in(frames.back());
  };
  EXPECT_EQ(recorded({".card"}), 0);
  EXPECT_GT(recorded({}), 500) << "the test sees what is not masked";
}

}  // namespace
}  // namespace browx::capture
