#include "codegen/text/doc.hpp"

#include "codegen/text/utf8.hpp"

namespace browx::codegen {
namespace {

using Kind = Doc::Kind;

enum class Mode { flat, broken };
struct Command {
  int indent;
  Mode mode;
  DocPtr doc;
};

DocPtr make(Kind kind, std::vector<DocPtr> parts = {}) {
  auto doc = std::make_shared<Doc>();
  doc->kind = kind;
  doc->parts = std::move(parts);
  // A forced break inside forces every group around it, but for those that have states to choose from.
  for (const auto& part : doc->parts) doc->breaks = doc->breaks || part->breaks;
  return doc;
}

/// Whether `next` and what follows it up to the next possible break fit into `width` columns.
bool fits(const Command& next, const std::vector<Command>& rest, int width) {
  std::vector<std::pair<Mode, DocPtr>> todo{{next.mode, next.doc}};
  std::size_t left = rest.size();
  while (width >= 0) {
    if (todo.empty()) {
      if (left == 0) return true;
      --left;
      todo.emplace_back(rest[left].mode, rest[left].doc);
      continue;
    }
    const auto [mode, doc] = std::move(todo.back());
    todo.pop_back();
    switch (doc->kind) {
      case Kind::text:
        width -= text_width(doc->text);
        break;
      case Kind::concat:
      case Kind::indent:
        for (auto part = doc->parts.rbegin(); part != doc->parts.rend(); ++part)
          todo.emplace_back(mode, *part);
        break;
      case Kind::group: {
        const Mode inner = doc->breaks ? Mode::broken : mode;
        todo.emplace_back(
            inner, !doc->states.empty() && inner == Mode::broken ? doc->states.back() : doc->parts.front());
        break;
      }
      case Kind::if_broken:
        todo.emplace_back(mode, doc->parts[mode == Mode::broken ? 0 : 1]);
        break;
      case Kind::hard_line:
        return true;
      case Kind::line:
      case Kind::soft_line:
        if (mode == Mode::broken) return true;
        if (doc->kind == Kind::line) --width;
        break;
    }
  }
  return false;
}

}  // namespace

DocPtr doc_text(std::string text) {
  auto doc = std::make_shared<Doc>();
  doc->text = std::move(text);
  return doc;
}
DocPtr doc_concat(std::vector<DocPtr> parts) { return make(Kind::concat, std::move(parts)); }
DocPtr doc_indent(DocPtr content) { return make(Kind::indent, {std::move(content)}); }
DocPtr doc_group(DocPtr content, bool breaks) {
  auto doc = std::make_shared<Doc>();
  doc->kind = Kind::group;
  doc->breaks = breaks || content->breaks;
  doc->parts = {std::move(content)};
  return doc;
}
DocPtr doc_states(std::vector<DocPtr> states) {
  auto doc = std::make_shared<Doc>();
  doc->kind = Kind::group;
  doc->parts = {states.front()};
  doc->states = std::move(states);
  return doc;
}
DocPtr doc_line() { return make(Kind::line); }
DocPtr doc_soft_line() { return make(Kind::soft_line); }
DocPtr doc_hard_line() {
  auto doc = std::make_shared<Doc>();
  doc->kind = Kind::hard_line;
  doc->breaks = true;
  return doc;
}
DocPtr doc_if_broken(DocPtr broken, DocPtr flat) {
  return make(Kind::if_broken, {std::move(broken), std::move(flat)});
}
DocPtr doc_join(const std::vector<DocPtr>& items, const DocPtr& between) {
  std::vector<DocPtr> parts;
  for (const auto& item : items) {
    if (!parts.empty()) parts.push_back(between);
    parts.push_back(item);
  }
  return doc_concat(std::move(parts));
}
bool doc_breaks(const DocPtr& doc) { return doc->breaks; }

std::string print_doc(const DocPtr& doc, int width, int indent, int column) {
  std::string out;
  std::vector<Command> commands{{indent, Mode::broken, doc}};
  bool remeasure = false;  // a break was forced on a flat line: the next group is measured again
  while (!commands.empty()) {
    const Command command = std::move(commands.back());
    commands.pop_back();
    const Doc& now = *command.doc;
    switch (now.kind) {
      case Kind::text:
        out += now.text;
        column += text_width(now.text);
        break;
      case Kind::concat:
        for (auto part = now.parts.rbegin(); part != now.parts.rend(); ++part)
          commands.push_back({command.indent, command.mode, *part});
        break;
      case Kind::indent:
        commands.push_back({command.indent + 2, command.mode, now.parts.front()});
        break;
      case Kind::if_broken:
        commands.push_back({command.indent, command.mode, now.parts[command.mode == Mode::broken ? 0 : 1]});
        break;
      case Kind::group: {
        if (command.mode == Mode::flat && !remeasure) {
          const Mode mode = now.breaks ? Mode::broken : Mode::flat;
          commands.push_back({command.indent, mode,
                              !now.states.empty() && now.breaks ? now.states.back() : now.parts.front()});
          break;
        }
        remeasure = false;
        Command next{command.indent, Mode::flat, now.parts.front()};
        if (!now.breaks && fits(next, commands, width - column)) {
          commands.push_back(std::move(next));
          break;
        }
        if (now.states.empty()) {
          commands.push_back({command.indent, Mode::broken, now.parts.front()});
          break;
        }
        bool found = false;
        for (std::size_t i = 1; i < now.states.size() && !now.breaks && !found; ++i) {
          Command state{command.indent, Mode::flat, now.states[i]};
          found = fits(state, commands, width - column);
          if (found) commands.push_back(std::move(state));
        }
        if (!found) commands.push_back({command.indent, Mode::broken, now.states.back()});
        break;
      }
      case Kind::line:
      case Kind::soft_line:
        if (command.mode == Mode::flat) {
          if (now.kind == Kind::line) {
            out += ' ';
            ++column;
          }
          break;
        }
        [[fallthrough]];
      case Kind::hard_line:
        remeasure = remeasure || command.mode == Mode::flat;
        while (!out.empty() && out.back() == ' ') out.pop_back();
        out += '\n' + std::string(static_cast<std::size_t>(command.indent), ' ');
        column = command.indent;
        break;
    }
  }
  return out;
}

int text_width(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200d))
      continue;
    const bool wide =
        (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) || (c >= 0x3041 && c <= 0xa4cf) ||
        (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
        (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1f64f) ||
        (c >= 0x1f680 && c <= 0x1f6ff) || (c >= 0x1f900 && c <= 0x1f9ff) || (c >= 0x20000 && c <= 0x3fffd);
    width += wide ? 2 : 1;
  }
  return width;
}

}  // namespace browx::codegen
