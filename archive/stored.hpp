#pragma once
// Rows as facts: one function a table, each answering what it could read and the damage it met. Private to
// this folder.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/model/facts.hpp"
#include "archive/reader.hpp"
#include "archive/sqlite.hpp"

namespace browx::archive {

/// What could be read, and why not more.
template <class T>
struct Stored {
  std::vector<T> rows;
  Status damage;
};

Stored<ManifestEntry> stored_manifest(const Database& db);
Stored<Target> stored_targets(const Database& db);
Stored<Document> stored_documents(const Database& db);
Stored<DocumentOwner> stored_document_owners(const Database& db);
Stored<DocumentEnd> stored_document_ends(const Database& db);
Stored<Gap> stored_gaps(const Database& db);
/// All kinds when `kinds` is empty.
Stored<Event> stored_events(const Database& db, const std::set<std::string>& kinds);
Stored<RequestRow> stored_requests(const Database& db);
Stored<ChannelFrame> stored_channel_frames(const Database& db, RequestId request);
Stored<DomEventRow> stored_dom_events(const Database& db, DocumentId document);
Stored<Asset> stored_assets(const Database& db, bool with_bytes);
Stored<Frame> stored_frames(const Database& db, bool with_bytes);
/// At most one.
Stored<Frame> stored_screencast_at(const Database& db, TargetId tab, Time t);
/// Those of that name, with bytes.
Stored<Artifact> stored_artifacts(const Database& db, const std::string& name);

}  // namespace browx::archive
