#include "archive/page_at.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace browx::archive {
namespace {

constexpr int kDeepestFrame = 64;

struct Rows {
  std::vector<Document> documents;
  std::map<DocumentId, Time> ends;
  std::vector<DocumentOwner> owners;
};

Result<Rows> rows_of(Reader& reader) {
  Rows out;
  auto documents = reader.documents();
  if (!documents) return std::move(documents).error();
  auto ends = reader.document_ends();
  if (!ends) return std::move(ends).error();
  auto owners = reader.document_owners();
  if (!owners) return std::move(owners).error();
  out.documents = *std::move(documents);
  for (const auto& end : *ends) out.ends.emplace(end.id, end.t);
  out.owners = *std::move(owners);
  return out;
}

bool active(const Rows& rows, const Document& document, Time t) {
  if (document.from > t) return false;
  const auto end = rows.ends.find(document.id);
  return end == rows.ends.end() || end->second > t;
}

Result<DocumentAt> load(Reader& reader, const Document& document, Time t) {
  DocumentAt out;
  out.id = document.id;
  out.frame = document.frame;
  out.url = document.url;
  out.parent = document.parent;
  auto events = reader.dom_events(document.id);
  if (!events) return std::move(events).error();
  for (const auto& event : *events) {
    if (event.t > t) break;
    // What is left out is counted by the state.
    if (const Status applied = out.state.apply(event.json); !applied) continue;
  }
  return out;
}

NodeId owner_at(const Rows& rows, const Document& document, Time t) {
  NodeId owner = 0;
  // A row may come a little later than the document it is about.
  for (const auto& row : rows.owners)
    if (row.document == document.id && (row.t <= t || !owner)) owner = row.owner_node;
  return owner;
}

std::string title_of(const DocumentState& state) {
  const Node* root = state.root();
  for (const Node* at = root; at; at = next_in_order(*at, *root)) {
    if (!at->is("title") || at->svg) continue;
    std::string out;
    for (const Node* child = at->first; child; child = child->next)
      if (child->kind == Node::Kind::text) out += child->text;
    const auto begin = out.find_first_not_of(" \t\r\n\f");
    return begin == std::string::npos ? "" : out.substr(begin, out.find_last_not_of(" \t\r\n\f") - begin + 1);
  }
  return "";
}

}  // namespace

const DocumentAt* PageAt::inside(DocumentId parent, NodeId owner) const {
  for (const auto& [id, document] : documents)
    if (document.parent == parent && document.owner == owner && owner > 0) return &document;
  return nullptr;
}

Result<PageAt> page_at(Reader& reader, TargetId tab, Time t) {
  auto rows = rows_of(reader);
  if (!rows) return std::move(rows).error();
  PageAt page;
  page.tab = tab;
  page.t = t;

  // The newest top document that has been drawn: what a new one replaces stays on the screen until then.
  std::vector<const Document*> tops;
  for (const auto& document : rows->documents)
    if (document.target == tab && !document.parent && document.from <= t) tops.push_back(&document);
  std::stable_sort(tops.begin(), tops.end(), [](auto* a, auto* b) { return a->from > b->from; });
  Time shown = t;
  for (const Document* top : tops) {
    auto loaded = load(reader, *top, t);
    if (!loaded) return std::move(loaded).error();
    if (!loaded->state.root()) continue;
    if (top != tops.front())
      page.note =
          fmt::format("the page that came at {:.0f} ms has no recorded content yet", tops.front()->from.ms());
    const auto end = rows->ends.find(top->id);
    if (end != rows->ends.end() && end->second <= t) shown = Time{std::max(top->from.us, end->second.us - 1)};
    page.root = top->id;
    page.documents.emplace(top->id, *std::move(loaded));
    break;
  }
  if (page.documents.empty()) {
    const bool known =
        std::any_of(rows->documents.begin(), rows->documents.end(), [&](auto& d) { return d.target == tab; });
    return Error{
        Code::not_found,
        known ? fmt::format("Nothing of the page of tab {} was recorded up to {:.0f} ms", tab.value(), t.ms())
              : fmt::format("No page of tab {} is in this archive", tab.value()),
        known ? "Ask for a later moment, or see the archive's gaps" : "List the tabs with `browx info`",
        "no-document"};
  }

  // Its frames, level by level; the parents are known by then.
  std::set<DocumentId> level{page.root};
  for (int depth = 0; !level.empty() && depth < kDeepestFrame; ++depth) {
    std::set<DocumentId> next;
    for (const auto& document : rows->documents) {
      if (!document.parent || !level.contains(*document.parent) || page.documents.contains(document.id))
        continue;
      if (!active(*rows, document, shown)) continue;
      auto loaded = load(reader, document, t);
      if (!loaded) return std::move(loaded).error();
      loaded->owner = owner_at(*rows, document, t);
      page.documents.emplace(document.id, *std::move(loaded));
      next.insert(document.id);
    }
    level = std::move(next);
  }

  DocumentAt& top = page.documents.at(page.root);
  page.url = top.url;
  page.title = title_of(top.state);
  page.viewport = top.state.viewport();
  auto lifecycle = reader.events("lifecycle");
  if (!lifecycle) return std::move(lifecycle).error();
  for (const auto& event : *lifecycle) {
    if (event.t > t || event.target != tab || event.t < Time{0}) continue;
    if (json_string(event.payload, "name") == "same-document" &&
        json_string(event.payload, "frame") == top.frame)
      page.url = json_string(event.payload, "url", page.url);
  }
  auto manifest = reader.manifest();
  if (!manifest) return std::move(manifest).error();
  const Json& viewport = json_member(*manifest, "viewport");
  page.scale = json_number(viewport, "scale", 1);
  if (!(page.scale >= 0.1 && page.scale <= 10)) page.scale = 1;
  if (page.viewport.width <= 0 || page.viewport.height <= 0)
    page.viewport = {static_cast<int>(json_int(viewport, "width")),
                     static_cast<int>(json_int(viewport, "height"))};

  auto gaps = reader.gaps();
  if (!gaps) return std::move(gaps).error();
  for (auto& gap : *gaps) {
    const bool here = gap.document ? page.documents.contains(*gap.document) : gap.target == tab;
    if (here && gap.from <= t && (!gap.to || *gap.to >= t)) page.gaps.push_back(std::move(gap));
  }
  return page;
}

}  // namespace browx::archive
