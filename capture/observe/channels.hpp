#pragma once
// WebSockets and server-sent events. A socket is a Request (resource type WebSocket, with the handshake's
// headers), its handshake's Response, ChannelFrames both ways and a RequestEnd when it closes; an event
// stream is a request of Network's, its messages are ChannelFrames. Of a payload 64 KiB are kept, `full_size`
// says how long it was. Binary frames (opcode 2) are bytes, others text.

#include <string>
#include <unordered_map>

#include "archive/model/facts.hpp"
#include "capture/observe/hub.hpp"
#include "capture/observe/network.hpp"

namespace browx::capture {

/// Sets payload, full_size and truncated of a frame from CDP's payloadData, which is base64 when the opcode
/// is not 1. Pure.
void set_payload(archive::ChannelFrame& frame, std::string payload);

class Channels : public Domain {
 public:
  Channels(Hub& hub, Network& network);

 private:
  struct Socket {
    archive::Request row;
    std::string session;
    bool told = false;
    std::string error;
  };
  void created(const Incoming& event);
  void handshake(const Incoming& event);
  void answered(const Incoming& event);
  void frame(const Incoming& event, bool sent);
  void failed(const Incoming& event);
  void closed(const Incoming& event);
  void message(const Incoming& event);
  void tell(Socket& socket);
  void end(const Socket& socket, Time t);

  Hub& hub_;
  Network& network_;
  std::unordered_map<std::string, Socket> sockets_;
};

}  // namespace browx::capture
