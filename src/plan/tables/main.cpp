// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Writes the planner's tables: for block sizes and numbers of bits per key,
//   sluice-tables          the best parameters of the schemes whose models are too slow to search while a user waits,
//                          found by coordinate descent on the models: src/plan/tables.hpp; the result depends on the
//                          models alone
//   sluice-tables static   the best parameters of static builds, which have no model, found by building:
//                          src/theory/static_table.hpp
//   sluice-tables costs    what lookups take on this machine, measured: src/plan/costs.hpp
// `./dev tables` runs the first two and replaces the files, `./dev tables costs` the third.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "costs.hpp"
#include "plan/descend.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/block/counted.hpp"
#include "sluice/detail/block/laned.hpp"
#include "sluice/theory.hpp"
#include "theory/alpha.hpp"
#include "theory/bloom_g.hpp"
#include "theory/gated.hpp"
#include "theory/static_gated.hpp"
#include "theory/threshold.hpp"

namespace {

using sluice::detail::designs::descend;
using sluice::theory::prediction;

constexpr double bits_per_key[] = {8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 36, 40, 48, 56, 64};
constexpr std::uint32_t block_sizes[] = {256, 512};
constexpr double most_miss = 1.05;  // what a gated filter may read on average
constexpr double most_hit = 1.25;

constexpr double infinite = std::numeric_limits<double>::infinity();

struct found_row {
  const char* scheme;
  std::uint32_t block_bits;
  double bits_per_key;
  int k = 0;
  int t = 0;
  int k2 = 0;
  int h = 0;
  int margin = 0;
  double alpha = 0;
  double overflow = 0;
};

void print(const found_row& r, double fpr) {
  std::printf("    {family::%s, %u, %g, %d, %d, %d, %d, %d, %.2f, %.6f, %.6f},\n", r.scheme, r.block_bits,
              r.bits_per_key, r.k, r.t, r.k2, r.h, r.margin, r.alpha, r.overflow, std::log(fpr));
  std::fflush(stdout);
}

/// k and h belong together (h is the fill at which a block counts as full), so every k near the best one of the row
/// before is tried with a threshold of its own; the descent then moves threshold and margin. The trace fills its quad:
/// with one bit fewer the rate is 2 to 3% lower, but twice as many misses read a second block, and every lookup has one
/// more mask to apply.
void gated_rows(std::uint32_t bits) {
  constexpr int trace = sluice::detail::lanes::most_trace;
  int last_k = trace + 1;
  for (const double beta : bits_per_key) {
    const double r = bits / beta;
    const auto usable = static_cast<int>(sluice::detail::laned_block<>(bits).usable_bits());
    const auto predict = [&](const std::vector<int>& x) {
      const sluice::gated_parameters p{.block_bits = bits,
                                       .hashes = static_cast<std::uint32_t>(x[0]),
                                       .trace = static_cast<std::uint32_t>(x[1]),
                                       .second_hashes = static_cast<std::uint32_t>(x[2]),
                                       .threshold = static_cast<std::uint32_t>(x[3]),
                                       .margin = static_cast<std::uint32_t>(x[4])};
      return sluice::theory::predict_gated(p, 32768.0 / bits, r);
    };
    const auto cost = [&](const std::vector<int>& x) {
      if (x[1] >= x[0] || x[2] < 1 || x[3] < 1 || x[3] > usable || x[4] < 0 || x[4] > usable) return infinite;
      const prediction p = predict(x);
      const double excess = std::max(0.0, p.accesses_miss - most_miss) + std::max(0.0, p.accesses_hit - most_hit);
      return std::log(p.fpr_exact) + 100 * excess;
    };
    std::vector<int> best;
    double least = infinite;
    for (int k = std::max(trace + 1, last_k - 1); k <= last_k + 6; ++k) {
      for (const int more : {0, 1, 2}) {
        for (const int margin : {1, 8}) {
          const int full = static_cast<int>(usable * -std::expm1(-k * r / usable));
          const std::vector<int> at =
              descend({k, trace, std::max(1, k - trace + more), std::min(usable, full), margin}, {0, 0, 0, 8, 4}, cost);
          const double c = cost(at);
          if (c < least) {
            least = c;
            best = at;
          }
        }
      }
    }
    last_k = best[0];
    print({"gated", bits, beta, best[0], best[1], best[2], best[3], best[4]}, predict(best).fpr_exact);
  }
}

/// Two-choice has alpha = 1; 1+alpha the best, in hundredths.
void alpha_rows(std::uint32_t bits, bool two_choice) {
  std::vector<int> at = {5, two_choice ? 100 : 10};
  for (const double beta : bits_per_key) {
    const auto predict = [&](const std::vector<int>& x) {
      return sluice::theory::predict(sluice::theory::alpha_scheme{bits, static_cast<std::uint32_t>(x[0]), x[1] / 100.0},
                                     bits / beta);
    };
    at[0] = std::max(at[0], static_cast<int>(beta * 0.55));
    at = descend(at, {2, two_choice ? 0 : 16}, [&](const std::vector<int>& x) {
      if (x[0] < 1 || x[1] < 0 || x[1] > 100) return infinite;
      return std::log(predict(x).fpr_exact);
    });
    print({two_choice ? "two_choice" : "alpha", bits, beta, at[0], 0, 0, 0, 0, at[1] / 100.0}, predict(at).fpr_exact);
  }
}

/// Schemes with k alone to choose: `model` predicts for (k, bits per key).
void k_rows(const char* scheme, std::uint32_t bits, int least,
            const std::function<double(std::uint32_t, double)>& model, const std::function<double(double)>& overflow) {
  std::vector<int> at = {least};
  for (const double beta : bits_per_key) {
    at[0] = std::max(at[0], static_cast<int>(beta * 0.5));
    at = descend(at, {2}, [&](const std::vector<int>& x) {
      return x[0] < least ? infinite : std::log(model(static_cast<std::uint32_t>(x[0]), beta));
    });
    print({scheme, bits, beta, at[0], 0, 0, 0, 0, 0, overflow(beta)}, model(static_cast<std::uint32_t>(at[0]), beta));
  }
}

void threshold_rows(const char* name, std::uint32_t bits, std::uint32_t choices, double accesses, bool subtables,
                    const std::function<double(double)>& overflow) {
  namespace theory = sluice::theory;
  const auto model = [&](std::uint32_t k, double beta) {
    const double r = bits / beta;
    const theory::optimum o = theory::optimal_threshold(accesses, r, overflow(beta));
    const auto h = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, o.threshold));
    theory::threshold_scheme s{.choices = choices, .threshold = h, .acceptance = o.acceptance};
    if (subtables) s.fractions = sluice::detail::subtable_fractions(accesses, overflow(beta), choices);
    return theory::predict(s, {sluice::detail::counted_block(bits, h).usable_bits(), k}, r).fpr_exact;
  };
  k_rows(name, bits, 1, model, overflow);
}

void all_rows() {
  namespace theory = sluice::theory;
  constexpr double accesses = 1.2;
  constexpr std::uint32_t choices = 3;
  const double gamma = sluice::detail::least_overflow(accesses, choices);
  const auto none = [](double /*beta*/) { return 0.0; };
  const auto always = [gamma](double /*beta*/) { return gamma; };
  for (const std::uint32_t bits : block_sizes) {
    k_rows(
        "blocked", bits, 1,
        [&](std::uint32_t k, double beta) {
          return theory::predict(theory::spread_scheme{bits, k, 1, infinite, true}, bits / beta).fpr_exact;
        },
        none);
    alpha_rows(bits, false);
    alpha_rows(bits, true);
    threshold_rows("single", bits, 1, 1, false, always);
    std::vector<std::pair<double, double>> known;  // SEQUENTIAL's least overflow takes a while
    threshold_rows("sequential", bits, choices, accesses, false, [&](double beta) {
      if (known.empty() || known.back().first != beta) {
        known.emplace_back(beta, theory::least_overflow_sequential(accesses, choices, bits / beta));
      }
      return known.back().second;
    });
    threshold_rows("mht", bits, choices, accesses, true, always);
    k_rows(
        "bloom_2", bits, 2,
        [&](std::uint32_t k, double beta) {
          return theory::predict(theory::spread_scheme{bits, k, 2, 32768.0 / bits}, bits / beta).fpr_exact;
        },
        none);
    gated_rows(bits);
  }
}

/// As the model writes small static filters, by all threads.
void write_static(const sluice::gated_parameters& p, std::span<sluice::digest> keys, std::span<std::byte> bytes) {
  sluice::digest_store digests;
  for (const sluice::digest x : keys) digests.push_back(x);
  const sluice::filter f = sluice::static_builder(p, std::move(digests)).build({.threads = 0});
  std::ranges::copy(f.bytes(), bytes.begin());
}

/// Every k near the best one of the row before, with every k2 that could fit it; a row is what twice as many pages say
/// about the winner. Rows lie close: between them the table is all there is.
void static_rows(std::uint32_t bits) {
  namespace theory = sluice::theory;
  constexpr std::uint32_t trace = sluice::detail::lanes::most_trace;
  constexpr std::uint64_t pages = 192;
  std::uint32_t last_k = trace + 1;
  for (int beta = 8; beta <= 64; beta += beta < 24 ? 1 : 2) {
    double least = infinite;
    sluice::gated_parameters best;
    for (std::uint32_t k = std::max(trace + 1, last_k - 1); k <= std::min(60U, last_k + 4); ++k) {
      for (const std::uint32_t more : {0U, 1U, 2U}) {
        const sluice::gated_parameters p{.blocks = pages * 32768 / bits,
                                         .block_bits = bits,
                                         .hashes = k,
                                         .trace = trace,
                                         .second_hashes = k - trace + more};
        const double fpr = theory::simulate_static(p, beta, pages, write_static).fpr_exact;
        if (fpr < least) {
          least = fpr;
          best = p;
        }
      }
    }
    last_k = best.hashes;
    best.seed = 1;  // not the keys it was chosen by
    const prediction found = theory::simulate_static(best, beta, 2 * pages, write_static);
    std::printf("    {%u, %d, %u, %u, %u, %.6f, %.4f, %.4f},\n", bits, beta, best.hashes, best.trace,
                best.second_hashes, std::log(found.fpr_exact), found.accesses_miss, found.accesses_hit);
    std::fflush(stdout);
  }
}

void print_model_tables() {
  std::puts(
      "// plan/tables: the best parameters of each scheme by block size and bits per key, and the rate they give, "
      "found");
  std::puts("// on the models. Made by `./dev tables`; do not edit.");
  std::puts("#pragma once\n\n#include \"plan/row.hpp\"\n\nnamespace sluice::detail::designs {\n");
  std::puts("// clang-format off\n// scheme, block_bits, bits_per_key, k, t, k2, h, margin, alpha, overflow, log_fpr");
  std::puts("inline constexpr row rows[] = {");
  all_rows();
  std::puts("};\n// clang-format on\n\n}  // namespace sluice::detail::designs");
}

void print_static_table() {
  std::puts(
      "// theory/static_table: the best parameters of static builds by block size and bits per key, and what filters "
      "built");
  std::puts("// with them did. Made by `./dev tables`; do not edit.");
  std::puts("#pragma once\n\n#include \"theory/static_row.hpp\"\n\nnamespace sluice::theory {\n");
  std::puts("// clang-format off\n// block_bits, bits_per_key, k, t, k2, log_fpr, accesses_miss, accesses_hit");
  std::puts("inline constexpr static_row static_rows[] = {");
  for (const std::uint32_t bits : block_sizes) static_rows(bits);
  std::puts("};\n// clang-format on\n\n}  // namespace sluice::theory");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string_view which = argc < 2 ? "" : argv[1];
    if (argc > 2 || (!which.empty() && which != "static" && which != "costs")) {
      std::fputs("usage: sluice-tables [static | costs]\n", stderr);
      return 2;
    }
    if (which == "static") {
      print_static_table();
    } else if (which == "costs") {
      sluice_tables::print_costs();
    } else {
      print_model_tables();
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "sluice-tables: %s\n", e.what());
    return 2;
  }
}
