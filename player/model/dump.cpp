#include "player/model/dump.hpp"

#include "player/model/text.hpp"

namespace browx::player {
namespace {

const char* weight_name(Notice::Weight weight) {
  return weight == Notice::Weight::grave ? "grave" : weight == Notice::Weight::warning ? "warning" : "remark";
}

Json indexes(const std::vector<std::size_t>& from) { return Json(from); }

Json steps_json(const View& view) {
  Json out = Json::array();
  const auto& steps = view.session().steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& step = steps[i];
    Json one = {{"index", i},
                {"id", json_string(step.payload, "id")},
                {"t", step.t.ms()},
                {"durationMs", step.duration_ms},
                {"kind", step.kind},
                {"tool", step.tool},
                {"subject", subject_of(step)},
                {"value", value_of(step)},
                {"ok", step.ok}};
    if (!step.error.empty()) one["error"] = step.error;
    if (!step.span.empty()) one["criterion"] = step.span;
    out.push_back(std::move(one));
  }
  return out;
}

Json coverage_json(const archive::Coverage& coverage) {
  Json criteria = Json::array(), totals = Json::object();
  for (const auto& criterion : coverage.criteria) {
    Json spans = Json::array();
    for (const std::size_t index : criterion.spans) {
      Json span = {{"from", coverage.spans[index].from.ms()}};
      if (coverage.spans[index].to) span["to"] = coverage.spans[index].to->ms();
      spans.push_back(std::move(span));
    }
    criteria.push_back({{"id", criterion.id},
                        {"title", criterion.title},
                        {"state", archive::state_name(criterion.state)},
                        {"reason", criterion.reason},
                        {"spans", std::move(spans)},
                        {"steps", indexes(criterion.steps)},
                        {"asserts", criterion.asserts},
                        {"failures", criterion.failures},
                        {"retried", criterion.retried}});
  }
  for (std::size_t i = 0; i < archive::kCriterionStates; ++i)
    totals[archive::state_name(static_cast<archive::CriterionState>(i))] = coverage.totals[i];
  return {{"criteria", std::move(criteria)}, {"totals", std::move(totals)}};
}

Json details_json(const View& view) {
  const Session& session = view.session();
  if (const auto index = view.request()) {
    const auto& request = session.requests[*index];
    return {{"request", *index},        {"method", request.method},      {"url", request.url},
            {"status", request.status}, {"type", request.resource_type}, {"mime", request.mime},
            {"error", request.error},   {"finished", request.finished}};
  }
  if (!view.step()) return nullptr;
  const auto& step = session.steps[*view.step()];
  Json locators = Json::array();
  for (const auto& locator : locators_of(step))
    locators.push_back({{"kind", locator.kind},
                        {"playwright", locator.playwright},
                        {"stability", locator.stability},
                        {"count", locator.count},
                        {"index", locator.index}});
  return {{"step", *view.step()}, {"tool", step.tool},   {"target", step.target},
          {"url", step.url},      {"error", step.error}, {"locators", std::move(locators)}};
}

}  // namespace

Json dump_view(const View& view) {
  const Session& session = view.session();
  Json notices = Json::array(), requests = Json::array(), logs = Json::array(), gaps = Json::array(),
       pages = Json::array();
  for (const auto& notice : session.notices)
    notices.push_back({{"weight", weight_name(notice.weight)}, {"text", notice.text}});
  for (const auto& page : session.pages)
    pages.push_back({{"t", page.from.ms()}, {"url", page.url}, {"title", page.title}});
  for (const auto& request : session.requests)
    requests.push_back({{"t", request.t.ms()},
                        {"method", request.method},
                        {"url", request.url},
                        {"status", request.status},
                        {"type", request.resource_type},
                        {"ms", request.duration_ms},
                        {"bytes", request.encoded_bytes},
                        {"finished", request.finished},
                        {"ok", request.ok}});
  for (const auto& row : session.logs)
    logs.push_back({{"t", row.t.ms()}, {"level", row.level}, {"text", row.text}, {"where", row.where}});
  for (const auto& gap : session.gaps) {
    Json one = {{"from", gap.from.ms()}, {"reason", gap.reason}, {"detail", gap.detail}};
    if (gap.to) one["to"] = gap.to->ms();
    gaps.push_back(std::move(one));
  }
  Json stage = {{"tab", view.tab().value()}};
  if (const FrameRow* frame = session.frame_at(view.tab(), view.t()))
    stage["picture"] = {{"t", frame->t.ms()}, {"width", frame->width}, {"height", frame->height}};
  Json out = {{"file", session.path.filename().string()},
              {"title", session.title},
              {"tier", session.tier},
              {"durationMs", session.end.ms()},
              {"sealed", session.sealed},
              {"partial", session.partial},
              {"live", session.live},
              {"notices", std::move(notices)},
              {"t", view.t().ms()},
              {"clock", clock_text(view.t())},
              {"playing", view.playing()},
              {"panel", panel_name(view.panel)},
              {"viewport",
               {{"from", view.viewport.from().ms()},
                {"to", view.viewport.to().ms()},
                {"fitted", view.viewport.fitted()}}},
              {"step", view.step() ? Json(*view.step()) : Json()},
              {"details", details_json(view)},
              {"stage", std::move(stage)},
              {"pages", std::move(pages)},
              {"steps", steps_json(view)},
              {"coverage", coverage_json(session.coverage)},
              {"network", std::move(requests)},
              {"console", std::move(logs)},
              {"gaps", std::move(gaps)}};
  out["messages"] = session.messages.size();
  out["domEvents"] = session.dom_activity.size();
  out["pictures"] = session.frames.size();
  return out;
}

}  // namespace browx::player
