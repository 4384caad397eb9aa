// The half of RecordingCore that tools talk to: steps, annotations, the end.
#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <boost/asio/post.hpp>

#include "archive/reader.hpp"
#include "base/log.hpp"
#include "base/url.hpp"
#include "capture/record/core.hpp"
#include "capture/record/pictures.hpp"

namespace browx::capture {

namespace {

constexpr auto kCommit = std::chrono::seconds(5);

}  // namespace

Task<bool> RecordingCore::committed() {
  struct Wait {
    explicit Wait(asio::any_io_executor executor) : signal(executor) {}
    Signal signal;
    std::optional<Status> answer;
  };
  const auto wait = std::make_shared<Wait>(session_->executor());
  writer_->flush([wait, executor = session_->executor()](Status status) {
    asio::post(executor, [wait, status = std::move(status)] {
      wait->answer = status;
      wait->signal.notify();
    });
  });
  // Trivially copyable: g++ 12 destroys the captures of a temporary in a co_await expression twice.
  const auto ready = [waiting = wait.get()] { return waiting->answer.has_value(); };
  (void)co_await wait->signal.wait_for(ready, Deadline::in(kCommit));
  if (!wait->answer)
    co_return Error{Code::timeout, "The archive's writer did not commit in time",
                    "Is the disk full or very slow?", "commit-timeout"};
  if (!*wait->answer) co_return wait->answer->error();
  co_return true;
}

Task<bool> RecordingCore::stored(archive::Event event) {
  const auto self = shared_from_this();
  event.seq = writer_->add_event(event);
  auto done = co_await committed();
  if (writer_->truncated()) late_.push_back(std::move(event));
  co_return done;
}

Task<std::int64_t> RecordingCore::begin_step(std::string tool, std::optional<Element> element,
                                             Deadline deadline) {
  const auto self = shared_from_this();
  co_await flush_recorders();
  if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  const std::int64_t token = ++last_token_;
  Begun begun;
  begun.tool = std::move(tool);
  begun.at = now();
  begun.before = streams_.positions();
  if (const auto tab = session_->current_tab()) begun.tab = tab->target();
  begun_[token] = std::move(begun);
  if (element) {
    auto located = co_await locate_step(token, *std::move(element), deadline);
    (void)located;  // a step without locators is still a step
  }
  co_return token;
}

asio::awaitable<Json> RecordingCore::locate_frames(std::shared_ptr<Frame> frame, Deadline deadline) {
  const auto self = shared_from_this();
  std::vector<Json> inside_out;
  while (frame->parent() && !over_) {
    const std::shared_ptr<Frame> parent = frame->parent()->shared_from_this();
    Json candidates = Json::array();
    auto owner = co_await frame->owner_element(deadline);
    if (owner && !over_) {
      Json argument = {{"id", *owner}, {"testAttributes", session_->engine_options().test_attributes}};
      auto found = co_await parent->page("candidates", std::move(argument), deadline);
      if (found && found->is_array()) candidates = *std::move(found);
    }
    mask_.json(candidates);
    inside_out.push_back(std::move(candidates));
    frame = parent;
  }
  Json out = Json::array();
  for (auto one = inside_out.rbegin(); one != inside_out.rend(); ++one) out.push_back(std::move(*one));
  co_return out;
}

Task<bool> RecordingCore::locate_step(std::int64_t token, Element element, Deadline deadline) {
  const auto self = shared_from_this();
  if (over_ || !begun_.contains(token))
    co_return Error{Code::not_found, "There is no such open step", "", "step-not-found"};
  if (!element.frame) co_return false;
  Json target = Json::object();
  if (!element.ref.empty()) target["ref"] = element.ref;
  if (element.point) target["point"] = Json{{"x", element.point->x}, {"y", element.point->y}};
  target["frame"] = element.frame->id();
  target["document"] = element.frame->document().value();
  Json locators = Json::array();
  std::optional<Error> failed;
  if (element.element) {
    Json argument = {{"id", element.element}, {"testAttributes", session_->engine_options().test_attributes}};
    auto found = co_await element.frame->page("candidates", std::move(argument), deadline);
    if (found && found->is_array()) locators = *std::move(found);
    if (!found) failed = found.error();
    if (records_dom() && !over_) {
      Json of = {{"id", element.element}};
      auto node = co_await element.frame->page("recorderNode", std::move(of), deadline);
      if (node && json_int(*node, "node", -1) > 0) target["node"] = json_int(*node, "node");
    }
  }
  if (element.frame->parent()) {
    Json frames = co_await locate_frames(element.frame, deadline);
    target["frames"] = std::move(frames);
  }
  const auto begun = begun_.find(token);
  if (over_ || begun == begun_.end())
    co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  mask_.json(locators);
  begun->second.target = std::move(target);
  begun->second.locators = std::move(locators);
  begun->second.tab = element.frame->tab().target();
  if (failed) co_return *std::move(failed);
  co_return true;
}

Task<std::string> RecordingCore::end_step(std::int64_t token, StepRecord step) {
  const auto self = shared_from_this();
  if (over_ || !begun_.contains(token))
    co_return Error{Code::not_found, "There is no such open step", "", "step-not-found"};
  if (step.element && begun_[token].target.empty()) {
    // Located only now: the action may have changed what the counts would have been, so none are made.
    Json target = Json::object();
    if (!step.element->ref.empty()) target["ref"] = step.element->ref;
    if (step.element->frame) target["frame"] = step.element->frame->id();
    begun_[token].target = std::move(target);
  }
  co_await flush_recorders();
  const auto found = begun_.find(token);
  if (over_ || found == begun_.end())
    co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  Begun begun = std::move(found->second);
  begun_.erase(found);
  // Durable with the step: documents that no recorder has spoken in.
  streams_.settle_all();

  const std::string tool = step.tool.empty() ? begun.tool : step.tool;
  const std::string id = fmt::format("{}-{}", step.kind == "assert" ? "assert" : tool, step_ids_.size() + 1);
  const std::string error = mask_.text(step.error);

  session_->secrets().mask_json(step.arguments);
  Json arguments = step.arguments;
  mask_.json(arguments);
  // Where the caller went is an input of the recording, like what was typed: whole, but for secrets.
  const auto url = parse_url(json_string(step.arguments, "url"));
  if (tool == "navigate" && url && url->userinfo.empty()) arguments["url"] = step.arguments["url"];
  mask_.json(step.result);

  const Time ended = now();
  Json target = std::move(begun.target);
  for (const char* key : {"ref", "selector", "named", "coords", "contextRef"})
    if (arguments.contains(key)) target[key] = arguments[key];
  Json payload = {{"id", id},
                  {"tool", tool},
                  {"arguments", std::move(arguments)},
                  {"target", target.empty() ? Json() : std::move(target)},
                  {"locators", std::move(begun.locators)},
                  {"ok", step.ok},
                  {"started_us", begun.at.us},
                  {"duration_us", ended.us - begun.at.us},
                  {"before", std::move(begun.before)},
                  {"after", streams_.positions()}};
  if (!error.empty()) payload["error"] = error;
  if (!step.code.empty()) payload["code"] = step.code;
  if (!step.result.empty()) payload["result"] = std::move(step.result);
  archive::Event event;
  event.t = begun.at;
  event.target = begun.tab;
  event.kind = step.kind;
  event.payload = std::move(payload);
  step_ids_.push_back(id);
  auto done = co_await stored(std::move(event));
  if (!done) co_return std::move(done).error();
  co_return id;
}

Task<std::string> RecordingCore::annotate(Annotation annotation) {
  const auto self = shared_from_this();
  if (!annotation.phase.empty() && annotation.label.empty())
    co_return Error{Code::invalid_argument, "A span needs a label", "Give the label that starts or ends.",
                    "label-missing"};
  if (!annotation.step_id.empty()) {
    if (std::find(step_ids_.begin(), step_ids_.end(), annotation.step_id) == step_ids_.end())
      co_return Error{Code::not_found, fmt::format("The recording has no step {}", annotation.step_id),
                      "Steps are named in the answers of the tools that made them, as stepId.",
                      "step-not-found"};
  }
  if (annotation.phase == "end") {
    const auto open = std::find(open_labels_.rbegin(), open_labels_.rend(), annotation.label);
    if (open == open_labels_.rend())
      co_return Error{Code::not_found, fmt::format("The label \"{}\" is not open", annotation.label),
                      "Open it first with phase \"start\".", "label-not-open"};
    open_labels_.erase(std::next(open).base());
  } else if (annotation.phase == "start") {
    open_labels_.push_back(annotation.label);
  }
  Json payload = {{"id", fmt::format("annotation-{}", ++annotations_)}};
  const std::string id = json_string(payload, "id");
  if (!annotation.copy.empty()) payload["copy"] = mask_.text(annotation.copy);
  if (!annotation.arrow.empty()) payload["arrow"] = annotation.arrow;
  const bool point = annotation.phase.empty();
  if (point && annotation.label.empty() && !open_labels_.empty()) annotation.label = open_labels_.back();
  if (!annotation.label.empty()) payload["label"] = mask_.text(annotation.label);
  if (!point) payload["phase"] = annotation.phase;
  if (!annotation.step_id.empty())
    payload["step"] = annotation.step_id;
  else if (point && !step_ids_.empty())
    payload["step"] = step_ids_.back();

  archive::Event event;
  event.t = now();
  event.kind = "annotation";
  if (annotation.target && annotation.target->frame) {
    const auto frame = annotation.target->frame;
    event.target = frame->tab().target();
    Json target = {{"frame", frame->id()}, {"document", frame->document().value()}};
    if (!annotation.target->ref.empty()) target["ref"] = annotation.target->ref;
    const Deadline deadline = Deadline::in(std::chrono::seconds(1));
    Json of = {{"id", annotation.target->element}};
    auto described = co_await frame->page("describe", of, deadline);
    if (described && json_member(*described, "box").is_object()) {
      const Json& box = json_member(*described, "box");
      FrameTransform place;
      if (frame->parent()) {
        auto transform = co_await frame_transform(*frame, deadline);
        if (transform) place = *transform;
      }
      const Box main = place.to_main(Box{json_number(box, "x"), json_number(box, "y"),
                                         json_number(box, "width"), json_number(box, "height")});
      target["box"] = Json{{"x", main.x}, {"y", main.y}, {"width", main.width}, {"height", main.height}};
    }
    if (records_dom() && !over_) {
      auto node = co_await frame->page("recorderNode", of, deadline);
      if (node && json_int(*node, "node", -1) > 0) target["node"] = json_int(*node, "node");
    }
    payload["target"] = std::move(target);
  }
  if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  event.payload = std::move(payload);
  auto done = co_await stored(std::move(event));
  if (!done) co_return std::move(done).error();
  co_return id;
}

void RecordingCore::secret_registered() {
  // From here on it is masked; what was written before is said to be unmasked up to now.
  add(archive::ManifestEntry{"unmasked_until", now().us});
  tell_secrets();
}

Task<Recording::Ended> RecordingCore::end(std::string reason, Deadline pages) {
  using std::chrono::milliseconds;
  const auto self = shared_from_this();
  if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  co_await flush_recorders(pages.at_most(milliseconds(200)).left());
  if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  if (records_dom()) {
    auto settled = co_await session_->observers().bodies_settled(pages.at_most(milliseconds(200)));
    (void)settled;  // what has not come by now is said to be missing by its observer
    const auto loaded = [&self = *self] { return self.assets_loading_ == 0; };
    const Deadline patience = pages.at_most(milliseconds(500));
    const bool all = co_await assets_loaded_.wait_for(loaded, patience);
    if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
    if (!all) {
      archive::Gap gap;
      gap.from = gap.to.emplace(now());
      gap.reason = "asset-missing";
      gap.detail =
          "stylesheets, images or fonts loaded before the recording began had not all been read when it "
          "ended";
      add(std::move(gap));
    }
    co_await each_frame("recorderStop", pages.at_most(milliseconds(100)).left());
    if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
    for (const auto script : scripts_) session_->remove_script(script);
    for (const auto& tab : session_->tabs())
      if (!tab->closed()) session_->observers().stop_screencast(*tab);
    pictures_->end();
  }
  Recording::Ended out = close();
  auto done = co_await sealed(std::move(reason));
  if (!done) co_return std::move(done).error();
  if (!done->report) co_return std::move(done->report).error();
  out.yaml = std::move(done->yaml);
  out.warning = std::move(done->warning);
  if (options_.tier) out.replay = *std::move(done->report);
  co_return out;
}

Recording::Ended RecordingCore::close() {
  subscription_.reset();
  want_.reset();
  const Time ended = now();
  for (const auto& tab : session_->tabs())
    for (const auto& frame : tab->frames())
      if (frame->document()) store(archive::DocumentEnd{frame->document(), ended, "recording-ended"});
  streams_.settle_all();

  Recording::Ended out;
  out.name = options_.flow_name;
  out.step_count = step_count();
  over_ = true;
  return out;
}

void RecordingCore::abandon(const std::string& reason) {
  if (over_) return;
  pictures_->end();
  (void)close();
  const Sealed done = seal(*writer_, options_.make_artifacts, session_->secrets(), late_, now(), reason);
  if (!done.report)
    log_error("the recording {} could not be sealed: {}", options_.flow_name, done.report.error().message());
}

RecordingCore::Sealed RecordingCore::seal(archive::Writer& writer, const MakeArtifacts& make,
                                          const Secrets& secrets, const LateEvents& late, Time ended,
                                          const std::string& reason) {
  Sealed out{archive::SealReport(), {}, {}};
  if (make) {
    auto reader = writer.read();
    auto made =
        reader ? make(**reader, secrets, late) : Result<std::vector<archive::Artifact>>(reader.error());
    if (!made) {
      out.warning = "No flow could be made of the recording: " + made.error().message();
      log_warning("{}", out.warning);
    } else {
      for (auto& artifact : *made) {
        if (artifact.name == "flow.yaml") out.yaml = artifact.bytes;
        writer.add(std::move(artifact));
      }
    }
  }
  out.report = writer.seal(ended, reason);
  return out;
}

namespace {

/// What a thread of its own answers to a coroutine of the engine's.
template <class T>
struct Outcome {
  explicit Outcome(asio::any_io_executor executor) : signal(executor) {}
  Signal signal;
  std::optional<T> answer;
};

}  // namespace

Task<RecordingCore::Sealed> RecordingCore::sealed(std::string reason) {
  const auto executor = session_->executor();
  const auto wait = std::make_shared<Outcome<Sealed>>(executor);
  const Time ended = now();
  // It blocks for up to a second: other sessions go on meanwhile.
  // Joined also when this coroutine is unwound: the writer outlives its thread.
  std::jthread thread([writer = writer_.get(), make = options_.make_artifacts, secrets = session_->secrets(),
                       late = late_, wait, executor, ended, reason = std::move(reason)] {
    Sealed done = seal(*writer, make, secrets, late, ended, reason);
    asio::post(executor, [wait, done = std::move(done)] {
      wait->answer = done;
      wait->signal.notify();
    });
  });
  // Trivially copyable: g++ 12 destroys the captures of a temporary in a co_await expression twice.
  const auto ready = [waiting = wait.get()] { return waiting->answer.has_value(); };
  (void)co_await wait->signal.wait_for(ready, Deadline::in(std::chrono::seconds(60)));
  thread.join();
  if (!wait->answer)
    co_return Error{Code::timeout, "The archive could not be sealed in time", "", "commit-timeout"};
  co_return *std::move(wait->answer);
}

Task<bool> RecordingCore::read(std::function<Status(archive::Reader&, const LateEvents&)> work) {
  const auto self = shared_from_this();
  if (over_) co_return Error{Code::gone, "The recording has ended", "", "recording-ended"};
  const auto executor = session_->executor();
  const auto wait = std::make_shared<Outcome<Status>>(executor);
  std::jthread thread([writer = writer_.get(), wait, executor, late = late_, work = std::move(work)] {
    auto reader = writer->read();
    Status done = reader ? work(**reader, late) : Status(reader.error());
    asio::post(executor, [wait, done = std::move(done)] {
      wait->answer = done;
      wait->signal.notify();
    });
  });
  const auto ready = [waiting = wait.get()] { return waiting->answer.has_value(); };
  (void)co_await wait->signal.wait_for(ready, Deadline::in(std::chrono::seconds(60)));
  thread.join();
  if (!wait->answer)
    co_return Error{Code::timeout, "The recording could not be read in time", "", "commit-timeout"};
  if (!*wait->answer) co_return wait->answer->error();
  co_return true;
}

}  // namespace browx::capture
