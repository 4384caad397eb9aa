// Reads on real pages: frames put together, verdicts that wait, pictures without secrets.
#include "capture/reads.hpp"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "base/pictures.hpp"
#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

class ReadsTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    session = open();
    tab = session->current_tab();
  }
  Deadline in(milliseconds span = seconds(5)) { return Deadline::in(span); }
  void show(std::string html) {
    server.page("/page", "<!doctype html><title>Page</title>" + html);
    go(*tab, server.url("/page"));
  }
  Snapshot snap(SnapshotOptions options = {}) {
    return must(snapshot(*session, *tab, std::move(options), in()));
  }
  Address by_selector(std::string selector) {
    Address address;
    address.selector = std::move(selector);
    return address;
  }
  Address by_ref(std::string ref) {
    Address address;
    address.ref = std::move(ref);
    return address;
  }
  std::string ref_in(const std::string& tree, const std::string& before) {
    const auto at = tree.find(before + " [ref=");
    if (at == std::string::npos) return {};
    const auto start = at + before.size() + 6;
    return tree.substr(start, tree.find(']', start) - start);
  }
  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
};

void serve_lookalikes(testing::PageServer& server) {
  const std::string folder = BROWX_CASES "/b10-frame-lookalikes/";
  for (const char* name : {"index.html", "child.html", "nest.html"}) {
    std::ifstream in(folder + name);
    std::stringstream text;
    text << in.rdbuf();
    server.page(std::string("/") + name, text.str());
  }
}

TEST_F(ReadsTest, ASnapshotHoldsEveryFrameUnderItsElement) {
  serve_lookalikes(server);
  go(*tab, server.url("/index.html"));
  ASSERT_TRUE(until([&] { return tab->frames().size() == 11; })) << tab->frames().size();
  std::string tree;
  for (int i = 0; i < 50; ++i) {
    tree = snap().tree;
    if (std::count(tree.begin(), tree.end(), '\n') >= 16) break;
    testing::run_until(
        world.io, [] { return false; }, milliseconds(50));
  }
  const std::regex pay("button \"Pay\" \\[ref=e\\d+\\]");
  EXPECT_EQ(std::distance(std::sregex_iterator(tree.begin(), tree.end(), pay), std::sregex_iterator()), 8)
      << tree;
  EXPECT_THAT(tree, HasSubstr("\n  button \"Pay\""));
  EXPECT_THAT(tree, HasSubstr("\n    button \"Pay\"")) << "nested: iframe in iframe";
  EXPECT_THAT(tree, HasSubstr("iframe \"far\" [ref="));
  // Refs keep their numbers.
  EXPECT_EQ(snap().tree, tree);
}

TEST_F(ReadsTest, ALongSnapshotIsToldInPartsWithoutGapsOrRepeats) {
  std::string items;
  for (int i = 0; i < 120; ++i)
    items += "<li>item " + std::to_string(i) + " <button>B" + std::to_string(i) + "</button></li>";
  server.page("/inner", "<!doctype html><ul>" + items + "</ul>");
  show("<h1>Top</h1><button>First</button><iframe src='/inner'></iframe><ul>" + items +
       "</ul><button>Last</button>");
  frame_showing(*tab, "/inner");
  SnapshotOptions all;
  all.max_bytes = 1'000'000;
  ASSERT_TRUE(until([&] { return snap(all).tree.find("B119") != std::string::npos; }));
  const Snapshot whole = snap(all);
  EXPECT_FALSE(whole.more);
  EXPECT_EQ(whole.stats["frames"], 2);

  SnapshotOptions part;
  part.max_bytes = 2000;
  std::string joined;
  std::int64_t lines = 0;
  for (int i = 0; i < 40; ++i) {
    const Snapshot piece = snap(part);
    EXPECT_LE(piece.tree.size(), 2000u);
    joined += (joined.empty() ? "" : "\n") + piece.tree;
    lines += piece.stats["nodes"].get<std::int64_t>();
    if (!piece.more) break;
    part.after = piece.more->first;
  }
  EXPECT_EQ(joined, whole.tree);
  EXPECT_EQ(lines, whole.stats["nodes"].get<std::int64_t>());
}

TEST_F(ReadsTest, ASnapshotCanBeScopedLimitedAndThinned) {
  show("<main><h1>In</h1><button>A</button><button>B</button></main><button>Out</button>");
  SnapshotOptions scoped;
  scoped.scope = by_selector("main");
  EXPECT_THAT(snap(scoped).tree, Not(HasSubstr("Out")));
  SnapshotOptions limited;
  limited.max_nodes = 2;
  const Snapshot two = snap(limited);
  EXPECT_EQ(two.stats["nodes"], 2);
  ASSERT_TRUE(two.more);
  EXPECT_EQ(two.more->second, 3);
  SnapshotOptions thinned;
  thinned.omit = {"button"};
  EXPECT_THAT(snap(thinned).tree, Not(HasSubstr("button")));
  SnapshotOptions missing;
  missing.frame = "f999";
  const auto none = run(snapshot(*session, *tab, missing, in()));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, "frame-not-found");
  SnapshotOptions stale;
  stale.after = two.more->first;
  go(*tab, server.url("/page"));
  const auto gone = run(snapshot(*session, *tab, stale, in()));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().kind, "ref-gone");
}

TEST_F(ReadsTest, AVerdictWaitsUntilThePageKeepsIt) {
  show(
      "<p id=p>Waiting</p><input id=i><script>setTimeout(() => p.textContent = 'All  done', 300);"
      "setTimeout(() => i.value = 'typed', 400); setTimeout(() => { const b = document.createElement('b'); "
      "b.id = 'late';"
      "b.title = 'x'; b.textContent = 'late'; document.body.append(b) }, 300)</script>");
  EXPECT_TRUE(must(verify_text(*session, *tab, by_selector("#p"), "all DONE", false, in())).ok);
  EXPECT_TRUE(must(verify_value(*session, *tab, by_selector("#i"), "typed", in())).ok)
      << "no mutation tells of it";
  EXPECT_TRUE(must(verify_visible(*session, *tab, by_selector("#late"), in())).ok);
  EXPECT_TRUE(must(verify_attribute(*session, *tab, by_selector("#late"), "title", "x", in())).ok);
  EXPECT_TRUE(must(verify_attribute(*session, *tab, by_selector("#late"), "title", std::nullopt, in())).ok);
  EXPECT_TRUE(must(verify_count(*session, *tab, "b", std::nullopt, 1, in())).ok);
  EXPECT_TRUE(must(verify_count(*session, *tab, std::nullopt, "late", 1, in())).ok);
}

TEST_F(ReadsTest, AVerdictSaysWhatWasThereInstead) {
  show(
      "<p id=p>Rejected</p><button>A</button><button>B</button><input type=password id=pw value=hunter22><p "
      "id=h hidden>x</p>");
  const auto soon = milliseconds(1500);
  const Verdict text = must(verify_text(*session, *tab, by_selector("#p"), "Approved", false, in(soon)));
  EXPECT_FALSE(text.ok);
  EXPECT_EQ(text.kind, "text-mismatch");
  EXPECT_EQ(text.expected, "Approved");
  EXPECT_EQ(text.actual, "Rejected");
  EXPECT_EQ(text.source, "app");
  const Verdict count = must(verify_count(*session, *tab, "button", std::nullopt, 3, in(soon)));
  EXPECT_EQ(count.kind, "count-mismatch");
  EXPECT_EQ(count.actual, 2);
  EXPECT_EQ(must(verify_visible(*session, *tab, by_selector("#h"), in(soon))).kind, "not-visible");
  EXPECT_EQ(must(verify_visible(*session, *tab, by_selector("#none"), in(soon))).kind, "element-not-found");
  EXPECT_EQ(must(verify_visible(*session, *tab, by_selector("button["), in())).kind, "invalid-selector");
  EXPECT_EQ(must(verify_visible(*session, *tab, by_selector("button"), in())).kind, "ambiguous");
  EXPECT_EQ(must(verify_visible(*session, *tab, by_ref("e9999"), in())).kind, "ref-not-found");
  const Verdict value = must(verify_value(*session, *tab, by_selector("#pw"), "other", in(soon)));
  EXPECT_EQ(value.kind, "value-mismatch");
  EXPECT_EQ(value.actual, "[masked value]");
  const std::string ref = ref_in(snap().tree, "button \"A\"");
  ASSERT_FALSE(ref.empty());
  eval(tab->main_frame(), "document.querySelector('button').remove()");
  EXPECT_EQ(must(verify_visible(*session, *tab, by_ref(ref), in())).kind, "ref-gone");
}

TEST_F(ReadsTest, AValueOfASensitiveFieldLeavesNoScript) {
  show(
      "<input type=password id=pw value='hunter2secret'><iframe srcdoc=\"<input autocomplete=cc-number "
      "value=4111111111111111>\"></iframe>");
  ASSERT_TRUE(until([&] {
    return snap().tree.find("value=\"[masked value]\"") != snap().tree.rfind("value=\"[masked value]\"");
  }));
  const auto js = [&](const std::string& code) {
    return dump_json(must(eval_js(*session, *tab, code, true, in())));
  };
  EXPECT_EQ(js("pw.value"), "\"[masked value]\"");
  EXPECT_EQ(js("({a: 'x' + pw.value, n: 5})"), "{\"a\":\"x[masked value]\",\"n\":5}");
  EXPECT_EQ(js("frames[0].document.querySelector('input').value"), "\"[masked value]\"");
  EXPECT_EQ(js("(v => { pw.value = ''; return v })(pw.value)"), "\"[masked value]\"");
  const auto thrown =
      run(eval_js(*session, *tab, "pw.value = 'hunter2secret'; throw new Error(pw.value)", true, in()));
  ASSERT_FALSE(thrown);
  EXPECT_THAT(thrown.error().what, Not(HasSubstr("hunter2secret")));
}

TEST_F(ReadsTest, APictureShowsThePageButNoSecret) {
  ASSERT_TRUE(session->secrets().add("TOKEN", "token-4242").ok());
  const std::string plain =
      "<style>body{margin:0;background:#fff}input{position:absolute;left:20px;top:30px;width:200px;height:"
      "40px;"
      "background:#f00;color:#f00;border:0}p{position:absolute;left:20px;top:200px;margin:0;background:#0f0;"
      "color:#0f0}"
      "iframe{position:absolute;left:400px;top:100px;border:0;width:200px;height:100px}div{position:absolute;"
      "top:3000px;"
      "left:50px;width:100px;height:50px;background:#00f}</style>";
  show(plain +
       "<input type=password value=abcdefgh><p>token-4242</p><iframe srcdoc=\"<body style='margin:0'><input "
       "type=password value=abc "
       "style='background:#f0f;border:0;width:100px;height:50px'>\"></iframe><div>x</div>");
  ASSERT_TRUE(until([&] { return snap().stats["frames"] == 2; }));
  const Screenshot shot = must(screenshot(*session, *tab, {}, in()));
  EXPECT_EQ(shot.mime, "image/png");
  EXPECT_EQ(shot.width, 1280);
  EXPECT_EQ(shot.height, 720);
  const auto size = picture_size(shot.bytes);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->first, 1280);
  // Loaded into a page, the picture is grey where the secrets were.
  const auto pixel = [&](const Screenshot& picture, int x, int y) {
    server.on("/shot.png", [bytes = picture.bytes](const testing::PageRequest&) {
      testing::PageResponse response;
      response.body = bytes;
      response.content_type = "image/png";
      return response;
    });
    server.page("/look", "<!doctype html><title>Look</title>");
    auto other = must(session->new_tab(server.url("/look"), in(seconds(10))));
    const Json colour =
        eval(other->main_frame(),
             "(async () => { const i = new Image(); i.src = '/shot.png?' + Math.random(); await i.decode();"
             "const c = document.createElement('canvas'); c.width = i.width; c.height = i.height;"
             "const g = c.getContext('2d'); g.drawImage(i, 0, 0);"
             "return [...g.getImageData(" +
                 std::to_string(x) + "," + std::to_string(y) + ",1,1).data].slice(0, 3).join() })()");
    must(other->close(in()));
    return colour.get<std::string>();
  };
  const auto grey = [](const std::string& colour) {
    return colour == "180,180,180" || colour == "130,130,130";
  };
  EXPECT_TRUE(grey(pixel(shot, 25, 35))) << pixel(shot, 25, 35);
  EXPECT_TRUE(grey(pixel(shot, 215, 65)));
  EXPECT_TRUE(grey(pixel(shot, 22, 205)));
  EXPECT_TRUE(grey(pixel(shot, 450, 125))) << "in a frame";
  EXPECT_EQ(pixel(shot, 300, 300), "255,255,255");

  ScreenshotOptions full;
  full.full_page = true;
  const Screenshot whole = must(screenshot(*session, *tab, full, in()));
  EXPECT_GT(whole.height, 3000);
  EXPECT_TRUE(grey(pixel(whole, 25, 35)));
  EXPECT_EQ(pixel(whole, 100, 3025), "0,0,255");

  ScreenshotOptions element;
  element.target = by_selector("div");
  element.scale = 2;
  const Screenshot part = must(screenshot(*session, *tab, element, in()));
  EXPECT_EQ(part.width, 200);
  EXPECT_EQ(part.height, 100);
  EXPECT_EQ(pixel(part, 150, 80), "0,0,255");

  ScreenshotOptions field;
  field.target = by_selector("input:has(+ p)");
  field.format = "jpeg";
  EXPECT_EQ(must(screenshot(*session, *tab, field, in())).mime, "image/jpeg");
}

TEST_F(ReadsTest, APictureWhoseMasksCannotBePlacedIsRefused) {
  show(
      "<div style='height:3000px'></div><div style='position:fixed;bottom:0'><input type=password "
      "value=abc></div>");
  ScreenshotOptions full;
  full.full_page = true;
  const auto refused = run(screenshot(*session, *tab, full, in()));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, "mask-unknown");
  EXPECT_TRUE(run(screenshot(*session, *tab, {}, in())).ok());
}

}  // namespace
}  // namespace browx::capture
