#pragma once
// A document as a recorder saw it: nodes under the recorder's ids. Read by whoever shows or searches a page;
// changed by the reducer alone.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace browx::archive {

using NodeId = std::int64_t;

struct Position {
  double x = 0, y = 0;
  friend bool operator==(Position, Position) = default;
};

struct MediaState {
  bool playing = false;
  double time = 0, rate = 1, volume = 1;
  bool muted = false, loop = false;
};

/// What an element has beside its attributes; few elements have any of it.
struct ElementState {
  std::optional<std::string> value;  ///< of a control, as a user sees it
  bool typed = false;           ///< the value was told by itself, so that the attribute is only its default
  std::optional<bool> checked;  ///< checkbox, radio; of an option: selected
  std::optional<Position> scroll;
  std::optional<MediaState> media;
  bool modal = false;                   ///< a dialog in the top layer
  std::string width, height;            ///< of an element whose content is not recorded
  std::string picture;                  ///< data: URL of a canvas or image
  std::optional<std::string> css_text;  ///< the sheet of a style or link, where its text does not say it
  std::optional<std::vector<std::string>>
      rules;                          ///< the same once it was changed rule by rule; wins over css_text
  std::vector<std::int64_t> adopted;  ///< of a shadow host: ids of its root's adopted sheets
};

struct Node {
  enum class Kind { document, doctype, element, text, cdata, comment };
  struct Attribute {
    std::string name, value;
  };

  NodeId id = 0;
  Kind kind = Kind::element;
  bool svg = false;
  bool shadow_host = false;
  bool in_shadow = false;  ///< a child of its parent's shadow root
  std::string name;        ///< tag name as the recorder wrote it (lower case in HTML), or the doctype's name
  std::string text;        ///< of text and comments; of a doctype: the public id
  std::string system_id;
  std::vector<Attribute> attributes;
  std::unique_ptr<ElementState> extra;

  Node* parent = nullptr;  ///< of a shadow root's child: the host
  Node *previous = nullptr, *next = nullptr;
  Node *first = nullptr, *last = nullptr;                ///< children
  Node *first_shadow = nullptr, *last_shadow = nullptr;  ///< children of the shadow root

  bool is(std::string_view tag) const { return kind == Kind::element && name == tag; }
  /// Null when there is none.
  const std::string* attribute(std::string_view attribute_name) const;
  void set_attribute(std::string_view attribute_name, std::string value);
  void remove_attribute(std::string_view attribute_name);
  const ElementState& state() const;
  ElementState& change();  ///< makes `extra` when it is not there
};

/// Owns the nodes. Nothing here recurses: a tree may be as deep as a page makes it. Thread: one at a time; a
/// value that moves.
class Tree {
 public:
  Node* find(NodeId id) const;
  std::size_t size() const { return nodes_.size(); }
  /// Null when `id` is taken.
  Node* make(NodeId id, Node::Kind kind);
  /// Puts a node without parent before `next`, or last when `next` is null or elsewhere. In the shadow root
  /// when `node.in_shadow`.
  static void insert(Node& parent, Node& node, Node* next);
  static void detach(Node& node);
  /// Takes a node and all below it out of the tree for good.
  void destroy(Node& node);
  void clear() { nodes_.clear(); }
  /// `below` is `above` or somewhere under it.
  static bool contains(const Node& above, const Node& below);

 private:
  std::unordered_map<NodeId, std::unique_ptr<Node>> nodes_;
};

/// The node after `node` in document order, a shadow root's children before the host's own; null after the
/// last one under `root`. With `skip_children` the next one that is not below `node`.
const Node* next_in_order(const Node& node, const Node& root, bool skip_children = false);

}  // namespace browx::archive
