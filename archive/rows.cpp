#include "archive/rows.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace browx::archive {
namespace {

constexpr std::size_t kChunkBytes = 256 << 10;  // raw; a longer stream of one document becomes several chunks
// On recorder events zstd's first level is not only the fastest: chunks of every size come out smaller than
// at its default, 3.
constexpr int kDomLevel = 1;
constexpr std::size_t kInlinePayload = 1024;  // longer channel frames are blobs
constexpr std::int64_t kRowOverhead = 24;     // cell, number and index entries

std::size_t fact_bytes(const DomEvents& fact) {
  std::size_t bytes = 0;
  for (const auto& one : fact.events) bytes += one.json.size() + 8;
  return bytes;
}

/// What is compressed already gains nothing.
bool compressible(std::string_view mime) {
  if (mime.starts_with("image/")) return mime.find("svg") != std::string_view::npos || mime == "image/bmp";
  return !mime.starts_with("video/") && !mime.starts_with("audio/") &&
         mime.find("zip") == std::string_view::npos && mime.find("woff2") == std::string_view::npos;
}

}  // namespace

/// One column.
struct Rows::Value {
  enum class Type { null, integer, text, blob } type = Type::null;
  std::int64_t number = 0;
  std::string_view bytes{};

  Value() = default;
  Value(std::int64_t n) : type(Type::integer), number(n) {}
  Value(int n) : Value(static_cast<std::int64_t>(n)) {}
  Value(bool b) : Value(static_cast<std::int64_t>(b)) {}
  Value(Time t) : Value(t.us) {}
  Value(const char*) = delete;  // it would become a bool
  Value(std::string_view text) : type(Type::text), bytes(text) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  template <class Tag>
  Value(Id<Tag> id) : Value(id.value()) {}
  template <class T>
  Value(const std::optional<T>& value) {
    if (value) *this = Value(*value);
  }
  static Value blob(std::string_view bytes) {
    Value value;
    value.type = Type::blob;
    value.bytes = bytes;
    return value;
  }
  static Value maybe_blob(const std::optional<std::string>& bytes) { return bytes ? blob(*bytes) : Value(); }
  /// What pack_headers() answered: JSON as text, a frame as blob.
  static Value packed(std::string_view bytes) {
    return bytes.starts_with('[') ? Value(bytes) : bytes.empty() ? Value() : blob(bytes);
  }
  /// NULL for what is empty.
  static Value some(std::string_view text) { return text.empty() ? Value() : Value(text); }
};

Result<std::unique_ptr<Rows>> Rows::make(const Database& db, Caps caps) {
  std::unique_ptr<Rows> rows(new Rows(db, caps));
  const auto prepare = [&](Statement& into, const std::string& sql) -> Status {
    auto statement = db.prepare(sql);
    if (!statement) return std::move(statement).error();
    into = std::move(*statement);
    return {};
  };
  for (std::size_t i = 0; i < kTables; ++i) {
    std::string marks = "?";
    for (int column = 1; column < kTableInfo[i].columns; ++column) marks += ",?";
    BROWX_TRY(
        prepare(rows->inserts_[i], fmt::format("INSERT INTO {} VALUES({})", kTableInfo[i].name, marks)));
  }
  BROWX_TRY(prepare(rows->insert_commit_, "INSERT INTO commits VALUES(?,?,?,?,?)"));
  BROWX_TRY(prepare(rows->begin_, "BEGIN"));
  BROWX_TRY(prepare(rows->commit_, "COMMIT"));
  return rows;
}

void Rows::saw(Time t) { now_.t = std::max(now_.t, t.us); }

Status Rows::begin() {
  if (open_) return {};
  const int code = begin_.step();
  begin_.reset();
  if (code != SQLITE_DONE) return sqlite_error(db_.get(), code, "Beginning a transaction");
  open_ = true;
  return {};
}

Status Rows::insert(Table table, std::span<const Value> values, std::int64_t number) {
  BROWX_TRY(begin());
  const auto index = static_cast<std::size_t>(table);
  BROWX_CHECK(values.size() + 1 == static_cast<std::size_t>(kTableInfo[index].columns));
  std::int64_t& last = now_.last[index];
  last = number ? number : last + 1;
  Statement& statement = inserts_[index];
  Hasher& hasher = hashers_[index];
  statement.bind(1, last);
  hasher.integer(last);
  now_.bytes += kRowOverhead;
  int column = 1;
  for (const Value& value : values) {
    ++column;
    now_.bytes += static_cast<std::int64_t>(value.bytes.size()) + 3;
    switch (value.type) {
      case Value::Type::null:
        statement.bind_null(column);
        hasher.null();
        break;
      case Value::Type::integer:
        statement.bind(column, value.number);
        hasher.integer(value.number);
        break;
      case Value::Type::text:
        statement.bind_text(column, value.bytes);
        hasher.text(value.bytes);
        break;
      case Value::Type::blob:
        statement.bind_blob(column, value.bytes);
        hasher.blob(value.bytes);
        break;
    }
  }
  const int code = statement.step();
  statement.reset();
  if (code != SQLITE_DONE)
    return sqlite_error(db_.get(), code, fmt::format("Writing to {}", kTableInfo[index].name));
  ++now_.rows[index];
  return {};
}

Result<std::string> Rows::store_blob(std::string_view bytes, std::string_view mime) {
  std::string sha = sha256(bytes);
  if (blobs_.contains(sha)) return sha;
  std::string packed;
  if (bytes.size() >= 64 && compressible(mime)) packed = compressor_.compress(bytes);
  const bool use = !packed.empty() && packed.size() < bytes.size() - bytes.size() / 20;
  const Value row[] = {Value::blob(sha), static_cast<std::int64_t>(bytes.size()),
                       std::string_view(use ? "zstd" : "raw"),
                       Value::blob(use ? std::string_view(packed) : bytes)};
  BROWX_TRY(insert(Table::blob, row));
  blobs_.insert(sha);
  new_blobs_.push_back(sha);
  return sha;
}

Result<std::optional<std::string>> Rows::store_body(const std::optional<std::string>& body,
                                                    std::string_view mime) {
  if (!body) return std::optional<std::string>();
  auto sha = store_blob(*body, mime);
  if (!sha) return std::move(sha).error();
  return std::optional<std::string>(std::move(*sha));
}

/// JSON of [name, value] pairs, as a zstd frame where that is shorter (a frame begins with 0x28, JSON with
/// '[').
std::string Rows::pack_headers(const Headers& headers) {
  if (headers.empty()) return {};
  Json pairs = Json::array();
  for (const auto& [name, value] : headers) pairs.push_back(Json::array({name, value}));
  std::string text = dump_json(pairs);
  std::string packed = compressor_.compress(text);
  return packed.size() < text.size() ? packed : text;
}

Status Rows::put(const Fact& fact) {
  BROWX_TRY(begin());
  BROWX_TRY(std::visit([&](const auto& one) { return put_one(one); }, fact));
  ++now_.facts;
  return {};
}

Status Rows::put_one(const Target& f) {
  saw(f.t);
  const Value row[] = {f.id,  f.kind, f.parent, f.opener, Value::some(f.session), Value::some(f.cdp_id),
                       f.url, f.t};
  return insert(Table::target, row);
}
Status Rows::put_one(const TargetEnd& f) {
  saw(f.t);
  const Value row[] = {f.id, f.t, f.reason};
  return insert(Table::target_end, row);
}
Status Rows::put_one(const Document& f) {
  saw(f.from);
  const Value row[] = {f.id, f.target, f.frame, f.parent, f.url, f.from, f.clock_offset_us, f.recorder};
  return insert(Table::document, row);
}
Status Rows::put_one(const DocumentOwner& f) {
  saw(f.t);
  const Value row[] = {f.document, f.parent, f.owner_node, f.t};
  return insert(Table::document_owner, row);
}
Status Rows::put_one(const DocumentEnd& f) {
  saw(f.t);
  const auto buffer = buffers_.find(f.id);
  if (buffer != buffers_.end()) BROWX_TRY(write_chunk(f.id, buffer->second));
  const Value row[] = {f.id, f.t, f.reason};
  return insert(Table::document_end, row);
}
Status Rows::put_one(const Gap& f) {
  saw(f.to.value_or(f.from));
  const Value row[] = {f.document, f.target, f.node, f.from, f.to, f.reason, Value::some(f.detail)};
  return insert(Table::gap, row);
}
Status Rows::put_one(const Event& f) {
  saw(f.t);
  const std::string payload = dump_json(f.payload);
  const Value row[] = {f.t, f.target, f.kind, payload};
  BROWX_TRY(insert(Table::event, row, f.seq.value()));
  ++now_.events;
  return {};
}

Status Rows::put_one(const DomEvents& f) {
  Buffer& buffer = buffers_[f.document];
  if (buffer.lines.capacity() == 0)
    buffer.lines.reserve(std::min(kChunkBytes + (16 << 10), fact_bytes(f) + 64));
  for (const auto& one : f.events) {
    saw(one.t);
    if (buffer.events == 0) buffer.first = buffer.last = buffer.previous = one.t;
    buffer.first = std::min(buffer.first, one.t);
    buffer.last = std::max(buffer.last, one.t);
    char delta[24];
    const auto written = std::to_chars(delta, delta + sizeof delta - 1, one.t.us - buffer.previous.us);
    *written.ptr = ' ';
    buffer.lines.append(delta, static_cast<std::size_t>(written.ptr + 1 - delta));
    buffer.previous = one.t;
    const std::size_t from = buffer.lines.size();
    buffer.lines += one.json;
    // A raw line end in JSON can only be white space between tokens.
    for (std::size_t at = buffer.lines.find('\n', from); at != std::string::npos;
         at = buffer.lines.find('\n', at))
      buffer.lines[at] = ' ';
    buffer.lines += '\n';
    ++buffer.events;
    now_.bytes += static_cast<std::int64_t>(one.json.size()) / 8;  // compressed
    if (buffer.lines.size() >= kChunkBytes) BROWX_TRY(write_chunk(f.document, buffer));
  }
  now_.events += static_cast<std::int64_t>(f.events.size());
  return {};
}

Status Rows::write_chunk(DocumentId document, Buffer& buffer) {
  if (buffer.events == 0) return {};
  // The first line's time is the chunk's own: its delta is from t_first.
  const std::string packed = compressor_.compress(buffer.lines, kDomLevel);
  const bool use = packed.size() < buffer.lines.size();
  const Value row[] = {document,
                       buffer.first,
                       buffer.last,
                       buffer.events,
                       0,
                       Value(),
                       std::string_view(use ? "zstd" : "raw"),
                       static_cast<std::int64_t>(buffer.lines.size()),
                       Value::blob(use ? packed : buffer.lines)};
  buffer.events = 0;
  const Status inserted = insert(Table::dom_chunk, row);
  buffer.lines.clear();
  return inserted;
}

Status Rows::put_one(const Request& f) {
  saw(f.t);
  const std::string headers = pack_headers(f.headers);
  auto body = store_body(f.body, "");
  if (!body) return std::move(body).error();
  const Value row[] = {
      f.id,     f.t,   f.target,        f.document,  f.redirected_from,      f.cdp_id,
      f.method, f.url, f.resource_type, f.initiator, Value::packed(headers), Value::maybe_blob(*body)};
  return insert(Table::request, row);
}
Status Rows::put_one(const Response& f) {
  saw(f.t);
  const std::string headers = pack_headers(f.headers), sent = pack_headers(f.request_headers);
  const std::string timing = f.timing.is_null() ? std::string() : dump_json(f.timing);
  const Value row[] = {f.request,
                       f.t,
                       f.status,
                       f.status_text,
                       f.mime,
                       f.protocol,
                       f.remote,
                       f.from_cache,
                       f.from_service_worker,
                       Value::packed(headers),
                       Value::packed(sent),
                       Value::some(timing)};
  return insert(Table::response, row);
}
Status Rows::put_one(const RequestEnd& f) {
  saw(f.t);
  auto body = store_body(f.body, "");
  if (!body) return std::move(body).error();
  const Value row[] = {f.request,
                       f.t,
                       f.ok,
                       Value::some(f.error),
                       f.encoded_bytes,
                       Value::maybe_blob(*body),
                       Value::some(f.body_missing)};
  return insert(Table::request_end, row);
}
Status Rows::put_one(const ChannelFrame& f) {
  saw(f.t);
  std::optional<std::string> sha;
  Value payload;
  if (f.payload.size() > kInlinePayload) {
    auto stored = store_blob(f.payload, "");
    if (!stored) return std::move(stored).error();
    sha = std::move(*stored);
  } else {
    payload = f.kind == "ws" && f.opcode == 2 ? Value::blob(f.payload) : Value(f.payload);
  }
  const Value row[] = {f.request,   f.t,
                       f.sent,      f.kind,
                       f.opcode,    Value::some(f.event),
                       f.full_size, f.truncated,
                       payload,     Value::maybe_blob(sha)};
  return insert(Table::ws_frame, row);
}

Status Rows::put_one(const Asset& f) {
  saw(f.t);
  std::optional<std::string> sha;
  std::string missing = f.why_missing;
  if (f.bytes) {
    const auto size = static_cast<std::int64_t>(f.bytes->size());
    const bool known = blobs_.contains(sha256(*f.bytes));
    if (size > caps_.asset)
      missing = "too-large";
    else if (!known && now_.asset_bytes + size > caps_.assets)
      missing = "assets-cap";
    else {
      auto stored = store_blob(*f.bytes, f.mime);
      if (!stored) return std::move(stored).error();
      sha = std::move(*stored);
      if (!known) now_.asset_bytes += size;
      missing.clear();
    }
    if (!sha) {
      Gap gap;
      gap.document = f.document;
      gap.from = f.t;
      gap.reason = "asset-missing";
      gap.detail = fmt::format("{} ({} bytes): {}", missing, size, f.url);
      BROWX_TRY(put_one(gap));
    }
  } else if (missing.empty()) {
    missing = "unknown";
  }
  const Value row[] = {f.document,          f.url, f.t, Value::some(f.mime), Value::maybe_blob(sha),
                       Value::some(missing)};
  return insert(Table::asset, row);
}

Status Rows::put_one(const Frame& f) {
  saw(f.t);
  auto sha = store_blob(f.bytes, f.mime);
  if (!sha) return std::move(sha).error();
  if (f.source == "screencast") {
    std::string& last = now_.last_frame[fmt::format("{}", f.target.value())];
    if (last == *sha) return {};  // nothing moved
    last = *sha;
  }
  const Value row[] = {f.t, f.target, f.mime, f.width, f.height, f.source, Value::blob(*sha)};
  return insert(Table::frame, row);
}
Status Rows::put_one(const Artifact& f) {
  auto sha = store_blob(f.bytes, f.mime);
  if (!sha) return std::move(sha).error();
  const Value row[] = {f.name, f.mime, Value::blob(*sha)};
  return insert(Table::artifact, row);
}
Status Rows::put_one(const ManifestEntry& f) {
  const std::string value = dump_json(f.value);
  const Value row[] = {f.key, value};
  return insert(Table::manifest, row);
}

Status Rows::commit(std::int64_t wall_ms) {
  if (!open_) return {};
  for (auto& [document, buffer] : buffers_) BROWX_TRY(write_chunk(document, buffer));
  buffers_.clear();
  std::string upto = "{";
  for (std::size_t i = 0; i < kTables; ++i)
    if (now_.last[i] != committed_.last[i])
      fmt::format_to(std::back_inserter(upto), "{}\"{}\":{}", upto.size() > 1 ? "," : "", kTableInfo[i].name,
                     now_.last[i]);
  upto += '}';
  CommitHasher chain(committed_.digest, now_.t, upto);
  for (std::size_t i = 0; i < kTables; ++i)
    if (now_.last[i] != committed_.last[i]) chain.table(kTableInfo[i].name, hashers_[i].finish());
  now_.digest = chain.finish();
  insert_commit_.bind(1, ++now_.commits)
      .bind(2, now_.t)
      .bind(3, wall_ms)
      .bind_text(4, upto)
      .bind_blob(5, now_.digest);
  int code = insert_commit_.step();
  insert_commit_.reset();
  if (code != SQLITE_DONE) return sqlite_error(db_.get(), code, "Writing to commits");
  code = commit_.step();
  commit_.reset();
  if (code != SQLITE_DONE) return sqlite_error(db_.get(), code, "Committing");
  open_ = false;
  committed_ = now_;
  new_blobs_.clear();
  return {};
}

void Rows::rollback() {
  sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);  // SQLite may have done it already
  open_ = false;
  for (auto& hasher : hashers_) hasher.finish();
  for (const auto& sha : new_blobs_) blobs_.erase(sha);
  new_blobs_.clear();
  buffers_.clear();
  now_ = committed_;
}

Json Rows::counts() const {
  Json out = Json::object();
  for (std::size_t i = 0; i < kTables; ++i) out[std::string(kTableInfo[i].name)] = committed_.rows[i];
  return out;
}

}  // namespace browx::archive
