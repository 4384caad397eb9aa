#pragma once
// What can be recorded, as plain values. Every struct is one row of format 1 (docs/format.md): inserted once,
// never updated; an end or a response is a row of its own, and views join.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/id.hpp"
#include "base/json.hpp"
#include "base/time.hpp"

namespace browx::archive {

using TargetId = Id<struct TargetTag>;
using DocumentId = Id<struct DocumentTag>;
using RequestId = Id<struct RequestTag>;

/// What is kept. See DESIGN "Tiers": actions (no DOM), replay (default), reexecutable (+ bodies).
enum class Tier { actions, replay, reexecutable };

/// A tab, frame or worker. `cdp_id` is Chromium's target id, an attribute, never a key.
struct Target {
  TargetId id;
  std::string kind;  ///< "tab" | "iframe" | "worker" | "service_worker" | "shared_worker"
  std::optional<TargetId> parent;
  std::optional<TargetId> opener;
  std::string session;
  std::string cdp_id;
  std::string url;
  Time t;
};
struct TargetEnd {
  TargetId id;
  Time t;
  std::string reason;  ///< "closed" | "crashed" | "detached"
};

/// One document in one frame: the stream of DOM events belongs to it.
struct Document {
  DocumentId id;
  TargetId target;
  std::string frame;  ///< CDP frame id
  std::optional<DocumentId> parent;
  std::string url;
  Time from;
  std::int64_t clock_offset_us = 0;  ///< session time = the document's performance.now (µs) + this
  std::string recorder;              ///< "rrweb/2.x" or "none"
};
/// The iframe element (recorder node id in `parent`) that holds `document` from `t` on.
struct DocumentOwner {
  DocumentId document;
  DocumentId parent;
  std::int64_t owner_node = 0;
  Time t;
};
struct DocumentEnd {
  DocumentId id;
  Time t;
  std::string reason;  ///< "navigated" | "frame-detached" | "target-ended" | "recording-ended" | "bfcache"
};

/// Verbatim rrweb events of one document, in order. `json` is one event each, already masked.
struct DomEvents {
  DocumentId document;
  struct One {
    Time t;
    std::string json;
  };
  std::vector<One> events;
};

/// What could not be recorded, said rather than hidden.
struct Gap {
  std::optional<DocumentId> document;
  std::optional<TargetId> target;
  std::optional<std::int64_t> node;
  Time from;
  std::optional<Time> to;
  std::string reason;  ///< closed-shadow-root, csp-sandbox, canvas, pdf, flush-timeout, backpressure,
                       ///< recorder-failed, asset-missing, body-missing, frame-dropped, …
  std::string detail;
};

/// Everything that happened at a moment. `payload` is an object; keys per kind in docs/format.md.
struct Event {
  EventSeq seq;  ///< given by the writer
  Time t;
  std::optional<TargetId> target;
  std::string kind;  ///< action | read | assert | console | exception | lifecycle | dialog | download |
                     ///< annotation | …
  Json payload = Json::object();
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// One hop: a redirect begins a new Request with the same `cdp_id`.
struct Request {
  RequestId id;
  Time t;
  std::optional<TargetId> target;
  std::optional<DocumentId> document;
  std::optional<RequestId> redirected_from;
  std::string cdp_id;
  std::string method, url, resource_type;
  Headers headers;
  std::optional<std::string> body;  ///< kept in tier reexecutable
  std::string initiator;            ///< "parser" | "script" | "other" | …
};
struct Response {
  RequestId request;
  Time t;
  int status = 0;
  std::string status_text, mime, protocol, remote;
  bool from_cache = false, from_service_worker = false;
  Headers headers;
  /// The request's headers as they went over the wire, when these became known after its Request row; else
  /// empty.
  Headers request_headers;
  Json timing;  ///< CDP ResourceTiming in ms, or null
};
struct RequestEnd {
  RequestId request;
  Time t;
  bool ok = true;
  std::string error;  ///< CDP errorText / blockedReason
  std::int64_t encoded_bytes = 0;
  std::optional<std::string> body;  ///< response body bytes, kept by tier
  std::string body_missing;         ///< why there is none although the tier keeps it
};
/// WebSocket frame or server-sent event of the request that opened the channel.
struct ChannelFrame {
  RequestId request;
  Time t;
  bool sent = false;
  std::string kind;  ///< "ws" | "sse"
  int opcode = 1;
  std::string event;    ///< SSE event name
  std::string payload;  ///< text, or the bytes of a binary frame
  std::int64_t full_size = 0;
  bool truncated = false;
};

/// A stylesheet, image or font of a document; `bytes` empty and `why_missing` set when it could not be had.
struct Asset {
  DocumentId document;
  std::string url;
  Time t;
  std::string mime;
  std::optional<std::string> bytes;
  std::string why_missing;
};

/// One picture, already painted over where masked. From the screencast, or a stored screenshot.
struct Frame {
  TargetId target;
  Time t;
  std::string mime;
  std::string bytes;
  int width = 0, height = 0;
  std::string source = "screencast";  ///< or "screenshot"
};

struct Artifact {
  std::string name, mime, bytes;
};

/// A manifest key set during the recording (e.g. browser, viewport). Later values win in the reader.
struct ManifestEntry {
  std::string key;
  Json value;
};

using Fact = std::variant<Target, TargetEnd, Document, DocumentOwner, DocumentEnd, DomEvents, Gap, Event,
                          Request, Response, RequestEnd, ChannelFrame, Asset, Frame, Artifact, ManifestEntry>;

}  // namespace browx::archive
