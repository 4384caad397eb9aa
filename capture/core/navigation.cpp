// Where a tab may go, going there, and knowing when it has arrived.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/log.hpp"
#include "base/url.hpp"
#include "capture/core/session_impl.hpp"
#include "capture/core/tab_impl.hpp"
#include "capture/observe/observers.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;

/// How long a page whose script raised a dialog may take to become interactive before the answer leaves
/// without it: the caller learns of the dialog, not of slow images.
constexpr milliseconds kAfterDialog{1000};
/// For a commit that the browser has announced already.
constexpr milliseconds kAnnounced{2000};

Error refused_url(std::string what, std::string hint) {
  return Error{Code::invalid_argument, std::move(what), std::move(hint), "invalid-url"};
}

Error origin_blocked(const std::string& url) {
  const auto parsed = parse_url(url);
  return Error{Code::denied,
               fmt::format("The origin policy refuses {}", parsed ? parsed->origin() : redact_url(url)),
               "See BROWX_ALLOWED_ORIGINS and BROWX_BLOCKED_ORIGINS", "origin-blocked"};
}

Status check_url(const std::string& url, const EngineOptions& options) {
  const auto parsed = parse_url(url);
  if (!parsed)
    return refused_url(
        fmt::format("\"{}\" is not a URL that a browser could open: {}", url, parsed.error().what),
        "Write an absolute URL, e.g. https://example.com/");
  const std::string& scheme = parsed->scheme;
  if (scheme == "file") {
    if (options.allow_file) return {};
    return refused_url("file: URLs are refused",
                       "Serve the page over http, or start browx with BROWX_ALLOW_FILE=1");
  }
  if (scheme == "about") {
    if (parsed->path == "blank") return {};
    return refused_url(fmt::format("\"{}\" is refused; of about: only about:blank is opened", url), "");
  }
  if (scheme != "http" && scheme != "https" && scheme != "data" && scheme != "blob")
    return refused_url(fmt::format("{}: URLs are refused", scheme),
                       "Navigate to http, https, data or about:blank URLs");
  if (!options.origins.allows(url)) return origin_blocked(url);
  return {};
}

}  // namespace

/// What a navigation saw when it began, and what it waits for.
class NavigationWait {
 public:
  explicit NavigationWait(TabImpl& tab)
      : tab_(tab),
        from_(tab.url()),
        navigations_(tab.navigations_),
        commits_(tab.commits_),
        downloads_(tab.downloads_),
        raised_(tab.raised_dialogs_),
        refused_(tab.refused_unloads_),
        blocked_(tab.blocked_) {
    ++tab.travellers_;
    tab.error_url_.clear();
    tab.failed_loader_.clear();
    about_to_send();
  }
  ~NavigationWait() { --tab_.travellers_; }
  NavigationWait(const NavigationWait&) = delete;
  NavigationWait& operator=(const NavigationWait&) = delete;

  /// From here on, loads of the main frame are this navigation's own.
  void about_to_send() {
    announced_ = tab_.announced_;
    loads_ = tab_.loads_;
    document_requests_ = tab_.document_requests_;
    dropped_ = false;
  }

  /// The document to wait for. Without one, any that commits is meant; with one, an earlier navigation that
  /// commits late (an error page, say) is not taken for it.
  void expect(std::string loader) { loader_ = std::move(loader); }

  bool committed() const {
    if (tab_.commits_ == commits_) return false;
    const auto& seen = tab_.loaders_;
    return loader_.empty() || std::find(seen.begin(), seen.end(), loader_) != seen.end();
  }
  bool moved() const { return tab_.navigations_ > navigations_; }
  bool stayed() const { return tab_.refused_unloads_ > refused_; }
  bool downloaded() const { return tab_.downloads_ > downloads_; }
  /// loaded() ended because the browser had dropped the navigation: it began and ended, and neither asked the
  /// page nor a server. Chromium does so when a refused beforeunload of this document is still on its way to
  /// it.
  bool dropped() const { return dropped_; }
  bool blocked() const { return tab_.blocked_ > blocked_; }
  bool dialog_raised() const { return tab_.raised_dialogs_ > raised_; }

  Navigation result() const {
    Navigation out;
    out.changed = moved();
    out.from = from_;
    out.to = tab_.url();
    out.kind = moved() ? (committed() ? "full_load" : tab_.last_kind_) : "";
    return out;
  }

  /// Why no waiting helps any more; nothing when it does.
  std::optional<Error> obstacle() const {
    if (tab_.session_.is_lost())
      return Error{Code::unavailable, "The browser was lost", "Call again: a new browser is started",
                   "browser-lost"};
    if (tab_.closed_) return Error{Code::gone, fmt::format("Tab {} was closed", tab_.id_), "", "tab-closed"};
    if (tab_.crashed_)
      return Error{Code::unavailable, fmt::format("The page of tab {} has crashed", tab_.id_),
                   "Navigate it again", "target-crashed"};
    if (auto dialog = tab_.dialog_obstacle()) return dialog;
    if (blocked()) return origin_blocked(tab_.blocked_url_);
    if (committed() && !tab_.error_url_.empty()) return failed(failure_text());
    return std::nullopt;
  }

  Error failed(const std::string& text) const {
    const std::string& url = tab_.error_url_.empty() ? tab_.url() : tab_.error_url_;
    return Error{Code::unavailable, fmt::format("{} could not be loaded: {}", redact_url(url), text),
                 "Check that the server runs and that the address is right", "navigation-failed"};
  }

  /// A dialog that is being answered has been answered: the caller shall find it among the told ones.
  asio::awaitable<void> dialogs_told(Deadline deadline) {
    const auto told = [this] { return !tab_.dialog_ || tab_.dialog_->stays; };
    const Deadline patience = deadline.at_most(kAnnounced);
    co_await tab_.changed_.wait_for(told, patience);
  }

  /// Until the page that came (or comes, when `expected`) has loaded. Errors as Tab::navigate.
  asio::awaitable<Result<Navigation>> loaded(bool expected, Deadline deadline) {
    std::optional<Deadline> soft;
    const auto settled = [&] {
      if (obstacle() || stayed() || downloaded()) return true;
      if (expected && loader_.empty() && ended_without_a_document()) return dropped_ = true;
      if (dialog_raised() && !soft) soft = deadline.at_most(kAfterDialog);
      if (expected && !(loader_.empty() ? moved() : committed())) return false;
      if (!committed()) return true;  // within the document
      return tab_.ready_state() == "complete" || (soft && tab_.ready_state() == "interactive");
    };
    bool done = settled();
    while (!done && !(soft ? soft->passed() : deadline.passed())) {
      co_await tab_.changed_.wait(soft ? *soft : deadline);
      done = settled();
    }
    co_await dialogs_told(deadline);
    if (auto why = obstacle()) co_return std::move(*why);
    if (!done && !soft)
      co_return Error{Code::timeout,
                      moved() ? fmt::format("{} did not finish loading in time", redact_url(tab_.url()))
                              : std::string("The navigation did not begin to load in time"),
                      "Give it a longer timeoutMs, or go on with what has loaded", "timeout"};
    co_return result();
  }

 private:
  /// The end counts only behind this load's own beginning: an earlier load's may come late, but never between
  /// the two.
  bool ended_without_a_document() const {
    const bool began = tab_.announced_ > announced_ && tab_.loads_ > loads_;
    const bool idle = !tab_.loading_ && !tab_.dialog_;
    const bool refused_before = tab_.refused_unloads_ > tab_.refused_before_commit_;
    return refused_before && began && idle && !moved() && tab_.document_requests_ == document_requests_;
  }

  std::string failure_text() const {
    if (!tab_.failed_text_.empty() && tab_.failed_loader_ == tab_.main_->loader()) return tab_.failed_text_;
    return "the browser shows an error page";
  }

  TabImpl& tab_;
  std::string from_, loader_;
  std::int64_t navigations_, commits_, downloads_, raised_, refused_, blocked_;
  std::int64_t announced_ = 0, loads_ = 0, document_requests_ = 0;
  bool dropped_ = false;
};

void TabImpl::on_blocked(const std::string& url, const std::string& frame, bool document) {
  if (!document || frame != main_->cdp_id()) return;
  blocked_url_ = url;
  ++blocked_;
  // A window opened for a place it may not go to has no reason to stay.
  if (!opener_.empty() && commits_ == 0)
    connection().post("", "Target.closeTarget", {{"targetId", cdp_target_}});
  changed_.notify();
}

Task<Navigation> TabImpl::navigate(std::string url, Deadline deadline) {
  const auto hold = session_.hold();
  if (auto checked = check_url(url, session_.engine_options()); !checked)
    co_return std::move(checked).error();
  NavigationWait wait(*this);
  if (crashed_) crashed_ = false;  // the browser starts a new renderer for it
  if (auto why = wait.obstacle()) co_return std::move(*why);
  Json params = {{"url", url}};
  session_.observers().about_to_leave(*this);
  auto answer = co_await connection().call(cdp_session_, "Page.navigate", params, deadline, navigating_);
  if (!answer) {
    if (auto why = wait.obstacle()) co_return std::move(*why);
    if (answer.error().code == Code::timeout)
      co_return Error{Code::timeout, fmt::format("{} did not answer in time", redact_url(url)),
                      "Give it a longer timeoutMs", "timeout"};
    if (answer.error().kind == "cdp-error" && answer.error().what.find("invalid URL") != std::string::npos)
      co_return refused_url(fmt::format("\"{}\" is not a URL that the browser opens", url), "");
    co_return std::move(answer).error();
  }
  const std::string text = json_string(*answer, "errorText"), loader = json_string(*answer, "loaderId");
  if (text.empty()) {
    if (!loader.empty()) {
      wait.expect(loader);
      co_return co_await wait.loaded(true, deadline);
    }
    // No loader: within the document. Its event may be a moment behind.
    const auto announced = [&wait] { return wait.moved() || wait.obstacle().has_value(); };
    const Deadline patience = deadline.at_most(kAnnounced);
    co_await changed_.wait_for(announced, patience);
    co_return co_await wait.loaded(false, deadline);
  }
  if (wait.blocked()) co_return origin_blocked(blocked_url_);
  if (text == "net::ERR_ABORTED") {
    const bool download = json_bool(*answer, "isDownload") || wait.downloaded();
    co_await wait.dialogs_told(deadline);
    if (download || wait.stayed()) co_return wait.result();
    // Overtaken by another navigation (a script's, a user's) which is the one to wait for.
    if (wait.committed()) co_return co_await wait.loaded(true, deadline);
    co_return wait.failed(
        "net::ERR_ABORTED (the server sent no document, or another navigation took its place)");
  }
  // The error page commits a moment later; what follows shall not meet it half-way.
  const auto announced = [&] { return main_->loader() == loader || wait.obstacle().has_value(); };
  const Deadline patience = deadline.at_most(kAnnounced);
  co_await changed_.wait_for(announced, patience);
  if (error_url_.empty()) error_url_ = url;
  co_return wait.failed(text);
}

Task<Navigation> TabImpl::reload(Deadline deadline) {
  const auto hold = session_.hold();
  NavigationWait wait(*this);
  crashed_ = false;
  if (auto why = wait.obstacle()) co_return std::move(*why);
  Json params = Json::object();
  co_return co_await travel(wait, "Page.reload", std::move(params), deadline);
}

/// Sends what makes the main frame load and waits for the document. What the browser drops has asked neither
/// page nor server anything, and may be sent once more.
Task<Navigation> TabImpl::travel(NavigationWait& wait, std::string method, Json params, Deadline deadline) {
  for (int attempt = 1;; ++attempt) {
    wait.about_to_send();
    session_.observers().about_to_leave(*this);
    auto answer = co_await connection().call(cdp_session_, method, params, deadline, navigating_);
    if (!answer) {
      if (auto why = wait.obstacle()) co_return std::move(*why);
      // Chromium answers so when the new document came before the answer.
      if (answer.error().code != Code::gone) co_return std::move(answer).error();
    }
    auto arrived = co_await wait.loaded(true, deadline);
    if (!arrived || !wait.dropped()) co_return arrived;
    if (attempt == 2) co_return wait.failed("the browser dropped it twice before it asked for the document");
    log_info("tab {}: the browser dropped {} behind a refused one; sent once more", id_, method);
  }
}

Task<Navigation> TabImpl::history(int delta, Deadline deadline) {
  const auto hold = session_.hold();
  NavigationWait wait(*this);
  if (auto why = wait.obstacle()) co_return std::move(*why);
  const Json none = Json::object();
  auto entries =
      co_await connection().call(cdp_session_, "Page.getNavigationHistory", none, deadline, navigating_);
  if (!entries) co_return std::move(entries).error();
  const Json& list = json_member(*entries, "entries");
  const std::int64_t wanted = json_int(*entries, "currentIndex") + delta;
  if (!list.is_array() || wanted < 0 || wanted >= static_cast<std::int64_t>(list.size()))
    co_return Error{Code::conflict,
                    delta < 0 ? "There is no page to go back to" : "There is no page to go forward to", "",
                    "no-history"};
  const Json entry = list[static_cast<std::size_t>(wanted)];
  if (const std::string url = json_string(entry, "url"); !session_.engine_options().origins.allows(url))
    co_return origin_blocked(url);
  Json params = {{"entryId", json_int(entry, "id")}};
  co_return co_await travel(wait, "Page.navigateToHistoryEntry", std::move(params), deadline);
}

}  // namespace browx::capture
