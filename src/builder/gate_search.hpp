// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/gate_search: which gates of a group of blocks to close, if all its keys are known. The offline rounds of
// choice groups (Lumetta and Mitzenmacher), with whole classes of keys in place of keys and the false positive rate in
// place of the number of ones.
//
//   a class (block b, gate c) open      its keys have k bits in b
//                             closed    t bits in b, and k2 in the second block of each
//
//   cost    sum over the blocks of  (open classes) (z/U)^k + (closed classes) (z/U)^t  mean over the blocks of (z/U)^k2
//           where z is the number of ones of the block: the false positive rate, but for a factor and the lanes
//           times a little for every block that hits and misses read beyond the first
//
// A round flips every class in turn and keeps what lowers the cost. Bits are counted, not estimated: for every bit of
// the group there is a counter of the keys that need it, so that a flip knows which bits really come and go. That is
// worth a quarter of the false positives over balancing expected loads: a class goes where its bits are already.
//
// Invariants: the decisions depend on the set of digests, the shape and the options alone. What they are never matters
// to correctness: the builder writes the bits that they demand.
// Cost: 2 bytes a bit of the group, and per key 2 bytes a position, 4 and 4; 4 (k - t + k2) counters touched per key
// and round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/detail/block/laned.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

/// The search in one group after the other; memory is kept from group to group. One for each thread.
class gate_search {
public:
  gate_search(const gated_parameters& p, const block_groups& groups, const build_options& options)
      : groups_(groups),
        quads_(p.block_bits / lanes::quad_bits),
        classes_(laned_block<>::gates_in(p.block_bits)),
        block_bits_(p.block_bits),
        hashes_(p.hashes),
        trace_(p.trace),
        second_hashes_(p.second_hashes),
        positions_(std::max(p.hashes, p.trace + p.second_hashes)),
        rounds_(options.rounds),
        read_weight_(options.read_weight),
        by_ones_(p.block_bits + 1) {
    const double usable = p.block_bits - classes_;
    for (std::uint32_t ones = 0; ones <= p.block_bits; ++ones) {
      const double fill = std::min(1.0, ones / usable);
      by_ones_[ones] = {std::pow(fill, p.hashes), std::pow(fill, p.trace), std::pow(fill, p.second_hashes)};
    }
  }

  /// For the group that begins with block `base`, and its keys, each once and in ascending order: one byte for every
  /// class, block by block, 1 for closed. Valid until the next call.
  [[nodiscard]] std::span<const std::uint8_t> decide(std::uint64_t base, std::span<const digest> keys) {
    const auto blocks = static_cast<std::uint32_t>(groups_.group_blocks());
    closed_.assign(std::size_t{blocks} * classes_, 0);
    if (blocks == 1 || keys.empty() || !sort_by_class(base, keys)) return closed_;
    begin(blocks);
    for (std::uint32_t round = 0; round < rounds_; ++round) {
      // Class by class, so that neighbours in the order belong to different blocks.
      std::uint32_t flips = 0;
      for (std::uint32_t c = 0; c < classes_; ++c) {
        for (std::uint32_t b = 0; b < blocks; ++b) flips += try_flip(b, b * classes_ + c) ? 1U : 0U;
      }
      if (flips == 0) break;
    }
    return closed_;
  }

private:
  using counter = std::uint16_t;

  /// What a block with this many ones contributes.
  struct chances {
    double whole;   // all k bits of a random key
    double trace;   // its t bits
    double second;  // its k2 bits
  };
  struct block_state {
    std::uint32_t ones = 0;
    std::uint32_t closed = 0;  // classes
  };
  /// Sums over the blocks.
  struct sums {
    double whole = 0;   // of open classes x whole
    double trace = 0;   // of closed classes x trace
    double second = 0;  // of second
  };

  /// Keys by class, their second blocks and their positions. False if there are more keys than counters can count: such
  /// a filter is lost anyway.
  [[nodiscard]] bool sort_by_class(std::uint64_t base, std::span<const digest> keys) {
    if (keys.size() > std::numeric_limits<std::uint32_t>::max()) return false;
    const auto blocks = static_cast<std::uint32_t>(groups_.group_blocks());
    first_of_.assign(std::size_t{blocks} * classes_ + 1, 0);
    const auto class_of = [&](digest x) {
      const auto block = static_cast<std::uint32_t>(groups_.first(x) - base);
      return block * classes_ + lanes::gate_of(lanes::start_of(x, quads_));
    };
    for (const digest x : keys) ++first_of_[class_of(x) + 1];
    for (std::size_t i = 1; i < first_of_.size(); ++i) first_of_[i] += first_of_[i - 1];
    seconds_.resize(keys.size());
    bits_.resize(keys.size() * positions_);
    touched_.assign(blocks, 0);
    next_.assign(first_of_.begin(), first_of_.end() - 1);
    for (const digest x : keys) {
      const std::uint32_t at = next_[class_of(x)]++;
      const std::uint64_t first = groups_.first(x);
      seconds_[at] = static_cast<std::uint32_t>(groups_.second(x) - base);
      ++touched_[first - base];
      ++touched_[seconds_[at]];
      for (std::uint32_t i = 0; i < positions_; ++i) {
        bits_[std::size_t{at} * positions_ + i] = static_cast<std::uint16_t>(lanes::position<true>(x, i, quads_));
      }
    }
    const std::uint32_t most = *std::max_element(touched_.begin(), touched_.end());
    return std::uint64_t{most} * positions_ <= std::numeric_limits<counter>::max();
  }

  /// All classes open.
  void begin(std::uint32_t blocks) {
    keys_ = static_cast<double>(seconds_.size());
    counts_.assign(std::size_t{blocks} * block_bits_, 0);
    states_.assign(blocks, {});
    for (std::uint32_t b = 0; b < blocks; ++b) {
      for (std::uint32_t at = first_of_[std::size_t{b} * classes_]; at < first_of_[(std::size_t{b} + 1) * classes_];
           ++at) {
        add(b, at, 0, hashes_);
      }
    }
    sums_ = {};
    for (std::uint32_t b = 0; b < blocks; ++b) account(b, 1);
  }

  void add(std::uint32_t block, std::uint32_t key, std::uint32_t from, std::uint32_t count) noexcept {
    counter* const counts = counts_.data() + std::size_t{block} * block_bits_;
    const std::uint16_t* const bits = bits_.data() + std::size_t{key} * positions_ + from;
    std::uint32_t fresh = 0;
    for (std::uint32_t i = 0; i < count; ++i) fresh += counts[bits[i]]++ == 0 ? 1U : 0U;
    states_[block].ones += fresh;
  }
  void remove(std::uint32_t block, std::uint32_t key, std::uint32_t from, std::uint32_t count) noexcept {
    counter* const counts = counts_.data() + std::size_t{block} * block_bits_;
    const std::uint16_t* const bits = bits_.data() + std::size_t{key} * positions_ + from;
    std::uint32_t gone = 0;
    for (std::uint32_t i = 0; i < count; ++i) gone += --counts[bits[i]] == 0 ? 1U : 0U;
    states_[block].ones -= gone;
  }
  void account(std::uint32_t block, double sign) noexcept {
    const block_state& s = states_[block];
    const chances& c = by_ones_[s.ones];
    sums_.whole += sign * (classes_ - s.closed) * c.whole;
    sums_.trace += sign * s.closed * c.trace;
    sums_.second += sign * c.second;
  }
  [[nodiscard]] double rate() const noexcept {
    return sums_.whole + sums_.trace * sums_.second / static_cast<double>(states_.size());
  }

  /// Flips a class of block b if that lowers the cost. What is not kept is undone.
  bool try_flip(std::uint32_t b, std::uint32_t c) noexcept {
    const sums before = sums_;
    const double rate_before = rate();
    flip(b, c);
    const auto classes = static_cast<double>(closed_.size());
    const double moved = static_cast<double>(first_of_[c + 1] - first_of_[c]) / keys_;
    const double reads = (closed_[c] != 0 ? moved : -moved) + (sums_.trace - before.trace) / classes;
    if (rate() + rate_before * read_weight_ * reads < rate_before * (1 - 1e-12)) return true;
    flip(b, c);
    sums_ = before;  // exactly
    return false;
  }

  void flip(std::uint32_t b, std::uint32_t c) noexcept {
    const bool close = closed_[c] == 0;
    closed_[c] = close ? 1 : 0;
    account(b, -1);
    states_[b].closed += close ? 1U : -1U;
    const std::uint32_t stays = hashes_ - trace_;
    for (std::uint32_t key = first_of_[c]; key < first_of_[c + 1]; ++key) {
      close ? remove(b, key, trace_, stays) : add(b, key, trace_, stays);
    }
    account(b, 1);
    for (std::uint32_t key = first_of_[c]; key < first_of_[c + 1]; ++key) {
      const std::uint32_t second = seconds_[key];
      account(second, -1);
      close ? add(second, key, trace_, second_hashes_) : remove(second, key, trace_, second_hashes_);
      account(second, 1);
    }
  }

  block_groups groups_;
  std::uint32_t quads_;
  std::uint32_t classes_;  // of a block
  std::uint32_t block_bits_;
  std::uint32_t hashes_;
  std::uint32_t trace_;
  std::uint32_t second_hashes_;
  std::uint32_t positions_;  // of a key that are kept
  std::uint32_t rounds_;
  double read_weight_;
  std::vector<chances> by_ones_;

  // Of the group in hand. Keys are numbered class by class.
  double keys_ = 0;
  std::vector<std::uint32_t> first_of_;  // by class: its first key
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> touched_;  // by block: keys that may need it
  std::vector<std::uint32_t> seconds_;  // by key
  std::vector<std::uint16_t> bits_;     // by key: its positions
  std::vector<std::uint8_t> closed_;    // by class
  std::vector<counter> counts_;         // by bit: positions of keys that need it
  std::vector<block_state> states_;
  sums sums_;
};

}  // namespace sluice::detail
