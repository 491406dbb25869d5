// plan/row: one row of the planner's tables.
#pragma once

#include <array>
#include <cstdint>

#include "sluice/parameters.hpp"

namespace sluice::detail::designs {

/// What a planner considers: the schemes, and forms of them with tables of their own. two_choice is 1+alpha with alpha
/// = 1, bloom_2 Bloom-g with g = 2, static_gated what static_builder makes, for people who have all their keys. Sealed
/// filters have measured times, but no designs to search for (plan/sealed.hpp): all_families is without them.
enum class family : std::uint8_t {
  classic,
  blocked,
  alpha,
  two_choice,
  single,
  sequential,
  mht,
  bloom_2,
  gated,
  static_gated,
  sealed
};

inline constexpr std::array all_families = {family::classic, family::blocked,     family::alpha, family::two_choice,
                                            family::single,  family::sequential,  family::mht,   family::bloom_2,
                                            family::gated,   family::static_gated};

/// The scheme whose form this is.
[[nodiscard]] constexpr scheme scheme_of(family which) noexcept {
  switch (which) {
    case family::classic:
      return scheme::classic;
    case family::blocked:
      return scheme::blocked;
    case family::alpha:
    case family::two_choice:
      return scheme::alpha;
    case family::single:
      return scheme::single;
    case family::sequential:
      return scheme::sequential;
    case family::mht:
      return scheme::mht;
    case family::bloom_2:
      return scheme::bloom_g;
    case family::gated:
    case family::static_gated:
      return scheme::gated;
    case family::sealed:
      return scheme::sealed;
  }
  return scheme::classic;
}

/// The best parameters that were found; what a scheme does not have is 0.
struct row {
  family which;
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t hashes;
  std::uint32_t trace;
  std::uint32_t second_hashes;
  std::uint32_t threshold;
  std::uint32_t margin;
  double alpha;
  double overflow;  ///< the overflow fraction that SINGLE, SEQUENTIAL and MHT are optimal for
  double log_fpr;   ///< natural logarithm of fpr_exact
};

}  // namespace sluice::detail::designs
