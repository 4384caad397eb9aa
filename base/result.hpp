#pragma once
// Errors are values: every function that can fail for a reason outside the program answers Result<T>.

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.hpp"

namespace browx {

/// What kind of failure, so that callers can branch. The text says the rest.
enum class Code {
  invalid_argument,  ///< the caller's input is wrong; nothing was done
  not_found,         ///< no such file, element, session
  gone,              ///< it existed, and does not any more
  denied,            ///< a policy, capability or permission forbids it
  timeout,           ///< the deadline passed
  cancelled,         ///< the caller gave up
  conflict,          ///< the state forbids it: busy, exists already, a dialog is open
  corrupt,           ///< data that cannot be what it claims to be
  unavailable,       ///< the browser, disk or peer is not there
  internal,          ///< a bug of ours
};

/// The kebab-case name used in answers and logs, e.g. "invalid-argument".
const char* code_name(Code code);

/// One failure. `what` says the cause, `hint` what to do next (may be empty), `kind` is a documented
/// kebab-case code finer than `code` (e.g. "ref-gone", "archive-truncated"; may be empty).
struct [[nodiscard]] Error {
  Code code = Code::internal;
  std::string what;
  std::string hint{};
  std::string kind{};

  /// "what. hint" on one line, for logs and command lines.
  std::string message() const;
  /// `kind` when set, else the name of `code`.
  std::string kind_or_code() const { return kind.empty() ? code_name(code) : kind; }
};

/// A value or an Error. Thread: any; a plain value.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    BROWX_CHECK(ok());
    return std::get<0>(state_);
  }
  const T& value() const& {
    BROWX_CHECK(ok());
    return std::get<0>(state_);
  }
  // By value: a loop over `*call()` must not walk what has died.
  T value() && {
    BROWX_CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    BROWX_CHECK(!ok());
    return std::get<1>(state_);
  }
  Error&& error() && {
    BROWX_CHECK(!ok());
    return std::get<1>(std::move(state_));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const& {
    BROWX_CHECK(!ok());
    return *error_;
  }
  Error&& error() && {
    BROWX_CHECK(!ok());
    return std::move(*error_);
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace browx

/// Returns the error of a Result from the calling function (BROWX_CO_TRY: from a coroutine).
#define BROWX_TRY(expr)                                                              \
  do {                                                                               \
    if (auto browx_try_ = (expr); !browx_try_) return std::move(browx_try_).error(); \
  } while (0)
#define BROWX_CO_TRY(expr)                                    \
  do {                                                        \
    auto browx_try_ = (expr);                                 \
    if (!browx_try_) co_return std::move(browx_try_).error(); \
  } while (0)
