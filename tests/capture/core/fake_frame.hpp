#pragma once
// A frame for tests that need no browser.

#include "capture/frame.hpp"

namespace browx::capture {

class FakeFrame final : public Frame {
 public:
  explicit FakeFrame(std::string id) : id_(std::move(id)) {}
  bool attached_now = true;
  std::int64_t generation_now = 1;

  const std::string& id() const override { return id_; }
  const std::string& cdp_id() const override { return id_; }
  const std::string& cdp_session() const override { return id_; }
  const std::string& url() const override { return id_; }
  const std::string& name() const override { return id_; }
  Frame* parent() const override { return nullptr; }
  const std::vector<Frame*>& children() const override { return children_; }
  Tab& tab() const override { BROWX_CHECK(false); }
  bool cross_origin() const override { return false; }
  bool out_of_process() const override { return false; }
  bool attached() const override { return attached_now; }
  DocumentId document() const override { return DocumentId(1); }
  std::int64_t generation() const override { return generation_now; }
  Task<Json> page(std::string, Json, Deadline) override { BROWX_CHECK(false); }
  Task<Json> evaluate(std::string, bool, Deadline) override { BROWX_CHECK(false); }
  Task<std::int64_t> owner_element(Deadline) override { BROWX_CHECK(false); }

 private:
  std::string id_;
  std::vector<Frame*> children_;
};

}  // namespace browx::capture
