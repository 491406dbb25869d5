// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <vector>

#include "sluice/extend/theory.hpp"

namespace sluice::extend {

std::vector<double> fill_powers(std::uint64_t usable_bits, std::uint32_t power) {
  std::vector<double> value(usable_bits + 1);
  for (std::uint64_t x = 0; x <= usable_bits; ++x) {
    value[x] = std::pow(static_cast<double>(x) / static_cast<double>(usable_bits), power);
  }
  return value;
}

}  // namespace sluice::extend
