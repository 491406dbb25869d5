// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/bulk: many keys at once, for programs that have their own containers of keys: digests are made a chunk at a
// time, by one thread or by several.
#pragma once

#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/threads.hpp"

namespace sluice::extend {

using detail::threads_or_all;
using detail::bulk::chunk;
using detail::bulk::digests_at_once;
using detail::bulk::hash_keys;
using detail::bulk::in_chunks;
using detail::bulk::in_shares;

}  // namespace sluice::extend
