#include "base/result.hpp"

#include <cstdio>
#include <cstdlib>

namespace browx {

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "browx: internal error: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

const char* code_name(Code code) {
  switch (code) {
    case Code::invalid_argument:
      return "invalid-argument";
    case Code::not_found:
      return "not-found";
    case Code::gone:
      return "gone";
    case Code::denied:
      return "denied";
    case Code::timeout:
      return "timeout";
    case Code::cancelled:
      return "cancelled";
    case Code::conflict:
      return "conflict";
    case Code::corrupt:
      return "corrupt";
    case Code::unavailable:
      return "unavailable";
    case Code::internal:
      return "internal";
  }
  return "internal";
}

std::string Error::message() const {
  if (hint.empty()) return what;
  const bool stopped = !what.empty() && (what.back() == '.' || what.back() == '!' || what.back() == '?');
  return what + (stopped ? " " : ". ") + hint;
}

}  // namespace browx
