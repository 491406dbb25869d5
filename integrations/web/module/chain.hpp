// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// chain: what growing_filter becomes when it holds so many keys: its links, and what the chain does as a whole. Links
// are planned by the library's own function, and kept: other keys need no other links.
//
// A lookup begins with the newest link and ends at the first that answers. Cost: a plan for each link that is new, and
// two models for each.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "answer.hpp"
#include "candidate.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice_web {

class grown_chain {
public:
  /// The chain that grows like this when it holds the request's keys; cost is that of the request's lookups. Throws
  /// parameter_error.
  void describe(answer& out, const sluice::growth& wanted, const sluice::plan_request& q) {
    const sluice::growth how = sluice::extend::with_factor(wanted);
    const double keys = q.keys.value_or(0);
    if (!(how == how_)) planned_.clear();
    how_ = how;
    sluice::extend::plan_links(how, keys, planned_);
    const std::vector<link> links = fill_links(keys, q);
    double bytes = 0;
    double full = 0;
    out.open('{').name("links").open('[');
    for (const link& l : links) {
      bytes += l.bytes;
      full += l.planned_fpr;
      out.open('{').put("scheme", sluice::extend::scheme_name(l.now.params)).put("design", l.now.design);
      describe_parameters(out, l.now.params);
      out.put("capacity", l.capacity).put("keys", l.now.keys).put("fpr", l.now.predicted.fpr_exact);
      out.put("accesses_hit", l.now.predicted.accesses_hit).put("accesses_miss", l.now.predicted.accesses_miss);
      out.put("memory_bytes", l.bytes).close('}');
    }
    const totals all = asked_in_turn(links, keys, q.hit_ratio);
    const sluice::extend::chain_cost grows = sluice::extend::cost_of_chain(planned_, keys);
    out.close(']').put("factor", how.factor);
    describe(out.name("bits_in_memory"), grows.bits_in_memory);
    describe(out.name("bits_in_file"), grows.bits_in_file);
    out.put("keys", keys).put("memory_bytes", bytes).put("memory_bits_per_key", 8 * bytes / keys);
    out.put("fpr", all.fpr).put("fpr_full", full).put("accesses_hit", all.hit).put("accesses_miss", all.miss);
    out.put("mean_cost", all.cost).close('}');
  }

private:
  static void describe(answer& out, const sluice::extend::chain_cost::range& bits) {
    out.open('{').put("best", bits.best).put("mean", bits.mean).put("worst", bits.worst).close('}');
  }

  struct link {
    sluice::plan_candidate now;  ///< with the keys that are in it
    double hit_cost;             ///< of a lookup that finds its key here
    double miss_cost;
    double capacity;
    double planned_fpr;  ///< when it is full
    double bytes;
  };
  struct totals {
    double fpr = 0;
    double hit = 0;  ///< lines
    double miss = 0;
    double cost = 0;  ///< at the hit ratio
  };

  /// Those that so many keys need.
  [[nodiscard]] std::vector<link> fill_links(double keys, const sluice::plan_request& q) const {
    sluice::plan_request hits{.hit_ratio = 1, .second_line_cost = q.second_line_cost, .block_bits = q.block_bits};
    sluice::plan_request misses = hits;
    misses.hit_ratio = 0;
    std::vector<link> links;
    double held = 0;
    for (const sluice::extend::planned_link& planned : planned_) {
      if (held >= keys) break;
      const auto room = static_cast<double>(planned.capacity);
      const double inside = std::fmin(keys - held, room);
      const sluice::plan_candidate now = sluice::extend::evaluate(planned.params, inside, hits);
      links.push_back({.now = now,
                       .hit_cost = now.mean_cost,
                       .miss_cost = sluice::extend::evaluate(planned.params, inside, misses).mean_cost,
                       .capacity = room,
                       .planned_fpr = planned.fpr,
                       .bytes = now.memory_bytes});
      held += room;
    }
    return links;
  }

  [[nodiscard]] static totals asked_in_turn(const std::vector<link>& links, double keys, double hit_ratio) {
    totals all;
    double log_reached = 0;  // of the chance that no newer link has answered by mistake
    double hit_cost = 0;
    double miss_cost = 0;
    for (std::size_t i = links.size(); i-- > 0;) {
      const sluice::theory::prediction& its = links[i].now.predicted;
      const double reached = std::exp(log_reached);
      const double share = links[i].now.keys / keys;
      all.hit += share * (all.miss + reached * its.accesses_hit);
      hit_cost += share * (miss_cost + reached * links[i].hit_cost);
      all.miss += reached * its.accesses_miss;
      miss_cost += reached * links[i].miss_cost;
      log_reached += std::log1p(-its.fpr_exact);
    }
    all.fpr = -std::expm1(log_reached);
    all.cost = hit_ratio * hit_cost + (1 - hit_ratio) * miss_cost;
    return all;
  }

  sluice::growth how_;
  std::vector<sluice::extend::planned_link> planned_;  // of how_, in the order of their size
};

}  // namespace sluice_web
