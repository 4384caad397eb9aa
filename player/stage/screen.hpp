#pragma once
// The stage's private browser. Private to this folder.

#include <map>
#include <memory>
#include <set>
#include <string>

#include "archive/page_at.hpp"
#include "base/async.hpp"
#include "capture/cdp/chromium.hpp"
#include "capture/cdp/connection.hpp"
#include "player/stage/supply.hpp"

namespace browx::player {

/// A headless Chromium that runs no script of a page and reaches no network: every request of every frame is
/// answered from the archive or failed before it would leave, and names and addresses lead nowhere besides.
/// One drawing at a time. Thread: the executor's.
class Screen {
 public:
  /// `chromium` as in StageOptions. Errors as cdp::find_chromium() and Chromium::start().
  static Task<std::unique_ptr<Screen>> start(std::string chromium, Deadline deadline);
  ~Screen();

  struct Drawing {
    std::string png;
    std::set<std::string> missing;  ///< addresses that the page asked for and the archive does not hold
  };
  /// After an error the screen is in no known state: make another.
  Task<Drawing> draw(std::shared_ptr<const archive::PageAt> page, std::shared_ptr<const Supply> supply,
                     Deadline deadline);
  bool alive() const;

 private:
  struct Show;

  Screen(asio::any_io_executor executor, std::unique_ptr<cdp::Chromium> process,
         std::unique_ptr<cdp::Connection> connection);
  Task<bool> begin(Deadline deadline);
  void paused(const cdp::Event& event);
  void page_event(const cdp::Event& event);
  Task<bool> dress(std::shared_ptr<Show> show, std::string frame, archive::DocumentId document,
                   Deadline deadline);
  std::string address(archive::DocumentId document) const;

  asio::any_io_executor executor_;
  std::unique_ptr<cdp::Chromium> process_;
  std::unique_ptr<cdp::Connection> connection_;
  std::string session_;
  std::unique_ptr<cdp::Connection::Subscription> requests_, events_;
  std::shared_ptr<Show> show_;  ///< what is being drawn
  int run_ = 0;
  std::set<std::string> loaded_;  ///< loader ids
  bool crashed_ = false;
  Signal changed_;
};

}  // namespace browx::player
