#include "archive/reducer.hpp"

#include "archive/reduce/mutation.hpp"
#include "archive/reduce/read.hpp"
#include "archive/reduce/sheets.hpp"

namespace browx::archive {
namespace {

enum Type { kDomContentLoaded, kLoad, kFullSnapshot, kIncremental, kMeta, kCustom, kPlugin };
enum Source {
  kMutation,
  kMouseMove,
  kMouseInteraction,
  kScroll,
  kViewportResize,
  kInput,
  kTouchMove,
  kMedia,
  kStyleSheetRule,
  kCanvas,
  kFont,
  kLog,
  kDrag,
  kStyleDeclaration,
  kSelection,
  kAdopted,
  kCustomElement,
};
enum Interaction { kFocus = 5, kBlur = 6 };

int clamped(std::optional<double> number) {
  return !number || !(*number > 0) ? 0 : *number > 100000 ? 100000 : static_cast<int>(*number);
}

}  // namespace

struct DocumentState::Impl {
  EventParser parser;
  Tree tree;
  Node* root = nullptr;
  AdoptedSheets sheets;
  std::string href;
  ViewportSize viewport;
  Position scroll;
  NodeId focused = 0;
  std::optional<Position> pointer;
  bool quirks = false;
  std::int64_t applied = 0;
  std::map<std::string, std::int64_t> skipped;

  Status left_out(const char* reason) {
    ++skipped[reason];
    return Error{Code::corrupt, std::string("a DOM event was left out: ") + reason, "", reason};
  }
  void left_out_one(const char* reason) { ++skipped[reason]; }

  Status full_snapshot(JsonValue data) {
    const auto node = member(data, "node");
    if (!node) return left_out("bad-snapshot");
    Tree fresh;
    std::string why;
    std::int64_t lost = 0;
    Node* top = make_subtree(fresh, *node, why, lost);
    if (lost) skipped["bad-node"] += lost;
    if (!top || top->kind != Node::Kind::document) return left_out("bad-snapshot");
    tree = std::move(fresh);
    root = top;
    sheets = {};
    focused = 0;
    quirks = text_member(*node, "compatMode").value_or("") == "BackCompat";
    if (const auto offset = member(data, "initialOffset"))
      scroll = {number_member(*offset, "left").value_or(0), number_member(*offset, "top").value_or(0)};
    return {};
  }

  Node* target(JsonValue data) {
    const auto id = int_member(data, "id");
    return id ? tree.find(*id) : nullptr;
  }

  Status rules(JsonValue data, bool declaration) {
    std::vector<std::string>* list = nullptr;
    if (const auto sheet = int_member(data, "styleId")) {
      const auto found = sheets.rules.find(*sheet);
      if (found != sheets.rules.end()) list = &found->second;
    } else if (Node* owner = target(data); owner && (owner->is("style") || owner->is("link"))) {
      list = &rules_of(*owner);
    }
    if (!list) return left_out("unknown-sheet");
    const Status changed = declaration ? change_declaration(*list, data) : change_rules(*list, data);
    if (!changed) return left_out(changed.error().kind.c_str());
    return {};
  }

  Status input(JsonValue data) {
    Node* node = target(data);
    if (!node) return left_out("unknown-node");
    const auto text = text_member(data, "text");
    const std::string* type = node->attribute("type");
    ElementState& state = node->change();
    if (node->is("input") && type && (*type == "checkbox" || *type == "radio")) {
      state.checked = bool_member(data, "isChecked");
    } else if (text) {
      state.value = std::string(*text);
      state.typed = true;
    }
    return {};
  }

  Status media(JsonValue data) {
    Node* node = target(data);
    if (!node) return left_out("unknown-node");
    auto& state = node->change().media;
    if (!state) state.emplace();
    const auto type = int_member(data, "type").value_or(-1);
    if (type == 0) state->playing = true;
    if (type == 1) state->playing = false;
    state->time = number_member(data, "currentTime").value_or(state->time);
    state->volume = number_member(data, "volume").value_or(state->volume);
    state->rate = number_member(data, "playbackRate").value_or(state->rate);
    state->muted = bool_member(data, "muted", state->muted);
    state->loop = bool_member(data, "loop", state->loop);
    return {};
  }

  Status moved(JsonValue data) {
    const auto positions = array_member(data, "positions");
    if (!positions) return left_out("bad-position");
    for (const auto one : *positions)
      pointer = Position{number_member(one, "x").value_or(0), number_member(one, "y").value_or(0)};
    return {};
  }

  Status incremental(JsonValue data) {
    const auto source = int_member(data, "source");
    if (!source) return left_out("bad-event");
    switch (*source) {
      case kMouseMove:
      case kTouchMove:
      case kDrag:
        return moved(data);
      case kViewportResize:
        viewport = {clamped(number_member(data, "width")), clamped(number_member(data, "height"))};
        return {};
      case kCanvas:
      case kFont:
      case kLog:
      case kSelection:
      case kCustomElement:
        return {};  // nothing of it is in the model
      default:
        break;
    }
    if (!root) return left_out("before-snapshot");
    switch (*source) {
      case kMutation: {
        const std::function<void(const char*)> skip = [this](const char* reason) { left_out_one(reason); };
        apply_mutation(tree, *root, data, skip);
        if (focused && !tree.find(focused)) focused = 0;
        return {};
      }
      case kMouseInteraction: {
        const auto type = int_member(data, "type").value_or(-1);
        const auto id = int_member(data, "id").value_or(0);
        if (type == kFocus && tree.find(id)) focused = id;
        if (type == kBlur && focused == id) focused = 0;
        if (const auto x = number_member(data, "x"), y = number_member(data, "y"); x && y)
          pointer = Position{*x, *y};
        return {};
      }
      case kScroll: {
        Node* node = target(data);
        if (!node) return left_out("unknown-node");
        const Position to{number_member(data, "x").value_or(0), number_member(data, "y").value_or(0)};
        if (node == root)
          scroll = to;
        else
          node->change().scroll = to;
        return {};
      }
      case kInput:
        return input(data);
      case kMedia:
        return media(data);
      case kStyleSheetRule:
        return rules(data, false);
      case kStyleDeclaration:
        return rules(data, true);
      case kAdopted: {
        Node* owner = target(data);
        if (!owner) return left_out("unknown-node");
        const Status adopted = adopt(sheets, *owner, data);
        if (!adopted) return left_out(adopted.error().kind.c_str());
        return {};
      }
      default:
        return left_out("unknown-source");
    }
  }

  Status apply(std::string_view json) {
    auto event = parser.parse(json);
    if (!event) return left_out(event.error().kind.c_str());
    const auto type = int_member(*event, "type");
    if (!type) return left_out("bad-event");
    const auto data = member(*event, "data");
    Status done;
    switch (*type) {
      case kDomContentLoaded:
      case kLoad:
      case kCustom:
      case kPlugin:
        break;
      case kFullSnapshot:
        done = data ? full_snapshot(*data) : left_out("bad-event");
        break;
      case kIncremental:
        done = data ? incremental(*data) : left_out("bad-event");
        break;
      case kMeta:
        if (!data) return left_out("bad-event");
        href = text_member(*data, "href").value_or("");
        viewport = {clamped(number_member(*data, "width")), clamped(number_member(*data, "height"))};
        break;
      default:
        return left_out("unknown-type");
    }
    if (done) ++applied;
    return done;
  }
};

DocumentState::DocumentState() : impl_(std::make_unique<Impl>()) {}
DocumentState::~DocumentState() = default;
DocumentState::DocumentState(DocumentState&&) noexcept = default;
DocumentState& DocumentState::operator=(DocumentState&&) noexcept = default;

Status DocumentState::apply(std::string_view event_json) { return impl_->apply(event_json); }
const Node* DocumentState::root() const { return impl_->root; }
const Node* DocumentState::find(NodeId id) const { return impl_->tree.find(id); }
std::size_t DocumentState::nodes() const { return impl_->tree.size(); }
const std::string& DocumentState::href() const { return impl_->href; }
ViewportSize DocumentState::viewport() const { return impl_->viewport; }
Position DocumentState::scroll() const { return impl_->scroll; }
NodeId DocumentState::focused() const { return impl_->focused; }
std::optional<Position> DocumentState::pointer() const { return impl_->pointer; }
bool DocumentState::quirks() const { return impl_->quirks; }
const std::vector<std::int64_t>& DocumentState::adopted() const { return impl_->sheets.of_document; }
const std::vector<std::string>* DocumentState::adopted_rules(std::int64_t sheet) const {
  const auto found = impl_->sheets.rules.find(sheet);
  return found == impl_->sheets.rules.end() ? nullptr : &found->second;
}
std::int64_t DocumentState::applied() const { return impl_->applied; }
const std::map<std::string, std::int64_t>& DocumentState::skipped() const { return impl_->skipped; }

std::string control_value(const Node& control) {
  const ElementState& state = control.state();
  if (control.is("select")) {
    // A value that was told chooses among the options; in a snapshot each option says it itself.
    const Node* first = nullptr;
    const auto value_of = [](const Node& option) {
      if (const std::string* value = option.attribute("value")) return *value;
      std::string text;
      for (const Node* child = option.first; child; child = child->next) text += child->text;
      return text;
    };
    if (state.typed && state.value) return *state.value;
    for (const Node* at = next_in_order(control, control); at; at = next_in_order(*at, control)) {
      if (!at->is("option")) continue;
      if (is_checked(*at)) return value_of(*at);
      if (!first) first = at;
    }
    return first ? value_of(*first) : "";
  }
  if (!control.is("input") && !control.is("textarea")) return "";
  if (state.value) return *state.value;
  const std::string* value = control.attribute("value");
  return value ? *value : "";
}

bool is_checked(const Node& control) {
  if (control.state().checked) return *control.state().checked;
  return control.attribute(control.is("option") ? "selected" : "checked") != nullptr;
}

}  // namespace browx::archive
