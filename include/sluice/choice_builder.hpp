// choice_builder: choice groups for people who keep their keys (Lumetta and Mitzenmacher, offline greedy).
//
// The builder remembers every key's digest and group, and counts for every position how many keys use it. That makes keys
// removable: a round takes every key out in turn and puts it back into whichever of its groups then needs the fewest new
// ones. Round 1 is the online pass, insert; improve() does the later rounds, all at once or a few keys at a time in the
// background. Fewer ones are fewer false positives: at 16 bits a key, two groups and ten rounds, half as many as a classic
// filter has.
//
// Ties are broken at random (by tie_seed): always taking the first group would let keys return to where they were, and the
// rounds would end in a worse place.
//
// Invariants: count[p] is the number of (key, number) pairs whose position is p, sticky at 255; bit p is set if and only if
// count[p] > 0. A key that is found by chance when it is inserted is remembered all the same: the bits it was found by may
// be taken away later. Hence, whatever was improved, every inserted key is found.
// Cost: 8 bits a position, 16 bytes a key; insert c k probes; a round c k + 2 k probes a key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <variant>
#include <vector>

#include "sluice/builder/options.hpp"
#include "sluice/filter.hpp"

namespace sluice {

class choice_builder {
public:
  /// Throws parameter_error for parameters that describe no filter.
  explicit choice_builder(const choice_parameters& p, std::uint64_t tie_seed = 1)
      : parameters_(std::get<choice_parameters>(normalised(p))), hash_(p.seed), counts_(p.bits), random_(tie_seed) {}

  /// Round 1: puts the key into the group that needs the fewest new ones.
  void insert(const key auto& k) {
    members_.push_back({hash_(k), 0});
    add(members_.back());
  }

  template <bulk_keys Keys>
  void insert_bulk(const Keys& keys) {
    for (const auto& k : keys) insert(k);
  }

  /// Later rounds: every key is removed and put back where it then fits best.
  void improve(std::uint32_t rounds = 1) {
    for (std::uint32_t round = 0; round < rounds; ++round) improve_some(members_.size());
  }

  /// The same for the next `keys` keys, in turn: a round in small steps.
  void improve_some(std::uint64_t keys) {
    for (std::uint64_t i = 0; i < keys && !members_.empty(); ++i) {
      if (next_ >= members_.size()) next_ = 0;
      remove(members_[next_]);
      add(members_[next_]);
      ++next_;
    }
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return members_.size(); }
  [[nodiscard]] std::uint64_t ones() const noexcept { return ones_; }
  [[nodiscard]] double fraction_of_ones() const noexcept {
    return static_cast<double>(ones_) / static_cast<double>(parameters_.bits);
  }
  [[nodiscard]] const choice_parameters& params() const noexcept { return parameters_; }

  /// As all builders do it: so many later rounds, and the filter.
  [[nodiscard]] filter build(const build_options& options) {
    const std::uint64_t work = options.rounds * size();
    const std::uint64_t step = std::max<std::uint64_t>(1, work / 100);
    for (std::uint64_t done = 0; done < work; done += step) {
      improve_some(std::min(step, work - done));
      if (options.progress)
        options.progress(static_cast<double>(std::min(done + step, work)) / static_cast<double>(work));
    }
    return build();
  }
  /// A filter with the bits as they are now. Later inserts into it go on as online ones.
  [[nodiscard]] filter build() const {
    const auto write = [&](std::span<std::byte> bytes) {
      for (std::uint64_t position = 0; position < counts_.size(); ++position) {
        if (counts_[position] != 0) bits::set_bit(bytes.data(), position);
      }
      return members_.size();
    };
    return {parameters_, write};
  }

private:
  struct member {
    digest x;
    std::uint32_t group;
  };
  static constexpr std::uint8_t sticky = std::numeric_limits<std::uint8_t>::max();

  [[nodiscard]] const std::vector<std::uint64_t>& positions_of(digest x, std::uint32_t group) {
    const position_slice slice{.group = group, .count = parameters_.hashes};
    if (parameters_.form == hash_form::independent) {
      bit_array<hash_form::independent>(parameters_.bits).positions(x, slice, positions_);
    } else {
      bit_array<hash_form::double_hashing>(parameters_.bits).positions(x, slice, positions_);
    }
    return positions_;
  }

  void add(member& m) {
    if (parameters_.groups > 1) m.group = best_group(m.x);
    for (const std::uint64_t position : positions_of(m.x, m.group)) {
      std::uint8_t& count = counts_[position];
      if (count == 0) ++ones_;
      if (count != sticky) ++count;
    }
  }

  void remove(const member& m) {
    for (const std::uint64_t position : positions_of(m.x, m.group)) {
      std::uint8_t& count = counts_[position];
      if (count == sticky) continue;  // too many to have been counted: it stays set for ever
      if (--count == 0) --ones_;
    }
  }

  [[nodiscard]] std::uint32_t best_group(digest x) {
    std::uint32_t best = 0;
    std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t ties = 0;
    for (std::uint32_t group = 0; group < parameters_.groups; ++group) {
      const std::uint32_t missing = missing_ones(positions_of(x, group));
      if (missing > fewest) continue;
      ties = missing < fewest ? 1 : ties + 1;
      fewest = missing;
      if (ties == 1 || reduce(random_(), ties) == 0) best = group;  // each of the tied groups with equal probability
    }
    return best;
  }

  /// How many different positions are unused. Quadratic in k only for unused ones.
  [[nodiscard]] std::uint32_t missing_ones(const std::vector<std::uint64_t>& positions) const noexcept {
    std::uint32_t missing = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (counts_[positions[i]] != 0) continue;
      bool repeated = false;
      for (std::size_t earlier = 0; earlier < i; ++earlier) repeated = repeated || positions[earlier] == positions[i];
      if (!repeated) ++missing;
    }
    return missing;
  }

  choice_parameters parameters_;
  hasher hash_;
  std::vector<std::uint8_t> counts_;
  std::vector<member> members_;
  std::vector<std::uint64_t> positions_;  // of the group in hand
  std::mt19937_64 random_;
  std::uint64_t ones_ = 0;
  std::uint64_t next_ = 0;  // whose turn it is in improve_some
};

}  // namespace sluice
