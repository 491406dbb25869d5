// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Threads for bulk calls: see sluice/detail/bulk/threads.hpp.
#include "sluice/detail/bulk/threads.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "bulk/helpers.hpp"

namespace sluice::detail {

std::uint32_t threads_or_all(std::uint32_t threads) noexcept {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

void bulk::in_shares(std::size_t count, std::uint32_t threads, share_work work) {
  const std::size_t chunks = (count + chunk_keys - 1) / chunk_keys;
  const std::size_t shares = std::min<std::size_t>(threads_or_all(threads), chunks);
  if (shares <= 1) {
    if (count != 0) work.call(work.context, 0, count);
    return;
  }
  std::vector<std::exception_ptr> failures(shares);
  const auto run = [&](std::size_t share) noexcept {
    const std::size_t first = chunks * share / shares * chunk_keys;
    const std::size_t end = std::min(count, chunks * (share + 1) / shares * chunk_keys);
    try {
      work.call(work.context, first, end - first);
    } catch (...) {
      failures[share] = std::current_exception();
    }
  };
  {
    const std::vector<std::jthread> others = begin_helpers(shares - 1, run);
    run(0);
    for (std::size_t left = others.size() + 1; left < shares; ++left) run(left);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace sluice::detail
