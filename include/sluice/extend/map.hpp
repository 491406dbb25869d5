// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/map: whether a file has a map; how many bits values take, for builders of maps and for those who ask how many
// are left for checks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/sealed_map.hpp"

namespace sluice::extend {

using detail::has_sealed_map;

/// The version of the format of every file with a map.
inline constexpr std::uint32_t map_format_version = 2;

/// Of a value and its check together: they are a fingerprint's.
inline constexpr std::uint32_t most_value_and_check_bits = detail::sealed_layout::most_fingerprint;

/// That the largest of some values needs.
[[nodiscard]] constexpr std::uint32_t value_bits_for(std::uint32_t largest) noexcept {
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::bit_width(largest)));
}

}  // namespace sluice::extend
