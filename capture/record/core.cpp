#include "capture/record/core.hpp"

#include <fmt/format.h>
#include <boost/asio/post.hpp>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "base/url.hpp"
#include "capture/record/pictures.hpp"
#include "page_bundle/embedded.hpp"

namespace browx::capture {
namespace {

constexpr std::string_view kRecorder = "rrweb/2.2.2";
constexpr std::string_view kWorld = "browx";

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace

RecordingCore::RecordingCore(Session& session, RecordingOptions options,
                             std::unique_ptr<archive::Writer> writer)
    : session_(&session),
      options_(std::move(options)),
      tier_(options_.tier.value_or(archive::Tier::actions)),
      writer_(std::move(writer)),
      path_(options_.tier ? writer_->path() : std::filesystem::path()),
      start_(session.journal().now()),
      started_wall_ms_(system_clock().wall_ms()),
      mask_(tier_, options_.redact_headers, options_.redact_body_paths, session.secrets(), fields_),
      streams_(
          start_, std::string(kRecorder),
          [this](std::string_view json) { return fields_.mask_whole(session_->secrets().mask(json)); },
          [this](archive::Fact fact) { add(std::move(fact)); }),
      pictures_(std::make_unique<Pictures>(*this)) {}

RecordingCore::~RecordingCore() { over_ = true; }

Time RecordingCore::now() const { return rebased(session_->journal().now()); }

void RecordingCore::gap(std::optional<DocumentId> document, std::string reason, std::string detail) {
  add(archive::Gap{document, std::nullopt, std::nullopt, now(), std::nullopt, std::move(reason),
                   mask_.text(detail)});
}

Task<bool> RecordingCore::begin(Deadline deadline) {
  // Nothing may happen between what is told now and what is listened to from now on.
  tell_existing();
  const std::weak_ptr<RecordingCore> weak = weak_from_this();
  subscription_ = session_->journal().listen([weak](const Fact& fact) {
    if (const auto self = weak.lock(); self && !self->over_) self->on_fact(fact);
  });
  if (records_dom()) {
    want_bodies();
    for (const auto& tab : session_->tabs())
      if (!tab->closed()) session_->observers().start_screencast(*tab);
    auto installed = co_await install(deadline);
    if (!installed) co_return std::move(installed).error();
    for (const auto& tab : session_->tabs())
      if (!tab->closed()) {
        ++assets_loading_;
        spawn(session_->executor(), load_earlier_assets(shared_from_this(), tab));
      }
  }
  Json none = Json::object();
  auto version = co_await session_->connection().call("", "Browser.getVersion", std::move(none),
                                                      Deadline::in(std::chrono::seconds(2)));
  if (over_) co_return Error{Code::gone, "The recording ended while it was starting", "", "recording-ended"};
  if (version) add(archive::ManifestEntry{"browser", json_string(*version, "product")});
  co_return co_await committed();
}

void RecordingCore::tell_existing() {
  const Viewport viewport = session_->options().viewport;
  const Json size = {{"width", viewport.width},
                     {"height", viewport.height},
                     {"scale", session_->options().device.scale_factor}};
  add(archive::ManifestEntry{"viewport", size});
  add(archive::ManifestEntry{"masking", Json{{"headers", options_.redact_headers},
                                             {"bodyPaths", options_.redact_body_paths},
                                             {"selectors", options_.mask_selectors}}});
  if (!session_->options().locale.empty()) add(archive::ManifestEntry{"locale", session_->options().locale});
  if (!session_->options().timezone.empty())
    add(archive::ManifestEntry{"timezone", session_->options().timezone});
  if (!session_->secrets().empty()) tell_secrets();
  if (records_dom()) add(archive::ManifestEntry{"recorder", kRecorder});
  std::vector<TargetId> told;
  for (const auto& tab : session_->tabs()) {
    if (tab->closed()) continue;
    archive::Target target{tab->target(),     "tab",      std::nullopt, std::nullopt, session_->name(),
                           tab->cdp_target(), tab->url(), Time{0}};
    store(std::move(target));
    told.push_back(tab->target());
    for (const auto& frame : tab->frames()) {
      TargetId home = tab->target();
      if (frame->out_of_process()) {
        home = session_->target_of(frame->cdp_session()).value_or(home);
        if (std::find(told.begin(), told.end(), home) == told.end()) {
          archive::Target own{home,         "iframe",         tab->target(),
                              std::nullopt, session_->name(), frame->cdp_id(),
                              frame->url(), Time{0}};
          store(std::move(own));
          told.push_back(home);
        }
      }
      if (!frame->document()) continue;
      archive::Document document;
      document.id = frame->document();
      document.target = home;
      document.frame = frame->cdp_id();
      if (frame->parent()) document.parent = frame->parent()->document();
      document.url = frame->url();
      document.recorder = "none";
      store(std::move(document));
    }
  }
}

void RecordingCore::tell_secrets() {
  Json names = Json::array();
  for (const auto& name : session_->secrets().names()) names.push_back(name);
  add(archive::ManifestEntry{"secrets", std::move(names)});
}

void RecordingCore::want_bodies() {
  const bool all = tier_ == archive::Tier::reexecutable;
  want_ = session_->observers().want_bodies([all](const RequestFacts& request) {
    if (Assets::is_asset(request.resource_type, request.mime)) return request.bytes <= Assets::kLargest;
    return all && FactMask::text_like(request.mime);
  });
}

Task<bool> RecordingCore::install(Deadline deadline) {
  const std::weak_ptr<RecordingCore> weak = weak_from_this();
  session_->on_binding("__browxRecord", [weak](Frame& frame, std::string_view payload) {
    if (const auto self = weak.lock(); self && !self->over_) self->on_message(frame, payload);
  });
  writer_->on_pressure([weak, executor = session_->executor()](bool over) {
    asio::post(executor, [weak, over] {
      if (const auto self = weak.lock(); self && !self->over_) self->on_pressure(over);
    });
  });
  // Unguessable and like nothing that a page uses.
  const std::string event = "b" + random_hex(12);
  const std::string hooks =
      replaced(std::string(embedded_file("hooks.js")), "__BROWX_HOOKS_EVENT__", dump_json(Json(event)));
  Json config = {{"event", event},
                 {"maskSelectors", options_.mask_selectors},
                 {"redactUrls", tier_ == archive::Tier::replay}};
  const std::string recorder =
      replaced(std::string(embedded_file("recorder.js")), "__BROWX_RECORD_CONFIG__", dump_json(config));
  auto first = co_await session_->add_script(hooks, "", deadline);
  if (!first) co_return std::move(first).error();
  scripts_.push_back(*first);
  auto second = co_await session_->add_script(recorder, std::string(kWorld), deadline);
  if (!second) co_return std::move(second).error();
  scripts_.push_back(*second);
  co_return true;
}

void RecordingCore::on_fact(const Fact& fact) {
  if (std::holds_alternative<archive::DomEvents>(fact) || std::holds_alternative<archive::Artifact>(fact))
    return;
  if (const auto* frame = std::get_if<archive::Frame>(&fact)) {
    if (records_dom()) pictures_->take(*frame);
    return;
  }
  if (records_dom()) {
    if (const auto* request = std::get_if<archive::Request>(&fact)) assets_.see(*request);
    if (const auto* response = std::get_if<archive::Response>(&fact)) assets_.see(*response);
    if (const auto* end = std::get_if<archive::RequestEnd>(&fact)) store_asset(assets_.see(*end));
    if (const auto* target = std::get_if<archive::Target>(&fact); target && target->kind == "tab") {
      // The session knows the tab only after it has told of its target.
      const std::weak_ptr<RecordingCore> weak = weak_from_this();
      asio::post(session_->executor(), [weak, id = target->id] {
        const auto self = weak.lock();
        if (!self || self->over_) return;
        for (const auto& tab : self->session_->tabs())
          if (tab->target() == id && !tab->closed()) self->session_->observers().start_screencast(*tab);
      });
    }
  }
  archive::Fact copy = fact;
  std::visit(
      [this](auto& row) {
        using Row = std::decay_t<decltype(row)>;
        if constexpr (requires { row.t; }) row.t = rebased(row.t);
        if constexpr (std::is_same_v<Row, archive::Document>) row.from = rebased(row.from);
        if constexpr (std::is_same_v<Row, archive::Gap>) {
          row.from = rebased(row.from);
          if (row.to) row.to = rebased(*row.to);
        }
      },
      copy);
  store(std::move(copy));
}

/// Takes rebased times.
void RecordingCore::store(archive::Fact fact) {
  fact = mask_.masked(std::move(fact));
  if (records_dom()) {
    if (auto* document = std::get_if<archive::Document>(&fact)) {
      streams_.began(std::move(*document));
      return;
    }
    if (auto* end = std::get_if<archive::DocumentEnd>(&fact)) {
      streams_.ended(std::move(*end));
      return;
    }
  }
  add(std::move(fact));
}

void RecordingCore::store_asset(std::optional<archive::Asset> asset) {
  if (!asset) return;
  asset->t = rebased(asset->t);
  if (asset->bytes && FactMask::text_like(asset->mime)) asset->bytes = mask_.text(*asset->bytes);
  // Its address stays whole (but for secrets): it is what the document's attributes name it by.
  asset->url = mask_.text(asset->url);
  if (!asset->why_missing.empty())
    add(archive::Gap{asset->document, std::nullopt, std::nullopt, asset->t, std::nullopt, "asset-missing",
                     mask_.text(redact_url_values(asset->url) + ": " + asset->why_missing)});
  add(*std::move(asset));
}

void RecordingCore::on_message(Frame& frame, std::string_view payload) {
  auto heard = streams_.message(frame.document(), session_->journal().now(), payload);
  if (!heard) {
    log_debug("recording: {}", heard.error().message());
    return;
  }
  if (heard->fields) fields_.told(heard->name, *heard->fields);
  if (heard->asset) {
    store_asset(assets_.take(heard->document, std::move(heard->asset->url), session_->journal().now(),
                             std::move(heard->asset->mime), std::move(heard->asset->bytes),
                             std::move(heard->asset->missing)));
  }
  if (!heard->first) return;
  const auto self = shared_from_this();
  const auto held = frame.shared_from_this();
  if (frame.parent()) spawn(session_->executor(), find_owner(self, held));
  if (pressed_) {
    spawn(session_->executor(), [](std::shared_ptr<Frame> one) -> asio::awaitable<void> {
      Json argument = Json::object();
      (void)co_await one->page("recorderPause", std::move(argument), Deadline::in(std::chrono::seconds(1)));
    }(held));
  }
}

void RecordingCore::on_pressure(bool over) {
  if (over == pressed_) return;
  pressed_ = over;
  if (over)
    pressed_since_ = now();
  else
    add(archive::Gap{std::nullopt, std::nullopt, std::nullopt, pressed_since_, now(), "backpressure",
                     "the disk could not follow"});
  log_warning("recording: {}", over ? "the disk cannot follow; the recorders pause"
                                    : "the recorders go on with new snapshots");
  spawn(session_->executor(),
        [](std::shared_ptr<RecordingCore> self, std::string function) -> asio::awaitable<void> {
          co_await self->each_frame(std::move(function), std::chrono::seconds(2));
        }(shared_from_this(), over ? "recorderPause" : "recorderResume"));
}

}  // namespace browx::capture
