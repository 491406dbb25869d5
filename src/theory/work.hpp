// theory/work: what a model costs, before it is run. Parameters come from files, too, and a file of a few kilobytes can
// describe a filter whose model would take hours or all memory. The estimates follow the loops of the models and err on
// the large side: one step is about a nanosecond.
//
//   if (const auto why = sluice::theory::why_no_model(p, keys)) ...   the reason, as a sentence
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/parameters.hpp"
#include "theory/bloom_g.hpp"
#include "theory/distribution.hpp"
#include "theory/scheme_of.hpp"
#include "theory/sealed.hpp"
#include "theory/static_gated.hpp"

namespace sluice::theory {

struct model_work {
  double steps = 0;  ///< about a nanosecond each
  double bytes = 0;
};

/// What theory::predict spends at most: some seconds. The planner's designs take a thirtieth of it.
inline constexpr model_work most_model_work{.steps = 6e9, .bytes = 256e6};

// Measured on one core: nanoseconds of a term of a Poisson or binomial law, of one far from the mean, and of a key in a
// static build.
inline constexpr double law_term = 200;
inline constexpr double far_term = 700;
inline constexpr double built_key = 3000;

/// local_filter::exact_fpr: every bit of every key moves the law of the ones.
[[nodiscard]] inline double exact_steps(double keys, double hashes, double usable_bits) {
  return keys * hashes * usable_bits;
}

[[nodiscard]] inline double kernel_steps(double usable_bits, double bits) { return 20 * usable_bits * bits * bits / 2; }

[[nodiscard]] inline model_work work_of(const choice_parameters& p, double /*keys*/) {
  constexpr double evaluations = 640;  // 160 steps of Runge-Kutta
  constexpr double points = 41;
  const double k = p.hashes;
  const double hits = p.groups == 1 ? 0 : points * k * (k * k + 10.0 * p.groups);
  return {evaluations * k * law_term + hits, 16 * k};
}
[[nodiscard]] inline model_work work_of(const classic_parameters& p, double keys) {
  return work_of(choice_parameters{.bits = p.bits, .groups = 1, .hashes = p.hashes}, keys);
}

[[nodiscard]] inline model_work work_of(const spread_scheme& s, double keys_per_block) {
  const spread_extent extent(s, keys_per_block);
  const double share = std::floor(static_cast<double>(s.hashes) / s.spread);
  const double entries = (extent.with_more + 1) * (extent.with_less + 1);
  const double thrown = extent.with_more * (share + 1) + extent.with_less * share;
  constexpr double points = 80;  // of the mixture over the keys of a page
  const double mixed = std::isfinite(s.group_blocks) ? points : 1;
  const double table = entries * (s.lanes ? 1500 : 60) + (s.lanes ? 0 : thrown * s.block_bits);
  const double laws = mixed * (extent.with_more + extent.with_less) * law_term;
  return {2 * table + laws + 8 * mixed * entries, 40 * entries + 8 * thrown};
}
[[nodiscard]] inline model_work work_of(const blocked_parameters& p, double keys) {
  return work_of(spread_of(p), keys / static_cast<double>(p.blocks));
}
[[nodiscard]] inline model_work work_of(const bloom_g_parameters& p, double keys) {
  return work_of(spread_of(p), keys / static_cast<double>(p.blocks));
}

[[nodiscard]] inline model_work work_of(const alpha_parameters& p, double keys) {
  const double r = keys / static_cast<double>(p.blocks);
  const double evaluations = 4 * std::max(64.0, 8 * r);
  if (p.load == load_unit::keys) {
    const double size = law_end(r);
    return {12 * evaluations * size + exact_steps(size, p.hashes, p.block_bits), 80 * size};
  }
  const double kernel = (p.block_bits + 1.0) * (p.hashes + 1.0);
  return {2.5 * evaluations * kernel + kernel_steps(p.block_bits, p.hashes), 8 * kernel};
}

/// SINGLE, SEQUENTIAL and MHT. `smallest` is the least share of the blocks that a subtable has, 1 if there are none.
[[nodiscard]] inline model_work threshold_work(const auto& p, double r, double choices, double smallest) {
  const double tables = smallest < 1 ? choices : 1;
  const double usable = detail::counted_block(p.block_bits, p.threshold).usable_bits();
  const double h = p.threshold;
  model_work forcing;
  if (p.overflow != overflow_rule::exact_list || p.when_full != full_list_rule::refuse) {
    const double size = h + 62 + 4 * r;
    const double evaluations = 7 * (1000 + r / smallest);  // small subtables fill up fast, in small steps
    forcing = {evaluations * choices * size * 10 + exact_steps(size, p.hashes, usable), 10 * 8 * tables * size};
  }
  if (p.overflow != overflow_rule::exact_list) return forcing;
  double states = tables;
  if (tables == 1 && choices > 1) states = 4 * 120;  // Runge-Kutta
  if constexpr (requires { p.access_budget; }) states *= p.access_budget > 0 ? 52 : 1;
  if (p.list_capacity > 0) states *= 54;
  const double fullest = std::min(h + 2, law_end(r * choices / smallest));
  const double laws = fullest * law_term + (h + 2 - fullest) * far_term;
  return {forcing.steps + states * laws + exact_steps(fullest, p.hashes, usable),
          forcing.bytes + 2 * 8 * tables * (h + 2)};
}
[[nodiscard]] inline model_work work_of(const single_parameters& p, double keys) {
  return threshold_work(p, keys / static_cast<double>(p.blocks), 1, 1);
}
[[nodiscard]] inline model_work work_of(const sequential_parameters& p, double keys) {
  return threshold_work(p, keys / static_cast<double>(p.blocks), p.choices, 1);
}
[[nodiscard]] inline model_work work_of(const mht_parameters& p, double keys) {
  double blocks = 0;
  for (const std::uint64_t size : p.subtables) blocks += static_cast<double>(size);
  const auto least = static_cast<double>(*std::min_element(p.subtables.begin(), p.subtables.end()));
  return threshold_work(p, keys / blocks, static_cast<double>(p.subtables.size()), least / blocks);
}

[[nodiscard]] inline model_work work_of(const gated_parameters& p, double keys) {
  if (p.is_static) {
    const double built = static_in_table(p, keys) ? 0 : static_keys_built(p, keys);
    return {built * built_key, built * 64};
  }
  const double bits = p.block_bits;
  const double width = p.hashes + p.trace + p.second_hashes + 3.0;
  const double kernels = 2 * kernel_steps(bits, p.hashes) + kernel_steps(bits, p.second_hashes) + 20'000 * bits;
  const double r = keys / static_cast<double>(p.blocks);
  const double points = 4 * (r + 2 * std::sqrt(r) + 1);  // four a key, and the fullest pages have more
  return {points * 4 * bits * 2 * width * 3 + kernels, points * 8 * (bits + 8)};
}

[[nodiscard]] inline model_work work_of(const sealed_parameters& p, double keys) {
  const double built = sealed_keys_built(p, keys);
  return {built * built_key, built * 64};
}

/// What the model of these parameters at this number of keys costs. Precondition: the parameters are normalised.
[[nodiscard]] inline model_work work_of(const parameters& p, double keys) {
  return std::visit([&](const auto& q) { return work_of(q, keys); }, p);
}

/// Why there is no model within the bounds, or nothing if there is one. Precondition: the parameters are normalised.
[[nodiscard]] inline std::optional<std::string> why_no_model(const parameters& p, double keys,
                                                             const model_work& most = most_model_work) {
  const model_work needed = work_of(p, keys);
  // Not "above": what is not a number is too much, too.
  if (needed.steps <= most.steps && needed.bytes <= most.bytes) return std::nullopt;
  return "the model of a " + std::string(detail::scheme_name(p)) +
         " filter with these parameters at this number of keys would take too much time or memory; no planner makes "
         "such "
         "filters";
}

}  // namespace sluice::theory
