#pragma once
// From an Error to what an acting tool says of it: who is to blame, the documented kind, what to do next.
// Thread: any; pure.

#include "base/result.hpp"
#include "capture/action.hpp"

namespace browx::capture {

/// source "app": the page does not allow what was asked; "browx": the call or our side is wrong; "unknown":
/// cannot be told (deadline, crash, lost browser). The hint is the error's own, else the table's.
Failure failure_of(const Error& error);

/// The Error for a `refused` answer of the page function `prepare` (contract.md). `what` names the target for
/// people.
Error refusal(const Json& prepared, const std::string& what);

}  // namespace browx::capture
