// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The demonstration: every filter over a real word list. The words of american-english-huge are the set; the words of
// american-english-insane that are not in it are honest negatives: real words that the filter has never seen. Prints
// one row per scheme: memory, false positive rate as counted and as computed from the final bits, and blocks read.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <unordered_set>
#include <vector>

#include "sluice/sluice.hpp"

namespace {

constexpr const char* set_file = "/usr/share/dict/american-english-huge";
constexpr const char* more_file = "/usr/share/dict/american-english-insane";

using words = std::vector<std::string>;

words read_words(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw sluice::error("cannot read the word list " + path + "; install wamerican-huge and wamerican-insane");
  words result;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) result.push_back(std::move(line));
  }
  if (result.empty()) throw sluice::error("the word list " + path + " is empty");
  return result;
}

words without(const words& all, const words& excluded) {
  const std::unordered_set<std::string> known(excluded.begin(), excluded.end());
  words result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [&](const std::string& word) { return !known.contains(word); });
  return result;
}

struct row {
  const char* name;
  sluice::parameters parameters;
};

/// Every scheme at 16 bits a key and 512-bit blocks, 32 keys a block, with parameters that are good there. (h, p) are
/// the papers' optimum: MHT and SEQUENTIAL for 1.2 accesses and 3 candidates, SINGLE for one percent of overflow.
std::vector<row> rows_for(std::uint64_t keys) {
  using namespace sluice;  // NOLINT(google-build-using-namespace): a table of parameters reads better without it
  constexpr double bits_per_key = 16;
  constexpr double accesses = 1.2;
  constexpr std::uint32_t choices = 3;
  const std::uint64_t blocks = blocks_for(keys, bits_per_key);
  const auto fractions = detail::subtable_fractions(accesses, detail::least_overflow(accesses, choices), choices);
  return {
      {"classic", classic_parameters{.bits = 512 * blocks, .hashes = 11}},
      {"choice, 2 groups", choice_parameters{.bits = 512 * blocks, .groups = 2, .hashes = 13}},
      {"blocked", blocked_parameters{.blocks = blocks, .hashes = 10}},
      {"1+alpha 0.3", alpha_parameters{.blocks = blocks, .hashes = 10, .alpha = 0.3}},
      {"two-choice", alpha_parameters{.blocks = blocks, .hashes = 11, .alpha = 1}},
      {"SINGLE", single_parameters{.blocks = blocks, .hashes = 10, .threshold = 39, .acceptance = 0.027}},
      {"SEQUENTIAL",
       sequential_parameters{.blocks = blocks, .hashes = 11, .choices = choices, .threshold = 30, .acceptance = 0.161}},
      {"MHT", mht_parameters{.subtables = detail::subtable_sizes(blocks, fractions),
                             .hashes = 11,
                             .threshold = 32,
                             .acceptance = 0.0528}},
      {"MHT without a list", mht_parameters{.subtables = detail::subtable_sizes(blocks, fractions),
                                            .hashes = 11,
                                            .threshold = 32,
                                            .acceptance = 0.0528,
                                            .overflow = overflow_rule::first_candidate}},
      {"Bloom-2, one page", bloom_g_parameters{.blocks = blocks, .hashes = 11, .spread = 2}},
      {"gated, whole table", gated_parameters{.blocks = blocks,
                                              .hashes = 11,
                                              .trace = 4,
                                              .second_hashes = 9,
                                              .threshold = 196,
                                              .margin = 19,
                                              .second = second_block::table}},
      {"gated, one page",
       gated_parameters{
           .blocks = blocks, .hashes = 11, .trace = 4, .second_hashes = 9, .threshold = 196, .margin = 19}},
  };
}

void print_row(const row& r, const words& set, const words& negatives) {
  const auto seen = sluice::simulate(
      r.parameters, {.keys = set.size(),
                     .misses = negatives.size(),
                     .key_of = [&](const sluice::hasher& hash, std::uint64_t i) { return hash(set[i]); },
                     .absent_of = [&](const sluice::hasher& hash, std::uint64_t i) { return hash(negatives[i]); }});
  const sluice::statistics& s = seen.stats;
  std::printf(
      "%-20s %8.2f %8.2f %11.2e %11.2e %8.3f %8.3f %8.3f %8.3f%%\n", r.name, s.bits_per_key, s.memory_bits_per_key,
      static_cast<double>(seen.false_positives) / static_cast<double>(negatives.size()), s.fpr_from_fill,
      s.accesses.per_insert.value_or(0), s.accesses.per_hit.value_or(0), s.accesses.per_miss.value_or(0),
      s.overflow_bytes == 0 ? 0 : 100.0 * static_cast<double>(s.overflow_keys) / static_cast<double>(s.keys_inserted));
}

}  // namespace

int main() {
  try {
    const words set = read_words(set_file);
    const words negatives = without(read_words(more_file), set);
    std::printf("%zu words in the set, %zu other words asked for. Blocks have 512 bits, one cache line;\n", set.size(),
                negatives.size());
    std::printf("for classic and choice, which have no blocks, positions probed are counted instead.\n\n");
    std::printf("%-20s %8s %8s %11s %11s %8s %8s %8s %9s\n", "", "bits per", "with", "FPR", "FPR from", "blocks",
                "read per", "", "keys in");
    std::printf("%-20s %8s %8s %11s %11s %8s %8s %8s %9s\n", "scheme", "key", "list", "counted", "the bits", "insert",
                "hit", "miss", "the list");
    for (const row& r : rows_for(set.size())) print_row(r, set, negatives);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "all_schemes: %s\n", e.what());
    return 2;
  }
}
