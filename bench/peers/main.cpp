// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Our filters beside those that people use instead: times in one run, in turn, on one core, with the memory and the
// false positives of each, counted by lookups. Everybody's answers are checked first: a filter that lost a key is not
// timed.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ours.hpp"
#include "questions.hpp"
#include "timing/contest.hpp"
#if SLUICE_PEER_LIBBLOOM
#include "libbloom.hpp"
#endif
#if SLUICE_PEER_LEVELDB
#include "leveldb.hpp"
#endif
#if SLUICE_PEER_BOOST
#include "boost_bloom.hpp"
#endif
#if SLUICE_PEER_ROCKSDB
#include "rocksdb.hpp"
#endif
#if SLUICE_PEER_FASTFILTER  // last: it opens namespaces
#include "fastfilter.hpp"
#endif

namespace {

/// Keys without an order: hashes that mix little spread 0, 1, 2 and so on better than by chance, which flatters rates.
void scramble(std::vector<std::uint64_t>& keys) {
  for (std::uint64_t& key : keys) key = sluice::detail::full_mix(key);
}

struct row {
  std::string name;
  double bits = 0;
  double fpr = 0;
};

/// Contestants of one size: what fills, and what looks up.
class table {
public:
  explicit table(std::uint64_t keys) : keys_(bench::stored_keys(keys)), asked_(keys), answers_(asked_.hits.size()) {
    scramble(keys_);
    scramble(asked_.hits);
    scramble(asked_.misses);
  }

  /// One that takes keys.
  template <class Peer>
  void enter(double bits) {
    const auto peer = std::make_shared<std::unique_ptr<Peer>>();
    const std::uint64_t n = keys_.size();
    const auto anew = [peer, n, bits] { *peer = std::make_unique<Peer>(n, bits); };
    const auto fill = [this, peer] {
      for (const std::uint64_t key : keys_) (*peer)->insert(key);
    };
    anew();
    fill();
    add<Peer>(peer, fill, anew);
  }
  /// One that is made of all keys.
  template <class Peer>
  void enter_built() {
    const auto peer = std::make_shared<std::unique_ptr<Peer>>();
    const auto build = [this, peer] { *peer = std::make_unique<Peer>(keys_); };
    build();
    add<Peer>(peer, build, {});
  }

  void run(int repetitions) {
    fmt::print("  {:<30}{:>9}{:>11}", "", "bits/key", "FPR");
    std::vector<std::vector<harness::result>> all;
    for (const column& c : columns_) {
      all.push_back(harness::contest(c.contestants, repetitions));
      fmt::print("{:>16}", c.name);
    }
    fmt::print("\n");
    for (const row& r : rows_) {
      fmt::print("  {:<30}{:>9.2f}{:>11.3g}", r.name, r.bits, r.fpr);
      for (const auto& results : all) {
        std::string cell = "-";
        for (const harness::result& x : results) {
          if (x.name == r.name) cell = fmt::format("{:.1f} x{:.2f}", x.median, x.median / results.front().median);
        }
        fmt::print("{:>16}", cell);
      }
      fmt::print("\n");
    }
    std::fflush(stdout);
  }

private:
  struct column {
    const char* name;
    std::vector<harness::contestant> contestants = {};
  };

  template <class Peer>
  void add(const std::shared_ptr<std::unique_ptr<Peer>>& peer, const std::function<void()>& fill,
           const std::function<void()>& before) {
    const std::string name = Peer::name();
    for (const std::uint64_t key : keys_) {
      if (!(*peer)->may_contain(key)) throw std::logic_error(name + " has lost a key");
    }
    constexpr std::uint64_t asked = 20'000'000;
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < asked; ++i) {
      found += (*peer)->may_contain(sluice::detail::full_mix((std::uint64_t{1} << 50U) + i)) ? 1U : 0U;
    }
    rows_.push_back({name, 8 * static_cast<double>((*peer)->bytes()) / static_cast<double>(keys_.size()),
                     static_cast<double>(found) / static_cast<double>(asked)});
    const auto enter = [&](std::size_t number, std::uint64_t operations, std::function<void()> body,
                           std::function<void()> first) {
      columns_[number].contestants.push_back({name, {}, operations, std::move(body), std::move(first)});
    };
    enter(0, keys_.size(), fill, before);
    const auto ask = [this, peer](const std::vector<std::uint64_t>& keys) {
      for (std::uint64_t i = 0; i < asked_.rounds; ++i) harness::keep(bench::ask_one_by_one(**peer, keys));
    };
    const std::uint64_t operations = asked_.hits.size() * asked_.rounds;
    enter(1, operations, [this, ask] { ask(asked_.hits); }, {});
    enter(2, operations, [this, ask] { ask(asked_.misses); }, {});
    if constexpr (requires { (*peer)->look_up(keys_, answers_); }) {
      const auto ask_all = [this, peer](const std::vector<std::uint64_t>& keys) {
        for (std::uint64_t i = 0; i < asked_.rounds; ++i) (*peer)->look_up(keys, answers_);
      };
      enter(3, operations, [this, ask_all] { ask_all(asked_.hits); }, {});
      enter(4, operations, [this, ask_all] { ask_all(asked_.misses); }, {});
    }
  }

  std::vector<std::uint64_t> keys_;
  bench::questions asked_;
  std::vector<std::uint8_t> answers_;
  std::vector<row> rows_;
  std::vector<column> columns_ = {{"insert, build"}, {"hit"}, {"miss"}, {"hits in bulk"}, {"misses in bulk"}};
};

/// Hashes: what is best for a block of 512 bits.
template <int Bits, std::uint32_t Hashes>
void compare(std::uint64_t keys, int repetitions) {
  fmt::print("\n{} keys, {} bits a key: ns a key, x of the first\n", keys, Bits);
  table t(keys);
  t.enter<peers::blocked_preset<Hashes>>(Bits);
  t.enter<peers::planned<sluice::scheme::blocked>>(Bits);
  t.enter<peers::planned<sluice::scheme::gated>>(Bits);
  t.enter<peers::planned<sluice::scheme::ledger>>(Bits);
#if SLUICE_PEER_BOOST
  t.enter<peers::boost_block<Hashes>>(Bits);
  t.enter<peers::boost_multiblock<Hashes>>(Bits);
#endif
#if SLUICE_PEER_ROCKSDB
  t.enter<peers::fast_local_bloom>(Bits);
#endif
#if SLUICE_PEER_LIBBLOOM
  t.enter<peers::libbloom>(Bits);
#endif
#if SLUICE_PEER_LEVELDB
  t.enter_built<peers::leveldb_policy<Bits>>();
#endif
#if SLUICE_PEER_FASTFILTER
  if constexpr (Bits == 16) t.enter<peers::cuckoo<12>>(Bits);
  if constexpr (Bits == 24) t.enter<peers::cuckoo<16>>(Bits);
#endif
  t.run(repetitions);
}

void compare_built(std::uint64_t keys, int repetitions) {
  fmt::print("\n{} keys, of filters that are made of all of them: ns a key, x of the first\n", keys);
  table t(keys);
  t.enter_built<peers::sealed<8>>();
  t.enter_built<peers::sealed<16>>();
#if SLUICE_PEER_FASTFILTER
  t.enter_built<peers::binary_fuse<std::uint8_t>>();
  t.enter_built<peers::binary_fuse<std::uint16_t>>();
#endif
  t.run(repetitions);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::uint64_t> keys = {100'000, 20'000'000};
    std::vector<int> bits = {16, 24};
    int repetitions = 3;
    int core = 1;
    CLI::App app("sluice's filters beside those that people use instead.");
    app.add_option("--keys", keys, "numbers of keys")->capture_default_str();
    app.add_option("--bits", bits, "bits a key: 16, 24, 32")->check(CLI::IsMember({16, 24, 32}))->capture_default_str();
    app.add_option("--repetitions", repetitions, "runs of each; medians are reported")->capture_default_str();
    app.add_option("--core", core, "the core to run on")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    if (!harness::pin_to_core(core)) fmt::print(stderr, "sluice-bench-peers: not pinned to core {}\n", core);
    for (const std::uint64_t n : keys) {
      for (const int b : bits) {
        if (b == 16) compare<16, 10>(n, repetitions);
        if (b == 24) compare<24, 13>(n, repetitions);
        if (b == 32) compare<32, 15>(n, repetitions);
      }
      compare_built(n, repetitions);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "sluice-bench-peers: {}\n", e.what());
    return 2;
  }
}
