// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/helpers: threads beside the one that asks for them, for work that it can also do alone.
//
// Invariant: a system that gives no further thread is no error; there are fewer then.
// Cost: that of starting threads.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace sluice::detail::bulk {

/// Threads that call body(1), body(2) and so on, up to body(wanted); the first of these, where the system gives fewer.
/// They are joined when the result ends.
template <class Body>
[[nodiscard]] std::vector<std::jthread> begin_helpers(std::size_t wanted, const Body& body) {
  std::vector<std::jthread> helpers;
  helpers.reserve(wanted);
  try {
    while (helpers.size() < wanted) helpers.emplace_back(body, helpers.size() + 1);
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // What they would have done is left to the others.
  }
  return helpers;
}

}  // namespace sluice::detail::bulk
