#include "archive/dom.hpp"

#include <algorithm>

namespace browx::archive {

const std::string* Node::attribute(std::string_view attribute_name) const {
  for (const auto& one : attributes)
    if (one.name == attribute_name) return &one.value;
  return nullptr;
}

void Node::set_attribute(std::string_view attribute_name, std::string value) {
  for (auto& one : attributes)
    if (one.name == attribute_name) {
      one.value = std::move(value);
      return;
    }
  attributes.push_back({std::string(attribute_name), std::move(value)});
}

void Node::remove_attribute(std::string_view attribute_name) {
  std::erase_if(attributes, [&](const Attribute& one) { return one.name == attribute_name; });
}

const ElementState& Node::state() const {
  static const ElementState none;
  return extra ? *extra : none;
}

ElementState& Node::change() {
  if (!extra) extra = std::make_unique<ElementState>();
  return *extra;
}

Node* Tree::find(NodeId id) const {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : found->second.get();
}

Node* Tree::make(NodeId id, Node::Kind kind) {
  auto& place = nodes_[id];
  if (place) return nullptr;
  place = std::make_unique<Node>();
  place->id = id;
  place->kind = kind;
  return place.get();
}

void Tree::insert(Node& parent, Node& node, Node* next) {
  Node*& first = node.in_shadow ? parent.first_shadow : parent.first;
  Node*& last = node.in_shadow ? parent.last_shadow : parent.last;
  if (next && (next->parent != &parent || next->in_shadow != node.in_shadow)) next = nullptr;
  node.parent = &parent;
  node.next = next;
  node.previous = next ? next->previous : last;
  (node.previous ? node.previous->next : first) = &node;
  (next ? next->previous : last) = &node;
}

void Tree::detach(Node& node) {
  Node* parent = node.parent;
  if (!parent) return;
  (node.previous ? node.previous->next : node.in_shadow ? parent->first_shadow : parent->first) = node.next;
  (node.next ? node.next->previous : node.in_shadow ? parent->last_shadow : parent->last) = node.previous;
  node.parent = node.previous = node.next = nullptr;
}

void Tree::destroy(Node& node) {
  detach(node);
  std::vector<Node*> going{&node};
  for (std::size_t i = 0; i < going.size(); ++i) {
    for (Node* child = going[i]->first_shadow; child; child = child->next) going.push_back(child);
    for (Node* child = going[i]->first; child; child = child->next) going.push_back(child);
  }
  for (Node* one : going) nodes_.erase(one->id);
}

bool Tree::contains(const Node& above, const Node& below) {
  for (const Node* at = &below; at; at = at->parent)
    if (at == &above) return true;
  return false;
}

const Node* next_in_order(const Node& node, const Node& root, bool skip_children) {
  if (!skip_children) {
    if (node.first_shadow) return node.first_shadow;
    if (node.first) return node.first;
  }
  for (const Node* at = &node; at != &root; at = at->parent) {
    if (at->next) return at->next;
    if (at->in_shadow && at->parent && at->parent->first) return at->parent->first;
    if (!at->parent) return nullptr;
  }
  return nullptr;
}

}  // namespace browx::archive
