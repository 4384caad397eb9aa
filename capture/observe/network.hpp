#pragma once
// The Network domain: requests, responses, bodies.
//
// One Request row a hop, published as soon as requestWillBeSent tells of it, so that who waits for an
// action's requests sees them at once. The headers that really went over the wire (…ExtraInfo, from another
// process, before or after, counted by hop) replace the provisional ones where they come in time; late ones
// ride on the Response row. A Response waits for its ExtraInfo, which has the wire's status (304) and
// Set-Cookie. A RequestEnd waits for the Response, and for the body when somebody wants it.
//
// A CDP request id is one exchange in the whole session: the document of an out-of-process frame begins on
// its parent's CDP session and ends on its own, a worker's script likewise, and a service worker may be
// attached twice.
//
// A page that never reads a body (fetch without a reader) never lets it finish: such a request ends when as
// many bytes have come as its Content-Length says.
//
// No rows: data: and blob: URLs, which never leave the browser.

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "archive/model/facts.hpp"
#include "capture/observe/exchange.hpp"
#include "capture/observe/hub.hpp"
#include "capture/observe/observers.hpp"

namespace browx::capture {

class Network : public Domain {
 public:
  explicit Network(Hub& hub);

  std::unique_ptr<Observers::Want> want_bodies(Observers::WantsBody wants);
  /// Nothing is being fetched or waited for.
  bool settled() const { return waiting_ == 0; }
  void on_settled(std::function<void()> notice) { settled_notice_ = std::move(notice); }

  /// The row of the last hop of a CDP request id; none when unknown (channels need it).
  RequestId row_of(const std::string& cdp_id) const;
  /// True when a navigation to `url` is being loaded, or was given up a moment ago, as one that becomes a
  /// download is.
  bool navigates_to(const std::string& url) const;

 private:
  void begin(const Incoming& event);
  void redirect_ends(const std::shared_ptr<Hop>& hop, const Incoming& event, Time t);
  void sent_headers(const Incoming& event);
  void received_headers(const Incoming& event);
  void respond(const Incoming& event);
  void data(const Incoming& event);
  void check_length(const std::shared_ptr<Hop>& hop);
  bool begin_worker_script(const Incoming& event);
  void finish(const Incoming& event);
  void fail(const Incoming& event);
  void ends(const std::shared_ptr<Hop>& hop, archive::RequestEnd end);
  void navigated(const Incoming& event);

  Exchange* exchange_for_wire(const std::string& cdp_id);
  std::shared_ptr<Hop> current(const std::string& cdp_id) const;
  std::optional<DocumentId> document_of(const std::string& session, const std::string& frame,
                                        const std::string& loader);
  void set_response(Hop& hop, const Json& response, bool expects_wire, Time t);
  void advance(const std::shared_ptr<Hop>& hop);
  void publish_response(Hop& hop);
  void ask_body(const std::shared_ptr<Hop>& hop, std::vector<std::string> sessions);
  void publish_end(Hop& hop);
  void abandon(const std::shared_ptr<Hop>& hop, const std::string& why, Time t);
  void abandon_if(const std::function<bool(const Hop&)>& which, const std::string& why, Time t);
  std::string missing_because(const Hop& hop, const Error& error) const;
  void forget(const std::string& cdp_id);
  void wait_more();
  void wait_less();

  Hub& hub_;
  std::shared_ptr<std::list<Observers::WantsBody>> wants_;
  std::unordered_map<std::string, Exchange> exchanges_;
  std::unordered_set<std::string> workers_;  // CDP sessions of workers
  std::unordered_set<std::string> over_;     // ids whose exchange is over: late news of them is dropped
  std::deque<std::string> ended_;            // the same, oldest first
  std::deque<std::string> early_;            // ids that ExtraInfo told of first
  std::unordered_map<std::string, std::string> loaders_;   // CDP frame id -> loader of the committed document
  std::unordered_map<std::string, DocumentId> documents_;  // loader -> document
  struct Navigation {
    RequestId row;
    std::string url;
    std::optional<Time> failed;
  };
  std::deque<Navigation> navigations_;  // the last few that have not succeeded
  int waiting_ = 0;
  std::function<void()> settled_notice_;
};

}  // namespace browx::capture
