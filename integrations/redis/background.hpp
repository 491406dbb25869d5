// background: work that reads or writes files, while the server goes on. A client that asked for it is blocked until it
// is done.
//
//   in_background(ctx, work);      work() runs in a thread; what it returns runs under the server's lock, and replies
//
// Invariants: both may throw; the client then gets the sentence. At most four run at once. Inside MULTI and scripts
// clients cannot be blocked: there it is refused.
#pragma once

#include <functional>

#include "module_api.hpp"

namespace sluice::redis {

/// Replies to the client; runs while the server stands still.
using finish = std::function<void(context*)>;

/// Throws refusal if it cannot be begun.
void in_background(context* ctx, std::function<finish()> work);

}  // namespace sluice::redis
