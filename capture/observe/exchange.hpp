#pragma once
// One CDP request on its way from beginning to end. Plain values of network.cpp.

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/model/facts.hpp"

namespace browx::capture {

/// What a responseReceivedExtraInfo tells of one hop.
struct Wire {
  archive::Headers headers;
  int status = 0;
};

/// One request row.
struct Hop {
  archive::Request row;
  std::string loader, frame;
  std::vector<std::string> sessions;  ///< CDP sessions that told of it, the latest last

  bool wire_sent = false;         ///< its request headers as sent are known
  archive::Headers late_headers;  ///< the same, when they came after the row was published
  bool expects_wire = false;      ///< a responseReceivedExtraInfo was announced
  std::optional<Wire> wire;
  bool waits_for_wire = false, wire_overdue = false;

  bool served_from_cache = false;
  std::optional<archive::Response> response;
  bool responded = false;  ///< the response is published

  std::int64_t decoded_bytes = 0, encoded_bytes = 0;  ///< as told while it came
  bool checks_length = false, never_read = false;     ///< ended by its length: the page has not read the body
  std::optional<archive::RequestEnd> end;
  bool body_asked = false, body_pending = false;
  bool ended = false;  ///< the end is published

  void told_by(const std::string& session) {
    std::erase(sessions, session);
    sessions.push_back(session);
  }
  Time not_before() const { return response ? std::max(response->t, row.t) : row.t; }
};

/// All hops of one CDP request id. ExtraInfo events are matched by order: the n-th with the n-th hop that has
/// any.
struct Exchange {
  std::vector<std::shared_ptr<Hop>> hops;
  std::deque<archive::Headers> early_sent;
  std::deque<Wire> early_received;
  std::string sent_teller,
      received_teller;  ///< the CDP session whose ExtraInfo counts: a second one repeats it
};

}  // namespace browx::capture
