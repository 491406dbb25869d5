// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/gated.hpp"

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sluice/detail/block/laned.hpp"
#include "theory/distribution.hpp"
#include "theory/fill_chain.hpp"
#include "theory/lanes.hpp"
#include "theory/united.hpp"

namespace sluice::theory {

namespace {

class gated_model {
public:
  /// Everything up to `most` keys per block, mixed or not, can be asked afterwards, in steps of at most `step`.
  gated_model(const gated_parameters& p, double group_blocks, double most_keys_per_block, double step = longest_step)
      : p_(p),
        group_blocks_(group_blocks),
        step_(step),
        quads_(p.block_bits / detail::lanes::quad_bits),
        lanes_(quads_ * detail::lanes::quad_lanes),
        gates_(detail::laned_block<>::gates_in(p.block_bits)),
        usable_(p.block_bits - gates_),
        positions_(position_laws()),
        stay_(usable_, lanes_, p.hashes, positions_.any),
        left_(usable_, lanes_, p.trace, positions_.any),
        rest_(usable_, lanes_, p.hashes - p.trace, positions_.any),
        guest_(usable_, lanes_, p.second_hashes, positions_.any),
        match_whole_(match_table({.count = p.hashes})),
        match_trace_(match_table({.count = p.trace})),
        match_guest_(match_table({.first = p.trace, .count = p.second_hashes})) {
    double most = most_keys_per_block;
    if (std::isfinite(group_blocks)) most += 9 * std::sqrt(most / group_blocks) + 9 / group_blocks;
    const auto steps = static_cast<std::size_t>(std::ceil(most / step_)) + 1;
    std::vector<double> state(2 * (usable_ + 1) + 2);
    state[0] = 1;
    state[usable_ + 1] = 1;
    points_.push_back(summarise(state));
    boost::numeric::odeint::runge_kutta4<std::vector<double>> stepper;
    const auto equations = [this](const std::vector<double>& x, std::vector<double>& dx, double /*r*/) { flow(x, dx); };
    for (std::size_t i = 0; i < steps; ++i) {
      stepper.do_step(equations, state, 0.0, step_);
      points_.push_back(summarise(state));
    }
  }

  [[nodiscard]] prediction at(double keys_per_block) const {
    prediction result{.unit = load_unit::set_bits};
    result.loads.assign(usable_ + 1, 0);
    const double group = group_blocks_;
    if (!std::isfinite(group) || keys_per_block <= 0) {
      add(result, std::max(0.0, keys_per_block), 1, 1);
    } else {
      const double mean = keys_per_block * group;
      // A random key, unlike a random block, is more likely in a full group.
      over_poisson(mean, 200, [&](double n, double weight) { add(result, n / group, weight, weight * n / mean); });
    }
    result.fpr_usual = result.fpr_exact;
    return result;
  }

  /// Of the union of equal shards with this many keys per block each.
  [[nodiscard]] prediction predict_union(double keys_per_block, std::uint64_t shards) const {
    std::vector<double> ones(usable_ + 1);
    std::vector<double> open(usable_ + 1);
    prediction result{.unit = load_unit::set_bits};
    double spilled = 0;
    const auto mix = [&](double keys, double weight) {
      const between here = between_points(keys);
      for (std::size_t x = 0; x <= usable_; ++x) {
        ones[x] += weight * here([x](const point& p) { return p.ones[x]; });
        open[x] += weight * here([x](const point& p) { return p.open[x]; });
      }
      spilled += weight * here([](const point& p) { return p.spilled; });
      result.accesses_insert += weight * here([](const point& p) { return p.full_first; });
    };
    if (!std::isfinite(group_blocks_)) {
      mix(keys_per_block, 1);
    } else {
      // What a group has more than others counts twice in its blocks, by a part in group_blocks: in one filter that
      // makes up for what a mean over the other blocks leaves out, in a union of many it does not.
      const double mean = keys_per_block * group_blocks_;
      const double kept = std::sqrt(1 / (1 + static_cast<double>(shards) / 16));
      over_poisson(mean, 60, [&](double n, double weight) { mix((mean + (n - mean) * kept) / group_blocks_, weight); });
    }
    const united_blocks unite(positions_.throws, shards);
    result.loads = unite(ones);
    const answers a = answers_of(result.loads, unite(open));
    result.fpr_exact = result.fpr_usual = a.fpr;
    result.accesses_miss = a.miss;
    result.accesses_insert = 1 + result.accesses_insert / keys_per_block;
    result.accesses_hit = 1 + spilled / keys_per_block * (1 - a.at_home);
    return result;
  }
  /// The step for shards of a union: between two points of the chain the law is a mixture, whose variance adds up over
  /// the shards, and must stay far below that of the keys themselves.
  [[nodiscard]] static double step_for_shards(double keys_per_block) {
    return std::min(longest_step, std::sqrt(0.006 * keys_per_block));
  }

private:
  static constexpr double longest_step = 0.25;  // keys per block; flows are below 3 per key
  // Shares below this are left where they are: even the fullest block cannot make them matter.
  static constexpr double negligible = 1e-22;

  struct point {
    double fpr = 0;
    double miss = 1;
    double full_first = 0;  // keys so far (per block) whose first block was full
    double spilled = 0;     // keys so far (per block) that were spilled
    double at_home = 0;     // chance that a spilled key finds all its k bits in its first block all the same
    std::vector<double> ones;
    std::vector<double> open;
  };

  void flow(const std::vector<double>& state, std::vector<double>& change) const {
    const std::size_t size = usable_ + 1;
    const double* ones = state.data();
    const double* open = state.data() + size;
    // Bits beyond the last place are lost, as blocks that are full.
    const std::size_t room = size + std::max({stay_.reach(), left_.reach(), rest_.reach(), guest_.reach()});
    std::vector<double> changes(2 * room);
    double* const to_ones = changes.data();
    double* const to_open = changes.data() + room;
    std::vector<double> below(size + 1);    // below[x]: share of the blocks with fewer than x ones
    std::vector<double> lacking(size + 1);  // the same, of those that do not contain a given key
    std::vector<double> found(size + 1);    // the same, of those that contain it as a guest
    for (std::size_t x = 0; x < size; ++x) {
      below[x + 1] = below[x] + ones[x];
      lacking[x + 1] = lacking[x] + ones[x] * (1 - match_whole_[x]);
      found[x + 1] = found[x] + ones[x] * match_guest_[x];
    }
    double spilled = 0;
    double full = 0;
    for (std::size_t x = 0; x < size; ++x) {
      if (ones[x] <= negligible) continue;
      const bool emptier = x >= p_.threshold && x > p_.margin;  // can the second block be it?
      const double spill = emptier ? below[x - p_.margin] : 0;
      const double contained = spill * match_whole_[x];  // not spilled, and without a new bit
      // Of the keys that would stay, those that a closed gate leads to their bits elsewhere: their trace is set
      // already.
      const double closed = std::max(0.0, ones[x] - open[x]) * match_trace_[x];
      const double elsewhere = x < p_.threshold ? 0 : closed * (found[size] - (emptier ? found[x - p_.margin] : 0));
      const std::size_t fuller = std::max<std::size_t>(p_.threshold, x + p_.margin + 1);
      const double guests = fuller >= size ? 0 : std::max(0.0, lacking[size] - lacking[fuller]);
      const double gate_stays_open = 1 - 1.0 / gates_;
      // Every key and every guest leaves a block with x ones for one with as many or more.
      to_ones[x] -= ones[x] * (1 + guests) - elsewhere;
      to_open[x] -= open[x] * (1 + guests - contained * (1 - gate_stays_open));
      stay_.add(x, ones[x] * (1 - spill), to_ones, open[x] * (1 - spill), to_open);
      if (elsewhere != 0) rest_.add(x, -elsewhere, to_ones);
      if (spill != 0) left_.add(x, ones[x] * spill, to_ones, open[x] * spill * gate_stays_open, to_open);
      if (guests != 0) guest_.add(x, ones[x] * guests, to_ones, open[x] * guests, to_open);
      spilled += ones[x] * (spill - contained);
      if (x >= p_.threshold) full += ones[x];
    }
    std::copy_n(to_ones, size, change.begin());
    std::copy_n(to_open, size, change.begin() + static_cast<std::ptrdiff_t>(size));
    change[2 * size] = full;
    change[2 * size + 1] = spilled;
  }

  /// What lookups find in blocks of these laws.
  struct answers {
    double fpr = 0;
    double miss = 1;
    double at_home = 0;
  };
  [[nodiscard]] answers answers_of(const std::vector<double>& ones, const std::vector<double>& open) const {
    answers a;
    double in_second = 0;
    for (std::size_t x = 0; x < ones.size(); ++x) in_second += ones[x] * match_guest_[x];
    for (std::size_t x = 0; x < ones.size(); ++x) {
      const double closed = std::max(0.0, ones[x] - open[x]);
      const double goes_on = closed * std::max(0.0, match_trace_[x] - match_whole_[x]);
      a.fpr += ones[x] * match_whole_[x] + goes_on * in_second;
      a.miss += goes_on;
    }
    double full = 0;
    for (std::size_t x = p_.threshold; x < ones.size(); ++x) {
      full += ones[x];
      a.at_home += ones[x] * match_whole_[x] / std::max(match_trace_[x], 1e-300);
    }
    a.at_home = full > 1e-30 ? a.at_home / full : 0;
    return a;
  }

  [[nodiscard]] point summarise(const std::vector<double>& state) const {
    const auto size = static_cast<std::ptrdiff_t>(usable_) + 1;
    point p;
    p.ones.assign(state.begin(), state.begin() + size);
    p.open.assign(state.begin() + size, state.begin() + 2 * size);
    const answers a = answers_of(p.ones, p.open);
    p.fpr = a.fpr;
    p.miss = a.miss;
    p.at_home = a.at_home;
    p.full_first = state[static_cast<std::size_t>(2 * size)];
    p.spilled = state[static_cast<std::size_t>(2 * size) + 1];
    return p;
  }

  /// A place between two points of the chain: numbers are taken on a line between them.
  struct between {
    const point& low;
    const point& high;
    double shard;
    [[nodiscard]] double operator()(const auto& value) const { return value(low) * (1 - shard) + value(high) * shard; }
  };
  [[nodiscard]] between between_points(double keys) const {
    const double where = keys / step_;
    const auto index = std::min(static_cast<std::size_t>(where), points_.size() - 2);
    return {points_[index], points_[index + 1], std::min(1.0, where - static_cast<double>(index))};
  }

  /// Adds the chain at `keys` keys per block, linear between two points.
  void add(prediction& result, double keys, double block_weight, double key_weight) const {
    const between here = between_points(keys);
    // Rates grow exponentially: interpolate their logarithm.
    result.fpr_exact += block_weight * std::exp(here([](const point& p) { return std::log(p.fpr + 1e-300); }));
    result.accesses_miss += block_weight * here([](const point& p) { return p.miss; });
    const double per_key = keys > 0 ? key_weight / keys : 0;
    result.accesses_insert += key_weight + per_key * here([](const point& p) { return p.full_first; });
    result.accesses_hit += key_weight + per_key * here([](const point& p) { return p.spilled * (1 - p.at_home); });
    for (std::size_t x = 0; x <= usable_; ++x) {
      result.loads[x] += block_weight * here([x](const point& p) { return p.ones[x]; });
    }
  }

  /// [x]: the chance that a random position is set in a block with x ones: in a lane with a gate, in one without, in
  /// any; and the throws into a lane that leave so many.
  struct position_law {
    std::vector<double> gate;
    std::vector<double> plain;
    std::vector<double> any;
    std::vector<double> throws;
  };
  [[nodiscard]] position_law position_laws() const {
    constexpr double w = detail::lanes::lane_bits;
    const auto hit = [&](double share, double throws) { return -std::expm1(throws * std::log1p(-share)); };
    const auto ones = [&](double throws) {  // of a lane without and one with a gate together
      return w * hit(1 / w, throws) + (w - 2) * hit(1 / w, throws) + hit(2 / w, throws);
    };
    position_law law;
    double throws = 0;
    for (std::uint32_t x = 0; x <= usable_; ++x) {
      const double wanted = std::min(2.0 * x / lanes_, 2 * w - 1 - 1e-9);
      double most = throws + 1;
      while (ones(most) < wanted) most *= 2;
      double least = throws;
      for (int i = 0; i < 50; ++i) {
        throws = (least + most) / 2;
        (ones(throws) < wanted ? least : most) = throws;
      }
      law.throws.push_back(throws);
      law.plain.push_back(hit(1 / w, throws));
      law.gate.push_back((w - 2) / w * hit(1 / w, throws) + 2 / w * hit(2 / w, throws));
      law.any.push_back((law.plain.back() + law.gate.back()) / 2);
    }
    return law;
  }

  /// [x]: the chance that the positions of a slice of a random key are all set in a block with x ones. Every second
  /// lane has a gate.
  [[nodiscard]] std::vector<double> match_table(detail::position_slice slice) const {
    const by_difference pairs = lane_pairs(quads_, slice);
    const by_difference together =
        lane_coverage(quads_, {.count = p_.hashes}, [](double a, double b) { return a * b; });
    std::vector<double> match(usable_ + 1);
    for (std::uint32_t x = 0; x <= usable_; ++x) {
      const double independent = std::pow(positions_.plain[x] * positions_.gate[x], slice.count / 2.0);
      match[x] = slice.count == 0 ? 1 : std::min(1.0, independent * lane_correction(x, pairs, together));
    }
    return match;
  }

  /// E prod (1 + d_l) to second order, where d_l is the relative deviation of lane l's fill from q. Given x there are
  /// two reasons for deviations, and both sum to zero over the lanes:
  ///   - collisions: a lane's ones come from s throws over w bits, with 1 - (1 - 1/w)^s = q; occupancy variance
  ///   - windows: a key's last steps cover some quads and not others, so lanes of a quad get more throws together
  [[nodiscard]] double lane_correction(std::uint32_t x, const by_difference& pairs,
                                       const by_difference& together) const {
    const double q = static_cast<double>(x) / usable_;
    if (q <= 0 || q >= 1) return 1;
    const double w = static_cast<double>(usable_) / lanes_;
    const double throws = std::log1p(-q) / std::log1p(-1 / w);
    const double empty_pairs = w * (w - 1) * std::exp(throws * std::log1p(-2 / w));
    const double occupancy = std::max(0.0, empty_pairs + w * (1 - q) - w * w * (1 - q) * (1 - q)) / (w * w);
    const double per_lane = static_cast<double>(p_.hashes) / lanes_;
    const double keys = throws / per_lane;
    const double gain = (1 - q) / w;  // fill per throw
    double exponent = 0;
    for (std::uint32_t d = 0; d < lanes_; ++d) {
      const double windows = gain * gain * keys * (together[d] - per_lane * per_lane);
      const double collisions = d == 0 ? occupancy : -occupancy / (lanes_ - 1);
      exponent += pairs[d] * (windows + collisions) / (q * q);
    }
    return std::exp(exponent);
  }

  gated_parameters p_;
  double group_blocks_;
  double step_;
  std::uint32_t quads_;
  std::uint32_t lanes_;
  std::uint32_t gates_;
  std::uint32_t usable_;
  position_law positions_;
  fill_kernel stay_;
  fill_kernel left_;
  fill_kernel rest_;
  fill_kernel guest_;
  std::vector<double> match_whole_;
  std::vector<double> match_trace_;
  std::vector<double> match_guest_;
  std::vector<point> points_;
};

}  // namespace

prediction predict_gated(const gated_parameters& p, double group_blocks, double keys_per_block) {
  return gated_model(p, group_blocks, keys_per_block).at(keys_per_block);
}

prediction predict_gated_union(const gated_parameters& p, double group_blocks, double keys_per_block,
                               std::uint64_t shards) {
  return gated_model(p, group_blocks, keys_per_block, gated_model::step_for_shards(keys_per_block))
      .predict_union(keys_per_block, shards);
}

}  // namespace sluice::theory
