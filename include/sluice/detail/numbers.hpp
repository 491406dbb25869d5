// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// numbers: a parameter of a block or a placement is a number that is known either at run time or at compile time. Both
// are written with the same code: a slot of type `Number` holds a plain integer in sluice::filter and a
// sluice::fixed<N> in the compile-time presets, where it occupies no memory and every loop over it unrolls.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "sluice/errors.hpp"

namespace sluice::detail {

/// A number known at compile time.
template <std::uint32_t N>
using fixed = std::integral_constant<std::uint32_t, N>;

/// A number known at run time.
using dynamic = std::uint32_t;

/// Either of them: converts to an integer.
template <class N>
concept number = std::convertible_to<N, std::uint32_t> && std::is_trivially_copyable_v<N>;

/// Fills a slot: a run-time slot, or one of which the compiler knows a part (lanes::stepped), takes the value, a
/// compile-time slot has it already.
template <number N>
[[nodiscard]] constexpr N number_of([[maybe_unused]] std::uint32_t value) noexcept {
  if constexpr (requires { N{value}; }) {
    return N{value};
  } else {
    return N{};
  }
}

/// a * b, or a parameter_error that says what the product would have been.
[[nodiscard]] inline std::uint64_t checked_product(std::uint64_t a, std::uint64_t b, const char* what) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) {
    throw parameter_error(std::string(what) + " does not fit in 64 bits (" + std::to_string(a) + " times " +
                          std::to_string(b) + "); choose fewer blocks");
  }
  return a * b;
}

/// A number in a sentence, the same in every locale: with so many digits, or with as many as tell it from all others.
[[nodiscard]] inline std::string number_text(double value, int digits = 0) {
  std::array<char, 32> text{};
  char* const end = text.data() + text.size();
  const auto written = digits == 0 ? std::to_chars(text.data(), end, value)
                                   : std::to_chars(text.data(), end, value, std::chars_format::general, digits);
  return {text.data(), written.ptr};
}

}  // namespace sluice::detail
