// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/sealed.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "builder/digest_groups.hpp"
#include "builder/sealed_writer.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"
#include "sluice/theory.hpp"
#include "theory/built_sample.hpp"

namespace sluice::theory {

namespace {

/// Filters that are built, and their blocks. Of filters of few groups several are built.
struct sealed_sample {
  std::uint64_t filters;
  std::uint64_t blocks;
};

[[nodiscard]] sealed_sample sample_of(const sealed_parameters& p) {
  const detail::even_groups groups = sluice::detail::groups_of(p);
  const std::uint64_t in_one = std::min(groups.groups(), sealed_groups);
  return {sealed_groups / in_one, in_one * groups.group_blocks()};
}

}  // namespace

double sealed_keys_built(const sealed_parameters& p, double keys) {
  const sealed_sample sample = sample_of(p);
  return keys / static_cast<double>(p.blocks) * static_cast<double>(sample.filters * sample.blocks);
}

namespace {

/// One filter of exactly these parameters, built in this thread alone, and looked at. Throws parameter_error where a
/// builder would refuse.
[[nodiscard]] prediction look_at_sealed(const sealed_parameters& p, std::uint64_t keys) {
  std::vector<digest> digests = sample_keys(keys, p.seed);
  const detail::sealed_recipe recipe = detail::make_recipe(p);
  std::vector<std::byte> bytes(static_cast<std::size_t>(recipe.bytes()));
  // Where models are all that is compiled, there is no choice among instruction sets.
  detail::sealed_writer writer(recipe, bytes, detail::bulk::baseline::sealed_system::solver());
  std::uint64_t bumped = 0;
  auto write_group = [&](std::uint64_t group, std::span<const digest> some) {
    const auto fingerprint = [&](std::uint32_t /*number*/, const detail::sealed_key& key) {
      return key.fingerprint(p.fingerprint_bits);
    };
    bumped += writer.write(group, some, fingerprint).size();
  };
  detail::for_each_group(recipe.placement.groups(), {digests, 0, recipe.placement.groups().groups()}, write_group);
  if (bumped > detail::most_bumped(keys)) {
    throw parameter_error("the " + std::to_string(p.blocks) + " blocks of this sealed filter have no room for " +
                          std::to_string(keys) + " keys");
  }
  return look_at_built(recipe, bytes, digests, bumped, [&](detail::const_block block, digest x) {
    return recipe.block.gate_closed(block, detail::sealed_key(x));
  });
}

}  // namespace

prediction predict_sealed(sealed_parameters p, double keys) {
  const detail::sealed_layout layout(p.block_bits, p.fingerprint_bits);
  if (keys > static_cast<double>(p.blocks) * layout.capacity()) {
    throw parameter_error("the blocks of this sealed filter have no room for so many keys: " +
                          std::to_string(layout.capacity()) + " each are the most");
  }
  const sealed_sample sample = sample_of(p);
  const double in_one = keys / static_cast<double>(p.blocks) * static_cast<double>(sample.blocks);
  const auto count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(in_one)));
  p.blocks = sample.blocks;
  return mean_of_built(sample.filters, [&](std::uint64_t seed) {
    p.seed = seed;
    return look_at_sealed(p, count);
  });
}

}  // namespace sluice::theory
