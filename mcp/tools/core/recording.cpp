#include "capture/recording.hpp"

#include <fmt/format.h>

#include "mcp/calls.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

Error no_recording(const std::string& session) {
  return Error{Code::conflict, fmt::format("Session {} is not recording", session),
               "Call start_recording first.", "no-recording"};
}

archive::Tier read_tier(const std::string& text) {
  if (text == "actions") return archive::Tier::actions;
  if (text == "reexecutable") return archive::Tier::reexecutable;
  return archive::Tier::replay;
}

/// The replay part of start_recording's options.
Status read_replay(const Arguments& replay, const Options& options, capture::RecordingOptions& recording) {
  recording.tier = read_tier(replay.text("tier", "replay"));
  recording.size_cap = replay.integer("sizeCap");
  recording.event_cap = replay.integer("eventCap");
  if (replay.has("redaction")) {
    const Arguments redaction = replay.object("redaction");
    recording.redact_headers = redaction.texts("headers");
    recording.redact_body_paths = redaction.texts("bodyPaths");
  }
  recording.mask_selectors = replay.texts("maskSelectors");
  auto directory = recordings_folder(options, replay.text("dir", "recordings"));
  if (!directory) return std::move(directory).error();
  recording.directory = *std::move(directory);
  return {};
}

Json replay_json(const archive::SealReport& report, const Options& options) {
  const auto& root = options.engine.workspace->root();
  Json entries = Json::array();
  for (const auto& [table, rows] : report.counts.items())
    if (rows.is_number() && rows.get<std::int64_t>() > 0) entries.push_back(table);
  Json json = {{"path", report.path.lexically_relative(root).string()},
               {"absolutePath", report.path.string()},
               {"bytes", report.bytes},
               {"events", report.events},
               {"counts", report.counts},
               {"entries", std::move(entries)}};
  if (report.truncated)
    json["truncated"] = Json{{"at", report.truncated->at.ms()},
                             {"reason", report.truncated->reason},
                             {"dropped", report.truncated->dropped}};
  return json;
}

}  // namespace

Task<Answer> start_recording(Call& call) {
  const bool with_replay = call.args.has("replay");
  if (with_replay && !call.options.may("replay"))
    co_return refuse_capability("start_recording with replay", "replay");
  capture::RecordingOptions recording;
  recording.flow_name = call.args.text("flowName");
  recording.make_artifacts = call.calls.scripts().keeper(call.session_name);
  if (with_replay) BROWX_CO_TRY(read_replay(call.args.object("replay"), call.options, recording));

  // A recording that BROWX_RECORD began makes way: it is sealed as it is.
  if (capture::Recording* running = call.session->recording().get()) {
    if (!running->options().automatic)
      co_return Error{
          Code::conflict,
          fmt::format("The recording \"{}\" is running in this session", running->options().flow_name),
          "Call end_recording first.", "recording-active"};
    auto ended = co_await running->end("replaced");
    if (!ended)
      call.warnings.push_back("The automatic recording did not end well: " + ended.error().message());
  }
  const std::string name = recording.flow_name;
  auto started = co_await capture::Recording::start(*call.session, std::move(recording), call.deadline);
  if (!started) {
    Error error = std::move(started).error();
    auto resumed = co_await call.calls.record_automatically(*call.session);
    if (!resumed)
      call.warnings.push_back("The automatic recording did not go on: " + resumed.error().message());
    co_return error;
  }
  Json object = {{"name", name}, {"session", call.session_name}};
  if (with_replay)
    object["path"] = (*started)->path().lexically_relative(call.options.engine.workspace->root()).string();
  co_return succeed(std::move(object));
}

Task<Answer> record_annotate(Call& call) {
  capture::Recording* recording = call.session ? call.session->recording().get() : nullptr;
  if (!recording) co_return no_recording(call.session_name);
  capture::Annotation annotation;
  annotation.copy = call.args.text("copy");
  annotation.arrow = call.args.text("arrow");
  annotation.label = call.args.text("label");
  annotation.phase = call.args.text("phase");
  annotation.step_id = call.args.text("stepId");
  if (call.args.has("target")) {
    auto target = read_target(call.args.object("target"));
    if (const auto tab = call.args.optional_integer("tab"))
      BROWX_CO_TRY(call.session->use_tab(static_cast<int>(*tab)));
    const auto tab = call.session->current_tab();
    if (!tab)
      co_return Error{Code::not_found, "The session has no tab", "Call navigate first.", "tab-not-found"};
    auto element = co_await capture::resolve(*tab, *std::move(target), call.deadline);
    if (!element) co_return std::move(element).error();
    annotation.target = *std::move(element);
  }
  auto id = co_await recording->annotate(std::move(annotation));
  if (!id) co_return std::move(id).error();
  Json object = {{"id", *id}};
  co_return succeed(std::move(object));
}

Task<Answer> end_recording(Call& call) {
  capture::Recording* recording = call.session ? call.session->recording().get() : nullptr;
  if (!recording) co_return no_recording(call.session_name);
  auto ended = co_await recording->end("ended");
  if (!ended) co_return std::move(ended).error();
  if (!ended->warning.empty()) call.warnings.push_back(ended->warning);
  Json object = {{"name", ended->name}, {"yaml", ended->yaml}, {"stepCount", ended->step_count}};
  if (ended->replay && call.options.engine.workspace)
    object["replay"] = replay_json(*ended->replay, call.options);
  auto resumed = co_await call.calls.record_automatically(*call.session);
  if (!resumed)
    call.warnings.push_back("The automatic recording did not go on: " + resumed.error().message());
  co_return succeed(std::move(object));
}

}  // namespace browx::mcp::core
