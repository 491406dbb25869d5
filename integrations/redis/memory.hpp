// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// memory: every byte of the module comes from the server's allocator, so that its limits see it: filters through a
// std::pmr::memory_resource, all else through operator new, which memory.cpp replaces for this module alone (it is
// linked with its own copy of the standard library and exports nothing but its entrance).
//
// Invariants: where the server has no memory, std::bad_alloc is thrown; the allocator that would end the server is
// never asked. What one thread allocates another may free. Cost: two counters for each allocation; a lookup in a map,
// nearly always empty, when a filter is freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "module_api.hpp"

namespace sluice::redis {

/// For the bytes of filters: lines are aligned, so that no block straddles two. The server's usual allocator aligns
/// them of itself; memory of another is moved within a little more. Pages are not aligned, which would take up to a
/// quarter more where an allocator has few sizes; nor are huge ones asked for: a server that saves itself by a fork
/// copies every page that is written to.
[[nodiscard]] std::pmr::memory_resource* server_memory() noexcept;

/// Moves a filter's bytes to where the server's memory has fewer holes: the server says whether, and where to. Null:
/// they stay. Afterwards the old place is not there any more.
[[nodiscard]] std::byte* move_to_fewer_holes(defrag_context* how, std::span<const std::byte> filter) noexcept;

/// That the module holds now.
[[nodiscard]] std::int64_t bytes_held() noexcept;

/// What this thread has allocated and not freed: a difference of two is what was kept in between.
[[nodiscard]] std::int64_t bytes_of_this_thread() noexcept;

}  // namespace sluice::redis
