#pragma once
// A frame: where it lives, what document it shows, and calls into its worlds.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/cdp/connection.hpp"
#include "capture/core/target.hpp"
#include "capture/frame.hpp"

namespace browx::capture {

class TabImpl;

/// Survives documents and process swaps; ends with detach(), after which every call answers `gone`. Keeps its
/// parents alive; its tab lives as long as the session, which every suspended call holds. Thread: the
/// engine's.
class FrameImpl final : public Frame {
 public:
  FrameImpl(TabImpl& tab, std::shared_ptr<FrameImpl> parent, std::string id, std::string cdp_id,
            std::string session);

  const std::string& id() const override { return id_; }
  const std::string& cdp_id() const override { return cdp_id_; }
  const std::string& cdp_session() const override { return session_; }
  const std::string& url() const override { return url_; }
  const std::string& name() const override { return name_; }
  Frame* parent() const override { return parent_.get(); }
  const std::vector<Frame*>& children() const override { return children_; }
  Tab& tab() const override;
  bool cross_origin() const override;
  bool out_of_process() const override;
  bool attached() const override { return attached_; }
  DocumentId document() const override { return document_; }
  std::int64_t generation() const override { return generation_; }
  Task<Json> page(std::string function, Json argument, Deadline deadline) override;
  Task<Json> evaluate(std::string expression, bool by_value, Deadline deadline) override;
  Task<std::int64_t> owner_element(Deadline deadline) override;

  // ---- What the tab tells it.

  const std::string& loader() const { return loader_; }
  const std::string& ready_state() const { return ready_state_; }
  void set_ready_state(std::string state) { ready_state_ = std::move(state); }
  /// A new document: `frame` is CDP's Page.Frame.
  void commit(const Json& frame);
  /// The first, empty document of a frame that has just appeared.
  void begin_initial_document(std::string url);
  void set_url(std::string url) { url_ = std::move(url); }
  void move_to(std::string session);
  void detach(const std::string& reason);
  void adopt_child(Frame* child) { children_.push_back(child); }
  void drop_child(Frame* child) { std::erase(children_, child); }

  void context_created(const Context& context);
  void context_destroyed(const std::string& unique_id);
  /// Ends every call in flight.
  void interrupt(Error why);

 private:
  struct World {
    Context context;
    cdp::CallGroup calls;
    bool bundle = false;  ///< the page bundle has been sent to it
  };
  const std::string& origin() const;
  Error why_not() const;
  /// Nothing when a call may be made now.
  std::optional<Error> obstacle() const;
  Task<std::shared_ptr<World>> isolated_world(Deadline deadline);
  Task<std::shared_ptr<World>> main_world(Deadline deadline);
  void end_document(const std::string& reason);
  void begin_document();
  /// Turns an error of a call into ours; nothing when it never ran and may be tried again.
  std::optional<Error> judge(Error error, const std::string& what);

  TabImpl& tab_;
  std::shared_ptr<FrameImpl> parent_;
  std::string id_, cdp_id_, session_, url_, name_, loader_, ready_state_ = "complete";
  std::vector<Frame*> children_;
  bool attached_ = true;
  DocumentId document_;
  std::int64_t generation_ = 0;
  std::shared_ptr<World> isolated_, main_;
  struct Owner {
    std::int64_t generation = 0, parent_generation = 0, element = 0;
  };
  std::optional<Owner> owner_;
};

}  // namespace browx::capture
