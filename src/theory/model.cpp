// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Every model behind one call: theory.hpp says what for.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/extend/theory.hpp"
#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"
#include "theory/alpha.hpp"
#include "theory/bloom_g.hpp"
#include "theory/distribution.hpp"
#include "theory/gated.hpp"
#include "theory/ledger.hpp"
#include "theory/scheme_of.hpp"
#include "theory/sealed.hpp"
#include "theory/static_gated.hpp"
#include "theory/threshold.hpp"
#include "theory/work.hpp"

namespace sluice::theory {

[[nodiscard]] inline double budget_per_block(const auto& p, double blocks) {
  if constexpr (requires { p.access_budget; }) return static_cast<double>(p.access_budget) / blocks;
  return 0;
}

[[nodiscard]] inline prediction predict_threshold(const auto& p, std::uint32_t choices,
                                                  const std::vector<double>& fractions, double blocks, double keys,
                                                  const model_options& options) {
  const threshold_scheme scheme{.choices = choices,
                                .fractions = fractions,
                                .threshold = p.threshold,
                                .acceptance = p.acceptance,
                                .overflow = p.overflow,
                                .list_capacity = static_cast<double>(p.list_capacity) / blocks,
                                .when_full = p.when_full,
                                .access_budget = budget_per_block(p, blocks)};
  const extend::local_filter local{detail::counted_block(p.block_bits, p.threshold).usable_bits(), p.hashes};
  return predict(scheme, local, keys / blocks, options.paper_rule);
}

[[nodiscard]] inline double lined_bits_of(const auto& p) {
  return p.form == hash_form::double_hashing ? static_cast<double>(p.bits) : 0;
}
[[nodiscard]] inline prediction predict_scheme(const classic_parameters& p, double keys, const model_options& /*o*/) {
  const double bits = std::ldexp(static_cast<double>(p.bits), -static_cast<int>(p.folds));
  return predict(extend::choice_scheme{1, p.hashes, lined_bits_of(p)}, bits / keys);
}
[[nodiscard]] inline prediction predict_scheme(const choice_parameters& p, double keys, const model_options& /*o*/) {
  return predict(extend::choice_scheme{p.groups, p.hashes, lined_bits_of(p)}, static_cast<double>(p.bits) / keys);
}
[[nodiscard]] inline prediction predict_scheme(const blocked_parameters& p, double keys, const model_options& /*o*/) {
  return predict(spread_of(p), keys / blocks_of(p));
}
[[nodiscard]] inline prediction predict_scheme(const alpha_parameters& p, double keys, const model_options& o) {
  return predict(alpha_scheme{p.block_bits, p.hashes, p.alpha, p.load},
                 keys / static_cast<double>(o.shards) / static_cast<double>(p.blocks), o.shards, o.paper_rule);
}
[[nodiscard]] inline prediction predict_scheme(const single_parameters& p, double keys, const model_options& options) {
  return predict_threshold(p, 1, {}, static_cast<double>(p.blocks), keys, options);
}
[[nodiscard]] inline prediction predict_scheme(const sequential_parameters& p, double keys,
                                               const model_options& options) {
  return predict_threshold(p, p.choices, {}, static_cast<double>(p.blocks), keys, options);
}
[[nodiscard]] inline prediction predict_scheme(const mht_parameters& p, double keys, const model_options& options) {
  double blocks = 0;
  for (const std::uint64_t size : p.subtables) blocks += static_cast<double>(size);
  return predict_threshold(p, static_cast<std::uint32_t>(p.subtables.size()), detail::subtable_shares(p.subtables),
                           blocks, keys, options);
}
[[nodiscard]] inline prediction predict_scheme(const bloom_g_parameters& p, double keys, const model_options& /*o*/) {
  return predict(spread_of(p), keys / blocks_of(p));
}
[[nodiscard]] inline prediction predict_scheme(const gated_parameters& p, double keys, const model_options& o) {
  if (p.is_static) return predict_static(p, keys);
  const double r = keys / static_cast<double>(p.blocks);
  if (p.blocks == 1) {
    return predict(spread_scheme{p.block_bits, p.hashes, 1, std::numeric_limits<double>::infinity(), true}, r);
  }
  // A filter that was folded is a union: of neighbours, each of which was filled alone.
  const std::uint64_t shards = o.shards << p.folds;
  if (shards == 1) return predict_gated(p, group_of(p), r);
  return predict_gated_union(p, group_of(p), r / static_cast<double>(o.shards), shards);
}

[[nodiscard]] inline prediction predict_scheme(const sealed_parameters& p, double keys, const model_options& /*o*/) {
  return predict_sealed(p, keys);
}

[[nodiscard]] inline prediction predict_scheme(const ledger_parameters& p, double keys, const model_options& o) {
  return predict_ledger(p, keys, o.turnovers);
}

// --- what they cost -------------------------------------------------------------------------------------------------

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
  return work_of(spread_of(p), keys / blocks_of(p));
}
[[nodiscard]] inline model_work work_of(const bloom_g_parameters& p, double keys) {
  return work_of(spread_of(p), keys / blocks_of(p));
}

[[nodiscard]] inline model_work work_of(const alpha_parameters& p, double keys) {
  const double per_block = keys / static_cast<double>(p.blocks);
  const double evaluations = 4 * std::max(64.0, 8 * per_block);
  if (p.load == load_unit::keys) {
    const double size = law_end(per_block);
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
  const double per_block = keys / blocks_of(p);
  const double points = 4 * (per_block + 2 * std::sqrt(per_block) + 1);  // four a key, and the fullest pages have more
  return {points * 4 * bits * 2 * width * 3 + kernels, points * 8 * (bits + 8)};
}

[[nodiscard]] inline model_work work_of(const sealed_parameters& p, double keys) {
  const double built = sealed_keys_built(p, keys);
  return {built * built_key, built * 64};
}

[[nodiscard]] inline model_work work_of(const ledger_parameters& p, double keys) {
  constexpr std::uint32_t most_turnovers = 16;
  constexpr double turned_key = 1000;
  const double inserted = ledger_keys_inserted(p, keys, most_turnovers);
  return {inserted * turned_key, inserted * 8};
}

model_work work_of(const parameters& p, double keys) {
  return std::visit([&](const auto& q) { return work_of(q, keys); }, p);
}

std::optional<std::string> why_no_model(const parameters& p, double keys, const model_work& most) {
  const model_work needed = work_of(p, keys);
  // Not "above": what is not a number is too much, too.
  if (needed.steps <= most.steps && needed.bytes <= most.bytes) return std::nullopt;
  return "the model of a " + std::string(detail::scheme_name(p)) +
         " filter with these parameters at this number of keys would take too much time or memory; no planner makes "
         "such filters";
}

// --- predictions ----------------------------------------------------------------------------------------------------

/// Why there is no model of a union of shards; nothing where there is one.
[[nodiscard]] inline std::optional<std::string> why_no_union(const parameters& p, std::uint64_t shards) {
  if (shards == 0 || shards > most_shards) return "a union has from 1 to " + std::to_string(most_shards) + " shards";
  if (shards == 1) return std::nullopt;
  const auto* const alpha = std::get_if<alpha_parameters>(&p);
  const scheme which = scheme_of(p);
  const bool known = which == scheme::classic || which == scheme::blocked || which == scheme::bloom_g ||
                     (alpha != nullptr && alpha->load == load_unit::set_bits) ||
                     (which == scheme::gated && !detail::is_static(p));
  if (known) return std::nullopt;
  return "there is no model of unions of " + std::string(detail::is_static(p) ? "static " : "") +
         std::string(detail::scheme_name(p)) + " filters";
}

prediction predict(const parameters& p, double keys, const model_options& options) {
  if (!(keys >= 1) || !std::isfinite(keys)) throw parameter_error("a prediction is for at least one key");
  const parameters filter = detail::normalised(p);
  const std::uint32_t folds = scheme_of(filter) == scheme::gated ? detail::folds_of(filter) : 0;
  if (folds != 0 && options.shards > most_shards >> std::min(folds, 32U)) {
    throw parameter_error("there is no model of unions of more than " + std::to_string(most_shards) +
                          " gated filters, nor of one that was folded so often");
  }
  if (const auto why = why_no_union(filter, options.shards)) throw parameter_error(*why);
  if (const auto why = why_no_model(filter, keys)) throw parameter_error(*why);
  const auto no_number = [&](const std::string& why) {
    return parameter_error("the model of a " + std::string(detail::scheme_name(filter)) +
                           " filter with these parameters at this number of keys leaves the range of numbers: " + why);
  };
  prediction result;
  try {
    result = std::visit([&](const auto& q) { return predict_scheme(q, keys, options); }, filter);
  } catch (const error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw memory_error("the system would not give the memory for a model");
  } catch (const std::exception& e) {  // of the mathematics that we use
    throw no_number(e.what());
  }
  if (!std::isfinite(result.fpr_exact + result.fpr_usual + result.accesses_hit + result.accesses_miss)) {
    throw no_number("its rate is not a number");
  }
  if (options.paper_rule) return result;  // (1 + alpha) q exceeds 1 where blocks are overfull
  // A sum of shares may exceed 1 by a rounding.
  result.fpr_exact = std::clamp(result.fpr_exact, 0.0, 1.0);
  result.fpr_usual = std::clamp(result.fpr_usual, 0.0, 1.0);
  return result;
}

model_allowance::answer model_allowance::operator()(const parameters& p, double keys) {
  try {
    const parameters filter = detail::normalised(p);
    if (const auto why = why_no_model(filter, keys)) return {.why_not = *why};
    const double steps = work_of(filter, keys).steps;
    if (steps > left_) return {.why_not = "the models of all filters together would take too long"};
    left_ -= steps;
    return {.predicted = predict(filter, keys)};
  } catch (const error& e) {
    return {.why_not = e.what()};
  }
}

}  // namespace sluice::theory
