#pragma once
// A whole archive as the player shows it: loaded once, then read only.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "archive/coverage.hpp"
#include "archive/model/facts.hpp"
#include "archive/reader.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace browx::player {

/// A console message or an uncaught exception.
struct LogRow {
  Time t;
  EventSeq seq;
  std::string level;  ///< log, info, warning, error, debug, or exception
  std::string text, where, stack;
};

/// A message of a WebSocket or of server-sent events.
struct MessageRow {
  Time t;
  std::size_t request = 0;  ///< index into Session::requests
  bool sent = false;
  std::string kind, text;  ///< ws or sse; the payload, or what stands for a binary one
  std::int64_t size = 0;
};

/// What is said above everything else, because it limits what may be concluded.
struct Notice {
  enum class Weight { remark, warning, grave };
  Weight weight = Weight::remark;
  std::string text;
};

/// Which tab a reviewer wants to see from `t` on.
struct TabChange {
  Time t;
  archive::TargetId tab;
};

/// The picture nearest before a moment, without its bytes.
struct FrameRow {
  Time t;
  archive::TargetId tab;
  int width = 0, height = 0;
  std::size_t index = 0;  ///< into Reader::frames()
};

/// Thread: any; a plain value.
struct Session {
  std::filesystem::path path;
  Json manifest = Json::object();
  std::string title, tier;
  Time first{0}, end{0};
  bool sealed = false, partial = false, live = false;
  std::string partial_reason;
  std::optional<archive::Truncated> truncated;
  std::vector<Notice> notices;

  std::vector<archive::Step> steps;
  archive::Coverage coverage;
  std::vector<archive::Page> pages;
  std::vector<archive::Target> targets;
  std::vector<archive::Document> documents;
  std::vector<archive::RequestRow> requests;
  std::vector<MessageRow> messages;
  std::vector<LogRow> logs;
  std::vector<archive::Event>
      others;  ///< dialogs, downloads, lifecycle, annotations and kinds unknown to us, in order
  std::vector<archive::Gap> gaps;
  std::vector<FrameRow> frames;    ///< by time
  std::vector<Time> dom_activity;  ///< one for each DOM event, sorted
  std::vector<Time> moments;       ///< where stepping stops: sorted, each once
  std::vector<TabChange> tabs;     ///< by time

  archive::TargetId tab_at(Time t) const;
  /// The newest frame of `tab` not after `t`, else its first one.
  const FrameRow* frame_at(archive::TargetId tab, Time t) const;
  /// The last step that had begun at `t`.
  std::optional<std::size_t> step_at(Time t) const;
  int failures() const;  ///< failed steps
};

/// Reads everything but pictures and DOM. Errors are the Reader's.
Result<Session> load_session(archive::Reader& reader, const std::filesystem::path& path);

}  // namespace browx::player
