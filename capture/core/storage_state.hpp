#pragma once
// Playwright's storageState, given to a session before its first tab.

#include "base/async.hpp"
#include "base/json.hpp"

namespace browx::capture {

class SessionImpl;

/// Sets the cookies and the localStorage of every origin. No request leaves for it: the origins' pages are
/// answered by us, in a page that is no tab. Errors `invalid_argument` naming the entry that is wrong,
/// `timeout`.
Task<bool> apply_storage_state(SessionImpl& session, Json state, Deadline deadline);

}  // namespace browx::capture
