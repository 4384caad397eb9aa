#include <cstdio>
#include <exception>

#include "archive/reader.hpp"
#include "player/model/dump.hpp"
#include "player/model/session.hpp"
#include "player/options.hpp"
#include "player/stage/stage.hpp"
#include "player/ui/run.hpp"

namespace {

using namespace browx;
using namespace browx::player;

int ended(const Status& status) {
  if (status) return kOk;
  std::fprintf(stderr, "browx-player: %s\n", status.error().message().c_str());
  return kFailed;
}

int run(int argc, char** argv) {
  auto parsed = parse_options(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  const Options& options = std::get<Options>(parsed);

  auto reader = archive::Reader::open(options.file);
  auto session = reader ? load_session(**reader, options.file) : Result<Session>(reader.error());
  if (!session) {
    std::fprintf(stderr, "browx-player: %s: %s\n", session.error().kind_or_code().c_str(),
                 session.error().message().c_str());
    return kUnreadable;
  }
  if (options.at && *options.at > session->end) {
    std::fprintf(stderr, "browx-player: --at %s lies behind the end of the recording. It ends at %s\n",
                 clock_text(*options.at).c_str(), clock_text(session->end).c_str());
    return kUsage;
  }
  View view(*std::move(session));
  view.panel = options.panel;
  if (options.at) view.move_to(*options.at);
  if (options.dump) {
    std::printf("%s\n", dump_json(dump_view(view)).c_str());
    return kOk;
  }
  const auto stage = Stage::create(options.file, StageOptions{options.chromium});
  if (!options.shot.empty()) return ended(take_shot(options, view, *stage));
  // A recording that goes on: loaded anew when something came, and once more when it has ended.
  Json known = (*reader)->counts().ok() ? *(*reader)->counts() : Json();
  const auto reload = [&]() -> std::optional<Session> {
    auto counts = (*reader)->counts();
    if (!counts || (*counts == known && (*reader)->live())) return std::nullopt;
    known = *std::move(counts);
    auto longer = load_session(**reader, options.file);
    return longer ? std::optional(*std::move(longer)) : std::nullopt;
  };
  return ended(run_window(options, view, *stage, reload));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "browx-player: internal error: %s\n", e.what());
    return 70;
  }
}
