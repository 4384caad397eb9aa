#include <set>

#include <fmt/format.h>

#include "base/log.hpp"
#include "capture/core/browser.hpp"
#include "capture/core/emulation.hpp"
#include "capture/core/session_impl.hpp"
#include "capture/recording.hpp"
#include "capture/session.hpp"

namespace browx::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kStart{30};  // of Chromium
constexpr seconds kOpen{15};   // of a session in a running browser
// At the program's end: what pages may take to tell their last, and everything with the sealing of
// recordings.
constexpr milliseconds kLastWords{350}, kEnd{1100};

class EngineImpl final : public Engine {
 public:
  EngineImpl(asio::any_io_executor executor, EngineOptions options)
      : executor_(std::move(executor)), options_(std::move(options)), changed_(executor_) {}
  ~EngineImpl() override { stop_browsers(); }

  const EngineOptions& options() const override { return options_; }

  Task<std::shared_ptr<Session>> open(SessionOptions wanted) override {
    if (auto checked = check_options(wanted); !checked) co_return std::move(checked).error();
    if (ended_) co_return Error{Code::unavailable, "The program is ending", "", "shutdown"};
    const std::string name = wanted.name;
    if (const auto found = sessions_.find(name); found != sessions_.end() && found->second->is_lost())
      sessions_.erase(found);
    if (sessions_.contains(name) || opening_.contains(name))
      co_return Error{Code::conflict, fmt::format("Session \"{}\" is open already", name),
                      "Close it first, or choose another name", "session-exists"};
    opening_.insert(name);
    auto opened = co_await open_now(std::move(wanted));
    opening_.erase(name);
    changed_.notify();
    co_return std::move(opened);
  }

  Task<std::shared_ptr<Session>> session(std::string name) override {
    // Two first calls at once open it once.
    const auto is_free = [this, &name] { return !opening_.contains(name); };
    const Deadline patience = Deadline::in(kStart + kOpen);
    co_await changed_.wait_for(is_free, patience);
    if (const auto found = sessions_.find(name); found != sessions_.end()) {
      if (!found->second->is_lost()) co_return std::shared_ptr<Session>(found->second);
      sessions_.erase(found);  // told once; the next call begins anew
      co_return Error{Code::unavailable,
                      fmt::format("The browser of session \"{}\" was lost; its tabs and refs are gone", name),
                      "Call again: a new browser and an empty session are opened", "browser-lost"};
    }
    SessionOptions wanted;
    wanted.name = std::move(name);
    co_return co_await open(std::move(wanted));
  }

  Task<bool> close(std::string name) override {
    const auto found = sessions_.find(name);
    if (found == sessions_.end())
      co_return Error{Code::not_found, fmt::format("There is no session \"{}\"", name),
                      "list_sessions names them", "session-not-found"};
    const auto session = found->second;
    sessions_.erase(found);
    co_return co_await session->close(Deadline::in(seconds(5)), "session-closed");
  }

  std::vector<std::shared_ptr<Session>> sessions() const override {
    std::vector<std::shared_ptr<Session>> out;
    for (const auto& [name, session] : sessions_)
      if (!session->is_lost()) out.push_back(session);
    return out;
  }

  bool browser_running() const override {
    for (const auto& [headless, browser] : browsers_)
      if (browser && !browser->lost()) return true;
    return false;
  }
  std::string browser_version() const override { return version_; }

  Task<bool> shutdown() override {
    ended_ = true;
    auto open = std::exchange(sessions_, {});
    auto left = std::make_shared<std::size_t>(open.size());
    const auto done = std::make_shared<Signal>(executor_);
    for (auto& [name, session] : open) spawn(executor_, end_session(session, left, done));
    const auto all_ended = [left] { return *left == 0; };
    const Deadline patience = Deadline::in(kEnd);
    co_await done->wait_for(all_ended, patience);
    if (*left) log_warning("{} session(s) did not end in time", *left);
    for (auto& [name, session] : open) session->recording().reset();  // seals what is not sealed yet
    stop_browsers();
    co_return true;
  }

 private:
  static asio::awaitable<void> end_session(std::shared_ptr<SessionImpl> session,
                                           std::shared_ptr<std::size_t> left, std::shared_ptr<Signal> done) {
    auto closed = co_await session->close(Deadline::in(kEnd), "shutdown", Deadline::in(kLastWords));
    if (!closed) log_warning("session {}: {}", session->name(), closed.error().message());
    --*left;
    done->notify();
  }

  Task<std::shared_ptr<Session>> open_now(SessionOptions wanted) {
    const bool headless = wanted.headless.value_or(options_.headless);
    auto browser = co_await running_browser(headless);
    if (!browser) co_return std::move(browser).error();
    const Deadline deadline = Deadline::in(kOpen);
    Json params = {{"disposeOnDetach", true}};
    auto context =
        co_await (*browser)->connection().call("", "Target.createBrowserContext", params, deadline);
    if (!context) co_return std::move(context).error();
    const std::string name = wanted.name;
    auto session = std::make_shared<SessionImpl>(*browser, options_, std::move(wanted),
                                                 json_string(*context, "browserContextId"), last_tab_);
    auto begun = co_await session->begin(deadline);
    if (!begun) {
      (void)co_await session->close(Deadline::in(seconds(2)), "failed");
      co_return std::move(begun).error();
    }
    if (ended_) {
      (void)co_await session->close(Deadline::in(kEnd), "shutdown");
      co_return Error{Code::unavailable, "The program is ending", "", "shutdown"};
    }
    sessions_[name] = session;
    co_return std::shared_ptr<Session>(session);
  }

  /// One start at a time; who comes meanwhile waits for it.
  Task<std::shared_ptr<Browser>> running_browser(bool headless) {
    const auto is_free = [this] { return !starting_; };
    const Deadline patience = Deadline::in(kStart);
    co_await changed_.wait_for(is_free, patience);
    if (auto& browser = browsers_[headless]; browser && !browser->lost()) co_return browser;
    starting_ = true;
    auto started = co_await Browser::start(executor_, options_, headless, Deadline::in(kStart));
    starting_ = false;
    changed_.notify();
    if (!started) co_return std::move(started).error();
    if (ended_) {
      (*started)->stop();
      co_return Error{Code::unavailable, "The program is ending", "", "shutdown"};
    }
    browsers_[headless] = *started;
    version_ = (*started)->version();
    co_return *std::move(started);
  }

  void stop_browsers() {
    for (auto& [headless, browser] : browsers_)
      if (browser) browser->stop();
    browsers_.clear();
  }

  asio::any_io_executor executor_;
  EngineOptions options_;
  Signal changed_;
  std::map<bool, std::shared_ptr<Browser>> browsers_;
  std::map<std::string, std::shared_ptr<SessionImpl>> sessions_;
  std::set<std::string> opening_;
  std::shared_ptr<int> last_tab_ = std::make_shared<int>(0);
  std::string version_;
  bool starting_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<Engine> Engine::create(asio::any_io_executor executor, EngineOptions options) {
  return std::make_unique<EngineImpl>(std::move(executor), std::move(options));
}

}  // namespace browx::capture
