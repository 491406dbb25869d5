// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan: a request is checked, every scheme is sized for it, candidates are put in order and each is told why it stands
// where it does.
//
// Invariants: what breaks a limit never stands before what breaks none. Where memory is given nothing counts as a tie,
// so that the first never has a higher rate for more memory. Cost: some 40 models.
#include "sluice/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/designs.hpp"
#include "plan/evaluate.hpp"
#include "plan/fit.hpp"
#include "plan/ledger.hpp"
#include "plan/order.hpp"
#include "plan/sealed.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/theory.hpp"

namespace sluice {

namespace detail::planning {

inline constexpr double overfull = 1.25;  // where fpr_overfull is told

inline void check(const plan_request& q) {
  const auto require = [](bool holds, const std::string& sentence) {
    if (!holds) throw parameter_error("plan: " + sentence);
  };
  const int given = (q.keys ? 1 : 0) + (q.fpr ? 1 : 0) + (q.memory_bits ? 1 : 0);
  require(given == 2,
          "give exactly two of the number of keys, the false positive rate and the memory; the third follows");
  require(!q.keys || (*q.keys >= 1 && *q.keys <= 1e18), "the number of keys is from 1 to 1e18");
  require(!q.fpr || (*q.fpr > 0 && *q.fpr < 1), "the false positive rate lies between 0 and 1");
  require(!q.memory_bits || (*q.memory_bits >= 64 && *q.memory_bits <= 1e20), "the memory is from 8 bytes to 1e19");
  if (q.keys && q.memory_bits) {
    const double bits = *q.memory_bits / *q.keys;
    require(bits >= least_bits, number_text(bits) + " bits a key are too few; 4 are the least");
  }
  require(q.hit_ratio >= 0 && q.hit_ratio <= 1, "the hit ratio is a share from 0 to 1");
  require(q.second_line_cost >= 0 && q.second_line_cost <= 1, "the cost of a second line is from 0 to 1");
  require(q.overload >= 1 && q.overload <= 4, "the overload is from 1 to 4 times the keys");
  require(q.max_blocks >= 1, "a lookup reads at least one block");
  require(q.mean_cost_limit >= 1, "a lookup costs at least 1");
  require(!(q.accesses_hit && !(*q.accesses_hit >= 1)), "a hit reads at least one block");
  require(!(q.accesses_miss && !(*q.accesses_miss >= 1)), "a miss reads at least one block");
  require(q.block_bits >= 64 && q.block_bits <= 4096, "a block has 64 to 4096 bits");
  require(q.shards <= theory::most_shards, "a union has at most " + std::to_string(theory::most_shards) + " shards");
  require(!q.erase || !q.all_keys_known, "filters of keys that are all known do not change: nothing can be erased");
  require(!q.erase || q.block_bits == ledger_layout::block_bits,
          "keys are erased from ledgers alone, whose blocks have 512 bits");
  require(!q.keys_at_most || q.keys, "the most keys that may come are a number of keys: give keys, too");
  require(!q.keys_at_most || !q.all_keys_known, "keys that are all known can be counted: plan for their number");
  require(!q.keys_at_most || !q.erase, "ledgers cannot be folded: plan for the number of keys, or let a chain grow");
  require(!q.keys_at_most || (q.shards <= 1 && !q.mergeable), "shards are planned for the keys that will come");
  require(q.shards <= 1 || !q.all_keys_known, "static filters have no shards: build one filter of all keys");
}

/// With a number of blocks that can be halved as often as it costs or saves less than a part in 128: then a blocked
/// filter that was folded is an ordinary one.
[[nodiscard]] inline parameters with_even_blocks(parameters p, bool upwards) {
  if (auto* const blocked = std::get_if<blocked_parameters>(&p)) {
    const std::uint64_t unit = std::bit_floor(std::max<std::uint64_t>(blocked->blocks / 128, 1));
    blocked->blocks = (blocked->blocks + (upwards ? unit - 1 : 0)) / unit * unit;
  }
  return p;
}

[[nodiscard]] inline bool is_considered(scheme which, const plan_request& q) {
  return q.among.empty() || std::find(q.among.begin(), q.among.end(), which) != q.among.end();
}

/// The fewest bits per key at which a scheme meets a rate, as a candidate; nothing where no number of bits does.
[[nodiscard]] inline std::optional<plan_candidate> smallest(detail::designs::family which, double fpr,
                                                            const plan_request& q, double planned_keys) {
  // Where the table knows it, the search starts beside the answer.
  const auto guess = detail::designs::bits_for(which, q.block_bits, fpr);
  double bits = guess.value_or(std::clamp(-std::log(fpr) / rate_slope, least_bits + 1, most_bits - 1));
  double low = least_bits;  // too few bits, as far as is known
  std::optional<plan_candidate> best;
  for (int round = 0; round < 25; ++round) {
    const auto c = candidate_at(which, bits, planned_keys, q);
    if (!c) {
      if (best || bits >= most_bits) return best;
      low = bits;
      bits = std::min(most_bits, bits + 1);  // the table does not go so far down
      continue;
    }
    const double excess = excess_over(fpr, *c);
    // Whole blocks and pages: a small filter cannot come closer than its sizes lie apart.
    if (best && c->memory_bytes == best->memory_bytes) return best;
    if (excess <= 0) {
      if (!best || c->memory_bytes < best->memory_bytes) best = c;
      if (excess > -close_enough || bits <= least_bits) return best;
    } else {
      low = std::max(low, bits);
      if (bits >= most_bits) return best;
    }
    // Aim at a rate a little below the wanted one; never below what is known to be too few.
    double next = bits + (excess + close_enough / 2) / rate_slope;
    if (next <= low) next = (low + bits) / 2;
    next = std::clamp(next, least_bits, most_bits);
    if (std::abs(next - bits) < 1e-4 * bits) return best ? best : c;
    bits = next;
    if (best && bits - low < 1e-3 * bits) return best;
  }
  return best;
}

}  // namespace detail::planning

std::vector<plan_candidate> plan(const plan_request& q) {
  detail::planning::check(q);
  // Exactly two of these are given, check() has seen to it; what is not given is not used.
  const double asked_keys = q.keys.value_or(0);
  const double asked_fpr = q.fpr.value_or(0);
  const double asked_bits = q.memory_bits.value_or(0);
  plan_request whatever_the_time = q;
  whatever_the_time.by = plan_by::bits;
  std::vector<plan_candidate> found;
  const auto add = [&](std::optional<plan_candidate> c) {
    if (!c) return;
    if (q.keys_at_most)
      c = detail::planning::evaluate(detail::planning::with_even_blocks(c->params, !q.memory_bits), c->keys, q);
    if (q.overload != 1 && q.keys) {
      // Sized for the overload; told for the planned keys.
      const std::string limit = detail::planning::broken_limit(*c, q);
      *c = detail::planning::evaluate(c->params, asked_keys, q);
      c->broken_limit = limit;
    }
    if (c->broken_limit.empty()) c->broken_limit = detail::planning::broken_limit(*c, q);
    c->too_slow = c->broken_limit.empty() && detail::planning::takes_too_long(*c, q);
    if (c->too_slow) {
      c->broken_limit = "a lookup takes " +
                        detail::planning::tell_apart(c->time, " times as long as one of blocked, more than ",
                                                     plan_request::most_time) +
                        "; a plan by lines or by bits has no limit on time";
    }
    // Sealed filters and ledgers take no more keys than they were made for.
    if (!detail::is_sealed(c->params) && !detail::erases_keys(c->params)) {
      c->fpr_overfull = detail::planning::predict(c->params, c->keys * detail::planning::overfull, q).fpr_exact;
    }
    found.push_back(std::move(*c));
  };
  for (const detail::designs::family which : detail::designs::all_families) {
    if (which == detail::designs::family::static_gated && !q.all_keys_known) continue;
    if (!detail::planning::is_considered(detail::designs::scheme_of(which), q)) continue;
    std::optional<plan_candidate> c;
    if (q.keys && q.fpr) {
      c = detail::planning::smallest(which, asked_fpr, q, asked_keys * q.overload);
      // What is fast enough does not reach the rate: then what is not is shown.
      if (!c && q.by == plan_by::balanced) {
        c = detail::planning::smallest(which, asked_fpr, whatever_the_time, asked_keys * q.overload);
      }
    } else if (q.keys) {
      c = detail::planning::best_in(which, asked_bits, asked_keys * q.overload, q);
    } else {
      c = detail::planning::most_keys(which, asked_bits, asked_fpr, q);
    }
    add(std::move(c));
  }
  if (q.all_keys_known && detail::planning::is_considered(scheme::sealed, q)) {
    for (plan_candidate& c : detail::planning::sealed_candidates(q, asked_keys * q.overload)) add(std::move(c));
  }
  if (q.erase && detail::planning::is_considered(scheme::ledger, q)) {
    add(detail::planning::ledger_candidate(q, asked_keys * q.overload));
  }
  if (found.empty()) {
    if (!q.keys) {
      throw parameter_error("plan: " + detail::number_text(asked_bits / 8) +
                            " bytes do not hold a single key at this rate with blocks of " +
                            std::to_string(q.block_bits) + " bits; allow more false positives or memory");
    }
    throw parameter_error(std::string("plan: no scheme ") + (q.among.empty() ? "" : "of those asked for ") +
                          "reaches this with 4 to 64 bits a key and blocks of " + std::to_string(q.block_bits) +
                          " bits; allow more false positives or memory");
  }

  const detail::planning::order wanted(q);
  wanted.sort(found);
  wanted.explain(found);
  return found;
}

plan_candidate best_plan(const plan_request& q) {
  plan_candidate first = plan(q).front();
  if (first.broken_limit.empty()) return first;
  throw parameter_error("plan: no filter keeps all limits; the nearest is " +
                        std::string(detail::scheme_name(first.params)) + ", but " + first.broken_limit);
}

}  // namespace sluice
