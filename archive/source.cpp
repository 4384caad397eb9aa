#include "archive/source.hpp"

#include <fcntl.h>
#include <array>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/held.hpp"

namespace browx::archive {
namespace fs = std::filesystem;
namespace {

constexpr int kLongestValue = 256 << 20;  // bytes of one stored value

struct Fd {
  int fd = -1;
  ~Fd() {
    if (fd >= 0) ::close(fd);
  }
};

std::string reason(int code) { return std::generic_category().message(code); }

Error unreadable(const fs::path& path, int code) {
  if (code == ENOENT || code == ENOTDIR)
    return {Code::not_found, fmt::format("There is no file {}", path.string()), "Check the path",
            "not-found"};
  return {Code::denied, fmt::format("{} cannot be read: {}", path.string(), reason(code)),
          "Check its permissions", "not-found"};
}

/// Denies everything but reading tables.
int authorize(void*, int action, const char*, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_TRANSACTION:
      return SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

Source::~Source() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<std::unique_ptr<Source>> Source::of(const fs::path& given) {
  struct stat status {};
  if (stat(given.c_str(), &status) != 0) return unreadable(given, errno);
  if (!S_ISREG(status.st_mode))
    return Error{Code::invalid_argument,
                 fmt::format("{} is {}, not a file", given.string(),
                             S_ISDIR(status.st_mode)    ? "a folder"
                             : S_ISFIFO(status.st_mode) ? "a FIFO"
                                                        : "a device or socket"),
                 "Give the path of a .browx file", "not-a-file"};
  std::error_code error;
  const fs::path path =
      fs::canonical(given, error);  // a -wal stands beside the file itself, not beside a link to it
  if (error) return unreadable(given, error.value());
  std::unique_ptr<Source> source(new Source);
  source->uri_ = fmt::format("file:{}?mode=ro", uri_path(path.string()));
  if (held_here(status.st_dev, status.st_ino)) {
    source->state_ = State::live;
    return source;
  }
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.fd < 0 || fstat(file.fd, &status) != 0) return unreadable(given, errno);
  std::array<char, 512> head{};
  const ssize_t got = pread(file.fd, head.data(), head.size(), 0);
  if (got < 0) return unreadable(given, errno);
  auto header = diagnose({head.data(), static_cast<std::size_t>(got)}, status.st_size);
  if (!header) {
    Error why = std::move(header).error();
    why.what = fmt::format("{}: {}", given.string(), why.what);
    return why;
  }
  if (held_elsewhere(file.fd)) {
    source->state_ = State::live;
    return source;
  }
  const fs::path wal = path.string() + "-wal";
  if (const auto size = fs::file_size(wal, error); !error && size > 0) {
    source->state_ = State::hot;
    std::string folder = (fs::temp_directory_path(error) / "browx-open-XXXXXX").string();
    if (!mkdtemp(folder.data()))
      return Error{Code::unavailable,
                   fmt::format("{} cannot be read: no temporary folder: {}", given.string(), reason(errno)),
                   "Set TMPDIR to a folder that can be written"};
    source->folder_ = folder;
    const fs::path copy = source->folder_ / "archive.browx";
    fs::create_hard_link(path, copy, error);
    if (error) fs::copy_file(path, copy, error);
    if (!error) fs::copy_file(wal, copy.string() + "-wal", error);
    if (error)
      return Error{
          Code::unavailable,
          fmt::format("{} has an unfinished -wal that cannot be copied: {}", given.string(), error.message()),
          "Make room in the temporary folder, or set TMPDIR"};
    source->uri_ = fmt::format("file:{}?mode=ro", uri_path(copy.string()));
    return source;
  }
  source->uri_ += "&immutable=1";
  if (header->cut(status.st_size))
    source->cut_ = fmt::format("the file is cut: {} of {} bytes are there", status.st_size,
                               header->pages * header->page_size);
  return source;
}

Result<std::unique_ptr<Source>> Source::of_image(std::string image) {
  auto header = diagnose(std::string_view(image).substr(0, 512), static_cast<std::int64_t>(image.size()));
  if (!header) return std::move(header).error();
  std::unique_ptr<Source> source(new Source);
  source->state_ = State::image;
  const auto size = static_cast<std::int64_t>(image.size());
  if (header->cut(size))
    source->cut_ =
        fmt::format("the data is cut: {} of {} bytes are there", size, header->pages * header->page_size);
  image[18] = image[19] = 1;  // there is no -wal in memory
  source->image_ = std::move(image);
  return source;
}

Result<Database> Source::connect(bool salvage) const {
  auto opened = state_ == State::image ? Database::open(":memory:", SQLITE_OPEN_READWRITE)
                                       : Database::open(uri_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (!opened) return opened;
  sqlite3* db = opened->get();
  if (state_ == State::image) {
    const auto size = static_cast<sqlite3_int64>(image_.size());
    auto* bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(image_.data()));
    const int code = sqlite3_deserialize(db, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY);
    if (code != SQLITE_OK) return sqlite_error(db, code, "Opening the data");
  }
  for (const auto& [option, on] :
       std::initializer_list<std::pair<int, int>>{{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                                  {SQLITE_DBCONFIG_DEFENSIVE, salvage ? 0 : 1},
                                                  {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                                  {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                                  {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                                  {SQLITE_DBCONFIG_WRITABLE_SCHEMA, salvage ? 1 : 0}})
    sqlite3_db_config(db, option, on, nullptr);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 64 << 10);
  sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 40);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 100);
  sqlite3_busy_timeout(db, 2000);
  if (Status set = opened->run("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA query_only=ON"); !set)
    return set.error();
  sqlite3_set_authorizer(db, authorize, nullptr);
  return opened;
}

}  // namespace browx::archive
