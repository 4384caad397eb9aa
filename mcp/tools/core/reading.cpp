#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "base/url.hpp"
#include "capture/reads.hpp"
#include "capture/rings.hpp"
#include "mcp/tools/core/handlers.hpp"

namespace browx::mcp::core {
namespace {

/// A picture of more bytes would not leave room in an answer of 1 MiB once it is base64.
constexpr std::size_t kPictureLimit = 700u << 10;

bool is_ref(const std::string& text) {
  return text.size() > 1 && text[0] == 'e' && text.find_first_not_of("0123456789", 1) == std::string::npos;
}

Status write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (file) return {};
  return Error{Code::unavailable, fmt::format("Cannot write {}", path.string()),
               "Check the disk and the permissions."};
}

std::string snapshot_text(const capture::Snapshot& snapshot, const std::vector<std::string>& warnings) {
  std::string text = fmt::format("{}\n{}\n", snapshot.title, snapshot.url);
  for (const std::string& warning : warnings) text += "! " + warning + "\n";
  text += "\n" + snapshot.tree;
  if (snapshot.more) {
    if (!text.ends_with('\n')) text += '\n';
    text += fmt::format("… {} more: snapshot with after {}\n", snapshot.more->second, snapshot.more->first);
  }
  return text;
}

}  // namespace

Task<Answer> snapshot(Call& call) {
  capture::SnapshotOptions options;
  if (const auto scope = call.args.optional_text("scope")) {
    capture::Address address;
    if (is_ref(*scope))
      address.ref = *scope;
    else if (call.session->refs().names().contains(*scope))
      address.named = *scope;
    else
      address.selector = *scope;
    options.scope = std::move(address);
  }
  options.max_nodes = static_cast<int>(call.args.integer("maxNodes", 0));
  options.omit = call.args.texts("omit");
  options.frame = call.args.optional_text("frame");
  options.after = call.args.optional_text("after");
  auto got = co_await capture::snapshot(*call.session, *call.tab, std::move(options), call.deadline);
  if (!got) co_return std::move(got).error();
  Json object = {{"url", got->url},
                 {"title", got->title},
                 {"tree", got->tree},
                 {"stats", got->stats},
                 {"warnings", got->warnings}};
  if (got->more) object["more"] = Json{{"after", got->more->first}, {"remaining", got->more->second}};
  Answer answer = succeed(std::move(object));
  std::vector<std::string> warnings = got->warnings;
  warnings.insert(warnings.end(), call.warnings.begin(), call.warnings.end());
  answer.text = snapshot_text(*got, warnings);
  co_return answer;
}

Task<Answer> screenshot(Call& call) {
  capture::ScreenshotOptions options;
  options.full_page = call.args.flag("fullPage");
  options.target = read_target(call.args);
  options.format = call.args.text("format", "png");
  options.quality = static_cast<int>(call.args.integer("quality", 80));
  options.scale = call.args.number("scale", 1);
  std::optional<std::filesystem::path> path;
  if (const auto wanted = call.args.optional_text("path")) {
    if (!call.options.engine.workspace)
      co_return Error{Code::unavailable, call.options.workspace_problem, "", "workspace-unavailable"};
    auto allowed = call.options.engine.workspace->path_for_writing(*wanted);
    if (!allowed) co_return std::move(allowed).error();
    path = *std::move(allowed);
  }
  auto taken = co_await capture::screenshot(*call.session, *call.tab, options, call.deadline);
  if (!taken) co_return std::move(taken).error();
  if (path) BROWX_CO_TRY(write_file(*path, taken->bytes));

  Json object = {{"width", taken->width},
                 {"height", taken->height},
                 {"mimeType", taken->mime},
                 {"bytes", taken->bytes.size()}};
  if (path) object["path"] = path->lexically_relative(call.options.engine.workspace->root()).string();
  if (!taken->warnings.empty()) object["warnings"] = taken->warnings;
  Answer answer = succeed(std::move(object));
  // Too big for an answer: taken again, smaller, for showing; the file keeps the first.
  for (int tries = 0; taken->bytes.size() > kPictureLimit && tries < 5; ++tries) {
    options.format = "jpeg";
    options.quality = 60;
    if (tries > 0) options.scale /= 2;
    taken = co_await capture::screenshot(*call.session, *call.tab, options, call.deadline);
    if (!taken) co_return std::move(taken).error();
    if (taken->bytes.size() <= kPictureLimit)
      call.warnings.push_back(
          fmt::format("The picture was too big for an answer and is shown as a JPEG of {} × {} pixels{}",
                      taken->width, taken->height, path ? "" : "; give a path to keep the original"));
  }
  answer.pictures.push_back({std::move(taken->bytes), taken->mime});
  co_return answer;
}

Task<Answer> console_read(Call& call) {
  const auto limit = static_cast<std::size_t>(call.args.integer("limit", 50));
  const auto tab = call.args.optional_integer("tab");
  std::vector<const capture::ConsoleLine*> lines;
  for (const auto& line : call.session->rings().console())
    if (!tab || line.tab == *tab) lines.push_back(&line);
  Json messages = Json::array();
  for (std::size_t i = lines.size() > limit ? lines.size() - limit : 0; i < lines.size(); ++i) {
    const capture::ConsoleLine& line = *lines[i];
    Json message = {{"level", line.level}, {"text", line.text}, {"t", line.t.ms()}, {"tab", line.tab}};
    if (!line.url.empty()) message["url"] = redact_url(line.url);
    if (line.exception) message["exception"] = true;
    messages.push_back(std::move(message));
  }
  Json object = {{"total", lines.size()}, {"messages", std::move(messages)}};
  co_return succeed(std::move(object));
}

Task<Answer> network_read(Call& call) {
  const auto limit = static_cast<std::size_t>(call.args.integer("limit", 50));
  const auto& ring = call.session->rings().requests();
  const std::size_t first = ring.size() > limit ? ring.size() - limit : 0;
  Json requests = Json::array();
  std::map<std::string, int> by_type;
  int failed = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const capture::RequestRecord& record = ring[i];
    std::string type = record.type;
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
    ++by_type[type.empty() ? "other" : type];
    const bool bad = record.failed || record.status >= 400;
    failed += bad;
    if (i < first) continue;
    Json request = {{"requestId", fmt::format("r{}", record.id.value())},
                    {"method", record.method},
                    {"url", record.url},
                    {"status", record.status},
                    {"type", record.type},
                    {"ms", record.ms}};
    if (!record.finished) request["pending"] = true;
    if (!record.error.empty()) request["error"] = record.error;
    requests.push_back(std::move(request));
  }
  Json summary = {{"total", ring.size()}, {"byType", by_type}, {"failed", failed}};
  Json object = {{"summary", std::move(summary)}, {"requests", std::move(requests)}};
  co_return succeed(std::move(object));
}

}  // namespace browx::mcp::core
