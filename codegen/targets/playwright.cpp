// Playwright tests in TypeScript, laid out as prettier would with singleQuote and a printWidth of
// kPrintWidth.

#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"
#include "codegen/normalise.hpp"
#include "codegen/targets/generators.hpp"
#include "codegen/targets/spec_lines.hpp"
#include "codegen/targets/spec_steps.hpp"

namespace browx::codegen {
namespace {

void write_head_comment(const Flow& flow, SpecLines& lines) {
  lines.comment(fmt::format("Recorded at {} by browx {}.", iso_utc(flow.recorded_wall_ms), flow.browx));
  if (!flow.base_url.empty())
    lines.comment(fmt::format("Paths are of use.baseURL in the configuration; it was {}.", flow.base_url));
  if (!flow.partial.empty()) lines.comment("The recording is incomplete: " + flow.partial);
  for (const auto& name : flow.secrets)
    lines.comment(fmt::format("Needs the environment variable {}.", name));
}

void write_secrets(const Flow& flow, SpecLines& lines) {
  if (flow.secrets.empty()) return;
  std::vector<Code> names;
  for (const auto& name : flow.secrets) names.push_back(ts_raw(ts_string(name)));
  lines.blank();
  lines.comment("Values that were masked when this was recorded.");
  lines.statement("const secrets = ", ts_array(names));
  lines.open("for (const name of secrets) {");
  lines.raw("if (!process.env[name]) throw new Error(`Set the environment variable ${name}.`);");
  lines.close("}");
}

void write_origins(const SpecNeeds& needs, SpecLines& lines) {
  if (needs.origins.empty()) return;
  lines.blank();
  lines.comment("Other origins that the test goes to.");
  for (const auto& [origin, name] : needs.origins) {
    std::string variable = "BROWX_ORIGIN_";
    for (const unsigned char c : origin.substr(origin.find("//") + 2))
      variable += std::isalnum(c) ? static_cast<char>(std::toupper(c)) : '_';
    const std::string value = fmt::format("process.env.{} ?? {};", variable, ts_string(origin));
    const std::string line = fmt::format("const {} = {}", name, value);
    if (lines.fits(line)) {
      lines.raw(line);
    } else {
      lines.raw(fmt::format("const {} =", name));
      lines.raw("  " + value);
    }
  }
}

void write_use(const Flow& flow, const SpecNeeds& needs, SpecLines& lines) {
  std::vector<std::pair<std::string, Code>> options;
  if (flow.viewport)
    options.emplace_back("viewport", ts_object({{"width", ts_raw(std::to_string(flow.viewport->width))},
                                                {"height", ts_raw(std::to_string(flow.viewport->height))}}));
  if (!flow.locale.empty()) options.emplace_back("locale", ts_raw(ts_string(flow.locale)));
  if (!flow.timezone.empty()) options.emplace_back("timezoneId", ts_raw(ts_string(flow.timezone)));
  if (!needs.test_id_attribute.empty())
    options.emplace_back("testIdAttribute", ts_raw(ts_string(needs.test_id_attribute)));
  if (options.empty()) return;
  lines.blank();
  lines.statement("", ts_chain("test", std::nullopt, {{"use", {ts_object(options)}}}));
}

bool is_tag(const std::string& label) {
  return !label.empty() && std::all_of(label.begin(), label.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

/// A tag for each label that can be one.
std::vector<std::string> tags_of(const Flow& flow) {
  std::vector<std::string> tags;
  for (const auto& span : flow.spans)
    if (is_tag(span.label) && std::find(tags.begin(), tags.end(), "@" + span.label) == tags.end())
      tags.push_back("@" + span.label);
  return tags;
}

/// Opens the test; answers the lines that close it, innermost first.
std::vector<std::string> open_test(const Flow& flow, SpecLines& lines) {
  const std::string title = ts_string(flow.name.empty() ? "recorded" : flow.name);
  const std::vector<std::string> tags = tags_of(flow);
  const std::string body = "async ({ page }) => {";
  if (tags.empty()) {
    lines.open(fmt::format("test({}, {}", title, body));
    return {"});"};
  }
  std::vector<Code> items;
  for (const auto& tag : tags) items.push_back(ts_raw(ts_string(tag)));
  const Code details = ts_object({{"tag", ts_array(items)}});
  const std::string one = fmt::format("test({}, {}, {}", title, one_line(details), body);
  if (lines.fits(one)) {
    lines.open(one);
    return {"});"};
  }
  lines.open("test(");
  lines.raw(title + ",");
  lines.statement("", details, ",");
  lines.open(body);
  return {"},", ");"};
}

/// Blocks for the labels that are open.
class Blocks {
 public:
  Blocks(const Flow& flow, SpecLines& lines) : flow_(flow), lines_(lines) {}
  /// Closes and opens what it takes to stand where `spans` are open.
  void enter(const std::vector<std::size_t>& spans) {
    // Spans that overlap without being nested: what is innermost stays where it is.
    if (!open_.empty() && !spans.empty() && open_.back() == spans.back()) return;
    std::size_t common = 0;
    while (common < open_.size() && common < spans.size() && open_[common] == spans[common]) ++common;
    while (open_.size() > common) close();
    for (std::size_t i = common; i < spans.size(); ++i) {
      const Span& span = flow_.spans[spans[i]];
      const std::string title =
          span.title.empty() || span.title == span.label ? span.label : span.label + ": " + span.title;
      if (!first_) lines_.blank();
      first_ = true;
      lines_.open(fmt::format("await test.step({}, async () => {{", ts_string(title)));
      open_.push_back(spans[i]);
      after_block_ = false;
    }
    if (after_block_) lines_.blank();
    after_block_ = false;
  }
  void wrote() { first_ = false; }
  void close_all() {
    while (!open_.empty()) close();
  }

 private:
  void close() {
    lines_.close("});");
    open_.pop_back();
    first_ = false;
    after_block_ = true;
  }
  const Flow& flow_;
  SpecLines& lines_;
  std::vector<std::size_t> open_;
  bool first_ = true;         // nothing stands in the current block yet
  bool after_block_ = false;  // a block has just ended
};

/// Reads leave nothing in a test, but for scripts, which are named.
bool is_written(const Step& step) { return step.kind != StepKind::read || step.tool == "eval_js"; }

}  // namespace

Generated generate_playwright(const Flow& recorded) {
  const Flow flow = normalise(recorded);
  const SpecNeeds needs = spec_needs(flow);
  Generated out;
  SpecLines lines;
  std::vector<std::string> declared;
  for (std::size_t i = 1; i < flow.pages.size(); ++i)
    if (needs.pages_used.contains(i)) declared.push_back(needs.page_names[i]);

  write_head_comment(flow, lines);
  lines.raw(fmt::format("import {{ test, expect{} }} from '@playwright/test';",
                        declared.empty() ? "" : ", type Page"));
  write_secrets(flow, lines);
  write_origins(needs, lines);
  write_use(flow, needs, lines);
  lines.blank();
  const std::vector<std::string> closing = open_test(flow, lines);
  for (const auto& name : declared) lines.raw(fmt::format("let {}!: Page;", name));

  Blocks blocks(flow, lines);
  if (!declared.empty()) blocks.wrote();
  SpecSteps steps(flow, needs, lines, out.stats);
  if (!flow.start_url.empty()) {
    steps.go_to_start();
    blocks.wrote();
  }
  for (std::size_t i = 0; i < flow.steps.size(); ++i) {
    if (!is_written(flow.steps[i])) continue;
    blocks.enter(flow.steps[i].spans);
    steps.write(i);
    blocks.wrote();
  }
  blocks.close_all();
  for (const auto& line : closing) lines.close(line);

  out.stats.steps = static_cast<int>(recorded.steps.size());
  std::vector<std::string> named;
  for (const auto& note : out.stats.unhandled)
    if (std::find(named.begin(), named.end(), note.step) == named.end()) named.push_back(note.step);
  out.stats.handled = out.stats.steps - static_cast<int>(named.size());
  out.content = lines.take();
  return out;
}

}  // namespace browx::codegen
