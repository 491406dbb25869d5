// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// making: which options of `sluice build` lead to a candidate of a plan. The candidate may break a limit, or stand
// below another one: then limits are loosened as the command itself would advise (programs/sluice/looser_limits.hpp),
// and the scheme is named. What the command makes of such options is what it does with them
// (programs/sluice/all_keys.hpp); tests/web runs them.
//
// Cost: nothing for a recommendation, otherwise three plans at most.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "candidate.hpp"
#include "looser_limits.hpp"
#include "request.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice_web {

struct way_to_build {
  plan_request request = {};
  bool by_scheme = false;  ///< with --scheme
  std::optional<sluice::plan_candidate> makes = std::nullopt;
  std::string why_not = {};  ///< empty: there is a command
};

/// What `sluice build` makes of a request; nothing where it refuses.
[[nodiscard]] inline std::optional<sluice::plan_candidate> made_by(plan_request q,
                                                                   std::optional<sluice::scheme> named) {
  if (named) {
    sluice_cli::take_any_cost(q);
    q.among = {*named};
  }
  const std::vector<sluice::plan_candidate> all = sluice::plan(q);
  auto found = all.begin();
  if (q.all_keys_known) {
    found = std::find_if(all.begin(), all.end(), [](const auto& c) { return sluice::needs_all_keys(c.params); });
  }
  if (found == all.end() || !found->broken_limit.empty()) return std::nullopt;
  return *found;
}

[[nodiscard]] inline bool of_one_design(const sluice::plan_candidate& a, const sluice::plan_candidate& b) {
  return sluice::scheme_of(a.params) == sluice::scheme_of(b.params) && a.design == b.design;
}

[[nodiscard]] inline way_to_build way_to(const sluice::plan_candidate& c, bool recommended, const plan_request& asked) {
  way_to_build way{.request = asked};
  plan_request& q = way.request;
  if (!c.broken_limit.empty()) q = sluice_cli::allowing(c, asked).request;
  q.all_keys_known = sluice::needs_all_keys(c.params);
  if (!q.keys && (q.all_keys_known || sluice::extend::shards_of(q) > 1)) {
    // The command counts all keys, and wants to be told the number of those of all shards: it is as many as fit.
    q.keys = std::floor(c.keys);
    q.memory_bits.reset();
  }
  if (recommended && c.broken_limit.empty() && q.all_keys_known == asked.all_keys_known && q.keys == asked.keys) {
    way.makes = c;
    return way;
  }
  way.makes = made_by(q, std::nullopt);
  if (way.makes && of_one_design(*way.makes, c)) return way;
  way.by_scheme = true;
  way.makes = made_by(q, sluice::scheme_of(c.params));
  if (way.makes && !of_one_design(*way.makes, c) && q.by != sluice::plan_by::time) {
    plan_request faster = q;  // a sealed filter with more bits a key may be the faster one
    faster.by = sluice::plan_by::time;
    if (auto made = made_by(faster, sluice::scheme_of(c.params)); made && of_one_design(*made, c)) {
      q = faster;
      way.makes = std::move(made);
    }
  }
  if (!way.makes) {
    way.why_not = "No command makes this filter: " + c.broken_limit + ".";
  } else if (!of_one_design(*way.makes, c)) {
    way.why_not = "No command makes this filter: of scheme " + std::string(sluice::extend::scheme_name(c.params)) +
                  " it makes the design " + way.makes->design + ".";
  }
  return way;
}

inline void describe(answer& out, const way_to_build& way) {
  out.open('{').name("request");
  describe(out, way.request);
  if (way.by_scheme && way.makes) out.put("scheme", sluice::extend::scheme_name(way.makes->params));
  if (way.makes) out.put("memory_bytes", way.makes->memory_bytes).put("fpr", way.makes->predicted.fpr_exact);
  out.put("why_not", way.why_not).close('}');
}

}  // namespace sluice_web
