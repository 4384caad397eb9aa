#include "mcp/options.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace browx::mcp {
namespace {

using Strings = std::vector<std::string>;

std::string join(const Strings& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

Strings split_list(std::string_view text) {
  Strings items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

/// What a setting says, and where it says so.
struct Given {
  std::string value;
  std::string source;  // "--headless" or "BROWX_HEADLESS"
};

class Settings {
 public:
  Settings(const std::map<std::string, std::string>& flags,
           const std::function<std::optional<std::string>(std::string_view)>& variable)
      : flags_(flags), variable_(variable) {}

  std::optional<Given> get(std::string_view flag) const {
    for (const Setting& setting : settings()) {
      if (setting.flag != flag) continue;
      if (const auto found = flags_.find(std::string(flag)); found != flags_.end())
        return Given{found->second, "--" + std::string(flag)};
      if (auto value = variable_(setting.variable); value && !value->empty())
        return Given{*value, std::string(setting.variable)};
    }
    return std::nullopt;
  }

 private:
  const std::map<std::string, std::string>& flags_;
  const std::function<std::optional<std::string>(std::string_view)>& variable_;
};

Error refused(const Given& given, std::string_view what, const std::string& valid) {
  return Error{Code::invalid_argument, fmt::format("{}: {} \"{}\"", given.source, what, given.value),
               "Valid: " + valid};
}

Result<std::set<std::string>> read_names(const std::optional<Given>& given, const Strings& valid,
                                         const Strings& fallback, std::string_view noun) {
  if (!given) return std::set<std::string>(fallback.begin(), fallback.end());
  std::set<std::string> names;
  for (const std::string& name : split_list(given->value)) {
    if (std::find(valid.begin(), valid.end(), name) == valid.end())
      return refused(Given{name, given->source}, fmt::format("unknown {}", noun), join(valid));
    names.insert(name);
  }
  return names;
}

Result<bool> read_switch(const Given& given) {
  static const Strings yes{"1", "true", "yes", "on"}, no{"0", "false", "no", "off"};
  if (std::find(yes.begin(), yes.end(), given.value) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), given.value) != no.end()) return false;
  return refused(given, "not a switch", "1, 0, true, false");
}

Result<std::optional<archive::Tier>> read_tier(const std::optional<Given>& given) {
  if (!given) return std::optional<archive::Tier>();
  if (given->value == "actions") return std::optional(archive::Tier::actions);
  if (given->value == "replay") return std::optional(archive::Tier::replay);
  if (given->value == "reexecutable") return std::optional(archive::Tier::reexecutable);
  return refused(*given, "unknown tier", "actions, replay, reexecutable");
}

/// Folders that exist, by their real paths.
Result<std::vector<std::filesystem::path>> read_folders(const std::optional<Given>& given) {
  std::vector<std::filesystem::path> folders;
  if (!given) return folders;
  for (const std::string& name : split_list(given->value)) {
    const std::filesystem::path path(name);
    std::error_code error;
    if (path.is_relative())
      return refused(Given{name, given->source}, "not an absolute path", "folders such as /srv/archives");
    auto real = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_directory(real, error))
      return refused(Given{name, given->source}, "no folder", "folders that exist");
    folders.push_back(std::move(real));
  }
  return folders;
}

/// A folder that is made when it is needed.
Result<std::filesystem::path> read_new_folder(const std::optional<Given>& given) {
  if (!given) return std::filesystem::path();
  const std::filesystem::path path(given->value);
  std::error_code error;
  if (path.is_relative()) return refused(*given, "not an absolute path", "a folder such as /srv/pictures");
  auto real = std::filesystem::weakly_canonical(path, error);
  const auto status = std::filesystem::status(real, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    return refused(*given, "no folder", "a folder, there or not yet");
  return real;
}

/// The tools of a recording session, for clients with little room.
const Strings& lean_tools() {
  static const Strings tools{
      "open_session",   "close_session", "navigate", "go_back",         "reload",          "snapshot",
      "find",           "click",         "fill",     "fill_form",       "press",           "hover",
      "select",         "scroll",        "wait_for", "screenshot",      "verify_visible",  "verify_text",
      "verify_value",   "verify_count",  "batch",    "start_recording", "record_annotate", "end_recording",
      "register_secret"};
  return tools;
}

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all{
      {"BROWX_CHROMIUM", "chromium", "Browser to start (default: chromium or google-chrome on PATH)"},
      {"BROWX_HEADLESS", "headless", "1: without a window (default without a display), 0: with one"},
      {"BROWX_ATTACH_CDP", "attach-cdp",
       "ws:// or http:// debugging endpoint of a running browser to use instead"},
      {"BROWX_CAPABILITIES", "capabilities",
       "What tools may do, comma list (default read,navigation,action,human)"},
      {"BROWX_TOOLSETS", "toolsets", "Which tools are listed, comma list (default all)"},
      {"BROWX_RECORD", "record", "Record every session: actions, replay or reexecutable"},
      {"BROWX_ALLOWED_ORIGINS", "allowed-origins",
       "Only these origins, comma list of scheme://host[:port], * in host"},
      {"BROWX_BLOCKED_ORIGINS", "blocked-origins", "Never these origins; wins over allowed"},
      {"BROWX_TEST_ATTRIBUTES", "test-attributes", "Attributes that hold test ids, comma list, best first"},
      {"BROWX_WORKSPACE", "workspace", "The folder that is written to (default ~/.browx)"},
      {"BROWX_ALLOW_FILE", "allow-file", "1: file: URLs may be opened"},
      {"BROWX_ARCHIVE_DIRS", "archive-dirs",
       "Folders outside the workspace that archives may be read from, comma list"},
      {"BROWX_UPLOAD_DIRS", "upload-dirs",
       "Folders outside the workspace that files may be uploaded from, comma list"},
      {"MCP_SCREENSHOT_DIR", "screenshot-dir",
       "Where take_screenshot writes (default browx-screenshots in the temporary folder)"},
  };
  return all;
}

const std::vector<std::string>& capability_names() {
  static const Strings names{"read",   "navigation", "action",       "human",   "eval",
                             "replay", "secrets",    "network-body", "file-io", "byob-attach"};
  return names;
}

const std::vector<std::string>& toolset_names() {
  static const Strings names{"lean", "core", "nexus", "attach", "selenium", "archive"};
  return names;
}

bool Options::serves(std::string_view tool, std::string_view dialect) const {
  if (toolsets.contains(std::string(dialect))) return true;
  const Strings& lean = lean_tools();
  return toolsets.contains("lean") && dialect == "core" &&
         std::find(lean.begin(), lean.end(), tool) != lean.end();
}

Result<std::filesystem::path> recordings_folder(const Options& options, const std::string& name) {
  if (!options.engine.workspace)
    return Error{Code::unavailable, options.workspace_problem, "", "workspace-unavailable"};
  auto folder = options.engine.workspace->path_for_writing(name);
  if (!folder) return folder;
  std::error_code error;
  std::filesystem::create_directories(*folder, error);
  if (error)
    return Error{Code::unavailable, fmt::format("{} cannot be made: {}", folder->string(), error.message()),
                 "Set BROWX_WORKSPACE to a folder that can be written.", "workspace-unavailable"};
  return folder;
}

Result<Options> read_options(const std::map<std::string, std::string>& flags,
                             const std::function<std::optional<std::string>(std::string_view)>& variable) {
  const Settings given(flags, variable);
  Options options;
  capture::EngineOptions& engine = options.engine;

  if (const auto chromium = given.get("chromium")) engine.chromium = chromium->value;
  if (const auto attach = given.get("attach-cdp")) {
    const std::string& url = attach->value;
    if (!url.starts_with("ws://") && !url.starts_with("http://"))
      return refused(*attach, "not a debugging endpoint",
                     "ws://host:port/devtools/browser/…, http://host:port");
    engine.attach_cdp = url;
  }
  engine.headless = !variable("DISPLAY") && !variable("WAYLAND_DISPLAY");
  if (const auto headless = given.get("headless")) {
    Result<bool> on = read_switch(*headless);
    if (!on) return std::move(on).error();
    engine.headless = *on;
  }
  if (const auto allow_file = given.get("allow-file")) {
    Result<bool> on = read_switch(*allow_file);
    if (!on) return std::move(on).error();
    engine.allow_file = *on;
  }

  auto capabilities = read_names(given.get("capabilities"), capability_names(),
                                 {"read", "navigation", "action", "human"}, "capability");
  if (!capabilities) return std::move(capabilities).error();
  options.capabilities = *std::move(capabilities);
  auto toolsets = read_names(given.get("toolsets"), toolset_names(), toolset_names(), "toolset");
  if (!toolsets) return std::move(toolsets).error();
  options.toolsets = *std::move(toolsets);

  auto record = read_tier(given.get("record"));
  if (!record) return std::move(record).error();
  engine.record = *record;
  if (engine.record) options.capabilities.insert("replay");

  const auto allowed = given.get("allowed-origins"), blocked = given.get("blocked-origins");
  auto origins = OriginPolicy::parse(allowed ? allowed->value : "", blocked ? blocked->value : "");
  if (!origins) {
    Error error = std::move(origins).error();
    error.what = (allowed && blocked ? allowed->source + " or " + blocked->source
                                     : (allowed ? allowed : blocked)->source) +
                 ": " + error.what;
    return error;
  }
  engine.origins = *std::move(origins);
  if (const auto attributes = given.get("test-attributes")) {
    engine.test_attributes = split_list(attributes->value);
    const auto odd = std::find_if(
        engine.test_attributes.begin(), engine.test_attributes.end(),
        [](const std::string& name) { return name.find_first_of(" \"'<>=/[]") != std::string::npos; });
    if (engine.test_attributes.empty() || odd != engine.test_attributes.end())
      return refused(*attributes, "not a list of attribute names", "for example data-testid,data-cy");
  }

  auto archives = read_folders(given.get("archive-dirs"));
  if (!archives) return std::move(archives).error();
  options.archive_dirs = *std::move(archives);
  auto uploads = read_folders(given.get("upload-dirs"));
  if (!uploads) return std::move(uploads).error();
  options.upload_dirs = *std::move(uploads);
  auto pictures = read_new_folder(given.get("screenshot-dir"));
  if (!pictures) return std::move(pictures).error();
  options.screenshot_dir = *std::move(pictures);

  const auto root = given.get("workspace");
  auto workspace = Workspace::open(root ? std::filesystem::path(root->value) : Workspace::default_root());
  if (workspace) {
    engine.workspace = *std::move(workspace);
  } else {
    options.workspace_problem = workspace.error().message();
    options.notices.push_back(options.workspace_problem + " Until then nothing can be recorded or saved.");
  }
  if (options.may("eval"))
    options.notices.push_back(
        "WARNING: the capability eval is on: tools may run any JavaScript in the pages they visit");
  return options;
}

}  // namespace browx::mcp
