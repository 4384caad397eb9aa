#include "archive/diagnose.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "archive/schema.hpp"

namespace browx::archive {
namespace {

using namespace std::string_view_literals;

Error foreign(std::string_view looks_like, std::string_view hint) {
  return {Code::invalid_argument, fmt::format("Not a browx archive: it is {}", looks_like), std::string(hint),
          "not-an-archive"};
}

std::uint32_t big_endian(std::string_view head, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(head[at + i]);
  return value;
}

/// The text begins with `word`, whatever its case.
bool begins(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

Error what_it_is_instead(std::string_view head) {
  std::string_view text = head;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  if (begins(text, "<!doctype html") || begins(text, "<html") || begins(text, "<head") ||
      begins(text, "<body") || begins(text, "<!--"))
    return foreign(
        "an HTML page",
        "A download often answers a log-in or error page instead of the file; download it again, signed in");
  if (begins(text, "<?xml"))
    return foreign("an XML text",
                   "A store often answers an error text instead of the file; download it again");
  if (text.starts_with("version https://git-lfs"))
    return foreign("a Git LFS pointer", "Fetch the file itself: git lfs pull");
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06"))
    return foreign("a ZIP file", "Unpack it first and open the .browx file inside");
  if (head.starts_with("\x1F\x8B")) return foreign("a gzip file", "Unpack it first: gunzip");
  if (head.starts_with("\x28\xB5\x2F\xFD")) return foreign("a zstd file", "Unpack it first: unzstd");
  if (head.starts_with("\x89PNG")) return foreign("a PNG picture", "Give the .browx file of the recording");
  if (text.starts_with("{") || text.starts_with("["))
    return foreign("a JSON text", "Give the .browx file of the recording");
  if (std::all_of(head.begin(), head.end(), [](char c) { return c == 0; }))
    return foreign("a run of zero bytes", "The download or the disk lost its content; get the file again");
  const bool printable =
      std::all_of(head.begin(), head.end(), [](unsigned char c) { return c >= 32 || std::isspace(c); });
  return foreign(printable ? "a text file" : "no SQLite database", "Give the .browx file of a recording");
}

}  // namespace

Result<FileHeader> diagnose(std::string_view head, std::int64_t file_size) {
  if (file_size == 0)
    return foreign("empty", "The recording or its upload did not complete; get the file again");
  if (!head.starts_with("SQLite format 3\0"sv)) return what_it_is_instead(head);
  if (head.size() < 100 || file_size <= 100)
    return foreign("an SQLite header and nothing else", "The file was cut right at its start; get it again");
  const std::uint32_t application = big_endian(head, 68);
  if (application != kApplicationId)
    return foreign(
        fmt::format("an SQLite database of another program (application id 0x{:08x})", application),
        "Give the .browx file of a recording");
  FileHeader header;
  header.page_size = static_cast<unsigned char>(head[16]) << 8 | static_cast<unsigned char>(head[17]);
  if (header.page_size == 1) header.page_size = 65536;
  header.format = static_cast<std::int32_t>(big_endian(head, 60));
  if (header.format > kFormat)
    return Error{Code::invalid_argument,
                 fmt::format("The archive needs a reader of format {}; this browx {} reads up to format {}",
                             header.format, BROWX_VERSION, kFormat),
                 "Use a newer browx", "archive-too-new"};
  if (header.format < 1 || header.page_size < 512 || (header.page_size & (header.page_size - 1)) != 0)
    return Error{Code::corrupt, "The archive's header is damaged",
                 "Get the file again from where it was recorded", "archive-corrupt"};
  header.wal = head[18] == 2 || head[19] == 2;
  // The stated size holds only when the change counter is the one it was stated at.
  if (big_endian(head, 24) == big_endian(head, 92)) header.pages = big_endian(head, 28);
  return header;
}

}  // namespace browx::archive
