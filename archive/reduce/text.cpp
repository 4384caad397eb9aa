#include "archive/page_at.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace browx::archive {
namespace {

constexpr std::array<std::string_view, 10> kUnread{"script", "style",  "template", "noscript", "head",
                                                   "iframe", "object", "datalist", "noembed",  "noframes"};
constexpr std::array<std::string_view, 44> kBlocks{
    "address", "article", "aside",   "blockquote", "body",     "button",     "caption", "dd",     "details",
    "dialog",  "div",     "dl",      "dt",         "fieldset", "figcaption", "figure",  "footer", "form",
    "h1",      "h2",      "h3",      "h4",         "h5",       "h6",         "header",  "hr",     "html",
    "legend",  "li",      "main",    "menu",       "nav",      "ol",         "option",  "p",      "pre",
    "section", "select",  "summary", "table",      "tr",       "ul",         "br",      "label"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, const Node& node) {
  return node.kind == Node::Kind::element && std::find(names.begin(), names.end(), node.name) != names.end();
}

class Lines {
 public:
  void words(std::string_view text, bool keep_breaks) {
    for (const char c : text) {
      if (c == '\n' && keep_breaks)
        end();
      else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
        space_ = true;
      else {
        if (space_ && !line_.empty()) line_ += ' ';
        space_ = false;
        line_ += c;
      }
    }
  }
  void gap() { space_ = true; }
  void end() {
    if (!line_.empty()) out_ += line_ + '\n';
    line_.clear();
    space_ = false;
  }
  std::string take() {
    end();
    return std::move(out_);
  }

 private:
  std::string out_, line_;
  bool space_ = false;
};

bool in_pre(const Node& text) {
  for (const Node* at = text.parent; at; at = at->parent)
    if (at->is("pre")) return true;
  return false;
}

}  // namespace

std::string text(const PageAt& page) {
  Lines lines;
  // Frames where their elements stand; each document once.
  struct Place {
    const DocumentAt* document;
    const Node* at;  ///< the next to look at
  };
  std::vector<Place> open{{&page.top(), page.top().state.root()}};
  std::set<DocumentId> seen{page.root};
  while (!open.empty()) {
    Place& place = open.back();
    const Node* node = place.at;
    if (!node) {
      lines.end();
      open.pop_back();
      continue;
    }
    const Node* root = place.document->state.root();
    const bool unread = among(kUnread, *node) || node->is("textarea") || node->attribute("hidden");
    const Node* next = next_in_order(*node, *root, unread);
    place.at = next;
    if (node->kind == Node::Kind::text) lines.words(node->text, in_pre(*node));
    if (among(kBlocks, *node)) lines.end();
    if (node->is("td") || node->is("th")) lines.gap();
    const bool shown = !node->attribute("hidden");
    if (shown && (node->is("textarea") || node->is("input"))) {
      const std::string* type = node->attribute("type");
      const bool unwritten =
          type && (*type == "hidden" || *type == "checkbox" || *type == "radio" || *type == "file" ||
                   *type == "image" || *type == "range" || *type == "color");
      if (!unwritten) {
        lines.gap();
        lines.words(control_value(*node), node->is("textarea"));
        lines.gap();
      }
    }
    if (shown && node->is("img"))
      if (const std::string* alt = node->attribute("alt")) {
        lines.gap();
        lines.words(*alt, false);
      }
    // Levels that are left: up to where the next node hangs.
    const Node* until = next ? next->parent : nullptr;
    for (const Node* up = node; up && up != until; up = up->parent)
      if (among(kBlocks, *up)) lines.end();
    if (!node->is("iframe") && !node->is("frame")) continue;
    if (const auto* child = page.inside(place.document->id, node->id);
        child && child->state.root() && seen.insert(child->id).second) {
      lines.end();
      open.push_back({child, child->state.root()});
    }
  }
  return lines.take();
}

}  // namespace browx::archive
