#include <cstdio>
#include <exception>

#include "archive/reader.hpp"
#include "player/model/dump.hpp"
#include "player/model/recorded_pictures.hpp"
#include "player/model/session.hpp"
#include "player/options.hpp"
#include "player/ui/run.hpp"

namespace {

using namespace browx;
using namespace browx::player;

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
  const auto stage = recorded_pictures(options.file);
  const Status done =
      options.shot.empty() ? run_window(options, view, *stage) : take_shot(options, view, *stage);
  if (!done) {
    std::fprintf(stderr, "browx-player: %s\n", done.error().message().c_str());
    return kFailed;
  }
  return kOk;
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
