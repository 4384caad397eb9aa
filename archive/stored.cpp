#include "archive/stored.hpp"

#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "archive/compress.hpp"
#include "archive/scan.hpp"

namespace browx::archive {
namespace {

// What one call may take out of a file, however much a file promises.
constexpr std::int64_t kLargestChunk = 64LL << 20;
constexpr std::int64_t kLargestBlob = 256LL << 20;
constexpr std::int64_t kMostBytes = 1LL << 30;

template <class IdType>
std::optional<IdType> optional_id(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return IdType(row.integer(column));
}

Error too_much() { return {Code::corrupt, "the file holds more data than can be read at once"}; }

/// The content of a `codec`, `size`, data triple.
Result<std::string> unpack(std::string_view codec, std::int64_t size, std::string_view data,
                           std::int64_t most) {
  if (size < 0 || size > most) return Error{Code::corrupt, fmt::format("stored data claims {} bytes", size)};
  if (codec == "zstd") return decompress(data, size);
  if (codec != "raw")
    return Error{Code::corrupt, fmt::format("stored data has an unknown encoding \"{}\"",
                                            to_valid_utf8(codec.substr(0, 20)))};
  if (static_cast<std::int64_t>(data.size()) != size)
    return Error{Code::corrupt, "stored data has another size than it says"};
  return std::string(data);
}

using Blobs = std::unordered_map<std::string, std::string>;

/// Fills the values of `wanted` (sha256 → bytes).
Status fetch_blobs(const Database& db, Blobs& wanted) {
  if (wanted.empty()) return {};
  Status damage;
  std::int64_t total = 0;
  std::size_t missing = wanted.size();
  const Status read = scan(db, "blob", "n, sha256, size, codec, data", [&](Statement& row) {
    const auto found = wanted.find(row.text(1));
    if (found == wanted.end()) return true;
    const std::int64_t size = row.integer(2);
    if ((total += size) > kMostBytes) {
      damage = too_much();
      return false;
    }
    auto bytes = unpack(row.bytes(3), size, row.bytes(4), kLargestBlob);
    if (!bytes)
      damage = std::move(bytes).error();
    else
      found->second = std::move(*bytes);
    return --missing > 0;
  });
  return read.ok() ? damage : read;
}

/// Splits a chunk's lines: the microseconds since the line before (the first: since t_first), a space, the
/// event.
Status append_events(std::string_view lines, Time time, std::vector<DomEventRow>& out) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (end == std::string_view::npos)
      return Error{Code::corrupt, "a chunk of DOM events ends within an event"};
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    std::int64_t delta = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), delta);
    const auto at = static_cast<std::size_t>(stop - line.data());
    if (error != std::errc() || at >= line.size() || line[at] != ' ' ||
        __builtin_add_overflow(time.us, delta, &time.us))
      return Error{Code::corrupt, "a chunk of DOM events has a malformed line"};
    out.push_back({time, std::string(line.substr(at + 1))});
  }
  return {};
}

/// A scan whose rows become facts.
template <class T, class Make>
Stored<T> collect(const Database& db, std::string_view table, std::string_view columns, Make make) {
  Stored<T> out;
  out.damage = scan(db, table, columns, [&](Statement& row) {
    out.rows.push_back(make(row));
    return true;
  });
  return out;
}

}  // namespace

Stored<ManifestEntry> stored_manifest(const Database& db) {
  Stored<ManifestEntry> out;
  Status damage;
  out.damage = scan(db, "manifest", "n, key, value", [&](Statement& row) {
    auto value = parse_stored_json(row.bytes(2));
    if (value)
      out.rows.push_back({row.text(1), std::move(*value)});
    else
      damage = value.error();
    return true;
  });
  if (out.damage.ok()) out.damage = damage;
  return out;
}

Stored<Target> stored_targets(const Database& db) {
  return collect<Target>(db, "target", "n, id, kind, parent, opener, session, cdp_id, url, t",
                         [](Statement& row) {
                           return Target{TargetId(row.integer(1)),
                                         row.text(2),
                                         optional_id<TargetId>(row, 3),
                                         optional_id<TargetId>(row, 4),
                                         row.text(5),
                                         row.text(6),
                                         row.text(7),
                                         {row.integer(8)}};
                         });
}

Stored<Document> stored_documents(const Database& db) {
  return collect<Document>(db, "document", "n, id, target, frame, parent, url, t, clock_offset_us, recorder",
                           [](Statement& row) {
                             return Document{DocumentId(row.integer(1)),
                                             TargetId(row.integer(2)),
                                             row.text(3),
                                             optional_id<DocumentId>(row, 4),
                                             row.text(5),
                                             {row.integer(6)},
                                             row.integer(7),
                                             row.text(8)};
                           });
}

Stored<DocumentOwner> stored_document_owners(const Database& db) {
  return collect<DocumentOwner>(db, "document_owner", "n, document, parent, node, t", [](Statement& row) {
    return DocumentOwner{
        DocumentId(row.integer(1)), DocumentId(row.integer(2)), row.integer(3), {row.integer(4)}};
  });
}

Stored<DocumentEnd> stored_document_ends(const Database& db) {
  return collect<DocumentEnd>(db, "document_end", "n, document, t, reason", [](Statement& row) {
    return DocumentEnd{DocumentId(row.integer(1)), {row.integer(2)}, row.text(3)};
  });
}

Stored<Gap> stored_gaps(const Database& db) {
  return collect<Gap>(db, "gap", "n, document, target, node, t_from, t_to, reason, detail",
                      [](Statement& row) {
                        Gap gap;
                        gap.document = optional_id<DocumentId>(row, 1);
                        gap.target = optional_id<TargetId>(row, 2);
                        if (!row.is_null(3)) gap.node = row.integer(3);
                        gap.from = {row.integer(4)};
                        if (!row.is_null(5)) gap.to = Time{row.integer(5)};
                        gap.reason = row.text(6);
                        gap.detail = row.text(7);
                        return gap;
                      });
}

Stored<Event> stored_events(const Database& db, const std::set<std::string>& kinds) {
  Stored<Event> out;
  Status damage;
  out.damage = scan(db, "event", "seq, t, target, kind, payload", [&](Statement& row) {
    std::string kind = row.text(3);
    if (!kinds.empty() && !kinds.contains(kind)) return true;
    auto payload = parse_stored_json(row.bytes(4));
    if (payload && payload->is_object())
      out.rows.push_back({EventSeq(row.integer(0)),
                          {row.integer(1)},
                          optional_id<TargetId>(row, 2),
                          std::move(kind),
                          std::move(*payload)});
    else
      damage = Error{Code::corrupt, fmt::format("the payload of event {} is unreadable", row.integer(0))};
    return true;
  });
  if (out.damage.ok()) out.damage = damage;
  return out;
}

Stored<RequestRow> stored_requests(const Database& db) {
  Stored<RequestRow> out;
  std::unordered_map<std::int64_t, std::size_t> index;
  const auto of = [&](Statement& row) -> RequestRow* {
    const auto found = index.find(row.integer(1));
    return found == index.end() ? nullptr : &out.rows[found->second];
  };
  const auto note = [&](Status status) {
    if (out.damage.ok()) out.damage = std::move(status);
  };
  note(scan(db, "request", "n, id, t, method, url, resource_type", [&](Statement& row) {
    RequestRow request;
    request.id = RequestId(row.integer(1));
    request.t = {row.integer(2)};
    request.method = row.text(3);
    request.url = row.text(4);
    request.resource_type = row.text(5);
    index.emplace(request.id.value(), out.rows.size());
    out.rows.push_back(std::move(request));
    return true;
  }));
  note(scan(db, "response", "n, request, status, mime", [&](Statement& row) {
    if (RequestRow* request = of(row)) {
      request->status = static_cast<int>(row.integer(2));
      request->mime = row.text(3);
    }
    return true;
  }));
  note(scan(db, "request_end", "n, request, t, ok, error, encoded_bytes", [&](Statement& row) {
    if (RequestRow* request = of(row)) {
      request->finished = true;
      request->ok = row.integer(3) != 0;
      request->error = row.text(4);
      request->encoded_bytes = row.integer(5);
      request->duration_ms = Time{row.integer(2) - request->t.us}.ms();
    }
    return true;
  }));
  return out;
}

Stored<ChannelFrame> stored_channel_frames(const Database& db, RequestId request) {
  Stored<ChannelFrame> out;
  Blobs blobs;
  std::vector<std::pair<std::size_t, std::string>> large;
  out.damage =
      scan(db, "ws_frame", "n, request, t, sent, kind, opcode, event, full_size, truncated, payload, blob",
           [&](Statement& row) {
             if (row.integer(1) != request.value()) return true;
             if (!row.is_null(10)) {
               large.emplace_back(out.rows.size(), row.text(10));
               blobs.emplace(row.text(10), std::string());
             }
             out.rows.push_back({request,
                                 {row.integer(2)},
                                 row.integer(3) != 0,
                                 row.text(4),
                                 static_cast<int>(row.integer(5)),
                                 row.text(6),
                                 row.text(9),
                                 row.integer(7),
                                 row.integer(8) != 0});
             return true;
           });
  const Status fetched = fetch_blobs(db, blobs);
  if (out.damage.ok()) out.damage = fetched;
  for (const auto& [at, sha] : large) out.rows[at].payload = blobs[sha];
  return out;
}

Stored<DomEventRow> stored_dom_events(const Database& db, DocumentId document) {
  Stored<DomEventRow> out;
  Status damage;
  std::int64_t total = 0;
  out.damage =
      scan(db, "dom_chunk", "n, document, t_first, keyframe, codec, raw_size, data", [&](Statement& row) {
        if (row.integer(1) != document.value() || row.integer(3) != 0) return true;
        const std::int64_t size = row.integer(5);
        if (size > 0 && (total += size) > kMostBytes) {
          damage = too_much();
          return false;
        }
        auto lines = unpack(row.bytes(4), size, row.bytes(6), kLargestChunk);
        damage = lines ? append_events(*lines, {row.integer(2)}, out.rows) : Status(std::move(lines).error());
        return damage.ok();  // what follows builds on what is lost
      });
  if (out.damage.ok()) out.damage = damage;
  return out;
}

Stored<Asset> stored_assets(const Database& db, bool with_bytes) {
  Blobs blobs;
  std::vector<std::string> hashes;
  auto out =
      collect<Asset>(db, "asset", "n, document, url, t, mime, sha256, why_missing", [&](Statement& row) {
        hashes.push_back(row.text(5));
        if (!row.is_null(5)) blobs.emplace(row.text(5), std::string());
        return Asset{DocumentId(row.integer(1)),
                     row.text(2),
                     {row.integer(3)},
                     row.text(4),
                     std::nullopt,
                     row.text(6)};
      });
  if (!with_bytes) return out;
  const Status fetched = fetch_blobs(db, blobs);
  if (out.damage.ok()) out.damage = fetched;
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (!hashes[i].empty()) out.rows[i].bytes = blobs[hashes[i]];
  return out;
}

Stored<Frame> stored_frames(const Database& db, bool with_bytes) {
  Blobs blobs;
  std::vector<std::string> hashes;
  auto out =
      collect<Frame>(db, "frame", "n, t, target, mime, width, height, source, blob", [&](Statement& row) {
        hashes.push_back(row.text(7));
        blobs.emplace(row.text(7), std::string());
        return Frame{TargetId(row.integer(2)),
                     {row.integer(1)},
                     row.text(3),
                     {},
                     static_cast<int>(row.integer(4)),
                     static_cast<int>(row.integer(5)),
                     row.text(6)};
      });
  if (!with_bytes) return out;
  const Status fetched = fetch_blobs(db, blobs);
  if (out.damage.ok()) out.damage = fetched;
  for (std::size_t i = 0; i < hashes.size(); ++i) out.rows[i].bytes = blobs[hashes[i]];
  return out;
}

Stored<Frame> stored_screencast_at(const Database& db, TargetId tab, Time t) {
  Stored<Frame> out;
  std::string hash;
  out.damage = scan(db, "frame", "n, t, target, mime, width, height, source, blob", [&](Statement& row) {
    const Time at{row.integer(1)};
    if (TargetId(row.integer(2)) != tab || at > t || row.bytes(6) != "screencast") return true;
    if (!out.rows.empty() && out.rows.front().t > at) return true;
    hash = row.text(7);
    out.rows = {Frame{tab,
                      at,
                      row.text(3),
                      {},
                      static_cast<int>(row.integer(4)),
                      static_cast<int>(row.integer(5)),
                      row.text(6)}};
    return true;
  });
  if (out.rows.empty()) return out;
  Blobs blobs{{hash, std::string()}};
  const Status fetched = fetch_blobs(db, blobs);
  if (out.damage.ok()) out.damage = fetched;
  out.rows.front().bytes = std::move(blobs[hash]);
  return out;
}

Stored<Artifact> stored_artifacts(const Database& db, const std::string& name) {
  Stored<Artifact> out;
  Blobs blobs;
  std::vector<std::string> hashes;
  out.damage = scan(db, "artifact", "n, name, mime, sha256", [&](Statement& row) {
    if (row.bytes(1) != name) return true;
    hashes.push_back(row.text(3));
    blobs.emplace(row.text(3), std::string());
    out.rows.push_back({row.text(1), row.text(2), {}});
    return true;
  });
  const Status fetched = fetch_blobs(db, blobs);
  if (out.damage.ok()) out.damage = fetched;
  for (std::size_t i = 0; i < hashes.size(); ++i) out.rows[i].bytes = blobs[hashes[i]];
  return out;
}

}  // namespace browx::archive
