// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/lanes.hpp"

#include <array>
#include <cstdint>
#include <functional>

#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/positions.hpp"

namespace sluice::theory {

namespace {

[[nodiscard]] std::uint32_t lane_difference(std::uint32_t a, std::uint32_t b, std::uint32_t quads) {
  const std::uint32_t quad = (b / detail::lanes::quad_lanes + quads - a / detail::lanes::quad_lanes) % quads;
  return quad * detail::lanes::quad_lanes + (b + detail::lanes::quad_lanes - a) % detail::lanes::quad_lanes;
}

}  // namespace

by_difference lane_pairs(std::uint32_t quads, detail::position_slice slice) {
  by_difference pairs{};
  for (std::uint32_t i = slice.first; i < slice.first + slice.count; ++i) {
    for (std::uint32_t j = i + 1; j < slice.first + slice.count; ++j) {
      // NOLINTNEXTLINE(readability-suspicious-call-argument)
      pairs[lane_difference(detail::lanes::lane_of({0, 0}, i, quads), detail::lanes::lane_of({0, 0}, j, quads),
                            quads)] += 1;
    }
  }
  return pairs;
}

by_difference lane_coverage(std::uint32_t quads, detail::position_slice slice,
                            const std::function<double(double, double)>& value) {
  by_difference mean{};
  const std::uint32_t starts = detail::lanes::starts(quads);
  for (std::uint32_t n = 0; n < starts; ++n) {
    std::array<double, detail::lanes::most_lanes> visits{};
    for (std::uint32_t i = 0; i < slice.count; ++i) {
      visits[detail::lanes::lane_of(detail::lanes::nth_start(n), slice.first + i, quads)] += 1;
    }
    for (std::uint32_t lane = 0; lane < quads * detail::lanes::quad_lanes; ++lane) {
      mean[lane_difference(0, lane, quads)] += value(visits[0], visits[lane]) / starts;
    }
  }
  return mean;
}

}  // namespace sluice::theory
