// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The operations whose instructions are counted (tests/instructions/run.py), each for every key of a filter that has
// 16 KiB or so. Filters, keys and seeds are always the same, and so are the instructions. Between two of them the
// program tells callgrind to write down what it counted, under the name of the operation.
#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sluice/presets.hpp"
#include "sluice/sluice.hpp"

namespace {

constexpr std::uint64_t count = 10'000;

std::vector<std::uint64_t> keys_from(std::uint64_t first) {
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = (first + i) * 0x9e37'79b9'7f4a'7c15U;
  return keys;
}
const std::vector<std::uint64_t> stored = keys_from(0);
const std::vector<std::uint64_t> absent = keys_from(std::uint64_t{1} << 32U);

/// As in a program that does nothing else.
template <class Work>
[[gnu::noinline]] void measure(const std::string& name, const Work& work) {
  CALLGRIND_ZERO_STATS;
  work();
  CALLGRIND_DUMP_STATS_AT(name.c_str());
}

void require(bool held, const std::string& what) {
  if (!held) throw std::logic_error(what);
}

template <class Filter>
void look_up(const std::string& name, const Filter& f) {
  std::vector<std::uint8_t> answers(count);
  const auto ask = [&](const char* which, const std::vector<std::uint64_t>& keys, bool all) {
    std::uint64_t found = 0;
    measure(name + " " + which + " single", [&] {
      for (const std::uint64_t key : keys) found += f.may_contain(key) ? 1U : 0U;
    });
    require(all ? found == count : found < count / 10, name + ": wrong answers");
    measure(name + " " + which + " bulk", [&] { f.may_contain_bulk(keys, answers); });
  };
  ask("hit", stored, true);
  ask("miss", absent, false);
}

template <class Filter>
void take_and_look_up(const std::string& name, Filter f) {
  Filter another = f;
  measure(name + " insert single", [&] {
    for (const std::uint64_t key : stored) f.insert(key);
  });
  measure(name + " insert bulk", [&] { another.insert_bulk(stored); });
  look_up(name, f);
}

void erase(const std::string& name, sluice::filter f) {
  f.insert_bulk(stored);
  sluice::filter another = f;
  measure(name + " erase single", [&] {
    for (const std::uint64_t key : stored) f.erase(key);
  });
  std::uint64_t erased = 0;
  measure(name + " erase bulk", [&] { erased = another.erase_bulk(stored); });
  require(erased == count && f.keys_inserted() == 0, name + ": keys were not erased");
}

void run() {
  const sluice::blocked_parameters blocked{.blocks = sluice::blocks_for(count, 12), .hashes = 8};
  take_and_look_up("blocked", sluice::filter(blocked));
  take_and_look_up("blocked preset", sluice::presets::blocked_512<8>(blocked.blocks));

  const sluice::gated_parameters gated{
      .blocks = sluice::blocks_for(count, 24), .hashes = 15, .second_hashes = 12, .threshold = 177, .margin = 6};
  take_and_look_up("gated", sluice::filter(gated));
  take_and_look_up("gated preset",
                   sluice::presets::gated_512<15, 4, 12>(gated.blocks, {.threshold = 177, .margin = 6}));

  sluice::filter folded(sluice::blocked_parameters{.blocks = blocked.blocks * 4, .hashes = 8});
  folded.fold(2);
  take_and_look_up("folded", folded);

  const auto sealed = sluice::filter::sealed(stored, {.fpr = 1.0 / 4096});
  look_up("sealed", sealed);

  const sluice::ledger_parameters ledger{.blocks = sluice::blocks_for(count, 18.5), .remainder_bits = 12};
  take_and_look_up("ledger", sluice::filter(ledger));
  erase("ledger", sluice::filter(ledger));
}

}  // namespace

int main() {
  try {
    run();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "operations: %s\n", e.what());
    return 2;
  }
}
