// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// presets: filters whose shape is known at compile time, for people who want every operation inlined. They wrap the
// same recipes as sluice::filter and produce the same bytes for the same parameters (tests/unit/presets_test.cpp
// compares them). They are never folded (sluice::filter is), and pay nothing for it.
//
//   sluice::presets::blocked_512<11> f(sluice::blocks_for(n, 16));
//   sluice::presets::gated_512<15, 4, 12> g(sluice::blocks_for(n, 24), {.threshold = 177, .margin = 6});
#pragma once

#include <cstdint>
#include <type_traits>

#include "sluice/detail/basic_filter.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/plain.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/recipe/preset_recipes.hpp"
#include "sluice/errors.hpp"
#include "sluice/parameters.hpp"

namespace sluice {

namespace detail {

/// A filter of one scheme: parameters are checked, merging demands equal ones.
template <class Recipe, class Parameters>
class preset_filter : public basic_filter<Recipe> {
public:
  [[nodiscard]] const Parameters& params() const& noexcept { return parameters_; }
  [[nodiscard]] Parameters params() const&& { return parameters_; }

  /// Afterwards every key of either filter is found here. Throws merge_error unless all parameters and the seed agree.
  void merge(const preset_filter& other) {
    if (!(parameters_ == other.parameters_)) {
      throw merge_error("two filters can be merged only if all parameters and the seed are equal");
    }
    this->merge_equal(other);
  }

protected:
  preset_filter(const Recipe& recipe, Parameters p) : basic_filter<Recipe>(recipe, p.seed), parameters_(p) {}

  [[nodiscard]] static Parameters normalise(const Parameters& p) { return normalised_parameters(p); }

private:
  Parameters parameters_;
};

template <std::uint32_t Bits>
using blocked_block = std::conditional_t<lanes::has_lanes(Bits), ungated_lanes<fixed<Bits>>, plain_block<fixed<Bits>>>;

}  // namespace detail

namespace presets {

/// One block of `Bits` bits per key, `Hashes` bits in it; in lanes, if 256 or 512 bits.
template <std::uint32_t Bits, std::uint32_t Hashes>
class blocked : public detail::preset_filter<
                    detail::blocked_recipe<detail::blocked_block<Bits>, detail::fixed<Hashes>, detail::fixed<0>>,
                    blocked_parameters> {
public:
  explicit blocked(std::uint64_t blocks, std::uint64_t seed = 0)
      : blocked(blocked::normalise({.blocks = blocks, .block_bits = Bits, .hashes = Hashes, .seed = seed})) {}

private:
  explicit blocked(const blocked_parameters& p)
      : blocked::preset_filter(
            {detail::blocked_block<Bits>(detail::fixed<Bits>{}), {p.blocks, detail::fixed<Hashes>{}}}, p) {}
};

/// The less loaded of two blocks, for a share alpha of the keys.
template <std::uint32_t Bits, std::uint32_t Hashes>
class two_choice
    : public detail::preset_filter<detail::alpha_recipe<detail::fixed<Bits>, detail::fixed<Hashes>>, alpha_parameters> {
public:
  explicit two_choice(std::uint64_t blocks, double alpha = 1, std::uint64_t seed = 0)
      : two_choice(two_choice::normalise(
            {.blocks = blocks, .block_bits = Bits, .hashes = Hashes, .alpha = alpha, .seed = seed})) {}

private:
  explicit two_choice(const alpha_parameters& p)
      : two_choice::preset_filter(detail::make_recipe<detail::fixed<Bits>, detail::fixed<Hashes>>(p), p) {}
};

/// The gated filter, second block in the same page.
template <std::uint32_t Bits, std::uint32_t Hashes, std::uint32_t Trace, std::uint32_t SecondHashes>
class gated : public detail::preset_filter<
                  detail::gated_recipe<detail::fixed<Bits>, detail::fixed<Hashes>, detail::fixed<Trace>,
                                       detail::fixed<SecondHashes>, detail::fixed<0>, detail::fixed<0>>,
                  gated_parameters> {
public:
  explicit gated(std::uint64_t blocks, gated_parameters::spill_rule when, std::uint64_t seed = 0)
      : gated(gated::normalise({.blocks = blocks,
                                .block_bits = Bits,
                                .hashes = Hashes,
                                .trace = Trace,
                                .second_hashes = SecondHashes,
                                .threshold = when.threshold,
                                .margin = when.margin,
                                .seed = seed})) {}

private:
  explicit gated(const gated_parameters& p)
      : gated::preset_filter(detail::make_recipe<detail::fixed<Bits>, detail::fixed<Hashes>, detail::fixed<Trace>,
                                                 detail::fixed<SecondHashes>, detail::fixed<0>, detail::fixed<0>>(p),
                             p) {}
};

template <std::uint32_t Hashes>
using blocked_512 = blocked<512, Hashes>;
template <std::uint32_t Hashes>
using blocked_256 = blocked<256, Hashes>;
template <std::uint32_t Hashes>
using two_choice_512 = two_choice<512, Hashes>;
template <std::uint32_t Hashes, std::uint32_t Trace = 4, std::uint32_t SecondHashes = Hashes - Trace>
using gated_512 = gated<512, Hashes, Trace, SecondHashes>;
template <std::uint32_t Hashes, std::uint32_t Trace = 4, std::uint32_t SecondHashes = Hashes - Trace>
using gated_256 = gated<256, Hashes, Trace, SecondHashes>;

}  // namespace presets

}  // namespace sluice
