#pragma once
// Small recordings made by hand, through the archive's writer.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "archive/reader.hpp"
#include "archive/writer.hpp"
#include "codegen/read.hpp"

namespace browx::codegen {

inline Json candidate(const std::string& kind, const std::string& playwright, const std::string& selector,
                      const std::string& stability = "high", int count = 1, int index = 0) {
  return {{"kind", kind},   {"playwright", playwright}, {"selector", selector},
          {"count", count}, {"index", index},           {"stability", stability}};
}
/// getByRole('button', { name: 'Save' })
inline Json role(const std::string& name_of_role, const std::string& name) {
  return candidate("role", "getByRole('" + name_of_role + "', { name: '" + name + "' })",
                   "role=" + name_of_role + "[name=\"" + name + "\"]");
}

/// One recording: facts go in, a flow comes out.
class Recorded {
 public:
  explicit Recorded(const std::string& title, bool with_tab = true) {
    archive::WriterOptions options;
    options.tier = archive::Tier::actions;
    options.session = "test";
    options.title = title;
    options.started_wall_ms = 1796040000000;
    writer_ = *archive::Writer::create(":memory:", options);
    if (with_tab) tab(1);
  }

  archive::Writer& writer() { return *writer_; }
  void manifest(const std::string& key, Json value) {
    writer_->add(archive::ManifestEntry{key, std::move(value)});
  }
  void tab(int id, int opener = 0, std::int64_t t = 0) {
    archive::Target target;
    target.id = archive::TargetId(id);
    target.kind = "tab";
    if (opener) target.opener = archive::TargetId(opener);
    target.t = {t};
    writer_->add(target);
  }
  void document(int id, int target, const std::string& url, int parent = 0, std::int64_t from = 1) {
    archive::Document made;
    made.id = archive::DocumentId(id);
    made.target = archive::TargetId(target);
    if (parent) made.parent = archive::DocumentId(parent);
    made.url = url;
    made.from = {from};
    writer_->add(made);
  }

  struct Options {
    Json locators = Json::array();
    Json result = Json::object();
    Json target = nullptr;
    bool ok = true;
    std::string error{};
    int tab = 1;
  };
  /// Steps follow one another every 100 ms, each 50 ms long.
  std::string step(const std::string& kind, const std::string& tool, Json arguments, Options options) {
    ++steps_;
    const std::string id = (kind == "assert" ? "assert" : tool) + "-" + std::to_string(steps_);
    archive::Event event;
    event.t = {steps_ * 100000};
    event.target = archive::TargetId(options.tab);
    event.kind = kind;
    event.payload = {{"id", id},
                     {"tool", tool},
                     {"arguments", std::move(arguments)},
                     {"target", options.target},
                     {"locators", options.locators},
                     {"ok", options.ok},
                     {"duration_us", 50000}};
    if (!options.error.empty()) event.payload["error"] = options.error;
    if (!options.result.empty()) event.payload["result"] = options.result;
    writer_->add_event(std::move(event));
    return id;
  }
  std::string act(const std::string& tool, Json arguments, Json candidates = Json::array()) {
    Options options;
    options.locators = std::move(candidates);
    return step("action", tool, std::move(arguments), std::move(options));
  }
  std::string verify(const std::string& tool, Json arguments, Json candidates = Json::array()) {
    Options options;
    options.locators = std::move(candidates);
    return step("assert", tool, std::move(arguments), std::move(options));
  }
  std::string read(const std::string& tool, Json arguments) {
    return step("read", tool, std::move(arguments), {});
  }
  /// The time of the next step.
  std::int64_t next_step_us() const { return (steps_ + 1) * 100000; }

  void annotate(const std::string& label, const std::string& phase, const std::string& copy = {}) {
    archive::Event event;
    event.t = {steps_ * 100000 + 60000};
    event.kind = "annotation";
    event.payload = {{"label", label}, {"phase", phase}};
    if (!copy.empty()) event.payload["copy"] = copy;
    writer_->add_event(std::move(event));
  }

  Flow flow(const Secrets& mask = {}) {
    auto report = writer_->seal({(steps_ + 1) * 100000}, "ended");
    EXPECT_TRUE(report.ok());
    auto reader = archive::Reader::open_image(report->image);
    EXPECT_TRUE(reader.ok());
    auto read = read_flow(**reader, mask);
    EXPECT_TRUE(read.ok());
    return *std::move(read);
  }

 private:
  std::unique_ptr<archive::Writer> writer_;
  int steps_ = 0;
};

}  // namespace browx::codegen
