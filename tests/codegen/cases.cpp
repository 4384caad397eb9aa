#include "tests/codegen/cases.hpp"

#include <filesystem>
#include <fstream>

#include "tests/codegen/recorded.hpp"

namespace browx::codegen {
namespace {

/// Spans, secrets, a retry, a failure, reads, every verify tool.
Flow sign_in() {
  Recorded it("Sign in & approve");
  it.manifest("viewport", {{"width", 1280}, {"height", 720}});
  it.manifest("locale", "de-DE");
  it.manifest("timezone", "Europe/Berlin");
  it.manifest("secrets", Json::array({"PASSWORD", "UNUSED"}));
  it.document(1, 1, "about:blank", 0, 0);
  it.annotate("AC-1", "start", "A known user can sign in");
  it.act("navigate", {{"url", "https://app.example.com/login?next=%2F"}});
  it.read("snapshot", Json::object());
  const Json email =
      Json::array({role("textbox", "Email"), candidate("css", "locator('#email')", "#email", "medium")});
  it.act("fill", {{"ref", "e1"}, {"value", "ada@example.co"}}, email);
  it.act("fill", {{"ref", "e1"}, {"value", "ada@example.com"}}, email);
  it.act("fill", {{"ref", "e2"}, {"value", "<PASSWORD>"}}, Json::array({role("textbox", "Password")}));
  it.act("fill", {{"ref", "e3"}, {"value", "[masked value]"}},
         Json::array({candidate("label", "getByLabel('One-time code')", "label=One-time code")}));
  it.act("fill", {{"ref", "e4"}, {"value", "token <PASSWORD> of ${user}"}},
         Json::array({role("textbox", "Note")}));
  Recorded::Options refused;
  refused.locators = Json::array({role("button", "Sign in")});
  refused.ok = false;
  refused.error = "the element is covered by div#veil";
  it.step("action", "click", {{"ref", "e5"}}, refused);
  it.act("click", {{"ref", "e5"}}, Json::array({role("button", "Sign in")}));
  it.verify("verify_text", {{"selector", "role=status"}, {"text", "Welcome, Ada"}},
            Json::array({candidate("text", "getByText('Welcome, Ada')", "text=Welcome, Ada", "medium"),
                         candidate("role", "getByRole('status')", "role=status", "medium")}));
  it.annotate("AC-1", "end");
  it.annotate("AC-2", "start");
  it.act("select", {{"ref", "e6"}, {"values", {"Oslo"}}}, Json::array({role("combobox", "City")}));
  it.act("select", {{"ref", "e7"}, {"values", {"Oslo", "Rome"}}}, Json::array({role("listbox", "Cities")}));
  Recorded::Options checked;
  checked.locators = Json::array({role("checkbox", "I accept")});
  checked.result = {{"element", {{"checked", true}}}};
  it.step("action", "click", {{"ref", "e8"}}, checked);
  it.verify("verify_value", {{"ref", "e8"}, {"value", "true"}}, checked.locators);
  Recorded::Options label;
  label.locators = Json::array({role("combobox", "City")});
  label.result = {{"matched", "label"}};
  it.step("assert", "verify_value", {{"ref", "e6"}, {"value", "Oslo"}}, label);
  it.verify("verify_value", {{"ref", "e1"}, {"value", "ada@example.com"}}, email);
  it.verify("verify_value", {{"ref", "e1"}, {"value", "ada@example.com"}}, email);
  it.verify("verify_visible", {{"ref", "e9"}}, Json::array({role("heading", "Invoices")}));
  it.verify("verify_text", {{"ref", "e9"}, {"text", "Invoices"}, {"exact", true}},
            Json::array({role("heading", "Invoices")}));
  it.verify("verify_attribute", {{"ref", "e9"}, {"attr", "lang"}, {"value", "en"}},
            Json::array({role("heading", "Invoices")}));
  it.verify("verify_attribute", {{"ref", "e9"}, {"attr", "hidden"}},
            Json::array({role("heading", "Invoices")}));
  it.verify("verify_count", {{"selector", "role=row"}, {"n", 12}});
  it.verify("verify_count", {{"text", "open"}, {"n", 0}});
  Recorded::Options shown;
  shown.locators = Json::array({role("row", "Ada")});
  shown.result = {{"matched", "shown"}};
  it.step("assert", "verify_text", {{"ref", "e11"}, {"text", "Ada open"}}, shown);
  shown.result = {{"matched", "frames"}};
  it.step("assert", "verify_count", {{"selector", "iframe button"}, {"n", 4}}, shown);
  Recorded::Options wrong;
  wrong.locators = Json::array({role("status", "Total")});
  wrong.ok = false;
  wrong.error = "the element does not contain the text";
  it.step("assert", "verify_text", {{"ref", "e10"}, {"text", "13"}}, wrong);
  it.annotate("AC-2", "end");
  it.act("go_back", Json::object());
  it.act("go_forward", Json::object());
  it.act("reload", Json::object());
  return it.flow();
}

/// Frames, tabs, dialogs, downloads, other origins, the keyboard and the mouse.
Flow places() {
  Recorded it("Places");
  it.document(1, 1, "about:blank", 0, 0);
  it.document(2, 1, "https://shop.test/", 0, 2);
  it.document(3, 1, "https://pay.test/card?id=…", 2, 3);
  it.document(4, 1, "https://pay.test/inner", 3, 4);
  it.act("set_viewport", {{"width", 1024}, {"height", 768}});
  it.act("navigate", {{"url", "https://shop.test"}});
  it.act("navigate", {{"url", "https://pay.test:8443/help#top"}});
  Recorded::Options framed;
  framed.locators = Json::array({role("button", "Pay")});
  framed.target = {{"document", 3},
                   {"frames", Json::array({Json::array({candidate("css", "locator('iframe[name=\"pay\"]')",
                                                                  "iframe[name=\"pay\"]", "medium")})})}};
  it.step("action", "click", {{"ref", "e1"}}, framed);
  framed.target = {
      {"document", 4},
      {"frames",
       Json::array(
           {Json::array({candidate("title", "getByTitle('Payment')", "[title=\"Payment\"]", "medium")}),
            Json::array({candidate("css", "locator('body > iframe')", "body > iframe", "low")})})}};
  it.step("assert", "verify_visible", {{"ref", "e1"}}, framed);
  framed.target = {{"document", 4}};
  it.step("action", "hover", {{"ref", "e1"}}, framed);

  it.annotate("new window", "start", "Opens the help");
  const std::int64_t opens = it.next_step_us();
  Recorded::Options opening;
  opening.locators = Json::array({role("link", "Help")});
  opening.result = {{"structure", {{"newTabs", Json::array({{{"tab", 2}}})}}}};
  it.tab(2, 1, opens + 1000);
  it.step("action", "click", {{"ref", "e2"}}, opening);
  Recorded::Options there;
  there.tab = 2;
  there.locators = Json::array({role("button", "Close")});
  it.step("action", "click", {{"ref", "e3"}, {"tab", 2}}, there);
  it.annotate("new window", "end");
  it.tab(3, 1, it.next_step_us() + 1000);
  it.step("action", "click", {{"ref", "e2"}}, opening);
  there.locators = Json::array({role("heading", "Help")});
  it.step("assert", "verify_visible", {{"ref", "e4"}, {"tab", 2}}, there);
  it.tab(4, 0, 5);
  Recorded::Options own;
  own.tab = 4;
  it.step("action", "navigate", {{"url", "https://shop.test/other"}, {"tab", 4}}, own);

  Recorded::Options asked;
  asked.locators = Json::array({role("button", "Delete")});
  asked.result = {
      {"dialogs", Json::array({{{"type", "confirm"}, {"message", "Sure?"}, {"accepted", false}}})}};
  it.step("action", "click", {{"ref", "e5"}}, asked);
  asked.result = {
      {"dialogs", Json::array({{{"type", "confirm"}, {"accepted", true}},
                               {{"type", "prompt"}, {"accepted", true}, {"answer", "it's \"me\""}}})}};
  it.step("action", "click", {{"ref", "e5"}}, asked);
  asked.result = {
      {"dialogs", Json::array({{{"type", "prompt"}, {"accepted", true}, {"answer", std::string(90, 'x')}}})}};
  it.step("action", "click", {{"ref", "e5"}}, asked);
  asked.result = {{"downloads", Json::array({{{"suggestedFilename", "report.csv"}}})}};
  it.step("action", "click", {{"ref", "e5"}}, asked);

  it.act("press", {{"key", "Control+A"}});
  it.act("press", {{"ref", "e6"}, {"key", "Enter"}}, Json::array({role("searchbox", "Filter")}));
  it.act("click", {{"ref", "e7"}, {"button", "right"}, {"modifiers", {"Shift", "Alt"}}},
         Json::array({role("row", "Invoice 7")}));
  it.act("click", {{"ref", "e7"}, {"clickCount", 2}}, Json::array({role("row", "Invoice 7")}));
  it.act("click", {{"coords", {{"x", 12.5}, {"y", 30}}}});
  it.act("hover", {{"ref", "e8"}}, Json::array({role("menuitem", "More")}));
  it.act("scroll", {{"to", "bottom"}});
  it.act("scroll", {{"by", {{"x", 0}, {"y", 300}}}});
  it.act("scroll", {{"ref", "e9"}, {"to", "right"}}, Json::array({role("grid", "Invoices")}));
  it.act("scroll", {{"ref", "e9"}, {"intoView", true}}, Json::array({role("grid", "Invoices")}));
  it.act("upload_file", {{"ref", "e10"}, {"paths", {"a.pdf", "b.pdf"}}},
         Json::array({role("button", "Attach")}));
  it.act("wait_for", {{"text", "Done"}},
         Json::array({candidate("text", "getByText('Done')", "text=Done", "medium")}));
  it.act("wait_for", {{"ref", "e11"}},
         Json::array({candidate("role", "getByRole('progressbar')", "role=progressbar", "medium")}));
  it.act("drag", {{"from", {{"ref", "e1"}}}, {"to", {{"ref", "e2"}}}});
  it.read("eval_js", {{"expr", "localStorage.clear()"}});
  it.act("click", {{"ref", "e12"}});
  return it.flow();
}

/// Which locator is written: test ids, containers, duplicates, paths, selectors that were given.
Flow locators() {
  Recorded it("Locators");
  it.document(1, 1, "https://app.example.com/invoices", 0, 0);
  const std::string row = "getByRole('row', { name: 'Invoice 7' }).getByRole('button', { name: 'Approve' })";
  Json scoped =
      candidate("role", row, "role=row[name=\"Invoice 7\"] >> role=button[name=\"Approve\"]", "medium");
  scoped["scoped"] = true;
  it.act("click", {{"ref", "e1"}},
         Json::array({scoped, candidate("role", "getByRole('button', { name: 'Approve' })", "role=button",
                                        "low", 12, 6)}));
  it.act("click", {{"ref", "e2"}},
         Json::array({candidate("css", "locator('div > button:nth-of-type(2)')",
                                "div > button:nth-of-type(2)", "low"),
                      candidate("role", "getByRole('button', { name: 'Dot' })", "role=button[name=\"Dot\"]",
                                "low", 3, 1)}));
  it.act("click", {{"ref", "e3"}},
         Json::array({candidate("css", "locator('#ember > button:nth-of-type(2)')",
                                "#ember > button:nth-of-type(2)", "low")}));
  it.act("click", {{"ref", "e4"}},
         Json::array({candidate("testid", "locator('[data-cy=\"save\"]')", "[data-cy=\"save\"]"),
                      role("button", "Save")}));
  it.act("click", {{"ref", "e5"}},
         Json::array({candidate("text",
                                "getByRole('listitem').filter({ hasText: /^\\s*Ada\\s+B\\.\\s*$/ "
                                "}).getByRole('button', { name: 'Delete' })",
                                "role=listitem >> internal:has-text=/x/ >> role=button", "medium")}));
  it.act("click", {{"selector", "role=button[name=\"Other\"]"}});
  it.act("click", {{"selector", "tr:has-text(\"7\") >> text=Approve"}});
  it.act(
      "click", {{"ref", "e6"}},
      Json::array({candidate("role", "getByRole('button', { name: 'x' }); process.exit(1)", "role=button")}));
  it.act(
      "click", {{"ref", "e7"}},
      Json::array({role("button",
                        "A very long name of a button that goes on and on until nobody can read it any more"),
                   role("button", "x")}));
  it.verify("verify_text", {{"ref", "e8"}, {"text", "Invoice 7 approved"}},
            Json::array({role("status", "Invoice 7 approved by Ada")}));
  it.verify("verify_visible", {{"ref", "e9"}},
            Json::array({role("heading",
                              "Invoices of the department for the acquisition of very long names, second")}));
  return it.flow();
}

/// Case b11: names and values that break generated code.
Flow quoting() {
  std::ifstream file(std::filesystem::path(BROWX_TEST_CASES) / "b11-code-quoting/names.json");
  const Json names = Json::parse(file);
  Recorded it("*/ // ${name} `x` </script>");
  it.act("navigate", {{"url", "http://127.0.0.1:4000/b11-code-quoting/"}});
  int i = 0;
  for (const auto& one : names) {
    const auto name = one.get<std::string>();
    it.annotate(name, "start", name);
    const Json field = Json::array({role("textbox", "field " + std::to_string(i))});
    it.act("fill", {{"ref", "e1"}, {"value", name}, {name, name}}, field);
    it.verify("verify_value", {{"ref", "e1"}, {"value", name}}, field);
    Recorded::Options failed;
    failed.ok = false;
    failed.error = name;
    it.step("action", "click", {{"selector", name}}, failed);
    it.annotate(name, "end");
    ++i;
  }
  return it.flow();
}

}  // namespace

std::vector<Case> cases() {
  return {{"sign-in", sign_in}, {"places", places}, {"locators", locators}, {"quoting", quoting}};
}

}  // namespace browx::codegen
