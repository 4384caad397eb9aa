#include <algorithm>
#include <cstdio>
#include <map>

#include <fmt/format.h>

#include "archive/coverage.hpp"
#include "archive/reader.hpp"
#include "cli/commands.hpp"

namespace browx::cli {
namespace {

using archive::Reader;

/// Everything the report says, gathered before a word is printed.
struct Report {
  Json manifest;
  bool sealed = false, partial = false, live = false;
  std::string partial_reason;
  Time end;
  std::vector<archive::Page> pages;
  std::vector<archive::Step> steps;
  archive::Coverage coverage;
  std::vector<archive::RequestRow> requests;
  std::vector<archive::Gap> gaps;
  Json counts;
};

template <class T>
Status take(Result<T> from, T& to) {
  if (!from) return std::move(from).error();
  to = *std::move(from);
  return {};
}

Result<Report> gather(Reader& reader) {
  Report report;
  BROWX_TRY(take(reader.manifest(), report.manifest));
  BROWX_TRY(take(reader.end(), report.end));
  BROWX_TRY(take(reader.pages(), report.pages));
  BROWX_TRY(take(reader.steps(), report.steps));
  BROWX_TRY(take(reader.requests(), report.requests));
  BROWX_TRY(take(reader.gaps(), report.gaps));
  BROWX_TRY(take(reader.counts(), report.counts));
  std::vector<archive::Event> annotations;
  BROWX_TRY(take(reader.events("annotation"), annotations));
  report.coverage = archive::derive_coverage(annotations, report.steps);
  report.sealed = reader.sealed();
  report.partial = reader.partial();
  report.live = reader.live();
  report.partial_reason = reader.partial_reason();
  return report;
}

struct SpanCounts {
  int asserts = 0, failures = 0;
};
SpanCounts counts_of(const archive::Span& span, const std::vector<archive::Step>& steps) {
  SpanCounts counts;
  for (const std::size_t index : span.steps) {
    counts.asserts += steps[index].kind == "assert";
    counts.failures += !steps[index].ok;
  }
  return counts;
}

Json target_json(const archive::Step& step) { return step.target.is_null() ? Json() : step.target; }

Json to_json(const Report& report, const std::filesystem::path& path) {
  Json pages = Json::array(), steps = Json::array(), spans = Json::array(), requests = Json::array(),
       gaps = Json::array(), criteria = Json::array();
  for (const auto& page : report.pages)
    pages.push_back({{"document", page.document.value()},
                     {"url", page.url},
                     {"title", page.title},
                     {"t", page.from.ms()}});
  for (const auto& step : report.steps) {
    Json json = {{"seq", step.seq.value()}, {"t", step.t.ms()},  {"durationMs", step.duration_ms},
                 {"kind", step.kind},       {"tool", step.tool}, {"target", target_json(step)},
                 {"ok", step.ok},           {"url", step.url}};
    if (!step.error.empty()) json["error"] = step.error;
    if (!step.span.empty()) json["span"] = step.span;
    steps.push_back(std::move(json));
  }
  for (const auto& span : report.coverage.spans) {
    const SpanCounts counts = counts_of(span, report.steps);
    Json json = {{"label", span.label},        {"from", span.from.ms()},    {"closed", span.to.has_value()},
                 {"steps", span.steps.size()}, {"asserts", counts.asserts}, {"failures", counts.failures}};
    if (span.to) json["to"] = span.to->ms();
    spans.push_back(std::move(json));
  }
  for (const auto& criterion : report.coverage.criteria)
    criteria.push_back({{"id", criterion.id},
                        {"title", criterion.title},
                        {"state", archive::state_name(criterion.state)},
                        {"spans", criterion.spans.size()},
                        {"steps", criterion.steps.size()},
                        {"asserts", criterion.asserts},
                        {"failures", criterion.failures},
                        {"retried", criterion.retried},
                        {"reason", criterion.reason}});
  for (const auto& request : report.requests) {
    Json json = {{"t", request.t.ms()},
                 {"method", request.method},
                 {"url", request.url},
                 {"status", request.status},
                 {"type", request.resource_type},
                 {"ms", request.duration_ms},
                 {"bytes", request.encoded_bytes},
                 {"finished", request.finished},
                 {"ok", request.ok}};
    if (!request.error.empty()) json["error"] = request.error;
    requests.push_back(std::move(json));
  }
  for (const auto& gap : report.gaps) {
    Json json = {{"from", gap.from.ms()}, {"reason", gap.reason}};
    if (gap.document) json["document"] = gap.document->value();
    if (gap.to) json["to"] = gap.to->ms();
    if (!gap.detail.empty()) json["detail"] = gap.detail;
    gaps.push_back(std::move(json));
  }
  Json json = {{"path", path.string()},
               {"manifest", report.manifest},
               {"durationMs", report.end.ms()},
               {"sealed", report.sealed},
               {"partial", report.partial},
               {"live", report.live},
               {"counts", report.counts},
               {"pages", pages},
               {"steps", steps},
               {"spans", spans},
               {"coverage", criteria},
               {"requests", requests},
               {"gaps", gaps}};
  if (report.partial) json["partialReason"] = report.partial_reason;
  if (report.manifest.contains("truncated")) json["truncated"] = report.manifest.at("truncated");
  return json;
}

std::string seconds(Time t) { return fmt::format("{:8.3f}", t.ms() / 1000); }

/// One line of text from a page or an agent, fit for a terminal.
std::string shown(std::string_view text, std::size_t longest = 100) {
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  if (out.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
    out = out.substr(0, end) + "…";
  }
  return out;
}

std::string target_text(const archive::Step& step) {
  for (const char* name : {"ref", "selector", "named"})
    if (const Json& value = json_member(step.target, name); value.is_string())
      return value.get<std::string>();
  return step.target.is_null() || step.target.empty() ? "" : dump_json(step.target);
}

void print_text(const Report& report, const std::filesystem::path& path) {
  const Json& manifest = report.manifest;
  std::string out;
  const auto line = [&out](std::string_view text) { out.append(text).append("\n"); };
  const std::string title = json_string(manifest, "title", json_string(manifest, "session"));
  line(fmt::format("{}: {}", path.filename().string(), shown(title.empty() ? "untitled" : title)));
  line(fmt::format("  tier {}, {:.1f} s, {}", json_string(manifest, "tier", "?"), report.end.ms() / 1000,
                   report.live     ? "still being recorded"
                   : report.sealed ? "sealed"
                                   : "not sealed"));
  if (report.partial) line(fmt::format("  PARTIAL: {}", report.partial_reason));
  if (const Json& cut = json_member(manifest, "truncated"); cut.is_object())
    line(fmt::format("  TRUNCATED: {} at {:.1f} s, {} dropped", json_string(cut, "reason"),
                     json_number(cut, "at") / 1e6, json_int(cut, "dropped")));

  line(fmt::format("\nPages ({})", report.pages.size()));
  for (const auto& page : report.pages)
    line(fmt::format("{}  {}{}", seconds(page.from), shown(page.url),
                     page.title.empty() ? "" : "  \"" + shown(page.title, 60) + "\""));

  line(fmt::format("\nSteps ({})", report.steps.size()));
  for (const auto& step : report.steps)
    line(fmt::format("{}  {:4} {:16} {}{}{}", seconds(step.t), step.ok ? "ok" : "FAIL", step.tool,
                     shown(target_text(step)), step.span.empty() ? "" : "  [" + shown(step.span, 40) + "]",
                     step.error.empty() ? "" : "  " + shown(step.error)));

  const auto& criteria = report.coverage.criteria;
  if (!criteria.empty())
    line(fmt::format("\nCoverage ({} criteria, {} passed)", criteria.size(),
                     report.coverage.total(archive::CriterionState::passed)));
  for (const auto& criterion : criteria) {
    const Time from = criterion.spans.empty() ? Time{} : report.coverage.spans[criterion.spans.front()].from;
    line(fmt::format("{}  {:9} {:16} {} steps, {} asserts, {} failed: {}", seconds(from),
                     archive::state_name(criterion.state), shown(criterion.id, 60), criterion.steps.size(),
                     criterion.asserts, criterion.failures, shown(criterion.reason)));
  }

  std::map<std::string, int> types;
  int failed = 0, open = 0;
  for (const auto& request : report.requests) {
    ++types[request.resource_type];
    failed += request.finished && (!request.ok || request.status >= 400);
    open += !request.finished;
  }
  line(fmt::format("\nRequests ({}, {} failed, {} without an end)", report.requests.size(), failed, open));
  for (const auto& [type, count] : types)
    line(fmt::format("  {:6} {}", count, type.empty() ? "other" : type));

  line(fmt::format("\nGaps ({})", report.gaps.size()));
  for (const auto& gap : report.gaps)
    line(fmt::format("{}  {}  {}", seconds(gap.from), gap.reason, shown(gap.detail)));
  std::fputs(out.c_str(), stdout);
}

}  // namespace

int run_info(const std::filesystem::path& path, bool json) {
  auto reader = Reader::open(path);
  Result<Report> report = reader ? gather(**reader) : Result<Report>(reader.error());
  if (!report) {
    const Error& error = report.error();
    if (json) {
      const Json answer = {{"ok", false}, {"code", error.kind_or_code()}, {"error", error.message()}};
      std::printf("%s\n", dump_json(answer).c_str());
    }
    std::fprintf(stderr, "browx: %s: %s\n", error.kind_or_code().c_str(), error.message().c_str());
    return kUnreadable;
  }
  if (json)
    std::printf("%s\n", dump_json(to_json(*report, path)).c_str());
  else
    print_text(*report, path);
  return kOk;
}

}  // namespace browx::cli
