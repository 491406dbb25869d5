// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/threshold: SINGLE, SEQUENTIAL and MHT of Kanizo, Hay and Keslassy.
//
// A block accepts key x as candidate j if its load is below h, or exactly h and coin_j(x) < p. The key goes to the
// first candidate that accepts it; if none does, to the overflow. With (h, p) and the subtables chosen by theory/, the
// loads follow the best distribution that any scheme with the same mean number of accesses can have.
//
//   SINGLE      whole_table, 1 candidate       SEQUENTIAL   whole_table, d candidates       MHT   subtables, d
//                                                                                                 candidates
//
// Why a lookup may stop early. Loads only grow and coin_j(x) is a function of the key, so "rejects x" is for ever. If x
// was put into its candidate i, every candidate before i rejected it then and rejects it now: a lookup reaches i. A
// block that accepts x now has never rejected it, so x cannot be further on: the walk stops with false.
// The coins differ by candidate: with one coin for all, rejected keys arrive biased at the next block, and the overflow
// grows by a quarter.
//
// Cost: insert and hit a blocks on average (1.2 at the usual optimum), miss E(P) = sum of prod F_i, where F_i is the
// share of lookups that go on past candidate i (about 2 at that optimum: a full block does not know whom it rejected).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/placement/candidates.hpp"
#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

/// The rule of acceptance, apart from where loads are kept.
struct threshold_rule {
  std::uint32_t threshold;  ///< h
  double acceptance;        ///< p

  [[nodiscard]] constexpr bool accepts(std::uint64_t load, digest x, std::uint32_t j) const noexcept {
    if (load != threshold) return load < threshold;
    return decide(derive(x, use::coin, j), acceptance);
  }
  /// The same for a random key: the probability of acceptance at this load.
  [[nodiscard]] constexpr double acceptance_at(std::uint64_t load) const noexcept {
    if (load != threshold) return load < threshold ? 1 : 0;
    return acceptance;
  }
};

template <class Source>
class threshold_placement {
public:
  constexpr threshold_placement(const Source& source, std::uint32_t hashes, threshold_rule rule) noexcept
      : source_(source), hashes_(hashes), rule_(rule) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return source_.blocks(); }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] constexpr const Source& source() const noexcept { return source_; }
  [[nodiscard]] constexpr std::uint32_t candidates(digest /*x*/) const noexcept { return source_.choices(); }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t j) const noexcept {
    return {candidate_block(source_, x, j), {.count = hashes_}};
  }

  [[nodiscard]] constexpr bool goes_on(const auto& blocks, digest x, std::uint32_t j,
                                       const candidate& c) const noexcept {
    return !rule_.accepts(blocks.load(c.block), x, j);
  }

  /// The walk stopped exactly where a block accepts the key.
  [[nodiscard]] constexpr placed place(const auto& blocks, digest x, walk_result walked) const noexcept {
    if (walked.end != walk_end::stopped) return {false, walked.accesses};
    const candidate c = at(x, walked.last);
    blocks.put(c.block, x, c.positions);
    return {true, walked.accesses};
  }

  /// Subtables: f = sum over j of (prod over i < j of G_i) Q_j, and E(P) the same without Q_j: Q_j is the chance that a
  /// block of candidate j's range contains a random key, G_j that it does not and rejects the key. Candidates over the
  /// whole table may coincide, which matters to a few blocks: see estimate_of_one_table.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const noexcept {
    if constexpr (std::same_as<Source, whole_table>) {
      return estimate_of_one_table(blocks);
    } else {
      return estimate_of_subtables(blocks);
    }
  }

private:
  /// A walk of j candidates goes on if no block that it met contains the key, and each rejected it as often as it was
  /// met. With q_b the chance that block b contains the key and r_b that it rejects it, the sum over all m^j walks is
  /// j! times the coefficient of t^j in
  ///   product over b of (1 + (1 - q_b) (exp(r_b t / m) - 1)),
  /// and a key is found at candidate j in a block that was not met before: the same product with q_b / m in place of
  /// b's factor, summed over b.
  [[nodiscard]] fill_estimate estimate_of_one_table(const auto& blocks) const noexcept {
    std::array<double, most_candidates> on{1};     // coefficients of the product over the blocks so far
    std::array<double, most_candidates> found{0};  // of the sum over b
    const std::uint32_t d = source_.choices();
    const auto m = static_cast<double>(source_.blocks());
    for (std::uint64_t b = 0; b < source_.blocks(); ++b) {
      const double q = blocks.kind().match_probability(blocks[b], position_slice{.count = hashes_});
      const double r = (1 - rule_.acceptance_at(blocks.load(b))) / m;
      for (std::uint32_t j = d; j-- > 0;) {  // from the top: lower coefficients are still those without b
        double term = 1 - q;
        found[j] += on[j] * q / m;
        for (std::uint32_t s = 1; s <= j; ++s) {
          term *= r / s;
          found[j] += found[j - s] * term;
          on[j] += on[j - s] * term;
        }
      }
    }
    fill_estimate result;
    double factorial = 1;
    for (std::uint32_t j = 0; j < d; ++j, factorial *= j) {
      result.blocks_per_miss += factorial * on[j];
      result.fpr += factorial * found[j];
    }
    return result;
  }

  [[nodiscard]] fill_estimate estimate_of_subtables(const auto& blocks) const noexcept {
    fill_estimate result;
    double reach = 1;
    for (std::uint32_t j = 0; j < source_.choices(); ++j) {
      const block_range range = source_.range(j);
      double contains = 0;
      double rejects = 0;
      for (std::uint64_t b = range.first; b < range.end; ++b) {
        const double q = blocks.kind().match_probability(blocks[b], position_slice{.count = hashes_});
        contains += q;
        rejects += (1 - q) * (1 - rule_.acceptance_at(blocks.load(b)));
      }
      const auto size = static_cast<double>(range.size());
      result.blocks_per_miss += reach;
      result.fpr += reach * contains / size;
      reach *= rejects / size;
    }
    return result;
  }

  Source source_;
  std::uint32_t hashes_;
  threshold_rule rule_;
};

}  // namespace sluice::detail
