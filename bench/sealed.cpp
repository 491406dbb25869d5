// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Sealed filters: lookups in turn with gated filters of the same memory, whose parameters are the planner's; builds by
// one thread and by two. The false positive rate and the blocks read stand beside every time.
#include "sealed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "questions.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "timing/contest.hpp"

namespace bench {
namespace {

using harness::contestant;
using harness::quality;

struct entered {
  std::string name;
  std::shared_ptr<const sluice::filter> filter;
  double bits;
  quality hit;
  quality miss;
};

entered entry_of(const std::string& name, sluice::filter&& f, std::uint64_t keys) {
  const sluice::statistics s = f.stats();
  const std::uint64_t step = std::max<std::uint64_t>(1, keys / 200'000);
  double read = 0;
  double asked = 0;
  for (std::uint64_t i = 0; i < keys; i += step, ++asked) {
    const sluice::lookup_outcome found = f.probe(i);
    if (!found.found || !f.may_contain(i)) throw std::logic_error(name + " has lost a key");
    read += found.accesses;
  }
  return {name,
          std::make_shared<const sluice::filter>(std::move(f)),
          s.memory_bits_per_key,
          {s.fpr_from_fill, read / asked},
          {s.fpr_from_fill, s.blocks_per_miss_from_fill}};
}

void table(const std::string& what, const std::vector<entered>& entries, std::uint64_t operations, bool hits,
           int repetitions, const auto& body) {
  std::vector<contestant> contestants;
  for (const entered& e : entries) {
    contestants.push_back({e.name, hits ? e.hit : e.miss, operations, [f = e.filter, &body] { body(*f); }, {}});
  }
  fmt::print("  {}, ns\n", what);
  const auto results = harness::contest(contestants, repetitions);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const harness::result& r = results[i];
    fmt::print("    {:<12}{:>7.1f}  ({:.1f} to {:.1f})  x{:.2f}   {:.2f} bits a key   FPR {:.2e}   blocks {:.3f}\n",
               r.name, r.median, r.least, r.most, r.median / results.front().median, entries[i].bits, r.what.fpr,
               r.what.blocks);
  }
  std::fflush(stdout);
}

sluice::filter sealed_of(std::uint32_t r, const std::vector<std::uint64_t>& keys) {
  sluice::sealed_builder builder({.fingerprint_bits = r});
  builder.insert_bulk(keys);
  return builder.build();
}

void compare(std::uint64_t keys, std::uint32_t r, int repetitions) {
  const std::vector<std::uint64_t> stored = stored_keys(keys);
  sluice::filter sealed = sealed_of(r, stored);
  const double memory = 8.0 * static_cast<double>(sealed.bytes().size() + sealed.overflow().slots.size());
  sluice::filter gated(sluice::best_plan({.keys = static_cast<double>(keys),
                                          .memory_bits = memory,
                                          .by = sluice::plan_by::bits,
                                          .among = {sluice::scheme::gated}})
                           .params);
  gated.insert_bulk(stored);
  const std::vector<entered> entries = {entry_of("gated", std::move(gated), keys),
                                        entry_of("sealed", std::move(sealed), keys)};
  const questions asked(keys);
  std::vector<std::uint8_t> answers(asked.hits.size());
  fmt::print("\n{} keys, fingerprints of {} bits, against gated of the same memory\n", keys, r);
  const auto both = [&](const std::string& what, const auto& ask) {
    for (const bool are_hits : {false, true}) {
      const auto body = [&](const sluice::filter& f) {
        for (std::uint64_t i = 0; i < asked.rounds; ++i) ask(f, are_hits ? asked.hits : asked.misses);
      };
      table(what + (are_hits ? " hits" : " misses"), entries, answers.size() * asked.rounds, are_hits, repetitions,
            body);
    }
  };
  both("single", [](const sluice::filter& f, const auto& some) { harness::keep(ask_one_by_one(f, some)); });
  both("bulk", [&](const sluice::filter& f, const auto& some) { f.may_contain_bulk(some, answers); });
}

}  // namespace

void sealed_lookups(const std::vector<std::uint64_t>& keys, int repetitions) {
  for (const std::uint64_t count : keys) {
    for (const std::uint32_t r : {8U, 12U, 16U, 20U, 24U, 32U}) compare(count, r, repetitions);
  }
}

namespace {

void describe(const sluice::filter& f, std::uint64_t keys) {
  const auto p = std::get<sluice::sealed_parameters>(f.params());
  const auto recipe = sluice::detail::make_recipe(p);
  const auto blocks = recipe.blocks(f.bytes().data());
  double asking = 0;
  for (std::uint64_t b = 0; b < blocks.size(); ++b) asking += recipe.block.is_bumped(blocks[b]) ? 1 : 0;
  const entered e = entry_of("", sluice::filter(f), keys);
  fmt::print("r {:<3}{:>7.2f} bits a key ({:.2f} r)   blocks {:.3f}, {:.3f}   bumped {:.3f}%   ask the list {:.2f}%\n",
             p.fingerprint_bits, e.bits, e.bits / p.fingerprint_bits, e.hit.blocks, e.miss.blocks,
             100 * static_cast<double>(f.stats().overflow_keys) / static_cast<double>(keys),
             100 * asking / static_cast<double>(blocks.size()));
}

}  // namespace

void sealed_builds(std::uint64_t keys, int repetitions) {
  fmt::print("\nsealed builds, {} keys, ns per key (digests are at hand)\n", keys);
  for (const std::uint32_t r : {8U, 12U, 16U, 20U, 24U, 32U}) {
    sluice::sealed_builder builder({.fingerprint_bits = r});
    builder.insert_bulk(stored_keys(keys));
    describe(builder.build(), keys);
    std::vector<contestant> contestants;
    for (const std::uint32_t threads : {1U, 2U}) {
      contestants.push_back({fmt::format("r {}, {} thread{}", r, threads, threads == 1 ? "" : "s"),
                             {},
                             keys,
                             [&builder, threads] {
                               const auto built = builder.build({.threads = threads});
                               harness::keep(built.bytes().data());
                             },
                             {}});
    }
    const auto results = harness::contest(contestants, std::min(3, repetitions));
    for (const harness::result& t : results) {
      fmt::print("  {:<20}{:>8.0f}  ({:.0f} to {:.0f})  x{:.2f}\n", t.name, t.median, t.least, t.most,
                 results.front().median / t.median);
    }
    std::fflush(stdout);
  }
}

}  // namespace bench
