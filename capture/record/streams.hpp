#pragma once
// The DOM streams of a recording: which document a recorder's message belongs to, when its events happened,
// and the document's own row, which is held back until its clock is known.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/model/facts.hpp"
#include "capture/record/message.hpp"

namespace browx::capture {

/// Times are the session's (what comes in) and the recording's (what goes out: session time minus its start).
/// Thread: the engine's.
class Streams {
 public:
  using Add = std::function<void(archive::Fact)>;
  using Mask = std::function<std::string(std::string_view json)>;
  /// `recorder` is written into the rows of documents that have one; `mask` sees the raw JSON text of each
  /// event.
  Streams(Time start, std::string recorder, Mask mask, Add add);

  /// A document exists; its times are rebased already.
  void began(archive::Document document);
  /// Writes the row if it was held back, then this one.
  void ended(archive::DocumentEnd end);

  struct Heard {
    archive::DocumentId document;
    bool first = false;  ///< the first message of its recorder
    std::optional<RecorderMessage::Fields> fields;
    std::optional<RecorderMessage::Asset> asset;
    std::string name;  ///< the recorder's name of the document
  };
  /// A message of the recorder in a frame that shows `current` now. Stores its events and gaps. Error
  /// `corrupt`.
  Result<Heard> message(archive::DocumentId current, Time now, std::string_view payload);

  /// Events of the document that arrived so far: the index of the next one.
  std::int64_t count(archive::DocumentId document) const;
  bool has_stream(archive::DocumentId document) const;
  /// [{"document", "event"}] of every document that has a stream and has not ended.
  Json positions() const;
  /// Documents whose rows are held back: no recorder has spoken in them.
  std::vector<archive::DocumentId> silent() const;
  /// Writes a row that is held back: its document has no recorder (yet). A recorder that speaks later is
  /// still recorded.
  void settle(archive::DocumentId document);
  void settle_all();

 private:
  struct Recorder {
    archive::DocumentId document;
    std::int64_t offset_us = 0, received = 0;
  };
  struct Stream {
    std::int64_t events = 0, offset_us = 0;
    Time last{INT64_MIN};
    bool ended = false;
  };
  void write(archive::DocumentId document, std::int64_t offset_us, const std::string& recorder);

  Time start_;
  std::string recorder_;
  Mask mask_;
  Add add_;
  std::map<archive::DocumentId, archive::Document> held_;
  std::unordered_map<std::string, Recorder> recorders_;
  std::map<archive::DocumentId, Stream> streams_;
};

}  // namespace browx::capture
