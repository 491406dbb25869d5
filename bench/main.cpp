// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The benchmarks: single and bulk lookups, insertions, threads and merging, in cache and in memory, gated against
// blocked at the same bits a key and against the floor (one random line, one bit of it). `./dev bench --help` lists the
// options. Integer keys, but for --only texts; every filter is checked for false negatives before it is timed.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "files.hpp"
#include "questions.hpp"
#include "scaling.hpp"
#include "sealed.hpp"
#include "sluice/presets.hpp"
#include "sluice/sluice.hpp"
#include "texts.hpp"
#include "timing/contest.hpp"
#include "timing/floor.hpp"

namespace {

using bench::ask_one_by_one;
using bench::questions;
using bench::stored_keys;
using harness::contestant;
using harness::quality;

struct options {
  std::vector<std::uint64_t> keys = {100'000, 50'000'000};
  std::vector<int> bits = {16, 24, 32};
  int repetitions = 7;
  int core = 1;
  std::uint64_t most = 1'000'000'000;
  std::string only;
};

/// Filters whose shape is known at run time only stand beside their presets, under the same name and this.
const std::string run_time = ", run time";

/// Times, their ratios to those of one contestant, and those of run-time filters to their presets.
void print_ratios(const std::vector<harness::result>& results, std::size_t reference) {
  for (const harness::result& r : results) {
    fmt::print("  {:<24}{:>8.1f}  ({:.1f} to {:.1f})  x{:.2f}", r.name, r.median, r.least, r.most,
               r.median / results.at(reference).median);
    for (const harness::result& preset : results) {
      if (preset.name + run_time == r.name) fmt::print("   x{:.2f} of the preset", r.median / preset.median);
    }
    if (r.what.fpr >= 0) fmt::print("   FPR {:.2e}", r.what.fpr);
    if (r.what.blocks >= 0) fmt::print("   blocks {:.3f}", r.what.blocks);
    fmt::print("\n");
  }
}

struct measured {
  quality hit;
  quality miss;
};

template <class Filter>
measured quality_of(const Filter& f) {
  if constexpr (requires { f.params(); }) {
    // A hundred thousand keys tell the accesses; the false positive rate is that of the filter itself.
    const std::uint64_t sample = std::min<std::uint64_t>(f.keys_inserted(), 200'000);
    sluice::parameters smaller = f.params();
    std::visit(
        [&](auto& p) {
          if constexpr (requires { p.blocks; }) {
            p.blocks = static_cast<std::uint64_t>(static_cast<double>(p.blocks) * static_cast<double>(sample) /
                                                  static_cast<double>(f.keys_inserted())) +
                       1;
          }
        },
        smaller);
    const sluice::statistics s = sluice::simulate(smaller, {.keys = sample, .misses = sample}).stats;
    const double fpr = f.stats().fpr_from_fill;
    return {{fpr, s.accesses.per_hit.value_or(-1)}, {fpr, s.accesses.per_miss.value_or(-1)}};
  } else {
    return {{-1, 1}, {-1, 1}};
  }
}

/// As ask_one_by_one.
template <class Filter>
[[gnu::noinline]] std::uint64_t insert_one_by_one(Filter& f, const std::vector<std::uint64_t>& keys) {
  std::uint64_t fresh = 0;
  for (const std::uint64_t key : keys) fresh += f.insert(key) ? 1U : 0U;
  return fresh;
}

/// One table: lookups of hits and misses, singly and in bulk.
class lookup_tables {
public:
  lookup_tables(std::uint64_t keys, const options& o)
      : options_(o), keys_(keys), asked_(keys), answers_(asked_.hits.size()) {}

  template <class Filter>
  void enter(const std::string& name, const std::shared_ptr<Filter>& f) {
    f->insert_bulk(stored_keys(keys_));
    f->may_contain_bulk(asked_.hits, std::span<std::uint8_t>(answers_));
    for (const std::uint8_t answer : answers_) {
      if (answer == 0) throw std::logic_error(name + " has lost a key");
    }
    const measured m = quality_of(*f);
    const std::uint64_t operations = asked_.hits.size() * asked_.rounds;
    const auto add = [&](std::vector<contestant>& table, quality q, const auto& body) {
      const auto rounds = [this, body] {
        for (std::uint64_t i = 0; i < asked_.rounds; ++i) body();
      };
      table.push_back({name, q, operations, rounds, {}});
    };
    add(single_miss_, m.miss, [this, f] { harness::keep(ask_one_by_one(*f, asked_.misses)); });
    add(single_hit_, m.hit, [this, f] { harness::keep(ask_one_by_one(*f, asked_.hits)); });
    add(bulk_miss_, m.miss, [this, f] { f->may_contain_bulk(asked_.misses, std::span<std::uint8_t>(answers_)); });
    add(bulk_hit_, m.hit, [this, f] { f->may_contain_bulk(asked_.hits, std::span<std::uint8_t>(answers_)); });
  }

  void run(int bits) const {
    const auto table = [&](const char* what, const std::vector<contestant>& contestants) {
      if (!options_.only.empty() && std::string(what).find(options_.only) == std::string::npos) return;
      fmt::print("\n{} keys, {} bits a key: {}, ns\n", keys_, bits, what);
      const auto results = harness::contest(contestants, options_.repetitions);
      print_ratios(results, 1);  // of the blocked filter
      std::fflush(stdout);
    };
    table("single misses", single_miss_);
    table("single hits", single_hit_);
    table("bulk misses", bulk_miss_);
    table("bulk hits", bulk_hit_);
  }

private:
  const options& options_;
  std::uint64_t keys_;
  questions asked_;
  std::vector<std::uint8_t> answers_;
  std::vector<contestant> single_miss_;
  std::vector<contestant> single_hit_;
  std::vector<contestant> bulk_miss_;
  std::vector<contestant> bulk_hit_;
};

/// Presets at the best k of the blocked filter and the parameters of docs/choosing.md, and the same filters at run
/// time.
template <std::uint32_t BlockedHashes, std::uint32_t Hashes, std::uint32_t SecondHashes>
void compare(std::uint64_t keys, int bits, sluice::gated_parameters::spill_rule when, const options& o) {
  const std::uint64_t blocks = sluice::blocks_for(keys, bits);
  lookup_tables tables(keys, o);
  tables.enter("floor", std::make_shared<harness::floor_filter>(blocks));
  const auto blocked = std::make_shared<sluice::presets::blocked_512<BlockedHashes>>(blocks);
  tables.enter("blocked", blocked);
  const auto gated = std::make_shared<sluice::presets::gated_512<Hashes, 4, SecondHashes>>(blocks, when);
  tables.enter("gated", gated);
  const auto blocked_at_run_time = std::make_shared<sluice::filter>(blocked->params());
  tables.enter("blocked" + run_time, blocked_at_run_time);
  const auto gated_at_run_time = std::make_shared<sluice::filter>(gated->params());
  tables.enter("gated" + run_time, gated_at_run_time);
  tables.run(bits);

  if (!o.only.empty() && o.only != "insert") return;
  const std::vector<std::uint64_t> all = stored_keys(keys);
  const auto table = [&](const char* what, const auto& insert_all) {
    const auto entry = [&](const std::string& name, const auto& f) {
      return contestant{name, {}, keys, [&insert_all, f] { insert_all(*f); }, [f] { f->clear(); }};
    };
    fmt::print("\n{} keys, {} bits a key: {} inserts, ns\n", keys, bits, what);
    print_ratios(harness::contest(
                     {entry("blocked", blocked), entry("gated", gated),
                      entry("blocked" + run_time, blocked_at_run_time), entry("gated" + run_time, gated_at_run_time)},
                     o.repetitions),
                 0);
  };
  table("single", [&](auto& f) { harness::keep(insert_one_by_one(f, all)); });
  table("bulk", [&](auto& f) { harness::keep(f.insert_bulk(all)); });
}

void compare(std::uint64_t keys, int bits, const options& o) {
  switch (bits) {
    case 16:
      return compare<10, 11, 9>(keys, bits, {196, 19}, o);
    case 24:
      return compare<13, 15, 12>(keys, bits, {177, 6}, o);
    case 32:
      return compare<15, 20, 16>(keys, bits, {160, 4}, o);
    default:
      throw std::invalid_argument("--bits is 16, 24 or 32");
  }
}

/// What sharing costs one thread, and what a second thread gains.
void threads(const options& o) {
  constexpr std::uint64_t keys = 4'000'000;
  const sluice::gated_parameters p{
      .blocks = sluice::blocks_for(keys, 24), .hashes = 15, .second_hashes = 12, .threshold = 177, .margin = 6};
  const std::vector<std::uint64_t> all = stored_keys(keys);
  const std::span<const std::uint64_t> halves[] = {std::span(all).first(keys / 2), std::span(all).last(keys / 2)};
  const auto make = [&] { return std::make_unique<sluice::concurrent_filter>(p); };
  auto shared = make();
  sluice::filter alone(p);
  std::vector<std::uint8_t> answers(keys);
  std::vector<contestant> inserts = {
      {"unshared", {}, keys, [&] { alone.insert_bulk(all); }, [&] { alone.clear(); }},
      {"shared, 1 thread", {}, keys, [&] { shared->insert_bulk(all); }, [&] { shared = make(); }},
      {"shared, 2 threads",
       {},
       keys,
       [&] {
         std::thread second([&] { shared->insert_bulk(halves[1]); });
         shared->insert_bulk(halves[0]);
         second.join();
       },
       [&] { shared = make(); }}};
  std::vector<contestant> lookups = {
      {"unshared", {}, keys, [&] { alone.may_contain_bulk(all, std::span<std::uint8_t>(answers)); }, {}},
      {"shared, 1 thread", {}, keys, [&] { shared->may_contain_bulk(all, answers); }, {}},
      {"shared, 2 threads",
       {},
       keys,
       [&] {
         std::thread second([&] { shared->may_contain_bulk(halves[1], std::span(answers).last(keys / 2)); });
         shared->may_contain_bulk(halves[0], std::span(answers).first(keys / 2));
         second.join();
       },
       {}}};
  for (auto& [what, table] : {std::pair{"bulk inserts", &inserts}, std::pair{"bulk hits", &lookups}}) {
    fmt::print("\ngated, {} keys, 24 bits a key: {}, ns per key\n", keys, what);
    const auto results = harness::contest(*table, o.repetitions);
    print_ratios(results, 0);
  }
}

/// What the rounds of a static build cost and gain, and what a second thread does for them.
void static_builds(const options& o) {
  constexpr std::uint64_t keys = 4'000'000;
  const sluice::gated_parameters p{
      .blocks = sluice::blocks_for(keys, 24), .hashes = 17, .trace = 4, .second_hashes = 14};
  sluice::static_builder builder(p);
  builder.insert_bulk(stored_keys(keys));
  fmt::print("\nstatic build, {} keys, 24 bits a key, ns per key\n", keys);
  std::vector<contestant> contestants;
  const auto enter = [&](const std::string& name, const sluice::build_options& how) {
    const sluice::filter f = builder.build(how);
    quality q{f.stats().fpr_from_fill, f.stats().blocks_per_miss_from_fill};
    const auto build = [&builder, how] {
      const auto built = builder.build(how);
      harness::keep(built.bytes().data());
    };
    contestants.push_back({name, q, keys, build, {}});
  };
  for (const std::uint32_t rounds : {0U, 1U, 2U, 3U, 4U, 6U, 8U, 12U}) {
    enter(fmt::format("{} rounds", rounds), {.rounds = rounds});
  }
  enter("6 rounds, 2 threads", {.rounds = 6, .threads = 2});
  for (const harness::result& r : harness::contest(contestants, std::min(3, o.repetitions))) {
    fmt::print("  {:<24}{:>8.0f}  ({:.0f} to {:.0f})   FPR {:.3e}   blocks per miss {:.3f}\n", r.name, r.median,
               r.least, r.most, r.what.fpr, r.what.blocks);
  }
}

/// A union reads two filters and writes one: against a plain copy of one.
void merging(const options& o) {
  const sluice::gated_parameters p{
      .blocks = std::uint64_t{4} << 20, .hashes = 15, .second_hashes = 12, .threshold = 177, .margin = 6};
  sluice::filter a(p);
  const sluice::filter b(p);
  std::vector<std::byte> copy(b.bytes().size());
  const std::uint64_t bytes = b.bytes().size();
  const auto results =
      harness::contest({{"merge", {}, bytes, [&] { a.merge(b); }, {}},
                        {"copy", {}, bytes, [&] { std::copy(b.bytes().begin(), b.bytes().end(), copy.begin()); }, {}}},
                       o.repetitions);
  fmt::print("\nmerging filters of {} MiB\n", bytes >> 20);
  for (const harness::result& r : results) fmt::print("  {:<24}{:>8.2f} GB/s\n", r.name, 1 / r.median);
}

/// A fold reads the filter once and writes a half or less of it: against a plain read of as many bytes.
void folding(const options& o) {
  constexpr std::uint64_t blocks = std::uint64_t{1} << 24;  // 1 GiB
  const std::vector<std::uint64_t> all = stored_keys(20'000'000);
  const auto run = [&](const char* scheme, const sluice::parameters& p) {
    sluice::filter full(p);
    full.insert_bulk(all);
    sluice::filter f(p);
    const std::uint64_t bytes = full.bytes().size();
    const auto fold = [&](std::uint32_t times) {
      return contestant{
          fmt::format("fold {}", times), {}, bytes, [&f, times] { f.fold(times); }, [&f, &full] { f = full; }};
    };
    std::vector<std::byte> piece(std::size_t{64} << 10);  // stays in the cache
    const auto read = [&full, &piece] {
      for (std::size_t at = 0; at < full.bytes().size(); at += piece.size()) {
        std::memcpy(piece.data(), full.bytes().data() + at, piece.size());
        harness::keep(piece.data());
      }
    };
    const auto results =
        harness::contest({{"read", {}, bytes, read, {}}, fold(1), fold(2), fold(5)}, std::min(5, o.repetitions));
    fmt::print("\nfolding a {} filter of {} MiB\n", scheme, bytes >> 20);
    for (const harness::result& r : results) {
      fmt::print("  {:<24}{:>8.2f} GB/s  x{:.2f}\n", r.name, 1 / r.median, r.median / results.front().median);
    }
  };
  run("blocked", sluice::blocked_parameters{.blocks = blocks, .hashes = 10});
  run("gated",
      sluice::gated_parameters{.blocks = blocks, .hashes = 15, .second_hashes = 12, .threshold = 177, .margin = 6});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    options o;
    CLI::App app("Times of sluice's filters, beside their false positive rates and the blocks they read.");
    app.footer("Example: sluice-bench --keys 100000 --bits 24 --only single");
    app.add_option("--keys", o.keys, "numbers of keys")->capture_default_str();
    app.add_option("--bits", o.bits, "bits a key: 16, 24, 32")->capture_default_str();
    app.add_option("--repetitions", o.repetitions, "runs of each contestant; medians are reported")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--core", o.core, "the core to run on")->capture_default_str();
    app.add_option("--only", o.only,
                   "single, bulk, insert, threads, static, sealed, merge, fold, files, texts or scaling");
    app.add_option("--most", o.most, "of scaling: keys of the largest filter")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    if (o.only == "scaling") {
      bench::scaling(o.most, o.repetitions);
      return 0;
    }
    if (o.only.empty() || o.only == "threads") threads(o);
    if (o.only.empty() || o.only == "static") static_builds(o);
    if (o.only.empty() || o.only == "sealed") bench::sealed_builds(10'000'000, o.repetitions);
    if (!harness::pin_to_core(o.core)) fmt::print(stderr, "sluice-bench: not pinned to core {}\n", o.core);
    if (o.only.empty() || o.only == "merge") merging(o);
    if (o.only.empty() || o.only == "fold") folding(o);
    if (o.only.empty() || o.only == "files") bench::files(o.repetitions);
    if (o.only.empty() || o.only == "texts") bench::texts(o.repetitions);
    if (o.only.empty() || o.only == "sealed") bench::sealed_lookups(o.keys, o.repetitions);
    for (const char* const alone : {"threads", "static", "sealed", "merge", "fold", "files", "texts"}) {
      if (o.only == alone) return 0;
    }
    for (const std::uint64_t keys : o.keys) {
      for (const int bits : o.bits) compare(keys, bits, o);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "sluice-bench: {}\n", e.what());
    return 2;
  }
}
