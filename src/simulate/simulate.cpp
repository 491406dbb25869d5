// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/errors.hpp"
#include "sluice/hash.hpp"

namespace sluice {
namespace {

constexpr double most_misses = 1e9;
constexpr double wanted_positives = 1000;

/// Tells of a loop now and then.
class teller {
public:
  teller(const simulation_request& q, const char* what, std::uint64_t steps) : q_(q), what_(what), steps_(steps) {}
  void at(std::uint64_t step) const {
    constexpr std::uint64_t seldom = std::uint64_t{1} << 18;
    if (q_.progress && step % seldom == 0) q_.progress(what_, static_cast<double>(step) / static_cast<double>(steps_));
  }

private:
  const simulation_request& q_;
  const char* what_;
  std::uint64_t steps_;
};

/// The digests of the keys: stored ones have numbers below q.keys, absent ones follow.
class key_maker {
public:
  key_maker(const simulation_request& q, std::uint64_t seed) : q_(q), hash_(seed) {}
  [[nodiscard]] digest stored(std::uint64_t i) const { return q_.key_of ? q_.key_of(hash_, i) : hash_(i); }
  [[nodiscard]] digest absent(std::uint64_t i) const {
    return q_.absent_of ? q_.absent_of(hash_, i) : hash_(q_.keys + i);
  }

private:
  const simulation_request& q_;
  hasher hash_;
};

/// Of all keys, for which there is memory or not before the first is made.
digest_store all_digests(const simulation_request& q, std::uint64_t seed) {
  const key_maker keys(q, seed);
  digest_store digests;
  digests.reserve_more(q.keys);
  for (std::uint64_t i = 0; i < q.keys; ++i) digests.push_back(keys.stored(i));
  return digests;
}

template <class Builder>
filter build(Builder builder, const simulation_request& q, std::uint32_t rounds) {
  build_options how{.threads = q.threads};
  if (rounds != 0) how.rounds = rounds;
  if (q.progress) how.progress = [&](double share) { q.progress("building", share); };
  return builder.build(how);
}

/// `refused`: the numbers of keys that the filter does not have, in ascending order.
simulation measure_all_but(const std::vector<std::uint64_t>& refused, const filter& f, const simulation_request& q) {
  simulation seen{.stats = f.stats(), .refused_keys = refused.size()};
  const key_maker keys(q, detail::seed_of(f.params()));
  detail::access_tally hits;
  const std::uint64_t step = std::max<std::uint64_t>(1, q.keys / std::max<std::uint64_t>(1, q.hits));
  for (std::uint64_t i = 0; i < q.keys && q.hits != 0; i += step) {
    if (std::ranges::binary_search(refused, i)) continue;
    const lookup_outcome outcome = f.probe(keys.stored(i));
    if (!outcome.found) throw error("false negative: this is a bug, please report it");
    hits.add(outcome.accesses);
  }
  const double enough = std::min(most_misses, wanted_positives / std::max(seen.stats.fpr_from_fill, 1e-12));
  seen.lookups_absent = q.misses.value_or(static_cast<std::uint64_t>(std::max(1.0, enough)));
  detail::access_tally misses;
  const teller told(q, "looking up absent keys", seen.lookups_absent);
  for (std::uint64_t i = 0; i < seen.lookups_absent; ++i) {
    const lookup_outcome outcome = f.probe(keys.absent(i));
    misses.add(outcome.accesses);
    seen.false_positives += outcome.found ? 1U : 0U;
    told.at(i);
  }
  seen.stats.accesses.per_hit = hits.mean();
  seen.stats.accesses.per_miss = misses.mean();
  return seen;
}

}  // namespace

simulation simulate(const filter& f, const simulation_request& q) { return measure_all_but({}, f, q); }

simulation simulate(const parameters& p, const simulation_request& q) {
  if (q.shards > 1 && (needs_all_keys(p) || q.rounds > 1)) {
    throw parameter_error("what is built offline has no shards: all its keys are known at once");
  }
  if (const auto* const gated = std::get_if<gated_parameters>(&p); gated != nullptr && gated->is_static) {
    return simulate(build(static_builder(*gated, all_digests(q, gated->seed)), q, q.rounds), q);
  }
  if (const auto* const sealed = std::get_if<sealed_parameters>(&p)) {
    return simulate(build(sealed_builder(*sealed, all_digests(q, sealed->seed)), q, 0), q);
  }
  if (const auto* const choice = std::get_if<choice_parameters>(&p); choice != nullptr && q.rounds > 1) {
    choice_builder builder(*choice, choice->seed + 1);
    const key_maker keys(q, choice->seed);
    for (std::uint64_t i = 0; i < q.keys; ++i) builder.insert(keys.stored(i));
    return simulate(build(std::move(builder), q, q.rounds - 1), q);
  }
  const key_maker keys(q, detail::seed_of(p));
  detail::access_tally inserts;
  const teller told(q, "inserting", q.keys);
  std::uint64_t inserted = 0;
  std::vector<std::uint64_t> refused;
  const std::uint64_t shards = std::max<std::uint64_t>(1, q.shards);
  const auto filter_of_part = [&](std::uint64_t part) {
    filter f(p);
    for (std::uint64_t i = part; i < q.keys; i += shards) {
      try {
        const insert_outcome outcome = f.insert_and_count(keys.stored(i));
        if (outcome.was_new) inserts.add(outcome.accesses);
      } catch (const full_error&) {
        refused.push_back(i);
      }
      told.at(inserted++);
    }
    return f;
  };
  filter united = filter_of_part(0);
  for (std::uint64_t part = 1; part < shards; ++part) united.merge(filter_of_part(part));
  std::ranges::sort(refused);  // with shards they came in another order
  simulation seen = measure_all_but(refused, united, q);
  seen.stats.accesses.per_insert = inserts.mean();
  return seen;
}

}  // namespace sluice
