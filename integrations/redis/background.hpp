// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// background: work that takes long, on files or models, while the server goes on. A client that asked for it is blocked
// until it is done.
//
//   in_background(ctx, work);   work(to) runs in a thread. The step that it returns runs under the server's lock, again
//                               and again while it returns true, and replies in the end; in between the server runs
//
// Invariants: both may throw before they reply; the client then gets the sentence. At most four run at once. Inside
// MULTI and scripts clients cannot be blocked: there it is refused.
#pragma once

#include <functional>

#include "module_api.hpp"

namespace sluice::redis {

/// Runs while the server stands still. False: it has replied to the client.
using step = std::function<bool(context*)>;

/// The context is for errors alone: a reply may ask the server what only its lock protects.
using background_work = std::function<step(context*)>;

/// Can this client wait?
[[nodiscard]] bool may_block(context* ctx) noexcept;

/// Throws refusal if it cannot be begun.
void in_background(context* ctx, background_work work);

}  // namespace sluice::redis
