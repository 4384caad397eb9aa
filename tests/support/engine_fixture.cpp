#include "tests/support/engine_fixture.hpp"

namespace browx::testing {
namespace {

std::unique_ptr<EngineWorld>& slot() {
  static std::unique_ptr<EngineWorld> world;
  return world;
}

struct EndWorld : ::testing::Environment {
  void TearDown() override { EngineWorld::end(); }
};
const auto* const registered = ::testing::AddGlobalTestEnvironment(new EndWorld);

}  // namespace

EngineWorld& EngineWorld::get() {
  if (!slot()) {
    slot() = std::make_unique<EngineWorld>();
    capture::EngineOptions options;
    if (const char* chromium = std::getenv("BROWX_CHROMIUM")) options.chromium = chromium;
    slot()->engine = capture::Engine::create(slot()->io.get_executor(), options);
  }
  return *slot();
}

void EngineWorld::end() {
  if (!slot()) return;
  (void)run_task(slot()->io, slot()->engine->shutdown());
  slot()->engine.reset();
  slot().reset();
}

EngineTest::EngineTest() : world(EngineWorld::get()), server(world.server), engine(*world.engine) {}

void EngineTest::TearDown() {
  for (const auto& name : opened_) (void)run(engine.close(name));
}

std::shared_ptr<capture::Session> EngineTest::open(capture::SessionOptions options) {
  if (options.name == "default") options.name = "test-" + std::to_string(++world.last_session);
  auto session = must(engine.open(options));
  opened_.push_back(options.name);
  return session;
}

std::shared_ptr<capture::Frame> EngineTest::frame_showing(capture::Tab& tab, const std::string& path) {
  std::shared_ptr<capture::Frame> found;
  until([&] {
    for (const auto& frame : tab.frames())
      if (frame->url().find(path) != std::string::npos) found = frame;
    return found != nullptr;
  });
  if (!found) {
    ADD_FAILURE() << "no frame shows " << path;
    throw std::runtime_error("no frame shows " + path);
  }
  return found;
}

}  // namespace browx::testing
