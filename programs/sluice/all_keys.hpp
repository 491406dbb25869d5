// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Filters from keys that are all known before the filter is: for `sluice build --static`, and for `sluice redis build
// --static`, which makes the same filter and hands it to a cluster. Digests are held, 8 bytes a key, and counted; the
// plan for that many is made, and its builder is given them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frame/progress.hpp"
#include "key_pipeline.hpp"
#include "keys/distinct_keys.hpp"
#include "looser_limits.hpp"
#include "plan_options.hpp"
#include "sluice/builders.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {

/// What the user asked for, beside the keys.
struct wanted_filter {
  const plan_options& plan;
  const std::optional<std::string>& scheme;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  std::vector<sluice::scheme> among = {};  ///< no others; empty: all
};

/// Throws parameter_error where --static, --scheme and --mergeable do not go together.
inline void require_static_scheme(const wanted_filter& w) {
  const bool is_static = w.plan.request.all_keys_known;
  if (w.scheme && is_static && *w.scheme != "gated" && *w.scheme != "sealed") {
    throw sluice::parameter_error("--static is for sealed and gated filters, not for " + *w.scheme);
  }
  if (w.scheme == "sealed" && !is_static) {
    throw sluice::parameter_error("a sealed filter is made from all its keys at once: say --static, too");
  }
  if (is_static && w.plan.request.mergeable) {
    throw sluice::parameter_error("--static and --mergeable exclude each other: a union is read as an online filter");
  }
}

/// Does the filter keep keys as often as they come?
[[nodiscard]] inline bool keeps_copies(const wanted_filter& w) {
  return w.plan.request.erase || w.scheme == sluice::name_of(sluice::scheme::ledger);
}

/// Of keys that were read, and counted.
[[nodiscard]] inline double keys_to_plan_for(const wanted_filter& w, sluice_keys::distinct_keys& distinct,
                                             std::uint64_t read) {
  return keeps_copies(w) ? static_cast<double>(read) : distinct.with_margin();
}

/// The request for this number of keys; memory that was given takes the place of the rate.
[[nodiscard]] inline sluice::plan_request request_for(const wanted_filter& w, std::optional<double> keys) {
  plan_options p = w.plan;
  if (keys && !p.request.keys) p.request.keys = std::max(1.0, *keys);
  const int given = (p.request.keys ? 1 : 0) + (p.request.fpr ? 1 : 0) + (p.bits_per_key || !p.memory.empty() ? 1 : 0);
  if (given < 2 && !p.request.fpr) p.request.fpr = sluice::plan_request::usual_fpr;
  p.request.seed = w.seed;
  p.request.among = w.among;
  p.request.erase = keeps_copies(w);
  return request_of(p);
}

/// The plan's first that keeps all limits; of the scheme that was asked for, if one was, and static, if that was.
/// Throws parameter_error with what to loosen.
[[nodiscard]] inline sluice::plan_candidate best_for(const sluice::plan_request& asked,
                                                     const std::optional<std::string>& scheme) {
  if (!scheme && !asked.all_keys_known) return best_plan_or_way_out(asked);
  sluice::plan_request q = asked;
  if (scheme) take_any_cost(q);
  const plan_use use{.wanted =
                         [&](const sluice::plan_candidate& c) {
                           const bool of_all_keys = needs_all_keys(c.params);
                           return scheme ? sluice::extend::scheme_name(c.params) == *scheme &&
                                               (of_all_keys || !q.all_keys_known)
                                         : of_all_keys;
                         },
                     .scheme = scheme,
                     .or_any = !scheme};  // where nothing static is made: of few bits a key, or of other blocks
  return best_plan_or_way_out(q, use);
}

/// Digests of keys, and how many distinct ones there are.
struct held_keys {
  sluice::digest_store digests;
  sluice_keys::distinct_keys distinct;

  void add(const std::vector<sluice::digest>& some) {
    for (const sluice::digest x : some) {
      digests.push_back(x);
      distinct.add(x);
    }
  }
};

struct filter_of_all_keys {
  sluice::filter filter;
  sluice::plan_candidate plan;
  std::uint64_t read = 0;
  double distinct = 0;
};

/// Of keys that are held, and as many as were read.
[[nodiscard]] inline filter_of_all_keys from_held(held_keys held, std::uint64_t read, const wanted_filter& w) {
  const double distinct = held.distinct.count();
  sluice::plan_candidate c = best_for(request_for(w, keys_to_plan_for(w, held.distinct, read)), w.scheme);
  if (!needs_all_keys(c.params)) {
    sluice::filter f(c.params);
    f.insert_bulk(held.digests.all());
    return {std::move(f), std::move(c), read, distinct};
  }
  progress_line line;
  sluice::filter f = sluice::filter::of_all_keys(
      c.params, std::move(held.digests),
      {.threads = w.threads, .progress = [&](double share) { line.tell("building", share); }});
  return {std::move(f), std::move(c), read, distinct};
}

/// Reads all keys, and builds the filter.
[[nodiscard]] inline filter_of_all_keys from_all_keys(sluice_keys::key_input& input, const wanted_filter& w) {
  held_keys held;
  const std::uint64_t read = for_all_digests(input, w.threads, "reading", w.seed,
                                             [&](const std::vector<sluice::digest>& some) { held.add(some); });
  return from_held(std::move(held), read, w);
}

}  // namespace sluice_cli
