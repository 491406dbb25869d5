#include "scheme_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "frame/arguments.hpp"
#include "plan/descend.hpp"
#include "plan/designs.hpp"
#include "plan/evaluate.hpp"
#include "seed_option.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/theory.hpp"

namespace sluice_cli {
namespace {

using sluice::parameter_error;
namespace designs = sluice::detail::designs;
namespace theory = sluice::theory;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The k with the fewest false positives at the planned load.
template <class P>
void choose_hashes(P& p, const std::optional<std::uint32_t>& given, double keys, double bits_per_key,
                   std::uint32_t least = 1) {
  if (given) {
    p.hashes = *given;
    return;
  }
  const auto start = std::max(least, static_cast<std::uint32_t>(std::lround(bits_per_key * 0.6)));
  int most = 256;
  if constexpr (requires { p.positions; }) {
    if (sluice::detail::in_lanes(p)) most = sluice::detail::lanes::most_positions;
  }
  const auto found = designs::descend({static_cast<int>(start)}, {2}, [&](const std::vector<int>& x) {
    if (x[0] < static_cast<int>(least) || x[0] > most) return infinite;
    P trial = p;
    trial.hashes = static_cast<std::uint32_t>(x[0]);
    return std::log(theory::predict(trial, keys).fpr_exact);
  });
  p.hashes = static_cast<std::uint32_t>(found[0]);
}

template <class P>
void choose_positions(P& p, const scheme_options& o) {
  if (!o.positions) return;
  p.positions = *o.positions == "uniform" ? sluice::position_rule::uniform : sluice::position_rule::lanes;
}

sluice::overflow_rule overflow_of(const scheme_options& o) {
  if (o.list == "random") return sluice::overflow_rule::random_candidate;
  return o.list == "no" ? sluice::overflow_rule::first_candidate : sluice::overflow_rule::exact_list;
}

sluice::full_list_rule when_full_of(const scheme_options& o) {
  if (o.when_full == "first") return sluice::full_list_rule::first_candidate;
  return o.when_full == "random" ? sluice::full_list_rule::random_candidate : sluice::full_list_rule::refuse;
}

/// h and p: as given (then the dynamics say what they do), or the optimum for the accesses and the overflow.
template <class P>
void choose_threshold(P& p, const scheme_options& o, double accesses, double r, double gamma, chosen_scheme& result) {
  p.overflow = overflow_of(o);
  if (o.list_capacity) p.list_capacity = static_cast<std::uint64_t>(*o.list_capacity);
  p.when_full = when_full_of(o);
  if (!o.threshold || !o.acceptance) {
    const theory::optimum best = theory::optimal_threshold(accesses, r, gamma);
    result.k0 = best.loads.k0;
    p.threshold = static_cast<std::uint32_t>(best.threshold);
    p.acceptance = best.acceptance;
  }
  if (o.threshold) p.threshold = *o.threshold;
  if (o.acceptance) p.acceptance = *o.acceptance;
}

sluice::parameters choose_gated(const scheme_options& o, std::uint64_t blocks, double keys, double bits_per_key) {
  sluice::gated_parameters p{.blocks = blocks, .block_bits = o.block_bits, .is_static = o.is_static};
  p.second = o.second == "table" ? sluice::second_block::table : sluice::second_block::page;
  const double r = o.block_bits / bits_per_key;
  const theory::model_options united{.parts = o.shards};
  const auto which = o.is_static ? designs::family::static_gated : designs::family::gated;
  bool tabled = false;
  if (const auto known = designs::design(which, o.block_bits, bits_per_key, keys)) {
    const auto& q = std::get<sluice::gated_parameters>(*known);
    p.hashes = q.hashes, p.trace = q.trace, p.second_hashes = q.second_hashes, p.threshold = q.threshold,
    p.margin = q.margin;
    tabled = true;
  } else {
    p.trace = 4;
    p.hashes = std::max(p.trace + 1, static_cast<std::uint32_t>(std::lround(bits_per_key * 0.62)));
    p.margin = 8;
  }
  if (o.hashes) p.hashes = *o.hashes;
  if (o.hashes) p.trace = std::min(p.trace, std::max(p.hashes, 1U) - 1);  // smaller than k
  if (o.trace) p.trace = *o.trace;
  if (o.hashes || o.trace || !tabled) p.second_hashes = p.hashes > p.trace ? p.hashes - p.trace : p.hashes;
  if (o.second_hashes) p.second_hashes = *o.second_hashes;
  if (o.margin) p.margin = *o.margin;
  if (o.is_static && !o.threshold) p.threshold = std::max(1U, o.block_bits / 2);
  const bool free_shape = !o.is_static && (o.hashes || o.trace || o.second_hashes || !tabled);
  const auto usable = static_cast<int>(sluice::detail::laned_block<>(o.block_bits).usable_bits());
  if (o.threshold) {
    p.threshold = *o.threshold;
  } else if (free_shape) {
    p.threshold = static_cast<std::uint32_t>(std::max(1.0, usable * -std::expm1(-0.92 * p.hashes * r / usable)));
  }
  if (free_shape && (!o.threshold || !o.margin)) {
    // Something of the table was overridden: the rest is fitted to it.
    const auto at = designs::descend({static_cast<int>(p.threshold), static_cast<int>(p.margin)},
                                     {o.threshold ? 0 : 8, o.margin ? 0 : 4}, [&](const std::vector<int>& x) {
                                       if (x[0] < 1 || x[0] > usable || x[1] < 0 || x[1] > usable) return infinite;
                                       auto trial = p;
                                       trial.threshold = static_cast<std::uint32_t>(x[0]);
                                       trial.margin = static_cast<std::uint32_t>(x[1]);
                                       return std::log(theory::predict(trial, keys, united).fpr_exact);
                                     });
    p.threshold = static_cast<std::uint32_t>(at[0]);
    p.margin = static_cast<std::uint32_t>(at[1]);
  } else if (tabled && !o.threshold && !o.margin) {
    double least = infinite;
    for (const auto& design : designs::for_shards(p, bits_per_key, o.shards)) {
      const double fpr = theory::predict(design, keys, united).fpr_exact;
      if (fpr < least) least = fpr, p = std::get<sluice::gated_parameters>(design);
    }
  }
  return p;
}

/// r as given, or the most whose filters of this many keys have no more than these bits a key.
sluice::parameters choose_sealed(const scheme_options& o, double keys, double bits_per_key) {
  using sluice::detail::sealed_layout;
  sluice::sealed_parameters p{
      .blocks = 1, .block_bits = o.block_bits, .fingerprint_bits = o.fingerprint_bits.value_or(8), .seed = o.seed};
  p = std::get<sluice::sealed_parameters>(sluice::detail::normalised(p));
  if (!o.fingerprint_bits) {
    const auto fits = [&](std::uint32_t r) {
      return 16.0 * o.block_bits / sluice::detail::sealed_layout(o.block_bits, r).load_16ths() <= bits_per_key;
    };
    if (!fits(p.fingerprint_bits)) {
      throw parameter_error(
          "a sealed filter has at least " +
          std::to_string(16.0 * o.block_bits / sluice::detail::sealed_layout(o.block_bits, 8).load_16ths()) +
          " bits a key with blocks of this size");
    }
    while (p.fingerprint_bits < sealed_layout::most_fingerprint && fits(p.fingerprint_bits + 1)) ++p.fingerprint_bits;
  }
  p.blocks =
      sluice::detail::sealed_layout(p.block_bits, p.fingerprint_bits).blocks_for(static_cast<std::uint64_t>(keys));
  return p;
}

}  // namespace

void add_scheme_options(CLI::App& app, scheme_options& o) {
  app.add_option("scheme", o.scheme,
                 "classic, choice, blocked, alpha, single, sequential, mht, bloom-g, gated or sealed")
      ->required()
      ->check(CLI::IsMember(scheme_names));
  app.add_option("--block-bits", o.block_bits, "bits of a block, 64 to 4096")->capture_default_str();
  app.add_option("--bits-per-key", o.bits_per_key, "bits of the filter per planned key (default 16)");
  app.add_option("--keys-per-block", o.keys_per_block, "instead of --bits-per-key");
  app.add_option("--keys", o.keys, "planned number of keys; 1e8 and 100M are accepted")->type_name(count_type);
  app.add_option("--load", o.load, "insert this multiple of the planned keys; parameters stay those of the plan");
  app.add_option("--shards", o.shards, "the union of this many filters, each made from an equal part of the keys");
  app.add_option("--hashes", o.hashes, "k: bits a key sets");
  app.add_option("--fingerprint-bits", o.fingerprint_bits,
                 "r of a sealed filter: its rate is 2^-r (default: as many as the bits per key allow)");
  app.add_option("--choices", o.choices, "d: candidate blocks (sequential, mht); g of bloom-g");
  app.add_option("--accesses", o.accesses, "a: optimum for this mean of blocks read per insertion (default 1.2)");
  app.add_flag("--budget", o.budget, "sequential, mht: stop using blocks when a n accesses are spent");
  app.add_option("--overflow", o.overflow, "gamma: share of keys in the list (default: the least that is optimal)")
      ->type_name(share_type);
  app.add_option("--alpha", o.alpha, "share of keys with two candidate blocks")->type_name(share_type);
  app.add_option("--groups", o.groups, "c: choice groups");
  app.add_flag("--double-hashing", o.double_hashing, "classic, choice: the positions of a key lie on a line");
  app.add_flag("--static", o.is_static, "gated: made from all keys at once");
  app.add_option("--rounds", o.rounds,
                 "choice: offline rounds, the first pass included; static: of the search (simulate only)");
  app.add_option("--threshold", o.threshold, "h: load at which a block is full (gated: in bits)");
  app.add_option("--acceptance", o.acceptance, "p: probability of accepting a key at load exactly h")
      ->type_name(share_type);
  app.add_flag("--paper-rule", o.paper_rule,
               "model: the paper's formulas as they stand (lookups go on at every load >= h; alpha: (3.4) and (3.5)); "
               "alpha: loads counted in keys");
  app.add_option("--trace", o.trace, "t: bits that a spilled key leaves behind");
  app.add_option("--second-hashes", o.second_hashes, "k2: bits of a spilled key in its second block");
  app.add_option("--margin", o.margin, "spill only to a block with more than this many bits fewer");
  app.add_option("--positions", o.positions,
                 "lanes (fast; the default of blocked, 256 or 512 bits) or uniform (as in the papers; of bloom-g)")
      ->check(CLI::IsMember({"lanes", "uniform"}));
  app.add_option("--second", o.second, "further blocks in the same page, or anywhere in the table")
      ->check(CLI::IsMember({"page", "table"}))
      ->capture_default_str();
  app.add_option("--list", o.list,
                 "where a key goes that no block accepts: an exact list; no: its first candidate; random: any of them, "
                 "as in the paper")
      ->check(CLI::IsMember({"yes", "no", "random"}))
      ->capture_default_str();
  app.add_option("--list-capacity", o.list_capacity, "keys that the exact list holds at most (default: no limit)")
      ->type_name(count_type);
  app.add_option("--when-full", o.when_full,
                 "what happens to a key when the list is full: refuse (the default), or put it into its first "
                 "candidate, or a random one")
      ->check(CLI::IsMember({"refuse", "first", "random"}));
  add_seed(app, o.seed, "of the hash, or `random`; a model has none");
  app.add_flag("--json", o.json, "print JSON");
}

chosen_scheme choose(const scheme_options& o, double default_keys) {
  if (o.bits_per_key && o.keys_per_block) {
    throw parameter_error("give either --bits-per-key or --keys-per-block, not both");
  }
  if (o.block_bits < 64 || o.block_bits > 4096) throw parameter_error("--block-bits is from 64 to 4096");
  chosen_scheme result;
  result.bits_per_key = o.keys_per_block ? o.block_bits / *o.keys_per_block : o.bits_per_key.value_or(16);
  if (!(result.bits_per_key > 0) || !(result.bits_per_key <= 4096)) {
    throw parameter_error("the number of bits per key must be positive, and 4096 at most");
  }
  const double beta = result.bits_per_key;
  result.planned_keys = o.keys.value_or(default_keys);
  if (!(result.planned_keys >= 1 && result.planned_keys <= 1e18)) throw parameter_error("--keys is from 1 to 1e18");
  if (o.is_static && o.scheme != "gated")
    throw parameter_error("--static is for gated filters, made from all their keys");
  if (o.shards < 1 || o.shards > theory::most_parts) {
    throw parameter_error("--shards is from 1 to " + std::to_string(theory::most_parts));
  }
  if (o.shards > 1 && o.is_static) {
    throw parameter_error("static filters have no shards: build one filter of all keys");
  }
  if (o.double_hashing && o.scheme != "classic" && o.scheme != "choice") {
    throw parameter_error("--double-hashing is for classic filters and choice groups");
  }
  const bool has_list = o.scheme == "single" || o.scheme == "sequential" || o.scheme == "mht";
  if ((o.list_capacity || o.when_full) && (!has_list || o.list != "yes")) {
    throw parameter_error("--list-capacity and --when-full are for single, sequential and mht filters with a list");
  }
  if (o.when_full && !o.list_capacity)
    throw parameter_error("--when-full needs --list-capacity: no other list is full");
  if (o.list_capacity && !(*o.list_capacity >= 1 && *o.list_capacity <= 1e18)) {
    throw parameter_error("--list-capacity is from 1 to 1e18");
  }
  if (!(o.load > 0 && o.load <= 100)) throw parameter_error("--load is above 0 and 100 at most");
  const double n = result.planned_keys;
  result.keys = std::max(1.0, std::round(n * o.load));
  const std::uint64_t blocks = sluice::blocks_for(static_cast<std::uint64_t>(n), beta, o.block_bits);
  const double r = n / static_cast<double>(blocks);
  const double a = o.accesses.value_or(designs::accesses);

  if (o.scheme == "classic" || o.scheme == "choice") {
    const auto bits = static_cast<std::uint64_t>(std::max(64.0, std::ceil(n * beta)));
    sluice::choice_parameters p{
        .bits = bits, .groups = o.scheme == "classic" ? 1 : o.groups.value_or(2), .seed = o.seed};
    if (o.double_hashing) p.form = sluice::hash_form::double_hashing;
    choose_hashes(p, o.hashes, n, beta);
    if (o.scheme == "classic") {
      result.params = sluice::classic_parameters{.bits = bits, .hashes = p.hashes, .form = p.form, .seed = o.seed};
    } else {
      result.params = p;
    }
  } else if (o.scheme == "blocked") {
    sluice::blocked_parameters p{.blocks = blocks, .block_bits = o.block_bits, .seed = o.seed};
    choose_positions(p, o);
    choose_hashes(p, o.hashes, n, beta);
    result.params = p;
  } else if (o.scheme == "alpha") {
    sluice::alpha_parameters p{.blocks = blocks, .block_bits = o.block_bits, .seed = o.seed};
    const auto known = designs::design(designs::family::alpha, o.block_bits, beta, n);
    p.alpha = o.alpha.value_or(known ? std::get<sluice::alpha_parameters>(*known).alpha : 0.3);
    p.load = o.paper_rule ? sluice::load_unit::keys : sluice::load_unit::set_bits;
    choose_hashes(p, o.hashes, n, beta);
    result.params = p;
  } else if (o.scheme == "single") {
    sluice::single_parameters p{.blocks = blocks, .block_bits = o.block_bits, .seed = o.seed};
    choose_threshold(p, o, 1, r,
                     o.overflow.value_or(sluice::detail::least_overflow(designs::accesses, designs::choices)), result);
    choose_hashes(p, o.hashes, n, beta);
    result.params = p;
  } else if (o.scheme == "sequential") {
    sluice::sequential_parameters p{.blocks = blocks, .block_bits = o.block_bits, .seed = o.seed};
    p.choices = o.choices.value_or(designs::choices);
    const bool explicit_rule = o.threshold && o.acceptance;
    const double gamma = o.overflow      ? *o.overflow
                         : explicit_rule ? 0
                                         : theory::least_overflow_sequential(a, p.choices, r);
    choose_threshold(p, o, a, r, gamma, result);
    if (o.budget) p.access_budget = static_cast<std::uint64_t>(std::llround(a * n));
    choose_hashes(p, o.hashes, n, beta);
    result.params = p;
  } else if (o.scheme == "mht") {
    const std::uint32_t d = o.choices.value_or(designs::choices);
    const double gamma = o.overflow.value_or(sluice::detail::least_overflow(a, d));
    result.subtables = sluice::detail::subtable_fractions(a, gamma, d);
    sluice::mht_parameters p{.subtables = sluice::detail::subtable_sizes(blocks, result.subtables),
                             .block_bits = o.block_bits,
                             .seed = o.seed};
    choose_threshold(p, o, a, r, gamma, result);
    if (o.budget) p.access_budget = static_cast<std::uint64_t>(std::llround(a * n));
    choose_hashes(p, o.hashes, n, beta);
    result.params = p;
  } else if (o.scheme == "bloom-g") {
    sluice::bloom_g_parameters p{.blocks = blocks, .block_bits = o.block_bits, .seed = o.seed};
    choose_positions(p, o);
    p.spread = o.choices.value_or(2);
    if (o.second == "page" && sluice::detail::page_bytes % sluice::detail::stride_for(o.block_bits) != 0) {
      throw parameter_error("blocks of " + std::to_string(o.block_bits) +
                            " bits do not divide a page of 4096 bytes; use a power of two, or --second table");
    }
    p.second = o.second == "table" ? sluice::second_block::table : sluice::second_block::page;
    p.hashes = p.spread;
    choose_hashes(p, o.hashes, n, beta, p.spread);
    result.params = p;
  } else if (o.scheme == "sealed") {
    if (n > 1e17) throw parameter_error("a sealed filter has at most 1e17 keys");
    result.params = choose_sealed(o, n, beta);
    result.bits_per_key = sluice::detail::planning::filter_bits(result.params) / n;
  } else {
    auto p = std::get<sluice::gated_parameters>(choose_gated(o, blocks, n, beta));
    p.seed = o.seed;
    result.params = p;
  }
  result.params = sluice::detail::normalised(result.params);
  if (const std::string why_not = sluice::detail::planning::why_not_mergeable(result.params);
      o.shards > 1 && !why_not.empty()) {
    throw parameter_error("a " + o.scheme + " filter has no shards: " + why_not);
  }
  return result;
}

}  // namespace sluice_cli
