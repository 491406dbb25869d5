// background: work that reads or writes files, while the server goes on. A client that asked for it is blocked until it
// is done.
//
//   in_background(ctx, work);   work() runs in a thread; the step that it returns runs under the server's lock, again
//                               and again while it returns true, and replies in the end; in between the server runs
//
// Invariants: both may throw; the client then gets the sentence. At most four run at once. Inside MULTI and scripts
// clients cannot be blocked: there it is refused.
#pragma once

#include <functional>

#include "module_api.hpp"

namespace sluice::redis {

/// Runs while the server stands still. False: it has replied to the client.
using step = std::function<bool(context*)>;

/// Throws refusal if it cannot be begun.
void in_background(context* ctx, std::function<step()> work);

}  // namespace sluice::redis
