// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan, model, simulate and build_static: the library's, with Python's arguments. sluice/_plans.py gives their results
// a face.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "describe.hpp"
#include "filters.hpp"
#include "keys_in.hpp"
#include "parameters.hpp"
#include "sluice/builders.hpp"
#include "sluice/plan.hpp"
#include "sluice/simulate.hpp"
#include "sluice/theory.hpp"
#include "watch.hpp"

namespace sluice_python {
namespace {

py::list plan(const py::args& args, const py::kwargs& kwargs) {
  const sluice::plan_request q = request_from(args, kwargs);
  require_nothing_left("plan", kwargs);
  std::vector<sluice::plan_candidate> candidates;
  {
    const py::gil_scoped_release no_gil;
    candidates = sluice::plan(q);
  }
  py::list all;
  for (const sluice::plan_candidate& c : candidates) all.append(dict_of(c));
  return all;
}

py::dict model(const py::dict& parameters, double keys, std::uint64_t shards, bool paper_rule) {
  const sluice::parameters p = parameters_of(parameters);
  sluice::theory::prediction predicted;
  {
    const py::gil_scoped_release no_gil;
    predicted = sluice::theory::predict(p, keys, {.paper_rule = paper_rule, .shards = shards});
  }
  return dict_of(predicted);
}

py::dict best_loads(double accesses, double keys_per_block, double overflow) {
  const sluice::theory::optimum best = sluice::theory::optimal_threshold(accesses, keys_per_block, overflow);
  py::dict out;
  out["k0"] = best.loads.k0;
  out["threshold"] = best.threshold;
  out["acceptance"] = best.acceptance;
  out["overflow"] = overflow;
  out["loads"] = py::array_t<double>(static_cast<py::ssize_t>(best.loads.bound.size()), best.loads.bound.data());
  return out;
}

std::vector<std::array<double, 3>> optimality_region(double from, double to, std::uint32_t points,
                                                     std::uint32_t choices, double keys_per_block) {
  const py::gil_scoped_release no_gil;
  std::vector<std::array<double, 3>> all;
  for (const sluice::theory::region_point& p :
       sluice::theory::optimality_region(from, to, points, choices, keys_per_block)) {
    all.push_back({p.accesses, p.overflow_sequential, p.overflow_mht});
  }
  return all;
}

py::dict simulate(const py::dict& parameters, std::uint64_t keys, const std::optional<std::uint64_t>& misses,
                  const std::optional<std::uint64_t>& hits, std::uint64_t shards, std::uint32_t rounds,
                  const std::optional<std::int64_t>& threads, const py::object& progress) {
  const sluice::parameters p = parameters_of(parameters);
  sluice::simulation_request q{.keys = keys, .shards = shards, .misses = misses, .rounds = rounds};
  if (hits) q.hits = *hits;
  q.threads = threads_for(threads, keys);
  return dict_of(watch(progress_teller(progress), [&](const auto& tell) {
    // Every stage begins anew at 0, and nobody knows how many there will be: each has half of what is left.
    double begin = 0;
    double before = 0;
    q.progress = [&](const char* /*what*/, double share) {
      if (share < before) begin += (1 - begin) / 2;
      before = share;
      tell(begin + share * (1 - begin) / 2);
    };
    return sluice::simulate(p, q);
  }));
}

/// Digests of all keys, each once.
std::vector<sluice::digest> distinct_digests(const py::object& keys, const sluice::key_hasher& hash,
                                             const std::optional<std::int64_t>& threads, sluice::key_kind& kind,
                                             bool& any) {
  std::vector<sluice::digest> digests = digests_of_all(keys, hash, threads, kind, any);
  const py::gil_scoped_release no_gil;
  std::sort(digests.begin(), digests.end());
  digests.erase(std::unique(digests.begin(), digests.end()), digests.end());
  return digests;
}

/// The best design for keys that are all known that keeps the limits: sealed, or static gated. Throws parameter_error.
sluice::plan_candidate static_design(sluice::plan_request q) {
  q.all_keys_known = true;
  if (q.among.empty()) q.among = {sluice::scheme::sealed, sluice::scheme::gated};
  const std::vector<sluice::plan_candidate> all = sluice::plan(q);
  const auto found =
      std::find_if(all.begin(), all.end(), [](const auto& c) { return sluice::needs_all_keys(c.params); });
  if (found == all.end()) throw sluice::parameter_error("no static filter can be made for what is asked for");
  if (!found->broken_limit.empty() && !found->too_slow) {
    throw sluice::parameter_error("the best static filter breaks a limit: " + found->broken_limit);
  }
  return *found;
}

plain_filter* build_static(const py::object& keys, const std::optional<std::int64_t>& threads,
                           const py::kwargs& kwargs) {
  const progress_teller progress(take(kwargs, "progress"));
  const py::object rounds = take(kwargs, "rounds");
  const std::optional<sluice::key_kind> wanted = kind_of(take(kwargs, "kind"));
  if (wanted == sluice::key_kind::u32) throw sluice::parameter_error("kind of a static filter is 'bytes' or 'int'");
  const py::object bits = take(kwargs, "bits_per_key");  // of keys that are not counted yet
  const double bits_per_key = bits.is_none() ? 0 : number_from("bits_per_key", bits);
  sluice::plan_request q = request_from(py::args(), kwargs);
  require_nothing_left("build_static", kwargs);
  if (!bits.is_none() && q.memory_bits) throw sluice::parameter_error("give memory or bits_per_key, not both");
  sluice::build_options options;
  if (!rounds.is_none()) {
    const double number = number_from("rounds", rounds);
    if (!(number >= 0 && number <= 10'000)) throw sluice::parameter_error("rounds is from 0 to 10000");
    options.rounds = static_cast<std::uint32_t>(number);
  }
  sluice::key_kind kind = wanted.value_or(sluice::key_kind::bytes);
  bool any = wanted.has_value();
  const std::vector<sluice::digest> digests = distinct_digests(keys, sluice::key_hasher(q.seed), threads, kind, any);
  if (!q.keys) {
    // For none, as for a few: a gated filter of a single key cannot be planned.
    constexpr std::size_t few = 1000;
    q.keys = static_cast<double>(digests.empty() ? few : digests.size());
    if (!bits.is_none()) q.memory_bits = *q.keys * bits_per_key;
    if (!q.fpr && !q.memory_bits) q.fpr = sluice::plan_request::usual_fpr;
  }
  options.threads = threads_for(threads, digests.size());
  return new plain_filter(watch(progress,
                                [&](const auto& tell) {
                                  const sluice::plan_candidate c = static_design(q);
                                  options.progress = tell;
                                  sluice::digest_store store;
                                  store.reserve_more(digests.size());
                                  for (const sluice::digest x : digests) store.push_back(x);
                                  sluice::saved_as label = sluice::saved_as::of_plan(c, kind);
                                  if (digests.empty()) label.planned_keys = 0;
                                  return sluice::filter_file(
                                      sluice::filter::of_all_keys(c.params, std::move(store), options), label);
                                }),
                          any);
}

}  // namespace

void bind_plans(py::module_& m) {
  m.def("plan", &plan);
  m.def("model", &model, py::arg("parameters"), py::arg("keys"), py::arg("shards"), py::arg("paper_rule"));
  m.def("best_loads", &best_loads, py::arg("accesses"), py::arg("keys_per_block"), py::arg("overflow"));
  m.def("optimality_region", &optimality_region, py::arg("start"), py::arg("end"), py::arg("points"),
        py::arg("choices"), py::arg("keys_per_block"));
  m.def("least_overflow", &sluice::theory::least_overflow, py::arg("accesses"), py::arg("choices"));
  m.def("simulate", &simulate, py::arg("parameters"), py::arg("keys"), py::arg("misses"), py::arg("hits"),
        py::arg("shards"), py::arg("rounds"), py::arg("threads"), py::arg("progress"));
  m.def("build_static", &build_static, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
        "build_static(keys, *, fpr=None, memory=None, bits_per_key=None, scheme=None, seed=0, kind=None, rounds=None, "
        "threads=None, progress=None, **wanted)\n--\n\n"
        R"(A filter made from all of its keys at once.

A sealed filter: 1.07 (fpr 1/256) to 1.23 times log2(1/fpr) bits a key, and 1.05 cache lines for a lookup. It takes no
more keys and is not united with others; scheme="gated" makes one that can, with half the false positives of one that
takes keys as they come. Takes less than a microsecond a key.

Args:
    keys: an array, a list or another iterable; the same key may come again. Of no keys: a filter that answers False.
    fpr, memory, bits_per_key, seed: as of Filter. The number of keys is counted.
    scheme: 'sealed' or 'gated'.
    kind: 'bytes' or 'int'; what the keys are, unless given.
    rounds: of the search for better gates of a gated filter; 6 unless given.
    threads: None for as many as are worth it. The filter does not depend on it.
    progress: called with the share that is done, or a progress bar.

Returns:
    Filter: nothing can be added to a sealed one.

>>> import numpy as np, sluice
>>> f = sluice.build_static(np.arange(10_000), fpr=1e-3)
>>> bool(f.contains(np.arange(10_000)).all())
True
>>> f.info()["scheme"]
'sealed'
>>> g = sluice.build_static(np.arange(10_000), fpr=1e-3, scheme="gated")
>>> g.add(10_000)
True
)");
}

}  // namespace sluice_python
