// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/threshold.hpp"

#include <algorithm>
// All of the generation headers that make_controlled needs: without the first it takes the tolerances for other
// numbers.
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation/generation_controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation/generation_runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/generation/make_controlled.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sluice/detail/overflow/forced.hpp"
#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"
#include "theory/balance.hpp"

namespace sluice::theory {

namespace {

/// Loads of every table and what the insertions did.
struct threshold_state {
  std::vector<distribution> tables;  ///< one, or one per subtable
  double accesses = 0;               ///< per key that was not refused
  double overflow = 0;               ///< share of the keys: listed or forced
  double forced = 0;                 ///< share of the keys
  double refused = 0;                ///< share of the keys
  double listed_unread = 0;          ///< share of the keys that went to the list because the budget was spent
};

/// MHT by theorem 6: subtable j is offered what the subtables before it rejected.
[[nodiscard]] threshold_state mht_state(const threshold_scheme& s, double keys_per_block) {
  threshold_state state;
  double arriving = 1;  // share of the keys that get as far as this subtable
  for (const double fraction : s.fractions) {
    const double offered = keys_per_block * arriving / fraction;
    state.tables.push_back(threshold_loads(offered, s.threshold, s.acceptance));
    state.accesses += arriving;
    const double stored = mean_of(state.tables.back());
    arriving = offered > 0 ? arriving * std::max(0.0, 1 - stored / offered) : arriving;
  }
  state.overflow = arriving;
  return state;
}

[[nodiscard]] threshold_state sequential_state_of(const threshold_scheme& s, double keys_per_block) {
  const sequential_state after = sequential_after(keys_per_block, s.choices, s.threshold, s.acceptance);
  return {{threshold_loads(after.offered, s.threshold, s.acceptance)}, after.accesses, after.overflow, 0};
}

[[nodiscard]] threshold_state state_with_list(const threshold_scheme& s, double keys_per_block) {
  if (keys_per_block <= 0) {
    threshold_state empty;
    empty.tables.assign(std::max<std::size_t>(1, s.fractions.size()), threshold_loads(0, s.threshold, s.acceptance));
    return empty;
  }
  return s.fractions.empty() ? sequential_state_of(s, keys_per_block) : mht_state(s, keys_per_block);
}

/// How many keys per block, `most` at most, come until what grows with them reaches a limit: bisection.
template <class Grown>
[[nodiscard]] double keys_until(double limit, double most, const Grown& grown_after) {
  double low = 0;
  double high = most;
  for (int round = 0; round < 50; ++round) {
    const double middle = (low + high) / 2;
    (grown_after(middle) < limit ? low : high) = middle;
  }
  return low;
}

/// The budget is spent at some time; from then on blocks stay as they are.
[[nodiscard]] threshold_state state_with_budget(const threshold_scheme& s, double keys_per_block) {
  threshold_state all = state_with_list(s, keys_per_block);
  if (s.access_budget == 0 || all.accesses * keys_per_block <= s.access_budget) return all;
  const double until_spent = keys_until(s.access_budget, keys_per_block,
                                        [&](double keys) { return state_with_list(s, keys).accesses * keys; });
  threshold_state state = state_with_list(s, until_spent);
  const double walked = until_spent / keys_per_block;
  state.accesses = s.access_budget / keys_per_block;
  state.listed_unread = 1 - walked;
  state.overflow = state.overflow * walked + state.listed_unread;
  return state;
}

/// A.1 and A.5 with the flow of forced keys, integrated in the number of keys per block, of which the first
/// `listed_until` came while there was room in the list.
[[nodiscard]] threshold_state state_with_forcing(const threshold_scheme& s, const extend::local_filter& local,
                                                 double keys_per_block, double listed_until = 0) {
  const bool shared_table = s.fractions.empty();
  const std::size_t tables = shared_table ? 1 : s.fractions.size();
  const auto h = static_cast<std::size_t>(s.threshold);
  const std::size_t size =
      h + 2 + 60 + static_cast<std::size_t>(4 * keys_per_block);  // loads above h + 1 are possible now
  const std::uint32_t d = shared_table ? s.choices : static_cast<std::uint32_t>(tables);
  const double p = s.acceptance;
  const std::vector<double> contains = local.exact_fpr(size - 1);
  using state_type = std::vector<double>;  // tables x size loads, then accesses, then overflow
  const auto rejects = [&](const state_type& x, std::size_t table) {
    const double* f = x.data() + table * size;
    double sum = (1 - p) * f[h] * (1 - contains[h]);
    for (std::size_t i = h + 1; i < size; ++i) sum += f[i] * (1 - contains[i]);
    return std::clamp(sum, 0.0, 1.0);
  };
  const auto equations = [&](const state_type& x, state_type& dx, double /*t*/) {
    std::fill(dx.begin(), dx.end(), 0.0);
    std::vector<double> reject(d);
    for (std::uint32_t j = 0; j < d; ++j) reject[j] = rejects(x, shared_table ? 0 : j);
    double reach = 1;
    for (std::uint32_t j = 0; j < d; ++j) {
      const std::size_t table = shared_table ? 0 : j;
      double others = 1;  // all other candidates reject, and the key is forced into this one
      for (std::uint32_t i = 0; i < d; ++i) others *= i == j ? 1 : reject[i];
      double earlier = 1;  // those before this one, which every key that arrives here has passed
      for (std::uint32_t i = 0; i < j; ++i) earlier *= reject[i];
      const bool random = s.forced_into() == overflow_rule::random_candidate;
      const double turn = random ? 1.0 / d : (j == 0 ? 1.0 : 0.0);
      const double forced = others * turn;  // per key, given that this block rejects it
      const double per_block = shared_table ? 1 : 1 / s.fractions[table];
      const double* f = x.data() + table * size;
      double* df = dx.data() + table * size;
      for (std::size_t i = 0; i + 1 < size; ++i) {
        const double accepted = i < h ? 1 : (i == h ? p : 0);
        const double flow = per_block * f[i] * (earlier * accepted + forced * (1 - accepted));
        df[i] -= flow;
        df[i + 1] += flow;
      }
      dx[tables * size] += reach;  // accesses
      reach *= reject[j];
    }
    dx[tables * size + 1] = reach;  // forced
  };
  state_type x(tables * size + 2);
  const threshold_state begun = state_with_list(s, listed_until);
  for (std::size_t table = 0; table < tables; ++table) {
    const distribution& loads = begun.tables[table];
    std::copy_n(loads.begin(), std::min(loads.size(), size), x.begin() + static_cast<std::ptrdiff_t>(table * size));
  }
  x[tables * size] = begun.accesses * listed_until;
  // Small subtables fill up fast: the step adapts to them.
  namespace odeint = boost::numeric::odeint;
  odeint::integrate_adaptive(odeint::make_controlled<odeint::runge_kutta_dopri5<state_type>>(1e-10, 1e-7), equations, x,
                             listed_until, keys_per_block, (keys_per_block - listed_until) / 1000);
  threshold_state state;
  for (std::size_t table = 0; table < tables; ++table) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(table * size);
    state.tables.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
  }
  state.accesses = x[tables * size] / keys_per_block;
  state.forced = x[tables * size + 1] / keys_per_block;
  state.overflow = begun.overflow * listed_until / keys_per_block + state.forced;
  return state;
}

[[nodiscard]] threshold_state state_with_bounded_list(const threshold_scheme& s, const extend::local_filter& local,
                                                      double keys_per_block) {
  threshold_state state = state_with_budget(s, keys_per_block);
  if (s.list_capacity == 0 || state.overflow * keys_per_block <= s.list_capacity) return state;
  const double until_full = keys_until(s.list_capacity, keys_per_block,
                                       [&](double keys) { return state_with_budget(s, keys).overflow * keys; });
  if (s.when_full != full_list_rule::refuse) return state_with_forcing(s, local, keys_per_block, until_full);
  // Refused keys read all candidates, or none if the budget was spent.
  const threshold_state full = state_with_budget(s, until_full);
  const double until = until_full / keys_per_block;  // as a share of the keys
  const double refused_unread = state.listed_unread - full.listed_unread * until;
  state.refused = state.overflow - full.overflow * until;
  state.overflow = full.overflow * until;
  state.listed_unread = full.listed_unread * until;
  state.accesses -= (state.refused - refused_unread) * s.choices;
  if (state.refused < 1) {
    state.accesses /= 1 - state.refused;
    state.listed_unread /= 1 - state.refused;
  }
  return state;
}

/// The state after r = keys_per_block keys per block; the local filter matters only where keys are forced.
[[nodiscard]] threshold_state state_after(const threshold_scheme& s, const extend::local_filter& local,
                                          double keys_per_block) {
  if (keys_per_block <= 0) return state_with_list(s, 0);
  if (s.overflow != overflow_rule::exact_list) return state_with_forcing(s, local, keys_per_block);
  return state_with_bounded_list(s, local, keys_per_block);
}

}  // namespace

prediction predict(const threshold_scheme& s, const extend::local_filter& local, double keys_per_block,
                   bool paper_rule) {
  const threshold_state state = state_after(s, local, keys_per_block);
  const std::size_t h = s.threshold;
  std::size_t most = 0;
  for (const distribution& loads : state.tables) {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (loads[i] > 1e-30) most = std::max(most, i);
    }
  }
  const std::vector<double> exact = local.exact_fpr(most);
  prediction result;
  double reach = 1;
  double reach_usual = 1;
  double reach_miss = 1;
  for (std::uint32_t j = 0; j < s.choices; ++j) {
    const distribution& loads = state.tables[s.fractions.empty() ? 0 : j];
    double contains = 0;
    double contains_usual = 0;
    double goes_on = 0;
    double goes_on_usual = 0;
    double goes_on_miss = 0;
    for (std::size_t i = 0; i < loads.size() && i <= most; ++i) {
      const double usual = local.usual_fpr(static_cast<double>(i));
      const double rejects = i < h ? 0 : i > h || paper_rule ? 1 : 1 - s.acceptance;
      contains += loads[i] * exact[i];
      contains_usual += loads[i] * usual;
      goes_on += loads[i] * rejects * (1 - exact[i]);
      goes_on_usual += loads[i] * rejects * (paper_rule ? 1 : 1 - usual);
      goes_on_miss += loads[i] * rejects * (paper_rule ? 1 : 1 - exact[i]);
    }
    result.fpr_exact += reach * contains;
    result.fpr_usual += reach_usual * contains_usual;
    result.accesses_miss += reach_miss;
    reach *= goes_on;
    reach_miss *= goes_on_miss;
    reach_usual *= goes_on_usual;
  }
  result.accesses_insert = state.accesses;
  // A stored key is found where it was put, after as many accesses as its insertion made; one that was listed unread
  // costs what a miss costs, and a key forced into its first candidate is found there at once.
  result.accesses_hit = state.accesses + state.listed_unread * result.accesses_miss;
  const double saved = s.forced_into() == overflow_rule::random_candidate ? 0.5 : 1;  // of the further candidates
  result.accesses_hit -= state.forced * saved * (s.choices - 1);
  result.overflow_fraction = state.overflow;
  result.refused_fraction = state.refused;
  // Over all blocks; loads above h + 1 are counted as h + 1, as the counters do.
  result.loads.assign(h + 2, 0);
  for (std::size_t table = 0; table < state.tables.size(); ++table) {
    const double share = s.fractions.empty() ? 1 : s.fractions[table];
    for (std::size_t i = 0; i < state.tables[table].size(); ++i) {
      result.loads[std::min(i, h + 1)] += share * state.tables[table][i];
    }
  }
  return result;
}

}  // namespace sluice::theory
