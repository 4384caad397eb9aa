#include "capture/observe/downloads.hpp"

#include <fcntl.h>
#include <stdio.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/log.hpp"
#include "base/url.hpp"

namespace browx::capture {

Result<std::filesystem::path> move_to_suggested(const std::filesystem::path& file,
                                                std::string_view suggested) {
  suggested.remove_prefix(suggested.find_last_of("/\\") + 1);  // npos + 1 is 0
  // The extension decides what opens the file: it stays as it is where it is plain.
  const auto dot = suggested.rfind('.');
  std::string extension;
  if (dot != std::string_view::npos && dot > 0 && suggested.size() - dot <= 12 &&
      std::all_of(suggested.begin() + static_cast<std::ptrdiff_t>(dot) + 1, suggested.end(),
                  [](unsigned char c) { return c < 0x80 && std::isalnum(c); })) {
    extension = suggested.substr(dot);
    suggested.remove_suffix(suggested.size() - dot);
  }
  const std::string name = safe_file_name(suggested);
  for (int n = 1; n <= 10000; ++n) {
    const auto to =
        file.parent_path() / (n == 1 ? name + extension : name + "-" + std::to_string(n) + extension);
    if (::renameat2(AT_FDCWD, file.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return to;
    if (errno != EEXIST) break;
  }
  return Error{Code::unavailable,
               "cannot move the download to " + name + extension + ": " + std::strerror(errno),
               "Look at the workspace's downloads folder."};
}

Downloads::Downloads(Hub& hub, Network& network, Options options)
    : hub_(hub), network_(network), options_(std::move(options)) {
  if (options_.workspace && !options_.attached) {
    const auto inside =
        options_.workspace->path_for_writing("downloads/" + safe_file_name(options_.session) + "/download");
    if (inside)
      folder_ = inside->parent_path();
    else
      log_warning("downloads are denied: {}", inside.error().message());
  }
  hub.on_attach([this](const std::string& session, const std::string& type) {
    if (type == "page" && !configured_) configure(session);
  });
  // The page's own event says whose download it is; the browser's tells of all sessions' and of the finished
  // file.
  hub.on("Page.downloadWillBegin", [this](const Incoming& e) { began(e); });
  hub.on("Browser.downloadProgress", [this](const Incoming& e) { progressed(e); });
}

void Downloads::configure(const std::string& cdp_session) {
  configured_ = true;
  hub_.host().call(cdp_session, "Target.getTargetInfo", Json::object(), [this](Result<Json> answer) {
    if (!answer) {
      configured_ = false;  // the page has gone; the next one asks again
      return;
    }
    set_behaviour(json_member(json_member(*answer, "targetInfo"), "browserContextId"));
  });
}

void Downloads::set_behaviour(Json context) {
  Json params = {{"behavior", options_.attached ? "default"
                              : folder_.empty() ? "deny"
                                                : "allowAndName"},
                 {"eventsEnabled", true}};
  if (!folder_.empty()) params["downloadPath"] = folder_.string();
  if (context.is_string()) params["browserContextId"] = context;
  hub_.host().call("", "Browser.setDownloadBehavior", std::move(params),
                   [this, context](Result<Json> answer) {
                     if (answer) return;
                     // The browser's default context does not always answer to its own id.
                     if (context.is_string())
                       set_behaviour(Json());
                     else
                       log_warning("downloads are not observed: {}", answer.error().message());
                   });
}

void Downloads::began(const Incoming& event) {
  Entry entry;
  entry.download.id = json_string(event.params, "guid");
  if (entry.download.id.empty()) return;
  for (const auto& known : entries_)
    if (known.download.id == entry.download.id) return;
  entry.download.url = json_string(event.params, "url");
  entry.download.suggested_filename = json_string(event.params, "suggestedFilename");
  entry.download.state = folder_.empty() && !options_.attached ? "denied" : "inProgress";
  entry.download.began = entry.download.changed = event.received;
  entry.target = hub_.host().target_of(event.session);
  const std::string frame = json_string(event.params, "frameId");
  entry.frame = frame;
  // A link with a `download` attribute loads past the Network domain: only this event tells that it was asked
  // for.
  if (!network_.navigates_to(entry.download.url)) {
    archive::Request row;
    row.id = entry.request = hub_.host().next_request();
    row.t = event.received;
    row.target = entry.target;
    row.document = hub_.host().document_of(event.session, frame);
    row.cdp_id = "download-" + entry.download.id;
    row.method = "GET";
    row.url = entry.download.url;
    row.resource_type = "Other";
    row.initiator = "download";
    if (!row.url.starts_with("data:") && !row.url.starts_with("blob:"))
      hub_.host().publish(row);
    else
      entry.request = RequestId{};
  }
  tell(entry);
  entries_.push_back(std::move(entry));
}

void Downloads::progressed(const Incoming& event) {
  const std::string id = json_string(event.params, "guid");
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.download.id == id; });
  if (entry == entries_.end()) return;
  Download& download = entry->download;
  download.bytes = json_int(event.params, "receivedBytes");
  download.changed = event.received;
  const std::string state = json_string(event.params, "state");
  if (state == "inProgress") return;
  if (download.state != "denied" && download.state != "inProgress") return;
  const bool completed = state == "completed";
  if (entry->request) {
    archive::RequestEnd end;
    end.request = entry->request;
    end.t = event.received;
    end.ok = completed;
    end.error = completed                    ? ""
                : download.state == "denied" ? "the download was denied: there is no workspace"
                                             : state;
    end.encoded_bytes = download.bytes;
    hub_.host().publish(end);
  }
  if (download.state == "denied") return;
  download.state = state;
  if (completed) keep(*entry, json_string(event.params, "filePath"));
  tell(*entry);
}

void Downloads::keep(Entry& entry, const std::string& reported) {
  if (folder_.empty()) return;
  const std::filesystem::path file = folder_ / entry.download.id;
  auto moved = move_to_suggested(file, entry.download.suggested_filename);
  if (moved) {
    entry.download.path = std::move(*moved);
    return;
  }
  log_warning("{} (the browser says {})", moved.error().message(), reported);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) entry.download.path = file;
}

void Downloads::tell(const Entry& entry) {
  const Download& download = entry.download;
  archive::Event row;
  row.t = download.changed;
  row.target = entry.target;
  row.kind = "download";
  row.payload = {{"id", download.id},
                 {"url", download.url},
                 {"suggestedFilename", download.suggested_filename},
                 {"state", download.state},
                 {"bytes", download.bytes}};
  if (download.path)
    row.payload["path"] = download.path->lexically_relative(options_.workspace->root()).generic_string();
  if (!entry.frame.empty()) row.payload["frame"] = entry.frame;
  if (download.state == "denied") row.payload["reason"] = "there is no workspace to keep it in";
  hub_.host().publish(row);
}

std::vector<Download> Downloads::since(Time from) const {
  std::vector<Download> out;
  for (const auto& entry : entries_)
    if (entry.download.changed >= from) out.push_back(entry.download);
  return out;
}

}  // namespace browx::capture
