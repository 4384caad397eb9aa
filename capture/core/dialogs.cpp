// Alerts, confirms, prompts and beforeunload questions: answered by policy, told to whoever asks.
#include <fmt/format.h>

#include "base/log.hpp"
#include "capture/core/session_impl.hpp"
#include "capture/core/tab_impl.hpp"

namespace browx::capture {

std::optional<Error> TabImpl::dialog_obstacle() const {
  if (!dialog_ || !dialog_->stays) return std::nullopt;
  return Error{Code::conflict,
               fmt::format("A dialog is open on tab {}: {} \"{}\"", id_, dialog_->dialog.type,
                           dialog_->dialog.message),
               "Answer it with browser_handle_dialog; the page stands still until then", "dialog-open"};
}

std::vector<Dialog> TabImpl::pending_dialogs() const {
  std::vector<Dialog> out = told_;
  if (dialog_) out.push_back(dialog_->dialog);
  return out;
}

std::vector<Dialog> TabImpl::take_dialogs() { return std::exchange(told_, {}); }

void TabImpl::publish_dialog(const Dialog& dialog, const char* phase) const {
  archive::Event event;
  event.t = session_.journal().now();
  event.target = target_;
  event.kind = "dialog";
  event.payload = {{"phase", phase}, {"type", dialog.type}, {"message", dialog.message}, {"url", dialog.url}};
  if (!dialog.default_prompt.empty()) event.payload["defaultPrompt"] = dialog.default_prompt;
  if (!dialog.open) {
    event.payload["accepted"] = dialog.accepted;
    if (!dialog.answer.empty()) event.payload["answer"] = dialog.answer;
  }
  session_.journal().publish(event);
}

void TabImpl::dialog_opening(const AttachedTarget& target, const Json& params) {
  if (dialog_) dialog_closed(Json::object());  // the browser shows one at a time: the former is over
  OpenDialog opened;
  opened.cdp_session = target.session;
  opened.dialog.type = json_string(params, "type");
  opened.dialog.message = json_string(params, "message");
  opened.dialog.default_prompt = json_string(params, "defaultPrompt");
  opened.dialog.url = json_string(params, "url");
  opened.dialog.opened = session_.journal().now();
  const DialogMode mode = session_.dialog_mode();
  opened.raised = mode == DialogMode::raise;
  opened.stays = opened.raised && vocabulary_ == Vocabulary::nexus;
  dialog_ = opened;
  publish_dialog(opened.dialog, "opened");
  if (opened.raised) ++raised_dialogs_;

  if (opened.stays) {
    const Error why = *dialog_obstacle();
    for (const auto& [id, one] : frames_) one->interrupt(why);
    navigating_.fail(why);
    return;
  }
  const bool accept = mode == DialogMode::accept || mode == DialogMode::accept_prompt_with;
  // Counted before the answer leaves: the navigation that it stops may be reported before the dialog's end.
  if (opened.dialog.type == "beforeunload" && !accept) ++refused_unloads_;
  Json answer = {{"accept", accept}};
  if (accept && opened.dialog.type == "prompt")
    answer["promptText"] = mode == DialogMode::accept ? opened.dialog.default_prompt : session_.dialog_text();
  const std::weak_ptr<SessionImpl> weak = session_.weak_from_this();
  connection().post(target.session, "Page.handleJavaScriptDialog", std::move(answer),
                    [weak, this](Result<std::string> done) {
                      const auto held = weak.lock();
                      if (!held || done || !dialog_) return;
                      log_warning("tab {}: the dialog could not be answered: {}", id_, done.error().what);
                      if (done.error().code != Code::not_found) return;
                      dialog_closed(Json::object());  // somebody else closed it
                      changed_.notify();
                    });
}

void TabImpl::dialog_closed(const Json& params) {
  if (!dialog_) return;
  OpenDialog closed = *std::exchange(dialog_, std::nullopt);
  closed.dialog.open = false;
  closed.dialog.accepted = json_bool(params, "result");
  if (closed.dialog.type == "prompt") closed.dialog.answer = json_string(params, "userInput");
  if (closed.dialog.type == "beforeunload" && !closed.dialog.accepted && closed.stays) ++refused_unloads_;
  publish_dialog(closed.dialog, "closed");
  told_.push_back(std::move(closed.dialog));
  constexpr std::size_t kKept = 100;  // of a page that asks for ever
  if (told_.size() > kKept) told_.erase(told_.begin());
}

Task<bool> TabImpl::answer_dialog(bool accept, std::string prompt_text, Deadline deadline) {
  const auto hold = session_.hold();
  if (!dialog_)
    co_return Error{Code::not_found, fmt::format("No dialog is open on tab {}", id_), "", "no-dialog"};
  const bool prompt = dialog_->dialog.type == "prompt";
  Json params = {{"accept", accept}};
  if (accept && prompt) params["promptText"] = prompt_text;
  auto handled =
      co_await connection().call(dialog_->cdp_session, "Page.handleJavaScriptDialog", params, deadline);
  if (!handled && handled.error().code == Code::not_found) {
    dialog_closed(Json::object());
    co_return Error{Code::not_found, fmt::format("No dialog is open on tab {}", id_), "It was closed by hand",
                    "no-dialog"};
  }
  if (!handled) co_return std::move(handled).error();
  co_return true;
}

}  // namespace browx::capture
