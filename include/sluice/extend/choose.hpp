// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/choose: the parameters of one scheme, of which some are given: what is not given is the best at the planned
// number of keys. The planner chooses among schemes (plan.hpp); here the scheme is chosen already. Cost: no filter is
// made; a search asks the model a few dozen times.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sluice/parameters.hpp"

namespace sluice::detail::planning {

struct scheme_request {
  sluice::scheme scheme = scheme::gated;
  std::uint32_t block_bits = 512;
  std::optional<double> bits_per_key = {};  ///< 16 unless this or keys_per_block is given
  std::optional<double> keys_per_block = {};
  std::optional<double> keys = {};  ///< planned
  double load = 1;                  ///< keys that come, in times of the planned ones
  std::uint64_t shards = 1;
  std::optional<std::uint32_t> hashes = {};
  std::optional<std::uint32_t> fingerprint_bits = {};
  std::optional<std::uint32_t> remainder_bits = {};
  std::optional<std::uint32_t> choices = {};  ///< d; g of Bloom-g
  std::optional<double> accesses = {};        ///< a
  bool budget = false;                        ///< an insertion may read a blocks on average, and no more
  std::optional<double> overflow = {};        ///< gamma
  std::optional<double> alpha = {};
  std::optional<std::uint32_t> groups = {};  ///< c
  hash_form form = hash_form::independent;
  bool is_static = false;
  std::optional<std::uint32_t> threshold = {};
  std::optional<double> acceptance = {};
  load_unit alpha_load = load_unit::set_bits;
  std::optional<std::uint32_t> trace = {};
  std::optional<std::uint32_t> second_hashes = {};
  std::optional<std::uint32_t> margin = {};
  std::optional<position_rule> positions = {};  ///< the scheme's own unless given
  second_block second = second_block::page;
  overflow_rule list = overflow_rule::exact_list;
  std::optional<double> list_capacity = {};
  std::optional<full_list_rule> when_full = {};  ///< refuse unless given
  std::uint64_t seed = 0;
};

/// A scheme ready to be modelled or built.
struct chosen_scheme {
  parameters params;
  double planned_keys = 0;
  double keys = 0;  ///< planned times load
  double bits_per_key = 0;
  std::optional<std::uint64_t> k0;  ///< of the bound, where an optimum was asked for
  std::vector<double> subtables;    ///< fractions; MHT
};

/// `default_keys` where the number of keys is not given. Throws parameter_error with a sentence, which names the
/// command's options.
[[nodiscard]] chosen_scheme choose(const scheme_request& q, double default_keys);

}  // namespace sluice::detail::planning

namespace sluice::extend {

using detail::planning::choose;
using detail::planning::chosen_scheme;
using detail::planning::scheme_request;

}  // namespace sluice::extend
