// theory/sealed: what a sealed filter comes to. Which keys leave their block is decided by a local search, which has no
// formula that is worth having; it is fast, so it is done: a few dozen groups of random keys are built and looked at.
// The false positive rate needs no model: it is 2^-r, less in blocks with few keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "builder/digest_groups.hpp"
#include "builder/sealed_writer.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/detail/recipe/statistics.hpp"
#include "sluice/errors.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

namespace detail {

inline constexpr std::uint64_t sealed_groups = 24;  // that are built

/// Filters that are built, and their blocks. Of filters of few groups several are built.
struct sealed_sample {
  std::uint64_t filters;
  std::uint64_t blocks;
};
[[nodiscard]] inline sealed_sample sample_of(const sealed_parameters& p) {
  const even_groups groups = sluice::detail::groups_of(p);
  const std::uint64_t in_one = std::min(groups.groups(), sealed_groups);
  return {sealed_groups / in_one, in_one * groups.group_blocks()};
}
/// How many keys a prediction puts into filters.
[[nodiscard]] inline double sealed_keys_built(const sealed_parameters& p, double keys) {
  const sealed_sample sample = sample_of(p);
  return keys / static_cast<double>(p.blocks) * static_cast<double>(sample.filters * sample.blocks);
}

}  // namespace detail

namespace detail {

/// One filter of exactly these parameters, built in this thread alone, and looked at. Throws parameter_error where a
/// builder would refuse.
[[nodiscard]] inline prediction look_at_sealed(const sealed_parameters& p, std::uint64_t keys) {
  std::vector<digest> digests;
  digests.reserve(keys);
  for (std::uint64_t i = 0; i < keys; ++i) digests.push_back(hasher(p.seed)(i));
  const sealed_recipe recipe = make_recipe(p);
  std::vector<std::byte> bytes(static_cast<std::size_t>(recipe.bytes()));
  // Where models are all that is compiled, there is no choice among instruction sets.
  sealed_writer writer(recipe, bytes, bulk::baseline::sealed_system::solver());
  std::uint64_t bumped = 0;
  auto write_group = [&](std::uint64_t group, std::span<const digest> some) {
    const auto fingerprint = [&](std::uint32_t /*number*/, const sealed_key& key) {
      return key.fingerprint(p.fingerprint_bits);
    };
    bumped += writer.write(group, some, fingerprint).size();
  };
  for_each_group(recipe.placement.groups(), {digests, 0, recipe.placement.groups().groups()}, write_group);
  if (bumped > most_bumped(keys)) {
    throw parameter_error("the " + std::to_string(p.blocks) + " blocks of this sealed filter have no room for " +
                          std::to_string(keys) + " keys");
  }
  const statistics s = statistics_of(recipe, bytes.data(), {.keys = bumped}, keys);
  // A hit reads a second block if the gate of its class is closed.
  std::uint64_t moved = 0;
  const auto blocks = recipe.blocks(std::as_const(bytes).data());
  for (const digest x : digests) {
    moved += recipe.block.gate_closed(blocks[recipe.placement.at(x, 0).block], sealed_key(x)) ? 1U : 0U;
  }
  prediction seen;
  seen.fpr_usual = seen.fpr_exact = s.fpr_from_fill;
  seen.accesses_miss = s.blocks_per_miss_from_fill;
  seen.accesses_hit = seen.accesses_insert = 1 + static_cast<double>(moved) / static_cast<double>(keys);
  seen.overflow_fraction = static_cast<double>(bumped) / static_cast<double>(keys);
  for (const std::uint64_t count : s.load_histogram) {
    seen.loads.push_back(static_cast<double>(count) / static_cast<double>(s.blocks));
  }
  return seen;
}

}  // namespace detail

/// A filter of this many keys. Throws parameter_error where its blocks have no room for them.
[[nodiscard]] inline prediction predict_sealed(sealed_parameters p, double keys) {
  const sealed_layout layout(p.block_bits, p.fingerprint_bits);
  if (keys > static_cast<double>(p.blocks) * layout.columns) {
    throw parameter_error("the blocks of this sealed filter have no room for so many keys: " +
                          std::to_string(layout.columns) + " each are the most");
  }
  const detail::sealed_sample sample = detail::sample_of(p);
  const double in_one = keys / static_cast<double>(p.blocks) * static_cast<double>(sample.blocks);
  const auto count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(in_one)));
  p.blocks = sample.blocks;
  prediction mean;
  const double share = 1.0 / static_cast<double>(sample.filters);
  for (std::uint64_t i = 0; i < sample.filters; ++i) {
    p.seed = i;
    const prediction one = detail::look_at_sealed(p, count);
    mean.fpr_usual = mean.fpr_exact += share * one.fpr_exact;
    mean.accesses_miss += share * one.accesses_miss;
    mean.accesses_hit = mean.accesses_insert += share * one.accesses_hit;
    mean.overflow_fraction += share * one.overflow_fraction;
    mean.loads.resize(std::max(mean.loads.size(), one.loads.size()));
    for (std::size_t load = 0; load < one.loads.size(); ++load) mean.loads[load] += share * one.loads[load];
  }
  return mean;
}

}  // namespace sluice::theory
