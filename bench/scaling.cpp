// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// How costs grow with the number of keys. Keys are made in pieces as they are inserted, so that a filter of a thousand
// million takes the memory of a filter; making them is not timed. Every filter is asked for keys that it has first.
#include "scaling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "questions.hpp"
#include "sluice/sluice.hpp"
#include "timing/contest.hpp"

namespace bench {
namespace {

constexpr std::uint64_t piece = 4'000'000;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds that `take` took for all keys 0 to n - 1, in pieces.
double time_pieces(std::uint64_t n, const std::function<void(std::span<const std::uint64_t>)>& take) {
  std::vector<std::uint64_t> keys(std::min(n, piece));
  double seconds = 0;
  for (std::uint64_t first = 0; first < n; first += keys.size()) {
    keys.resize(std::min<std::uint64_t>(keys.size(), n - first));
    std::iota(keys.begin(), keys.end(), first);
    seconds += seconds_of([&] { take(keys); });
  }
  return seconds;
}

struct built {
  sluice::filter filter;
  double seconds;
};

built fill(const sluice::parameters& p, std::uint64_t n, std::uint32_t threads) {
  sluice::filter f(p);
  const double seconds = time_pieces(n, [&](std::span<const std::uint64_t> keys) { f.insert_bulk(keys, threads); });
  return {std::move(f), seconds};
}
built seal(const sluice::sealed_parameters& p, std::uint64_t n, std::uint32_t threads) {
  sluice::sealed_builder builder(p);
  double seconds = time_pieces(n, [&](std::span<const std::uint64_t> keys) { builder.insert_bulk(keys); });
  std::optional<sluice::filter> made;
  seconds += seconds_of([&] { made = builder.build({.threads = threads}); });
  return {std::move(*made), seconds};
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure(const std::string& name, std::uint64_t n, int repetitions,
             const std::function<built(std::uint32_t)>& build) {
  std::vector<double> one;
  std::vector<double> two;
  std::optional<sluice::filter> made;
  for (int i = 0; i < repetitions; ++i) {
    made.reset();  // two of the largest would not fit
    two.push_back(build(2).seconds);
    built b = build(1);
    one.push_back(b.seconds);
    made = std::move(b.filter);
  }
  const sluice::filter& f = *made;
  const questions asked(n);
  std::vector<std::uint8_t> answers(asked.hits.size());
  f.may_contain_bulk(asked.hits, answers);
  if (std::find(answers.begin(), answers.end(), std::uint8_t{0}) != answers.end()) {
    throw std::logic_error(name + " has lost a key");
  }
  std::vector<harness::contestant> contestants;
  const auto enter = [&](const std::function<void()>& once) {
    const auto body = [once, rounds = asked.rounds] {
      for (std::uint64_t round = 0; round < rounds; ++round) once();
    };
    contestants.push_back({name, {}, asked.rounds * asked.hits.size(), body, {}});
  };
  enter([&] { harness::keep(ask_one_by_one(f, asked.hits)); });
  enter([&] { harness::keep(ask_one_by_one(f, asked.misses)); });
  enter([&] { f.may_contain_bulk(asked.hits, answers); });
  enter([&] { f.may_contain_bulk(asked.misses, answers); });
  enter([&] { f.may_contain_bulk(asked.misses, answers, 2); });
  const auto looked_up = harness::contest(contestants, std::max(3, repetitions));
  const auto keys = static_cast<double>(n);
  fmt::print(
      R"({{"filter": "{}", "keys": {}, "bytes": {}, "ns_build": {:.2f}, "ns_build_2": {:.2f}, "ns_hit": {:.2f}, )"
      R"("ns_miss": {:.2f}, "ns_hit_bulk": {:.2f}, "ns_miss_bulk": {:.2f}, "ns_miss_bulk_2": {:.2f}}})"
      "\n",
      name, n, f.bytes().size(), 1e9 * median(one) / keys, 1e9 * median(two) / keys, looked_up[0].median,
      looked_up[1].median, looked_up[2].median, looked_up[3].median, looked_up[4].median);
  std::fflush(stdout);
}

}  // namespace

void scaling(std::uint64_t most, int repetitions) {
  constexpr std::uint64_t most_sealed = 100'000'000;  // a builder has 12 bytes a key besides
  for (std::uint64_t n = 10'000; n <= most; n *= 10) {
    const int times = n >= 100'000'000 ? 1 : repetitions;
    const std::uint64_t blocks = sluice::blocks_for(n, 16);
    measure("blocked", n, times, [&](std::uint32_t threads) {
      return fill(sluice::blocked_parameters{.blocks = blocks, .hashes = 10}, n, threads);
    });
    measure("gated", n, times, [&](std::uint32_t threads) {
      return fill(
          sluice::gated_parameters{.blocks = blocks, .hashes = 11, .second_hashes = 9, .threshold = 196, .margin = 19},
          n, threads);
    });
    if (n > most_sealed) continue;
    measure("sealed", n, times, [&](std::uint32_t threads) { return seal({.fingerprint_bits = 10}, n, threads); });
  }
}

}  // namespace bench
