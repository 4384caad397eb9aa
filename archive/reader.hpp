#pragma once
// Opens a `.browx` file without touching it, whatever state it is in.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/model/facts.hpp"
#include "base/result.hpp"

namespace browx::archive {

struct Truncated {
  Time at;
  std::string reason;
  std::int64_t dropped = 0;
};

/// A step as readers see it: an event of kind action, read or assert with its outcome and innermost span.
struct Step {
  EventSeq seq;
  Time t;
  double duration_ms = 0;
  std::string kind, tool, url;
  Json target;  ///< what was addressed, or null
  bool ok = true;
  std::string error;
  std::string span;  ///< label of the innermost open span, or empty
  Json payload;
};

struct Page {
  DocumentId document;
  std::string url, title;
  Time from;
};

struct RequestRow {
  RequestId id;
  Time t;
  std::string method, url, resource_type, mime, error;
  int status = 0;
  double duration_ms = 0;
  std::int64_t encoded_bytes = 0;
  bool finished = false, ok = false;
};

struct DomEventRow {
  Time t;
  std::string json;
};

/// One open archive. Thread: the one that opened it. Every query is short; nothing is held open between calls
/// when the writer is alive. Errors of open(): kinds `not-found, not-a-file, not-an-archive,
/// archive-truncated, archive-corrupt, archive-too-new`. A damaged file that still answers is open with
/// partial() true.
class Reader {
 public:
  static Result<std::unique_ptr<Reader>> open(const std::filesystem::path& path);
  /// The same for the bytes of a file, e.g. SealReport::image of an archive in memory.
  static Result<std::unique_ptr<Reader>> open_image(std::string image);
  virtual ~Reader() = default;

  /// Latest value of each manifest key.
  virtual Result<Json> manifest() = 0;
  /// The file was sealed, and its digest chain holds up to its end.
  virtual bool sealed() const = 0;
  /// Something is missing: not sealed, cut or damaged. partial_reason() says which and until when it reaches.
  virtual bool partial() const = 0;
  virtual std::string partial_reason() const = 0;
  virtual bool live() const = 0;  ///< a writer holds the file

  virtual Result<Time> end() = 0;  ///< time of the last fact
  virtual Result<std::vector<Step>> steps() = 0;
  virtual Result<std::vector<Event>> events(std::string kind) = 0;  ///< all kinds when empty
  virtual Result<std::vector<Page>> pages() = 0;
  virtual Result<std::vector<Target>> targets() = 0;
  virtual Result<std::vector<Document>> documents() = 0;
  virtual Result<std::vector<DocumentOwner>> document_owners() = 0;
  virtual Result<std::vector<DocumentEnd>> document_ends() = 0;
  virtual Result<std::vector<Gap>> gaps() = 0;
  virtual Result<std::vector<RequestRow>> requests() = 0;
  virtual Result<std::vector<ChannelFrame>> channel_frames(RequestId request) = 0;
  virtual Result<std::vector<DomEventRow>> dom_events(DocumentId document) = 0;
  virtual Result<std::vector<Asset>> assets(bool with_bytes) = 0;
  virtual Result<std::vector<Frame>> frames(bool with_bytes) = 0;
  /// The newest screencast frame of a tab at or before `t`, with its bytes.
  virtual Result<std::optional<Frame>> screencast_at(TargetId tab, Time t) = 0;
  virtual Result<std::optional<Artifact>> artifact(std::string name) = 0;
  virtual Result<Json> counts() = 0;  ///< rows by table
  /// Recomputes the digest chain. Error `corrupt`, kind `archive-corrupt`, naming the first commit that
  /// differs.
  virtual Status verify() = 0;
};

}  // namespace browx::archive
