// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// calls: what operations on one key call: code that knows the shape of the filter, and the filter, as that code sees
// it. Cost: one indirect call beside that of the code.
#pragma once

#include "sluice/hash.hpp"

namespace sluice::detail {

struct lookup_call {
  bool (*code)(const void* filter, digest x) noexcept = nullptr;
  const void* filter = nullptr;

  [[nodiscard, gnu::always_inline]] bool operator()(digest x) const noexcept { return code(filter, x); }
};

/// True if the key was new.
struct insert_call {
  bool (*code)(void* filter, digest x) = nullptr;
  void* filter = nullptr;

  [[gnu::always_inline]] bool operator()(digest x) const { return code(filter, x); }
};

}  // namespace sluice::detail
