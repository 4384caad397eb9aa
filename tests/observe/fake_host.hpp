#pragma once
// A session for domain observers, fed with protocol excerpts that were recorded from a real browser.

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/observe/hub.hpp"

namespace browx::capture::testing {

struct Call {
  std::string session, method;
  Json params;
};

class FakeHost : public ObserverHost {
 public:
  void publish(const Fact& fact) override { facts.push_back(fact); }
  RequestId next_request() override { return RequestId(++last_request); }
  Time now() const override { return time; }
  std::optional<TargetId> target_of(const std::string& session) const override {
    const auto found = targets.find(session);
    if (found == targets.end()) return std::nullopt;
    return found->second;
  }
  std::optional<DocumentId> document_of(const std::string&, const std::string& frame) const override {
    const auto found = documents.find(frame);
    if (found == documents.end()) return std::nullopt;
    return found->second;
  }
  void post(const std::string& session, const std::string& method, Json params) override {
    posted.push_back({session, method, std::move(params)});
  }
  void call(const std::string& session, const std::string& method, Json params,
            std::function<void(Result<Json>)> done) override {
    posted.push_back({session, method, std::move(params)});
    const auto answer = answers.find(method);
    if (answer != answers.end())
      done(answer->second);
    else
      done(Json::object());
  }
  void body(const std::string& session, const std::string& request,
            std::function<void(Result<std::string>)> done) override {
    asked.push_back(session + " " + request);
    if (hold_bodies) return held.push_back(std::move(done));
    answer_body(session, request, std::move(done));
  }
  void after(std::chrono::milliseconds, std::function<void()> run) override {
    later.push_back(std::move(run));
  }

  void answer_body(const std::string& session, const std::string& request,
                   std::function<void(Result<std::string>)> done) {
    const auto found = bodies.find(session + " " + request);
    if (found != bodies.end())
      done(found->second);
    else
      done(Error{Code::internal, "No resource with given identifier found", "", "cdp-error"});
  }

  template <class T>
  std::vector<T> all() const {
    std::vector<T> out;
    for (const auto& fact : facts)
      if (const auto* one = std::get_if<T>(&fact)) out.push_back(*one);
    return out;
  }
  std::vector<archive::Event> events(const std::string& kind) const {
    std::vector<archive::Event> out;
    for (const auto& event : all<archive::Event>())
      if (event.kind == kind) out.push_back(event);
    return out;
  }

  std::vector<Fact> facts;
  Time time;
  std::int64_t last_request = 0;
  std::map<std::string, TargetId> targets;
  std::map<std::string, DocumentId> documents;
  std::vector<Call> posted;
  std::map<std::string, Json> answers;
  std::vector<std::string> asked;
  std::map<std::string, std::string> bodies;
  bool hold_bodies = false;
  std::vector<std::function<void(Result<std::string>)>> held;
  std::vector<std::function<void()>> later;
};

/// One recorded event; `at` is the steady clock (s) when it came.
struct Recorded {
  std::string session, method;
  double at = 0;
  Json params;
};

inline std::vector<Recorded> fixture(const std::string& name) {
  std::ifstream file(std::string(BROWX_OBSERVE_FIXTURES) + "/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  auto parsed = parse_json(text.str());
  EXPECT_TRUE(parsed.ok()) << name;
  std::vector<Recorded> out;
  if (!parsed) return out;
  for (const auto& event : *parsed)
    out.push_back({json_string(event, "session"), json_string(event, "method"), json_number(event, "at"),
                   json_member(event, "params")});
  return out;
}

/// Hub and host with session time 0 at the fixtures' 1192.5 s of the steady clock.
class Stage {
 public:
  static constexpr std::int64_t kSteady = 1'192'500'000;
  static constexpr std::int64_t kWall = 1'796'055'702'210'000;

  Stage() : hub(host, CdpClock({true, kSteady, kWall})) {}
  void play(const Recorded& event) {
    const Time received{static_cast<std::int64_t>(event.at * 1e6) - kSteady};
    host.time = received;
    hub.deliver({event.session, event.method, event.params, received});
  }
  void play(const std::vector<Recorded>& events) {
    for (const auto& event : events) play(event);
  }

  FakeHost host;
  Hub hub;
};

}  // namespace browx::capture::testing
