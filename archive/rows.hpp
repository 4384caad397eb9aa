#pragma once
// Facts as rows: one open transaction, the DOM buffers that become chunks, blobs stored once, and the digest
// of what was inserted. Private to this folder. Thread: the writer's.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "archive/compress.hpp"
#include "archive/digest.hpp"
#include "archive/model/facts.hpp"
#include "archive/schema.hpp"
#include "archive/sqlite.hpp"

namespace browx::archive {

class Rows {
 public:
  struct Caps {
    std::int64_t asset = 0, assets = 0;
  };
  /// `db` has the schema and must outlive this.
  static Result<std::unique_ptr<Rows>> make(const Database& db, Caps caps);

  /// Inserts `fact` into the open transaction (begun when there is none). DOM events wait in a buffer until
  /// commit(). After an error only rollback() makes sense.
  Status put(const Fact& fact);
  /// Chunks, the `commits` row and COMMIT. Nothing happens when nothing was put.
  Status commit(std::int64_t wall_ms);
  /// Forgets everything since the last commit.
  void rollback();

  /// Facts put since the last commit.
  std::int64_t uncommitted() const { return now_.facts - committed_.facts; }
  /// Bytes that the file will have taken in, roughly and rather too many: what is inserted but not yet in the
  /// file's size.
  std::int64_t uncommitted_bytes() const { return now_.bytes - committed_.bytes; }
  /// Latest time of a fact put, and of one committed.
  Time last() const { return {now_.t}; }
  Time last_committed() const { return {committed_.t}; }
  /// DOM and other events committed.
  std::int64_t events() const { return committed_.events; }
  /// Rows by table.
  Json counts() const;

 private:
  struct Value;
  struct State {
    std::array<std::int64_t, kTables> rows{};
    std::array<std::int64_t, kTables> last{};  ///< greatest row number
    std::int64_t commits = 0, facts = 0, events = 0, bytes = 0, asset_bytes = 0, t = 0;
    Digest digest;
    std::map<std::string, std::string> last_frame;  ///< target and source → sha256
  };
  struct Buffer {
    std::string lines;
    std::int64_t events = 0;
    Time first, last, previous;
  };

  explicit Rows(const Database& db, Caps caps) : db_(db), caps_(caps) {}
  Status begin();
  Status insert(Table table, std::span<const Value> values, std::int64_t number = 0);
  Result<std::string> store_blob(std::string_view bytes, std::string_view mime);
  Result<std::optional<std::string>> store_body(const std::optional<std::string>& body,
                                                std::string_view mime);
  std::string pack_headers(const Headers& headers);
  Status write_chunk(DocumentId document, Buffer& buffer);
  void saw(Time t);

  Status put_one(const Target&);
  Status put_one(const TargetEnd&);
  Status put_one(const Document&);
  Status put_one(const DocumentOwner&);
  Status put_one(const DocumentEnd&);
  Status put_one(const DomEvents&);
  Status put_one(const Gap&);
  Status put_one(const Event&);
  Status put_one(const Request&);
  Status put_one(const Response&);
  Status put_one(const RequestEnd&);
  Status put_one(const ChannelFrame&);
  Status put_one(const Asset&);
  Status put_one(const Frame&);
  Status put_one(const Artifact&);
  Status put_one(const ManifestEntry&);

  const Database& db_;
  Caps caps_;
  Compressor compressor_;
  std::array<Statement, kTables> inserts_;
  Statement insert_commit_, begin_, commit_;
  std::array<Hasher, kTables> hashers_;
  State now_, committed_;
  std::unordered_set<std::string> blobs_;
  std::vector<std::string> new_blobs_;  ///< of the open transaction
  std::map<DocumentId, Buffer> buffers_;
  bool open_ = false;
};

}  // namespace browx::archive
