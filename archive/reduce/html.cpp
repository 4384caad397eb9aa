#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "archive/page_at.hpp"
#include "archive/reduce/css_text.hpp"

namespace browx::archive {
namespace {

constexpr int kDeepestSrcdoc = 6;  // each level escapes the one inside once more

constexpr std::array<std::string_view, 18> kVoid{"area",  "base",  "basefont", "bgsound", "br",    "col",
                                                 "embed", "frame", "hr",       "img",     "input", "keygen",
                                                 "link",  "meta",  "param",    "source",  "track", "wbr"};
// Their text would be parsed by rules of its own, and nothing of it is seen.
constexpr std::array<std::string_view, 8> kEmptied{"script",   "noscript", "iframe", "noembed",
                                                   "noframes", "object",   "applet", "template"};
constexpr std::array<std::string_view, 14> kUrls{"href", "src",    "action",     "formaction", "xlink:href",
                                                 "data", "poster", "background", "cite",       "from",
                                                 "to",   "values", "by",         "longdesc"};
constexpr std::array<std::string_view, 16> kDropped{"srcdoc",
                                                    "ping",
                                                    "autofocus",
                                                    "autoplay",
                                                    "nonce",
                                                    "shadowrootmode",
                                                    "shadowroot",
                                                    "shadowrootdelegatesfocus",
                                                    "loading",
                                                    "manifest",
                                                    "http-equiv",
                                                    "allow",
                                                    "shadowrootclonable",
                                                    "shadowrootserializable",
                                                    "is",
                                                    "csp"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

void escape(std::string& out, std::string_view text, bool in_attribute) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\0':
        out += "\xEF\xBF\xBD";
        break;
      case '"':
        if (in_attribute) {
          out += "&quot;";
          break;
        }
        [[fallthrough]];
      default:
        out += c;
    }
  }
}

bool tag_name(std::string_view name) {
  if (name.empty() || !((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z')))
    return false;
  return std::none_of(name.begin(), name.end(), [](unsigned char c) {
    return c <= ' ' || c == '<' || c == '>' || c == '/' || c == '"' || c == '\'' || c == '=' || c == '&' ||
           c == '`';
  });
}
bool attribute_name(std::string_view name) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [](unsigned char c) {
    return c <= ' ' || c == '<' || c == '>' || c == '/' || c == '"' || c == '\'' || c == '=';
  });
}

/// As a browser reads it: without what it skips, one of the schemes that run.
bool runs(std::string_view url) {
  std::string plain;
  for (const unsigned char c : url) {
    if (c > ' ') plain += static_cast<char>(c);
    if (plain.size() > 40) break;
  }
  plain = lowered(plain);
  // In a list of values each one counts.
  return plain.find("javascript:") != std::string::npos || plain.starts_with("vbscript:") ||
         plain.starts_with("data:text/html") || plain.starts_with("data:application/xhtml") ||
         plain.starts_with("data:text/xml") || plain.starts_with("data:application/xml");
}

bool is_frame(const Node& node) { return node.is("iframe") || node.is("frame"); }

/// One document, written iteratively: trees are as deep as pages make them.
class Writer {
 public:
  Writer(const PageAt& page, const HtmlOptions& options, const DocumentAt& document, int depth)
      : page_(page), options_(options), document_(document), state_(document.state), depth_(depth) {}

  std::string take() {
    const Node* root = state_.root();
    if (!root) return {};
    bool doctype = false;
    for (const Node* child = root->first; child; child = child->next)
      doctype = doctype || child->kind == Node::Kind::doctype;
    if (!doctype && !state_.quirks()) out_ += "<!DOCTYPE html>";
    find_places(*root);
    struct Open {
      const Node* node;
      const Node* child;
      bool in_shadow;
    };
    std::vector<Open> open{{root, root->first, false}};
    while (!open.empty()) {
      Open& at = open.back();
      if (const Node* child = at.child) {
        at.child = child->next;
        if (begin(*child)) {
          if (child->shadow_host) {
            out_ += "<template shadowrootmode=\"open\">";
            open.push_back({child, child->first_shadow, true});
          } else {
            open.push_back({child, child->first, false});
          }
        }
        continue;
      }
      const Node& node = *at.node;
      if (at.in_shadow) {
        for (const auto id : node.state().adopted) adopted(id);
        out_ += "</template>";
        at = {&node, node.first, false};
        continue;
      }
      if (&node != root) {
        if (&node == last_place_)
          for (const auto id : state_.adopted()) adopted(id);
        out_ += "</" + name_of(node) + ">";
      }
      open.pop_back();
    }
    return std::move(out_);
  }

 private:
  void find_places(const Node& root) {
    for (const Node* child = root.first; child; child = child->next) {
      if (child->kind != Node::Kind::element) continue;
      html_ = child;
      last_place_ = child;
      for (const Node* inner = child->first; inner; inner = inner->next) {
        if (inner->is("head") && !head_) head_ = inner;
        if (inner->is("body") || inner->is("frameset")) last_place_ = inner;
      }
    }
  }

  std::string name_of(const Node& node) const {
    if (node.is("link") && sheet_text(node)) return "style";
    if (node.is("xmp") || node.is("plaintext") || node.is("listing")) return "pre";
    return tag_name(node.name) ? node.name : "div";
  }

  /// Writes what comes before the children; false when that is all of it.
  bool begin(const Node& node) {
    switch (node.kind) {
      case Node::Kind::document:
        return false;
      case Node::Kind::doctype:
        return write_doctype(node), false;
      case Node::Kind::comment:
        return write_comment(node), false;
      case Node::Kind::cdata:
      case Node::Kind::text:
        if (!node.parent || node.parent->kind != Node::Kind::element) return false;
        return escape(out_, node.text, false), false;
      case Node::Kind::element:
        break;
    }
    const std::string name = name_of(node);
    out_ += '<' + name;
    attributes(node, name);
    out_ += '>';
    if (&node == head_ || (!head_ && &node == html_)) write_head();
    if (const auto sheet = sheet_text(node); sheet && name == "style") {
      if (node.svg)
        escape(out_, *sheet, false);
      else
        out_ += without_tags(*sheet);
      out_ += "</style>";
      return false;
    }
    if (among(kVoid, name) && !node.svg) return false;
    if (name == "textarea") {
      out_ += '\n';
      escape(out_, control_value(node), false);
      out_ += "</textarea>";
      return false;
    }
    if (among(kEmptied, name)) {
      out_ += "</" + name + ">";
      return false;
    }
    // A parser drops the first line feed of these.
    if (name == "pre" && node.first && node.first->kind == Node::Kind::text &&
        node.first->text.starts_with('\n'))
      out_ += '\n';
    return true;
  }

  void write_doctype(const Node& node) {
    const auto id = [](std::string_view text) {
      std::string out;
      for (const char c : text)
        if (c != '"' && c != '>' && c != '<') out += c;
      return out;
    };
    out_ += "<!DOCTYPE " + (tag_name(node.name) ? node.name : "html");
    if (!node.text.empty())
      out_ += " PUBLIC \"" + id(node.text) + "\"";
    else if (!node.system_id.empty())
      out_ += " SYSTEM";
    if (!node.system_id.empty()) out_ += " \"" + id(node.system_id) + "\"";
    out_ += ">";
  }

  void write_comment(const Node& node) {
    out_ += "<!--";
    for (const char c : node.text) {
      if (c == '>')
        out_ += "&gt;";
      else
        out_ += c;
    }
    if (node.text.ends_with('-')) out_ += ' ';
    out_ += "-->";
  }

  void write_head() {
    if (options_.sealed) {
      out_ +=
          "<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
          "'none'; style-src "
          "'unsafe-inline' data:; img-src data:; font-src data:; media-src data:; form-action 'none'; "
          "base-uri *\">";
    }
    // URLs of the stream are absolute; what is relative in inserted rules means the page's own address.
    if (!has_base() && (document_.url.starts_with("http://") || document_.url.starts_with("https://"))) {
      out_ += "<base href=\"";
      escape(out_, document_.url, true);
      out_ += "\">";
    }
  }

  bool has_base() const {
    if (head_)
      for (const Node* child = head_->first; child; child = child->next)
        if (child->is("base") && child->attribute("href")) return true;
    return false;
  }

  void attribute(std::string_view name, std::string_view value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    escape(out_, value, true);
    out_ += '"';
  }

  bool unwritten(const Node& node, const std::string& name, const std::string& lower) const {
    if (!attribute_name(name) || lower.starts_with("on") || among(kDropped, lower)) return true;
    if (!options_.mark.empty() && lower == options_.mark) return true;
    if (is_frame(node) && (lower == "src" || lower == "name" || lower == "sandbox")) return true;
    if (node.is("input") && (lower == "checked" || (lower == "value" && !button(node)))) return true;
    if (node.is("option") && lower == "selected") return true;
    if (node.is("meta") && node.attribute("http-equiv") && lower == "content") return true;
    if (node.is("meta") && lower == "charset") return true;
    if ((node.is("video") || node.is("audio") || (node.is("source") && !in_picture(node)) ||
         node.is("embed")) &&
        lower == "src")
      return true;
    if (node.is("script") && lower != "id" && lower != "class" && lower != "type") return true;
    if (node.is("link")) {
      const std::string* rel = node.attribute("rel");
      const bool sheet = rel && lowered(*rel).find("stylesheet") != std::string::npos;
      if ((lower == "href" || lower == "imagesrcset") && !sheet) return true;
    }
    return false;
  }

  static bool in_picture(const Node& node) { return node.parent && node.parent->is("picture"); }
  static bool button(const Node& node) {
    const std::string* type = node.attribute("type");
    return type && (*type == "submit" || *type == "button" || *type == "reset" || *type == "radio" ||
                    *type == "checkbox" || *type == "hidden");
  }

  void attributes(const Node& node, const std::string& name) {
    const ElementState& state = node.state();
    std::set<std::string> written;
    for (const auto& one : node.attributes) {
      const std::string lower = lowered(one.name);
      if (unwritten(node, one.name, lower) || !written.insert(lower).second) continue;
      if (node.is("script") && lower == "type") continue;
      if (among(kUrls, lower) && runs(one.value)) continue;
      if (!state.picture.empty() && node.is("img") && (lower == "src" || lower == "srcset")) continue;
      if (lower == "style" && (!state.width.empty() || !state.height.empty() || node.is("noscript")))
        continue;
      attribute(one.name, one.value);
    }
    if (!state.picture.empty() && node.is("img") && state.picture.starts_with("data:image/"))
      attribute("src", state.picture);
    if (node.is("script")) attribute("type", "text/plain");
    // With scripts forbidden a parser would show it.
    if (node.is("noscript")) attribute("style", "display: none !important");
    if (!state.width.empty() || !state.height.empty()) {
      const std::string* style = node.attribute("style");
      std::string sized = style ? *style : "";
      if (!state.width.empty()) sized = with_property(sized, "width", state.width, false);
      if (!state.height.empty()) sized = with_property(sized, "height", state.height, false);
      attribute("style", sized);
    }
    if (node.is("input")) {
      if (!button(node) && (!control_value(node).empty() || node.attribute("value")))
        attribute("value", control_value(node));
      if (is_checked(node)) out_ += " checked";
    }
    if (node.is("option") && selected(node)) out_ += " selected";
    if (is_frame(node) && name != "style") frame(node);
    if (!options_.mark.empty() && marked(node)) attribute(options_.mark, fmt::format("{}", node.id));
  }

  bool marked(const Node& node) const {
    const ElementState& state = node.state();
    return state.modal || (state.scroll && *state.scroll != Position{}) || node.id == state_.focused();
  }

  bool selected(const Node& option) const {
    for (const Node* up = option.parent; up; up = up->parent) {
      if (!up->is("select")) continue;
      if (!up->state().typed || up->attribute("multiple")) break;
      const std::string* own = option.attribute("value");
      std::string label;
      if (!own)
        for (const Node* child = option.first; child; child = child->next) label += child->text;
      return (own ? *own : label) == *up->state().value;
    }
    return is_checked(option);
  }

  void frame(const Node& node) {
    const DocumentAt* child = page_.inside(document_.id, node.id);
    if (!child || !child->state.root()) return;
    if (options_.frame_url) return attribute("src", options_.frame_url(child->id));
    if (depth_ >= kDeepestSrcdoc || !node.is("iframe")) return;
    attribute("srcdoc", Writer(page_, options_, *child, depth_ + 1).take());
  }

  void adopted(std::int64_t id) {
    const auto* rules = state_.adopted_rules(id);
    if (!rules) return;
    out_ += "<style data-browx-adopted>";
    for (const auto& rule : *rules) out_ += without_tags(rule) + '\n';
    out_ += "</style>";
  }

  const PageAt& page_;
  const HtmlOptions& options_;
  const DocumentAt& document_;
  const DocumentState& state_;
  const int depth_;
  std::string out_;
  const Node* html_ = nullptr;
  const Node* head_ = nullptr;
  const Node* last_place_ = nullptr;
};

}  // namespace

std::string html(const PageAt& page, const HtmlOptions& options, std::optional<DocumentId> document) {
  const auto found = page.documents.find(document.value_or(page.root));
  if (found == page.documents.end()) return {};
  return Writer(page, options, found->second, 0).take();
}

}  // namespace browx::archive
