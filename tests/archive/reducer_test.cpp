// The reducer on hand-written streams: what each kind of event does, what malformed and hostile ones do not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "archive/page_at.hpp"
#include "archive/reducer.hpp"
#include "base/json.hpp"

namespace browx::archive {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string element(int id, std::string tag, std::string children = "", std::string attributes = "{}",
                    std::string more = "") {
  return fmt::format(R"({{"type":2,"id":{},"tagName":"{}","attributes":{},"childNodes":[{}]{}}})", id, tag,
                     attributes, children, more);
}
std::string text_node(int id, const std::string& text, const std::string& more = "") {
  return fmt::format(R"({{"type":3,"id":{},"textContent":{}{}}})", id, dump_json(Json(text)), more);
}
std::string snapshot(const std::string& body, const std::string& head = "") {
  return fmt::format(
      R"({{"type":2,"timestamp":0,"data":{{"node":{{"type":0,"id":1,"childNodes":[{{"type":1,"id":2,"name":"html","publicId":"","systemId":""}},{}]}},"initialOffset":{{"left":0,"top":0}}}}}})",
      element(3, "html", element(4, "head", head) + "," + element(5, "body", body)));
}
std::string incremental(const std::string& data) {
  return fmt::format(R"({{"type":3,"timestamp":1,"data":{}}})", data);
}
std::string mutation(const std::string& adds, const std::string& removes = "", const std::string& texts = "",
                     const std::string& attributes = "") {
  return incremental(
      fmt::format(R"({{"source":0,"adds":[{}],"removes":[{}],"texts":[{}],"attributes":[{}]}})", adds,
                  removes, texts, attributes));
}
std::string add(int parent, const std::string& next, const std::string& node) {
  return fmt::format(R"({{"parentId":{},"nextId":{},"node":{}}})", parent, next, node);
}
constexpr const char* kMeta =
    R"({"type":4,"timestamp":0,"data":{"href":"http://shop.test/a","width":800,"height":600}})";

class Reducer : public ::testing::Test {
 protected:
  Reducer() {
    page.documents.emplace(DocumentId(1), DocumentAt{DocumentId(1), "F", "http://shop.test/a", {}, 0, {}});
    page.root = DocumentId(1);
  }
  DocumentState& state() { return page.documents.at(DocumentId(1)).state; }
  void apply(const std::string& event) {
    const Status done = state().apply(event);
    ASSERT_TRUE(done) << done.error().message() << " " << event;
  }
  /// The HTML between body's tags.
  std::string body() {
    const std::string all = html(page);
    const auto begin = all.find("<body");
    const auto from = begin == std::string::npos ? 0 : all.find('>', begin) + 1;
    return all.substr(from, all.find("</body>") - from);
  }
  std::string attribute_of(NodeId id, const std::string& name) {
    const Node* node = state().find(id);
    const std::string* value = node ? node->attribute(name) : nullptr;
    return value ? *value : "(none)";
  }
  PageAt page;
};

TEST_F(Reducer, ASnapshotIsTheDocument) {
  apply(kMeta);
  apply(snapshot(element(6, "p", text_node(7, "a < b & c"), R"({"class":"x \"y\"","hidden":true})")));
  EXPECT_EQ(state().viewport(), (ViewportSize{800, 600}));
  EXPECT_EQ(state().href(), "http://shop.test/a");
  EXPECT_EQ(state().nodes(), 7u);
  EXPECT_EQ(body(), R"(<p class="x &quot;y&quot;" hidden="">a &lt; b &amp; c</p>)");
  EXPECT_THAT(html(page), ::testing::StartsWith("<!DOCTYPE html><html><head>"));
}

TEST_F(Reducer, MutationsAddMoveChangeAndRemove) {
  apply(snapshot(element(6, "ul", element(7, "li", text_node(8, "one")))));
  // The second is told first and waits for its sibling; its text waits for it.
  apply(mutation(add(6, "10", element(9, "li")) + "," + add(9, "null", text_node(11, "two")) + "," +
                 add(6, "null", element(10, "li", text_node(12, "three")))));
  EXPECT_EQ(body(), "<ul><li>one</li><li>two</li><li>three</li></ul>");
  apply(
      mutation("", "", R"({"id":8,"value":"first"})", R"({"id":7,"attributes":{"class":"a","title":null}})"));
  apply(mutation("", R"({"parentId":6,"id":9})"));
  EXPECT_EQ(body(), "<ul><li class=\"a\">first</li><li>three</li></ul>");
  EXPECT_EQ(state().find(11), nullptr);
  // A move: removed and told anew in one event.
  apply(mutation(add(6, "7", element(10, "li")) + "," + add(10, "null", text_node(12, "three")),
                 R"({"parentId":6,"id":10})"));
  EXPECT_EQ(body(), "<ul><li>three</li><li class=\"a\">first</li></ul>");
  EXPECT_TRUE(state().skipped().empty());
}

TEST_F(Reducer, AStyleAttributeChangesByDeclarations) {
  apply(snapshot(element(6, "p", "", R"j({"style":"color: red; padding: 4px; background: url(\"a;b\")"})j")));
  apply(mutation("", "", "",
                 R"({"id":6,"attributes":{"style":{"color":"blue","width":["10px","important"]}}})"));
  EXPECT_EQ(attribute_of(6, "style"),
            R"j(padding: 4px; background: url("a;b"); color: blue; width: 10px !important;)j");
  // One side of a shorthand goes: the rest stays, and that side is as if it were not declared.
  apply(mutation("", "", "", R"({"id":6,"attributes":{"style":{"color":false,"padding-top":false}}})"));
  EXPECT_EQ(attribute_of(6, "style"),
            R"j(padding: 4px; background: url("a;b"); width: 10px !important; padding-top: revert-layer;)j");
  apply(mutation("", "", "", R"({"id":6,"attributes":{"style":"top: 1px"}})"));
  EXPECT_EQ(attribute_of(6, "style"), "top: 1px");
}

TEST_F(Reducer, ControlsShowWhatWasTyped) {
  apply(snapshot(element(6, "input", "", R"({"type":"text","value":"a"})") + "," +
                 element(7, "input", "", R"({"type":"checkbox","checked":""})") + "," +
                 element(8, "textarea", "", R"({"value":"\nlines"})") + "," +
                 element(9, "select",
                         element(10, "option", text_node(11, "x"), R"({"selected":true})") + "," +
                             element(12, "option", text_node(13, "y"), R"({"value":"Y"})"))));
  EXPECT_EQ(control_value(*state().find(9)), "x");
  // The attribute stands, the box was cleared before the recorder came.
  EXPECT_FALSE(is_checked(*state().find(7)));
  EXPECT_EQ(body(),
            "<input type=\"text\" value=\"a\"><input "
            "type=\"checkbox\"><textarea>\n\nlines</textarea><select><option selected>x</option><option "
            "value=\"Y\">y</option></select>");
  apply(incremental(R"({"source":5,"id":6,"text":"ab\"c","isChecked":false})"));
  apply(incremental(R"({"source":5,"id":7,"text":"on","isChecked":true})"));
  apply(incremental(R"({"source":5,"id":8,"text":"</textarea><b>","isChecked":false})"));
  apply(incremental(R"({"source":5,"id":9,"text":"Y","isChecked":false})"));
  apply(mutation("", "", "", R"({"id":6,"attributes":{"value":"default"}})"));
  EXPECT_EQ(control_value(*state().find(9)), "Y");
  EXPECT_EQ(body(),
            "<input type=\"text\" value=\"ab&quot;c\"><input type=\"checkbox\" "
            "checked><textarea>\n&lt;/textarea&gt;&lt;b&gt;</textarea>"
            "<select><option>x</option><option value=\"Y\" selected>y</option></select>");
}

TEST_F(Reducer, RulesOfASheetChangeOneByOne) {
  apply(snapshot("",
                 element(6, "style", text_node(7, ""), R"({"_cssText":".a{x:1}@media all{.b{y:\"}\"}}"})")));
  apply(incremental(R"({"source":8,"id":6,"removes":[{"index":0}]})"));
  apply(incremental(
      R"({"source":8,"id":6,"adds":[{"rule":".c{z:1}","index":1},{"rule":".d{z:2}","index":0}]})"));
  EXPECT_EQ(sheet_text(*state().find(6)), ".d{z:2}\n@media all{.b{y:\"}\"}}\n.c{z:1}\n");
  apply(incremental(R"({"source":8,"id":6,"adds":[{"rule":".e{}","index":[1,0]}]})"));
  apply(incremental(
      R"({"source":13,"id":6,"index":[0],"set":{"property":"color","value":"red","priority":"important"}})"));
  EXPECT_EQ(sheet_text(*state().find(6)),
            ".d{ z:2; color: red !important; }\n@media all{ .e{} .b{y:\"}\"} }\n.c{z:1}\n");
  // New text: the browser parses anew.
  apply(mutation("", "", R"({"id":7,"value":".f{}"})"));
  EXPECT_EQ(sheet_text(*state().find(6)), ".f{}");
}

TEST_F(Reducer, TextAppendedToACapturedSheetKeepsWhatItsTextWas) {
  apply(snapshot("", element(6, "style", text_node(7, "") + "," + text_node(8, ""),
                             R"({"_cssText":".a{}/* rr_split */.b{}"})")));
  EXPECT_EQ(sheet_text(*state().find(6)), ".a{}.b{}");
  apply(mutation(add(6, "null", text_node(9, ".c{}"))));
  EXPECT_EQ(sheet_text(*state().find(6)), ".a{}.b{}.c{}");
}

TEST_F(Reducer, AMovedStyleLosesItsInsertedRules) {
  apply(snapshot(element(9, "p"), element(6, "style", text_node(7, ".a{}"))));
  apply(incremental(R"({"source":8,"id":6,"adds":[{"rule":".b{}","index":1}]})"));
  EXPECT_EQ(sheet_text(*state().find(6)), ".a{}\n.b{}\n");
  apply(mutation(add(5, "null", element(6, "style")) + "," + add(6, "null", text_node(7, ".a{}")),
                 R"({"parentId":4,"id":6})"));
  EXPECT_EQ(sheet_text(*state().find(6)), ".a{}");
}

TEST_F(Reducer, AdoptedSheetsBelongToDocumentsAndShadowRoots) {
  apply(snapshot(element(6, "x-box", element(7, "p", "", "{}", R"(,"isShadow":true)"), "{}",
                         R"(,"isShadowHost":true)")));
  apply(incremental(
      R"({"source":15,"id":1,"styleIds":[1],"styles":[{"styleId":1,"rules":[{"rule":".c{a:1}","index":0}]}]})"));
  apply(incremental(R"({"source":15,"id":6,"styleIds":[1,2],"styles":[{"styleId":2,"rules":[]}]})"));
  apply(incremental(R"({"source":8,"styleId":2,"adds":[{"rule":".s{}","index":0}]})"));
  EXPECT_EQ(body(),
            "<x-box><template shadowrootmode=\"open\"><p></p><style "
            "data-browx-adopted>.c{a:1}\n</style><style data-browx-adopted>.s{}\n</style>"
            "</template></x-box><style data-browx-adopted>.c{a:1}\n</style>");
  apply(incremental(R"({"source":15,"id":6,"styleIds":[]})"));
  EXPECT_THAT(body(),
              ::testing::StartsWith("<x-box><template shadowrootmode=\"open\"><p></p></template></x-box>"));
}

TEST_F(Reducer, NothingOfAHostilePageRuns) {
  apply(snapshot(
      element(6, "script", text_node(7, "alert(1)"), R"j({"src":"http://evil.test/x.js","onload":"x()"})j") +
          "," +
          element(
              8, "img", "",
              R"j({"src":"x","onerror":"alert(2)","ONLOAD":"x","a><script>alert(3)</script":"","rr_foo":"y"})j") +
          "," +
          element(9, "a", text_node(10, "l"),
                  R"j({"href":" jAva\tscript:alert(4)","ping":"http://evil.test/"})j") +
          "," + R"({"type":5,"id":11,"textContent":"--><script>alert(5)</script>"},)" +
          element(12, "iframe", text_node(13, "</iframe><script>alert(6)</script>"),
                  R"j({"srcdoc":"<script>alert(7)</script>","rr_src":"javascript:alert(8)"})j") +
          "," + element(14, "img src=x onerror=alert(9)", "") + "," +
          element(15, "xmp", text_node(16, "</xmp><script>alert(10)</script>")) + "," +
          element(17, "svg", element(18, "style", text_node(19, "<img src=x onerror=alert(11)>")), "{}",
                  R"(,"isSVG":true)") +
          "," + element(20, "template", text_node(21, "t"), R"({"shadowrootmode":"open"})") + "," +
          element(22, "noscript", text_node(23, "<b>no</b>")) + "," +
          element(24, "title", text_node(25, "</title><script>alert(12)</script>")),
      element(30, "meta", "", R"({"http-equiv":"refresh","content":"0;url=http://evil.test/"})") + "," +
          element(31, "style",
                  text_node(
                      32, "a:after{content:\"</style><script>alert(13)</script>\"} @media (width<600px){}")) +
          "," + element(33, "link", "", R"({"rel":"preconnect","href":"http://evil.test/"})")));
  const std::string all = html(page);
  EXPECT_THAT(all, Not(HasSubstr("<script>")));
  EXPECT_THAT(all, Not(HasSubstr("evil.test")));
  EXPECT_THAT(all, Not(HasSubstr(" onerror=\"")));
  EXPECT_THAT(all, Not(HasSubstr("onload")));
  EXPECT_THAT(all, Not(HasSubstr("javascript")));
  EXPECT_THAT(all, Not(HasSubstr("script:")));
  EXPECT_THAT(all, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(all, Not(HasSubstr("srcdoc")));
  EXPECT_THAT(all, Not(HasSubstr("refresh")));
  EXPECT_THAT(all, HasSubstr("default-src 'none'"));
  EXPECT_THAT(all, HasSubstr("<script type=\"text/plain\"></script>"));
  EXPECT_THAT(all, HasSubstr(R"(content:"\3c /style>\3c script>)"));
  EXPECT_THAT(all, HasSubstr("(width<600px)"));
}

TEST_F(Reducer, WhatRefersToNothingIsLeftOutAndCounted) {
  EXPECT_FALSE(state().apply("{"));
  EXPECT_FALSE(state().apply(""));
  EXPECT_FALSE(state().apply("[]"));
  EXPECT_FALSE(state().apply(R"({"type":3,"data":7})"));
  EXPECT_FALSE(state().apply(R"({"type":99})"));
  EXPECT_FALSE(state().apply(mutation("")));  // before any snapshot
  EXPECT_FALSE(state().apply(R"({"type":2,"data":{"node":{"type":2,"id":1,"tagName":"html"}}})"));
  EXPECT_EQ(state().root(), nullptr);
  EXPECT_EQ(html(page), "");
  EXPECT_EQ(text(page), "");
  apply(snapshot(element(6, "div", element(7, "p")) + "," + element(7, "i") +
                 R"(,{"type":2},5,{"type":2,"id":-4},{"type":2,"id":1e300})"));
  const std::string before = body();
  EXPECT_EQ(before, "<div><p></p></div>");
  apply(mutation(add(99, "null", element(50, "b")) + "," + add(6, "98", element(51, "b")) + "," +
                     add(7, "null", element(6, "div")) + "," + add(5, "null", element(1, "html")) +
                     R"(,{"parentId":"6"},null,7)",
                 R"({"id":97},{"id":1},{},null)", R"({"id":96,"value":"x"},{"id":6,"value":"x"})",
                 R"({"id":95,"attributes":{}},{"id":6,"attributes":5})"));
  EXPECT_EQ(body(), "<div><p></p><b></b></div>");
  EXPECT_FALSE(state().apply(incremental(R"({"source":8,"id":6,"adds":[]})")));
  EXPECT_FALSE(state().apply(incremental(R"({"source":8,"styleId":4,"adds":[]})")));
  EXPECT_FALSE(state().apply(incremental(R"({"source":5,"id":94,"text":"x"})")));
  EXPECT_FALSE(state().apply(incremental(R"({"source":3,"id":94,"x":1,"y":1})")));
  EXPECT_FALSE(state().apply(incremental(R"({"source":77})")));
  const auto& skipped = state().skipped();
  EXPECT_EQ(skipped.at("not-json"), 2);
  EXPECT_EQ(skipped.at("before-snapshot"), 1);
  EXPECT_EQ(skipped.at("cycle"), 2);
  EXPECT_EQ(skipped.at("unknown-parent"), 1);
  EXPECT_EQ(skipped.at("unknown-sibling"), 1);
  EXPECT_GE(skipped.at("unknown-node"), 6);
  EXPECT_EQ(skipped.at("unknown-sheet"), 2);
}

TEST_F(Reducer, BadRuleIndexesChangeNothing) {
  apply(snapshot("", element(6, "style", text_node(7, ".a{}"))));
  for (const char* index : {"5", "-1", "[0,1]", "[]", "[\"x\"]", "1e99", "\"0\""})
    EXPECT_FALSE(state().apply(
        incremental(fmt::format(R"({{"source":8,"id":6,"adds":[{{"rule":".b{{}}","index":{}}}]}})", index))))
        << index;
  EXPECT_FALSE(state().apply(incremental(R"({"source":8,"id":6,"removes":[{"index":1}]})")));
  EXPECT_EQ(sheet_text(*state().find(6)), ".a{}\n");
}

TEST_F(Reducer, DepthIsNoDanger) {
  apply(snapshot(element(6, "div")));
  // One event that nests more deeply than any JSON reader's usual limit.
  std::string nested;
  constexpr int kDeep = 20000;
  for (int i = 0; i < kDeep; ++i)
    nested += fmt::format(R"({{"type":2,"id":{},"tagName":"i","attributes":{{}},"childNodes":[)", 100 + i);
  for (int i = 0; i < kDeep; ++i) nested += "]}";
  apply(mutation(add(6, "null", nested)));
  EXPECT_EQ(state().nodes(), 6u + kDeep);
  // And a tree that grows one level an event.
  for (int i = 0; i < kDeep; ++i)
    apply(mutation(add(100 + kDeep - 1 + i, "null", element(100 + kDeep + i, "b"))));
  apply(mutation(add(100 + 2 * kDeep - 1, "null", text_node(9, "bottom"))));
  EXPECT_THAT(html(page), HasSubstr("<b>bottom</b>"));
  EXPECT_EQ(text(page), "bottom\n");
  // Deeper than the parser allows at all: left out.
  std::string abyss(70000, '[');
  EXPECT_FALSE(state().apply(abyss));
  apply(mutation("", R"({"parentId":5,"id":6})"));
  EXPECT_EQ(state().nodes(), 5u);
}

TEST_F(Reducer, ASecondSnapshotBeginsAnew) {
  apply(snapshot(element(6, "p", text_node(7, "old"))));
  apply(incremental(
      R"({"source":15,"id":1,"styleIds":[1],"styles":[{"styleId":1,"rules":[{"rule":".c{}","index":0}]}]})"));
  apply(incremental(R"({"source":3,"id":1,"x":0,"y":50})"));
  EXPECT_EQ(state().scroll().y, 50);
  apply(snapshot(element(6, "p", text_node(8, "new"))));
  EXPECT_EQ(body(), "<p>new</p>");
  EXPECT_EQ(state().scroll().y, 0);
  EXPECT_TRUE(state().adopted().empty());
}

TEST_F(Reducer, DocumentsStandInTheirFrames) {
  apply(snapshot(element(6, "h1", text_node(7, "Shop")) + "," +
                 element(8, "iframe", "", R"({"rr_src":"http://pay.test/"})") + "," +
                 element(9, "p", text_node(10, "after"))));
  DocumentAt child{DocumentId(2), "G", "http://pay.test/", DocumentId(1), 8, {}};
  ASSERT_TRUE(child.state.apply(snapshot(element(6, "label", text_node(7, "Card \"number\"")) + "," +
                                         element(8, "input", "", R"({"value":"42"})"))));
  page.documents.emplace(DocumentId(2), std::move(child));
  EXPECT_EQ(text(page), "Shop\nCard \"number\"\n42\nafter\n");
  EXPECT_THAT(body(), HasSubstr("srcdoc=\"&lt;!DOCTYPE html&gt;&lt;html&gt;"));
  EXPECT_THAT(body(), HasSubstr("Card &quot;number"));
  HtmlOptions options;
  options.frame_url = [](DocumentId id) { return fmt::format("http://frame-{}.invalid/", id.value()); };
  options.sealed = false;
  EXPECT_THAT(html(page, options), HasSubstr("<iframe src=\"http://frame-2.invalid/\"></iframe>"));
  EXPECT_THAT(html(page, options), Not(HasSubstr("Content-Security-Policy")));
  EXPECT_THAT(html(page, options, DocumentId(2)), HasSubstr("<input value=\"42\">"));
}

}  // namespace
}  // namespace browx::archive
