#include <fstream>

#include <fmt/format.h>

#include "archive/reader.hpp"
#include "capture/recording.hpp"
#include "codegen/locator.hpp"
#include "mcp/calls.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

/// The candidates of one element, counted now.
Task<std::vector<codegen::Candidate>> candidates(std::shared_ptr<capture::Frame> frame, std::int64_t element,
                                                 std::vector<std::string> test_attributes,
                                                 Deadline deadline) {
  Json argument = {{"id", element}, {"testAttributes", std::move(test_attributes)}};
  auto found = co_await frame->page("candidates", std::move(argument), deadline);
  if (!found) co_return std::move(found).error();
  co_return codegen::candidates_of(*found);
}

}  // namespace

Task<Answer> generate_locator(Call& call) {
  const std::string ref = call.args.text("ref");
  capture::Address address;
  address.ref = ref;
  auto element = co_await capture::resolve(*call.tab, std::move(address), call.deadline);
  if (!element) {
    Answer answer = fail(element.error());
    if (answer.object["failure"].is_object()) answer.object["failure"]["ref"] = ref;
    co_return answer;
  }
  const std::vector<std::string> attributes = call.session->engine_options().test_attributes;
  auto own = co_await candidates(element->frame, element->element, attributes, call.deadline);
  if (!own) co_return std::move(own).error();
  std::vector<std::vector<codegen::Candidate>> frames;
  std::shared_ptr<capture::Frame> frame = element->frame;
  while (frame->parent()) {
    const std::shared_ptr<capture::Frame> parent = frame->parent()->shared_from_this();
    auto owner = co_await frame->owner_element(call.deadline);
    if (!owner) co_return std::move(owner).error();
    auto around = co_await candidates(parent, *owner, attributes, call.deadline);
    if (!around) co_return std::move(around).error();
    frames.insert(frames.begin(), *std::move(around));
    frame = parent;
  }
  const auto code = codegen::locator_code(*own, frames);
  if (!code)
    co_return Error{Code::not_found, fmt::format("No locator can be written for {}", ref),
                    "Choose an element around it, or give it a test id.", "no-locator"};
  Json object = {
      {"playwright", code->playwright}, {"stability", code->stability}, {"components", code->components}};
  if (!code->reason.empty()) object["reason"] = code->reason;
  co_return succeed(std::move(object));
}

Task<Answer> export_playwright_script(Call& call) {
  std::optional<std::filesystem::path> path;
  if (const auto wanted = call.args.optional_text("path")) {
    if (!call.options.engine.workspace)
      co_return Error{Code::unavailable, call.options.workspace_problem, "", "workspace-unavailable"};
    auto allowed = call.options.engine.workspace->path_for_writing(*wanted);
    if (!allowed) co_return std::move(allowed).error();
    path = *std::move(allowed);
  }
  capture::Recording* running = call.session ? call.session->recording().get() : nullptr;
  std::shared_ptr<const Script> script;
  // One that BROWX_RECORD began is looked at only when no other has ended.
  if (!running || running->options().automatic) script = call.calls.scripts().last(call.session_name);
  if (!script && running) {
    const auto made = std::make_shared<Script>();
    std::function<Status(archive::Reader&, const capture::LateEvents&)> work =
        [made, secrets = call.session->secrets()](archive::Reader& reader,
                                                  const capture::LateEvents& late) -> Status {
      auto now = make_script(reader, secrets, late);
      if (!now) return std::move(now).error();
      *made = *std::move(now);
      return {};
    };
    auto read = co_await running->read(std::move(work));
    if (!read) co_return std::move(read).error();
    script = made;
  }
  if (!script)
    co_return Error{Code::conflict, fmt::format("Session {} has no recording", call.session_name),
                    "Call start_recording first.", "no-recording"};
  Json object = {{"name", script->name}, {"source", script->source}, {"stats", script->stats.json()}};
  if (path) {
    std::ofstream file(*path, std::ios::binary | std::ios::trunc);
    file.write(script->source.data(), static_cast<std::streamsize>(script->source.size()));
    file.close();
    if (!file)
      co_return Error{Code::unavailable, fmt::format("{} cannot be written", path->string()),
                      "Is there room on the disk?"};
    object["path"] = path->lexically_relative(call.options.engine.workspace->root()).string();
    object["bytes"] = script->source.size();
  }
  Answer answer = succeed(std::move(object));
  answer.text = script->source;
  co_return answer;
}

}  // namespace browx::mcp::core
