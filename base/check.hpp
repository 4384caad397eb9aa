#pragma once
// BROWX_CHECK: for bugs, on in release. What the outside world can cause is a Result, never a check.

namespace browx {
[[noreturn]] void check_failed(const char* expression, const char* file, int line);
}

#define BROWX_CHECK(expr) ((expr) ? void() : ::browx::check_failed(#expr, __FILE__, __LINE__))
