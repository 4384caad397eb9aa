#pragma once
// A session: a browser context with its tabs, secrets, refs and policy; and the engine that opens them.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/secrets.hpp"
#include "base/url.hpp"
#include "base/workspace.hpp"
#include "capture/journal.hpp"
#include "capture/refs.hpp"
#include "capture/rings.hpp"
#include "capture/tab.hpp"

namespace browx::capture {

class Observers;
class Recording;

struct Viewport {
  int width = 1280, height = 720;
};

struct Device {
  double scale_factor = 1;
  bool touch = false;
  std::string user_agent, color_scheme;                  ///< empty: the browser's own
  std::optional<std::pair<double, double>> geolocation;  ///< latitude, longitude
};

struct SessionOptions {
  std::string name = "default";
  std::string mode = "incognito";  ///< persistent | incognito | attached
  std::string profile;             ///< name of a persistent profile in the workspace
  Viewport viewport;
  Device device;
  Json storage_state;  ///< Playwright's storageState object, or null
  DialogMode dialog_mode = DialogMode::raise;
  std::string dialog_text;
  std::string locale, timezone;
  std::optional<bool> headless;
};

/// What the program was started with; see TOOLS "Environment".
struct EngineOptions {
  std::string chromium;  ///< BROWX_CHROMIUM
  bool headless = true;
  std::string attach_cdp;  ///< BROWX_ATTACH_CDP: ws:// or http:// endpoint
  OriginPolicy origins;
  std::vector<std::string> test_attributes{"data-testid", "data-test", "data-cy", "data-qa", "data-type"};
  bool allow_file = false;
  std::optional<Workspace> workspace;
  std::optional<archive::Tier> record;  ///< BROWX_RECORD
};

/// Thread: the engine's. Sessions are independent: a wedged page of one never delays another.
class Session {
 public:
  virtual ~Session() = default;

  virtual const SessionOptions& options() const = 0;
  const std::string& name() const { return options().name; }
  virtual const EngineOptions& engine_options() const = 0;
  virtual asio::any_io_executor executor() const = 0;

  virtual std::vector<std::shared_ptr<Tab>> tabs() const = 0;
  /// The tab core tools act on; changes only by `use_tab`, by closing it, or by other dialects' tab tools.
  virtual std::shared_ptr<Tab> current_tab() const = 0;
  virtual Status use_tab(int id) = 0;  ///< error `not_found`, kind "tab-not-found"
  virtual std::shared_ptr<Tab> tab(int id) const = 0;
  virtual Task<std::shared_ptr<Tab>> new_tab(std::string url, Deadline deadline) = 0;

  virtual Journal& journal() = 0;
  virtual Secrets& secrets() = 0;
  virtual Refs& refs() = 0;
  virtual Rings& rings() = 0;
  /// See capture/observe/observers.hpp; made by observe(*this) before the first target attaches.
  virtual Observers& observers() = 0;

  virtual void set_dialog_policy(DialogMode mode, std::string text) = 0;
  virtual DialogMode dialog_mode() const = 0;
  virtual const std::string& dialog_text() const = 0;
  virtual Task<bool> set_viewport(Viewport viewport, Deadline deadline) = 0;

  /// The recording that is running, or null. Owned by the session; made and ended through
  /// capture/recording.hpp.
  virtual std::unique_ptr<Recording>& recording() = 0;

  /// Scripts that every document of the session gets before its own first script: `world` empty is the page's
  /// own world. Applies to frames that exist too. Answers an id for remove_script.
  virtual Task<std::int64_t> add_script(std::string source, std::string world, Deadline deadline) = 0;
  virtual void remove_script(std::int64_t id) = 0;
  /// Calls of a binding made in isolated worlds of any frame: name, payload. One handler a name.
  virtual void on_binding(std::string name,
                          std::function<void(Frame&, std::string_view payload)> handler) = 0;
  /// Events of every page, iframe and worker target of the session, as they come: (cdp session id, event).
  /// Observers.
  virtual void on_cdp(std::function<void(const cdp::Event&)> handler) = 0;
  /// Called for each target when it has attached, before it runs: enable domains with connection().post()
  /// here. Targets that are attached already are told at once.
  virtual void on_target(
      std::function<void(const std::string& cdp_session, const std::string& type)> handler) = 0;
  /// The frame that a CDP session and frame id mean, or null.
  virtual std::shared_ptr<Frame> frame_of(const std::string& cdp_session,
                                          const std::string& cdp_frame) const = 0;
  virtual std::optional<TargetId> target_of(const std::string& cdp_session) const = 0;
  virtual cdp::Connection& connection() const = 0;
  /// CDP's id of the session's browser context, for commands of the browser itself (downloads, permissions,
  /// cookies).
  virtual const std::string& browser_context() const = 0;
};

/// Starts Chromium on the first need, holds the sessions. Thread: the executor's, one thread.
class Engine {
 public:
  static std::unique_ptr<Engine> create(asio::any_io_executor executor, EngineOptions options);
  virtual ~Engine() = default;

  virtual const EngineOptions& options() const = 0;
  /// Error `conflict`, kind "session-exists".
  virtual Task<std::shared_ptr<Session>> open(SessionOptions options) = 0;
  /// The live session of that name, opened with defaults when there is none. Starting Chromium has 30 s of
  /// its own.
  virtual Task<std::shared_ptr<Session>> session(std::string name) = 0;
  /// Error `not_found`, kind "session-not-found". Ends its recording first.
  virtual Task<bool> close(std::string name) = 0;
  virtual std::vector<std::shared_ptr<Session>> sessions() const = 0;
  virtual bool browser_running() const = 0;
  /// "Chromium 156.0…", once started.
  virtual std::string browser_version() const = 0;
  /// Seals every recording and ends the browser. Within a second. Idempotent.
  virtual Task<bool> shutdown() = 0;
};

}  // namespace browx::capture
