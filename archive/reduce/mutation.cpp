#include "archive/reduce/mutation.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "archive/reduce/sheets.hpp"

namespace browx::archive {
namespace {

class Mutation {
 public:
  Mutation(Tree& tree, Node& root, const std::function<void(const char*)>& skip)
      : tree_(tree), root_(root), skip_(skip) {}

  void remove(JsonValue change) {
    const auto id = int_member(change, "id");
    Node* node = id ? tree_.find(*id) : nullptr;
    if (!node || node == &root_) return skip_("unknown-node");
    removed_.insert(node->id);
    if (node->parent && node->parent->is("style")) text_will_change(*node->parent);
    tree_.destroy(*node);
  }

  void add_all(simdjson::dom::array adds) {
    std::vector<JsonValue> all;
    for (const auto add : adds) all.push_back(add);
    for (std::size_t i = 0; i < all.size(); ++i) add(all, i, false);
    // What still waits for its place: it goes last under its parent, if that has come.
    std::unordered_set<std::size_t> left;
    for (const auto& [id, index] : waiting_) left.insert(index);
    waiting_.clear();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (left.contains(i)) add(all, i, true);
  }

  void set_text(JsonValue change) {
    const auto id = int_member(change, "id");
    Node* node = id ? tree_.find(*id) : nullptr;
    if (!node) return removed_.contains(id.value_or(0)) ? void() : skip_("unknown-node");
    if (node->kind == Node::Kind::document || node->kind == Node::Kind::doctype) return skip_("bad-node");
    if (node->kind == Node::Kind::element) return skip_("bad-node");
    if (node->parent && node->parent->is("style")) text_will_change(*node->parent);
    node->text = text_member(change, "value").value_or("");
  }

  void set_attributes(JsonValue change) {
    const auto id = int_member(change, "id");
    Node* node = id ? tree_.find(*id) : nullptr;
    if (!node) return removed_.contains(id.value_or(0)) ? void() : skip_("unknown-node");
    const auto attributes = member(change, "attributes");
    simdjson::dom::object all;
    if (node->kind != Node::Kind::element || !attributes || attributes->get(all) != simdjson::SUCCESS)
      return skip_("bad-node");
    for (const auto [name, value] : all) apply_attribute(*node, name, value, false);
  }

 private:
  void add(const std::vector<JsonValue>& all, std::size_t first, bool last_chance) {
    std::vector<std::size_t> ready{first};
    while (!ready.empty()) {
      const std::size_t index = ready.back();
      ready.pop_back();
      const Node* node = add_one(all[index], index, last_chance);
      if (!node) continue;
      const auto [begin, end] = waiting_.equal_range(node->id);
      for (auto at = begin; at != end; ++at) ready.push_back(at->second);
      waiting_.erase(begin, end);
    }
  }

  const Node* add_one(JsonValue change, std::size_t index, bool last_chance) {
    const auto parent_id = int_member(change, "parentId"), next_id = int_member(change, "nextId");
    const auto serialized = member(change, "node");
    if (!parent_id || !serialized) return refuse("bad-node");
    Node* parent = tree_.find(*parent_id);
    Node* next = next_id ? tree_.find(*next_id) : nullptr;
    const NodeId missing = !parent ? *parent_id : next_id && *next_id > 0 && !next ? *next_id : 0;
    if (missing && !last_chance) {
      waiting_.emplace(missing, index);
      return nullptr;
    }
    if (!parent) return refuse("unknown-parent");
    if (missing) skip_("unknown-sibling");
    if (parent->kind != Node::Kind::element && parent->kind != Node::Kind::document)
      return refuse("bad-parent");

    // Told again without having been removed: it moves, and what is below it with it.
    Node* below = nullptr;
    if (const auto id = int_member(*serialized, "id")) {
      if (Node* before = tree_.find(*id)) {
        if (before == &root_ || Tree::contains(*before, *parent)) return refuse("cycle");
        below = before;
      }
    }
    std::vector<std::pair<Node*, bool>> kept;
    if (below) {
      for (Node* child = below->first_shadow; child; child = child->next) kept.emplace_back(child, true);
      for (Node* child = below->first; child; child = child->next) kept.emplace_back(child, false);
      for (auto& [child, shadow] : kept) Tree::detach(*child);
      if (next == below) next = below->next;
      tree_.destroy(*below);
    }
    std::string why;
    std::int64_t left_out = 0;
    Node* node = make_subtree(tree_, *serialized, why, left_out);
    for (; left_out > 0; --left_out) skip_("bad-node");
    for (auto& [child, shadow] : kept) {
      if (node && node->kind == Node::Kind::element)
        Tree::insert(*node, *child, nullptr);
      else
        tree_.destroy(*child);
    }
    if (!node) return refuse(why == "duplicate-id" ? "duplicate-id" : "bad-node");
    if (node->kind ==
        Node::Kind::document) {  // a child frame folded in by another recorder: not a part of this one
      tree_.destroy(*node);
      return refuse("nested-document");
    }
    if (node->in_shadow && parent->kind == Node::Kind::element)
      parent->shadow_host = true;
    else
      node->in_shadow = false;
    if (parent->kind == Node::Kind::document) only_one(*parent, *node);
    // A text node that is told empty belongs to a sheet told beside it.
    if (parent->is("style") && !(node->kind == Node::Kind::text && node->text.empty()))
      text_will_change(*parent);
    if (next && (next->parent != parent || next->in_shadow != node->in_shadow)) next = nullptr;
    Tree::insert(*parent, *node, next);
    return node;
  }

  /// A document has one doctype and one root element; after document.open() the old ones are not told to go.
  void only_one(Node& document, const Node& coming) {
    if (coming.kind != Node::Kind::doctype && coming.kind != Node::Kind::element) return;
    for (Node* child = document.first; child;) {
      Node* next = child->next;
      if (child->kind == coming.kind) tree_.destroy(*child);
      child = next;
    }
  }

  const Node* refuse(const char* reason) {
    skip_(reason);
    return nullptr;
  }

  Tree& tree_;
  Node& root_;
  const std::function<void(const char*)>& skip_;
  std::unordered_set<NodeId> removed_;
  std::unordered_multimap<NodeId, std::size_t> waiting_;
};

}  // namespace

void apply_mutation(Tree& tree, Node& root, JsonValue data, const std::function<void(const char*)>& skip) {
  Mutation mutation(tree, root, skip);
  if (const auto removes = array_member(data, "removes"))
    for (const auto one : *removes) mutation.remove(one);
  if (const auto adds = array_member(data, "adds")) mutation.add_all(*adds);
  if (const auto texts = array_member(data, "texts"))
    for (const auto one : *texts) mutation.set_text(one);
  if (const auto attributes = array_member(data, "attributes"))
    for (const auto one : *attributes) mutation.set_attributes(one);
}

}  // namespace browx::archive
