// theory/sealed: what a sealed filter comes to. Which keys leave their block is decided by a local search, which has no
// formula that is worth having; it is fast, so it is done: a few dozen groups of random keys are built and looked at.
// The false positive rate needs no model: it is 2^-r, less in blocks with few keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "sluice/builders.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

namespace detail {

inline constexpr std::uint64_t sealed_groups = 48;  // that are built

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
    sealed_builder builder(p);
    for (std::uint64_t k = 0; k < count; ++k) builder.insert(k);
    filter f = [&] {
      try {
        return builder.build();
      } catch (const key_error& e) {
        throw parameter_error(e.what());
      }
    }();
    const statistics s = f.stats();
    std::uint64_t read = 0;
    for (std::uint64_t k = 0; k < count; ++k) read += f.probe(k).accesses;
    mean.fpr_usual = mean.fpr_exact += share * s.fpr_from_fill;
    mean.accesses_miss += share * s.blocks_per_miss_from_fill;
    mean.accesses_hit = mean.accesses_insert += share * static_cast<double>(read) / static_cast<double>(count);
    mean.overflow_fraction += share * static_cast<double>(s.overflow_keys) / static_cast<double>(count);
    mean.loads.resize(std::max(mean.loads.size(), s.load_histogram.size()));
    for (std::size_t load = 0; load < s.load_histogram.size(); ++load) {
      mean.loads[load] += share * static_cast<double>(s.load_histogram[load]) / static_cast<double>(s.blocks);
    }
  }
  return mean;
}

}  // namespace sluice::theory
