// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The most memory that this process ever had.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>

namespace testing_support {

/// In bytes. 0 under sanitizers, which keep what was freed.
[[nodiscard]] inline std::size_t peak_memory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#else
  rusage usage{};
  EXPECT_EQ(::getrusage(RUSAGE_SELF, &usage), 0);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
}

}  // namespace testing_support
