#include "capture/observe/console.hpp"

#include "capture/observe/console_text.hpp"

namespace browx::capture {
namespace {

constexpr std::size_t kMaxText = 64 << 10;

/// CDP's twenty console types as the five levels that people filter by.
std::string level_of(const std::string& type) {
  if (type == "warning" || type == "error" || type == "info" || type == "debug") return type;
  if (type == "assert") return "error";
  return "log";
}

std::string bounded(std::string text) {
  if (text.size() <= kMaxText) return text;
  const std::size_t whole = text.size();
  std::size_t cut = kMaxText;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  text.resize(cut);
  return text + "… (" + std::to_string(whole) + " bytes)";
}

void set_place(Json& payload, const std::string& url, const Json& line, const Json& column) {
  if (!url.empty()) payload["url"] = url;
  if (line.is_number()) payload["line"] = line.get<std::int64_t>() + 1;
  if (column.is_number()) payload["column"] = column.get<std::int64_t>() + 1;
}

}  // namespace

Console::Console(Hub& hub) : hub_(hub) {
  hub.on_attach([this](const std::string& session, const std::string& type) {
    types_[session] = type;
    hub_.host().post(session, "Runtime.enable", Json::object());
    hub_.host().post(session, "Log.enable", Json::object());
  });
  hub.on_gone([this](const std::string& session) {
    types_.erase(session);
    std::erase_if(contexts_, [&](const auto& entry) { return entry.first.first == session; });
  });
  hub.on("Runtime.executionContextCreated", [this](const Incoming& e) {
    const Json& context = json_member(e.params, "context");
    const std::string frame = json_string(json_member(context, "auxData"), "frameId");
    if (!frame.empty()) contexts_[{e.session, json_int(context, "id")}] = frame;
  });
  hub.on("Runtime.executionContextsCleared", [this](const Incoming& e) {
    std::erase_if(contexts_, [&](const auto& entry) { return entry.first.first == e.session; });
  });
  hub.on("Runtime.executionContextDestroyed", [this](const Incoming& e) {
    contexts_.erase({e.session, json_int(e.params, "executionContextId")});
  });
  hub.on("Runtime.consoleAPICalled", [this](const Incoming& e) { called(e); });
  hub.on("Runtime.exceptionThrown", [this](const Incoming& e) { thrown(e); });
  hub.on("Log.entryAdded", [this](const Incoming& e) { logged(e); });
}

std::string Console::frame_of(const std::string& session, std::int64_t context) const {
  const auto found = contexts_.find({session, context});
  return found == contexts_.end() ? "" : found->second;
}

/// A service worker can have two CDP sessions, which tell the same line with the same timestamp.
bool Console::told_before(const Incoming& event, const std::string& what) {
  const auto type = types_.find(event.session);
  if (type == types_.end() || (type->second != "service_worker" && type->second != "shared_worker"))
    return false;
  for (const auto& [session, line] : recent_)
    if (session != event.session && line == what) return true;
  recent_.emplace_back(event.session, what);
  if (recent_.size() > 64) recent_.pop_front();
  return false;
}

void Console::called(const Incoming& event) {
  const Json& p = event.params;
  const std::string type = json_string(p, "type");
  archive::Event row;
  row.kind = "console";
  row.t = hub_.clock().wall(json_number(p, "timestamp"), event.received);
  row.target = hub_.host().target_of(event.session);
  std::string text = console_text(json_member(p, "args"));
  if (type == "clear") text = "console.clear()";
  if (type == "assert") text = "Assertion failed: " + text;
  if (told_before(event, std::to_string(json_number(p, "timestamp")) + text)) return;
  row.payload["level"] = level_of(type);
  row.payload["text"] = bounded(std::move(text));
  row.payload["source"] = "console-api";
  if (level_of(type) != type && type != "log") row.payload["type"] = type;
  const Json& stack = json_member(p, "stackTrace");
  const Json& frames = json_member(stack, "callFrames");
  if (frames.is_array() && !frames.empty()) {
    const Json& top = frames[0];
    set_place(row.payload, json_string(top, "url"), json_member(top, "lineNumber"),
              json_member(top, "columnNumber"));
    if (level_of(type) == "error" || level_of(type) == "warning" || type == "trace")
      row.payload["stack"] = bounded(stack_text(stack));
  }
  const std::string frame = frame_of(event.session, json_int(p, "executionContextId"));
  if (!frame.empty()) row.payload["frame"] = frame;
  hub_.host().publish(row);
}

void Console::thrown(const Incoming& event) {
  const Json& details = json_member(event.params, "exceptionDetails");
  archive::Event row;
  row.kind = "exception";
  row.t = hub_.clock().wall(json_number(event.params, "timestamp"), event.received);
  row.target = hub_.host().target_of(event.session);
  const std::string text = exception_text(details);
  if (told_before(event, std::to_string(json_number(event.params, "timestamp")) + text)) return;
  row.payload["text"] = bounded(text);
  std::string stack = stack_text(json_member(details, "stackTrace"));
  if (stack.empty()) {  // a promise rejected with an Error has its stack in the description only
    const std::string description = json_string(json_member(details, "exception"), "description");
    const auto frames = description.find("\n    at ");
    if (frames != std::string::npos) stack = description.substr(frames + 1);
  }
  if (!stack.empty()) row.payload["stack"] = bounded(std::move(stack));
  set_place(row.payload, json_string(details, "url"), json_member(details, "lineNumber"),
            json_member(details, "columnNumber"));
  const std::string frame = frame_of(event.session, json_int(details, "executionContextId"));
  if (!frame.empty()) row.payload["frame"] = frame;
  hub_.host().publish(row);
}

void Console::logged(const Incoming& event) {
  const Json& entry = json_member(event.params, "entry");
  const std::string source = json_string(entry, "source");
  if (source == "worker") return;  // the worker's own session tells it
  archive::Event row;
  row.kind = "console";
  row.t = hub_.clock().wall(json_number(entry, "timestamp"), event.received);
  row.target = hub_.host().target_of(event.session);
  const std::string level = json_string(entry, "level");
  std::string text = json_string(entry, "text");
  if (told_before(event, std::to_string(json_number(entry, "timestamp")) + text)) return;
  row.payload["level"] = level == "verbose" ? "debug" : level;
  row.payload["text"] = bounded(std::move(text));
  row.payload["source"] = source;
  set_place(row.payload, json_string(entry, "url"), json_member(entry, "lineNumber"), Json());
  hub_.host().publish(row);
}

}  // namespace browx::capture
