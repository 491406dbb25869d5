// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/gated: our own placement: two choices made lazy, remembered and traced.
//
//   first block b1                                   second block b2, another block of b1's group
//   +-------------------------------------------+    +-------------------------------------------+
//   | lanes ...   gate of the key's class, trace |    | lanes ...   the key's other k2 bits        |
//   +-------------------------------------------+    +-------------------------------------------+
//
// A group is the 4 KiB page that b1 lies in, or the whole table. Up to one page of blocks the filter is one group of
// exactly that many; a filter of one block is a blocked filter.
//
// insert   found already: done. Fewer than h bits set in b1: all k bits go into b1. Otherwise, if bits(b2) + margin <
//          bits(b1) (gated_parameters::spill_rule), the key is spilled: its k2 bits into b2, then its first t bits (the
//          trace) into b1 and the gate of its class closed. Otherwise into b1 after all.
// lookup   all k bits in b1: true. Gate open, or a trace bit missing in b1: false. Otherwise: the k2 bits in b2.
//
// Static filters, made by static_builder from keys that are all known, read their gates more strictly: a closed gate
// means that EVERY key of its class was spilled.
//
// insert   found already: done. Gate closed: spilled. Gate open: into b1, whatever its load. No gate is ever closed; h
//          and the margin play no part. Anything else would put a key where lookups do not look.
// lookup   gate closed: trace in b1 and the k2 bits in b2; all k bits in b1 mean nothing. Gate open: all k bits in b1.
//
// The union of two filters, of either kind, is read in the first way, which is always right: see unite().
//
// Why there are no false negatives. Every bit only ever goes from 0 to 1. A key that stayed finds its k bits in b1 for
// ever. A spilled key finds its gate closed, its trace in b1 and its k2 bits in b2 for ever, or by chance all k bits in
// b1. Therefore the union of two filters is an OR, too many keys only raise the false positive rate as they do in a
// blocked filter, and there is no list, no counter and no subtable.
//
// Cost: never more than 2 blocks nor more than one page. A miss reads the second block only if the gate of its class is
// closed and all t trace bits are set: 1.02 on average with t = 4; a hit reads it only if the key was spilled: 1.1 to
// 1.25.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "sluice/detail/block/laned.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

template <number Hashes = dynamic, number Trace = dynamic, number SecondHashes = dynamic, number StaticGates = dynamic,
          number Folds = dynamic>
class gated_placement {
public:
  /// Preconditions: trace < hashes, trace <= lanes::most_trace.
  constexpr gated_placement(const basic_block_groups<Folds>& groups, Hashes hashes, Trace trace,
                            SecondHashes second_hashes, gated_parameters::spill_rule rule,
                            StaticGates static_gates = {}) noexcept
      : groups_(groups),
        hashes_(hashes),
        trace_(trace),
        second_hashes_(second_hashes),
        rule_(rule),
        static_gates_(static_gates) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return groups_.blocks(); }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] constexpr std::uint32_t trace_bits() const noexcept { return trace_; }
  [[nodiscard]] constexpr std::uint32_t second_hashes() const noexcept { return second_hashes_; }
  [[nodiscard]] constexpr gated_parameters::spill_rule rule() const noexcept { return rule_; }
  [[nodiscard]] constexpr bool static_gates() const noexcept { return static_gates_ != 0; }
  /// After a union gates are no longer promises: some keys of a closed class may have stayed. Excludes lookups, as the
  /// union itself does.
  constexpr void unite() noexcept {
    if constexpr (std::integral<StaticGates>) static_gates_ = 0;
  }
  [[nodiscard]] constexpr const basic_block_groups<Folds>& groups() const noexcept { return groups_; }
  [[nodiscard]] constexpr std::uint32_t candidates(digest /*x*/) const noexcept {
    return groups_.drawn_group() > 1 ? 2 : 1;
  }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t j) const noexcept {
    return {groups_.nth(x, j), j == 0 ? whole_key() : spilled_key()};
  }

  /// What a walk sees in candidate j counts, unless a static gate says that the key was spilled from it.
  [[nodiscard]] constexpr bool counts(const auto& blocks, digest x, std::uint32_t j,
                                      const candidate& c) const noexcept {
    return j != 0 || !static_gates() || !blocks.kind().gate_closed(blocks[c.block], x);
  }
  /// From the first block a walk goes on only behind a closed gate and a full trace.
  [[nodiscard]] constexpr bool goes_on(const auto& blocks, digest x, std::uint32_t j,
                                       const candidate& c) const noexcept {
    if (j != 0) return false;
    return blocks.kind().gate_closed(blocks[c.block], x) && (trace_ == 0 || blocks.contains(c.block, x, trace()).found);
  }

  /// The walk with one set of masks for both blocks, and the trace asked for first.
  [[nodiscard, gnu::always_inline]] walk_result walk(const auto& blocks, digest x) const noexcept {
    const std::uint64_t first = groups_.first(x);
    const probe p = blocks.kind().look_up(blocks[first], x, hashes_, spilled_key(), static_gates(),
                                          [&]() SLUICE_FORCE_INLINE { return blocks[groups_.second(x)]; });
    return {p.found ? walk_end::found : walk_end::stopped, p.accesses - 1, p.accesses};
  }

  [[nodiscard]] placed place(const auto& blocks, digest x, walk_result walked) const noexcept {
    const auto& kind = blocks.kind();
    const std::uint64_t first = groups_.first(x);
    if (static_gates()) return {true, put(blocks, x) ? 2U : walked.accesses};
    const std::uint64_t load = blocks.load(first);
    if (!rule_.looks_further(load) || candidates(x) == 1) {
      kind.add_first(blocks[first], x, hashes_);
      return {true, walked.accesses};
    }
    const std::uint64_t second = groups_.second(x);
    if (rule_.spills(load, blocks.load(second))) {
      spill(blocks, x, first, second);
    } else {
      kind.add_first(blocks[first], x, hashes_);
    }
    return {true, 2};
  }

  /// The rule of static gates: where the key's gate says. True if that was the second block.
  // NOLINTNEXTLINE(modernize-use-nodiscard): a builder does not ask
  bool put(const auto& blocks, digest x) const noexcept {
    const std::uint64_t first = groups_.first(x);
    const bool closed = blocks.kind().gate_closed(blocks[first], x);
    if (closed) {
      spill(blocks, x, first, groups_.second(x));
    } else {
      blocks.kind().add_first(blocks[first], x, hashes_);
    }
    return closed;
  }

  /// Over a random key's first block and start: all k bits in b1, or gate closed, trace in b1 and, in a random
  /// other block of the group, the k2 bits. The remaining positions of b1 and those of b2 are taken as independent,
  /// which is off by less than a relative 1e-3 in any filter worth having. Blocks count as often as they are drawn; b2
  /// may be what b1 was folded into.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const {
    const auto& kind = blocks.kind();
    const std::uint32_t starts = lanes::starts(kind.quads());
    const std::uint64_t group_blocks = groups_.group_blocks();
    const bool has_others = groups_.drawn_group() > 1;
    std::vector<double> second(starts);  // by start: sum over the group of the chance that k2 bits are all set
    double fpr = 0;
    double second_reads = 0;
    for (std::uint64_t base = 0; base < blocks.size(); base += group_blocks) {
      std::fill(second.begin(), second.end(), 0.0);
      for (std::uint64_t b = base; b < base + group_blocks; ++b) {
        const auto fill = kind.fill(blocks[b]);
        const auto drawn = static_cast<double>(groups_.drawn_of_a_group_in(b));
        for (std::uint32_t n = 0; n < starts; ++n) {
          second[n] += drawn * kind.match_probability(fill, lanes::nth_start(n), spilled_key());
        }
      }
      for (std::uint64_t b = base; b < base + group_blocks; ++b) {
        const auto fill = kind.fill(blocks[b]);
        const auto drawn = static_cast<double>(groups_.drawn_in(b));
        for (std::uint32_t n = 0; n < starts; ++n) {
          const lanes::start s = lanes::nth_start(n);
          double here = kind.match_probability(fill, s, whole_key());
          const bool closed = has_others && kind.gate_closed(blocks[b], s);
          if (closed && static_gates()) here = 0;
          fpr += drawn * here;
          if (!closed) continue;
          const double goes_on = kind.match_probability(fill, s, trace()) - here;
          second_reads += drawn * goes_on;
          const auto same = static_cast<double>(groups_.drawn_of_a_group_in(b));
          double further = goes_on * (second[n] - same * kind.match_probability(fill, s, spilled_key()));
          if (same > 1) {  // folds put second blocks where the first one is: trace and second bits, but not all k
            const std::uint32_t both = trace_ + second_hashes_;
            const std::uint32_t all = std::max<std::uint32_t>(both, hashes_);
            further += (same - 1) * (kind.match_probability(fill, s, {.count = both}) -
                                     kind.match_probability(fill, s, {.count = all}));
          }
          fpr += drawn * further / static_cast<double>(groups_.drawn_group() - 1);
        }
      }
    }
    const double draws = static_cast<double>(groups_.drawn_blocks()) * starts;
    return {fpr / draws, 1 + second_reads / draws};
  }

private:
  void spill(const auto& blocks, digest x, std::uint64_t first, std::uint64_t second) const noexcept {
    // The order matters to a reader that runs at the same time: what a gate promises must be there when it closes.
    blocks.kind().set(blocks[second], x, spilled_key());
    blocks.kind().leave_trace(blocks[first], x, trace_);
  }

  [[nodiscard]] constexpr position_slice whole_key() const noexcept { return {.count = hashes_}; }
  [[nodiscard]] constexpr position_slice trace() const noexcept { return {.count = trace_}; }
  [[nodiscard]] constexpr position_slice spilled_key() const noexcept {
    return {.first = trace_, .count = second_hashes_};
  }

  basic_block_groups<Folds> groups_;
  [[no_unique_address]] Hashes hashes_;
  [[no_unique_address]] Trace trace_;
  [[no_unique_address]] SecondHashes second_hashes_;
  gated_parameters::spill_rule rule_;
  [[no_unique_address]] StaticGates static_gates_;  // 0 or 1
};

}  // namespace sluice::detail
