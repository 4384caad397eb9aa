// ownerControl and container of an action's element: what it belongs to, and whether that changed.

#include "tests/capture/drive/drive_fixture.hpp"

namespace browx::capture {
namespace {

class Owners : public DriveTest {};

TEST_F(Owners, AnOptionOfAPopupTellsTheControlThatShowsTheChoice) {
  open(
      "<button id=city aria-haspopup=listbox aria-controls=list>Oslo</button>"
      "<ul id=list role=listbox><li role=option id=rome tabindex=0 onclick=\"city.textContent='Rome'; "
      "list.remove()\">Rome"
      "<li role=option id=same onclick='void 0'>Oslo</ul>");
  ActionResult result = click(sel("#same"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.element["ownerControl"]["changed"], false) << tell(result);
  result = click(sel("#rome"));
  ASSERT_TRUE(result.ok) << tell(result);
  const Json& owner = result.element["ownerControl"];
  EXPECT_EQ(owner["role"], "button") << tell(result);
  EXPECT_EQ(owner["displayText"], "Rome") << tell(result);
  EXPECT_EQ(owner["changed"], true) << tell(result);
  EXPECT_EQ(owner["ref"], ref_of("#city"));
}

TEST_F(Owners, ARadioTellsItsGroupAndARowIsTheContainer) {
  open(
      "<table><tr id=row><td>Ada<td><button id=b onclick=\"this.closest('tr').cells[0].textContent='Ada, "
      "done'\">Done</button>"
      "<tr><td>Bob<td><button id=other onclick=\"row.cells[0].textContent='Eve'\">Touch the "
      "other</button></table>"
      "<div role=radiogroup aria-label=Size><label><input type=radio name=s id=small>Small</label>"
      "<label><input type=radio name=s id=large checked>Large</label></div>");
  ActionResult result = click(sel("#b"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.element["container"]["role"], "row") << tell(result);
  EXPECT_EQ(result.element["container"]["text"], "Ada, done Done") << tell(result);
  EXPECT_EQ(result.element["container"]["changed"], true);
  EXPECT_FALSE(result.element.contains("ownerControl")) << tell(result);
  result = click(sel("#other"));
  EXPECT_EQ(result.element["container"]["changed"], false) << tell(result);
  result = click(sel("#small"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_EQ(result.element["ownerControl"]["role"], "radiogroup") << tell(result);
  EXPECT_EQ(result.element["ownerControl"]["displayText"], "Small") << tell(result);
  EXPECT_EQ(result.element["ownerControl"]["changed"], true);
}

TEST_F(Owners, AFieldThatIsSensitiveIsMaskedInItsOwnerToo) {
  open(
      "<div role=combobox><span id=part>Show</span><input type=password id=pw aria-controls=part "
      "value=hunter2></div>");
  const ActionResult result = click(sel("#part"));
  ASSERT_TRUE(result.ok) << tell(result);
  EXPECT_TRUE(result.element.contains("ownerControl")) << tell(result);
  EXPECT_EQ(tell(result).find("hunter2"), std::string::npos) << tell(result);
}

TEST_F(Owners, TheNthIsCountedOverAllFrames) {
  ASSERT_TRUE(go(server.url("/cases/b10-frame-lookalikes/index.html")).ok);
  ASSERT_TRUE(eventually("document.querySelectorAll('iframe').length === 9"));
  const std::string pay = "role=button[name=\"Pay\"]";
  const auto all = refs_of(pay);
  ASSERT_EQ(all.size(), 8u);
  for (const auto& [nth, index] :
       std::vector<std::pair<int, std::size_t>>{{0, 0}, {1, 1}, {5, 5}, {7, 7}, {-1, 7}, {-8, 0}}) {
    const std::string one = pay + " >> nth=" + std::to_string(nth);
    EXPECT_EQ(refs_of(one), std::vector<std::string>{all[index]}) << nth;
    const ActionResult result = hover(sel(one));
    EXPECT_TRUE(result.ok) << tell(result);
    EXPECT_EQ(result.action["ref"], all[index]) << nth;
  }
  EXPECT_TRUE(refs_of(pay + " >> nth=8").empty());
}

}  // namespace
}  // namespace browx::capture
