// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Choice groups offline: builders.hpp says how it works.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "builder/sealed_work.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/block/bit_array.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/errors.hpp"

namespace sluice {

class choice_builder::state {
public:
  state(const choice_parameters& p, std::uint64_t tie_seed)
      : parameters_(std::get<choice_parameters>(detail::normalised(p))), counts_(zeros(p.bits)), random_(tie_seed) {}

  void insert(digest x) {
    members_.push_back({x, 0});
    add(members_.back());
  }
  void improve_some(std::uint64_t keys) {
    for (std::uint64_t i = 0; i < keys && !members_.empty(); ++i) {
      if (next_ >= members_.size()) next_ = 0;
      remove(members_[next_]);
      add(members_[next_]);
      ++next_;
    }
  }
  [[nodiscard]] filter build() const {
    const auto write = [&](std::span<std::byte> bytes) {
      for (std::uint64_t position = 0; position < counts_.size(); ++position) {
        if (counts_[position] != 0) detail::bits::set_bit(bytes.data(), position);
      }
      return different_keys();
    };
    return {parameters_, write};
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return members_.size(); }
  [[nodiscard]] std::uint64_t ones() const noexcept { return ones_; }
  [[nodiscard]] const choice_parameters& params() const noexcept { return parameters_; }

private:
  struct member {
    digest x;
    std::uint32_t group;
  };

  [[nodiscard]] static std::vector<std::uint8_t> zeros(std::uint64_t count) {
    try {
      return std::vector<std::uint8_t>(count);
    } catch (const std::exception&) {  // there is no memory, or no vector is so long
      throw memory_error("the system refused memory for counters of " + std::to_string(count) + " bits");
    }
  }
  [[nodiscard]] std::uint64_t different_keys() const {
    std::vector<digest> all(members_.size());
    std::transform(members_.begin(), members_.end(), all.begin(), [](const member& m) { return m.x; });
    return detail::count_different<digest>(all, 1);
  }

  static constexpr std::uint8_t sticky = std::numeric_limits<std::uint8_t>::max();

  [[nodiscard]] const std::vector<std::uint64_t>& positions_of(digest x, std::uint32_t group) {
    const detail::position_slice slice{.group = group, .count = parameters_.hashes};
    if (parameters_.form == hash_form::independent) {
      detail::bit_array<hash_form::independent>(parameters_.bits).positions(x, slice, positions_);
    } else {
      detail::bit_array<hash_form::double_hashing>(parameters_.bits).positions(x, slice, positions_);
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
      // Each of the tied groups with equal probability.
      if (ties == 1 || detail::reduce(random_(), ties) == 0) best = group;
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
  std::vector<std::uint8_t> counts_;
  std::vector<member> members_;
  std::vector<std::uint64_t> positions_;  // of the group in hand
  std::mt19937_64 random_;
  std::uint64_t ones_ = 0;
  std::uint64_t next_ = 0;  // whose turn it is in improve_some
};

choice_builder::choice_builder(const choice_parameters& p, std::uint64_t tie_seed)
    : hash_(p.seed), state_(std::make_unique<state>(p, tie_seed)) {}
choice_builder::choice_builder(choice_builder&& other) noexcept = default;
choice_builder& choice_builder::operator=(choice_builder&& other) noexcept = default;
choice_builder::~choice_builder() = default;

void choice_builder::insert_digest(digest x) { state_->insert(x); }
void choice_builder::improve(std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) improve_some(size());
}
void choice_builder::improve_some(std::uint64_t keys) { state_->improve_some(keys); }

std::uint64_t choice_builder::size() const noexcept { return state_->size(); }
std::uint64_t choice_builder::ones() const noexcept { return state_->ones(); }
double choice_builder::fraction_of_ones() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(params().bits);
}
const choice_parameters& choice_builder::params() const& noexcept { return state_->params(); }

filter choice_builder::build(const build_options& options) {
  const std::uint64_t work = options.rounds * size();
  const std::uint64_t step = std::max<std::uint64_t>(1, work / 100);
  for (std::uint64_t done = 0; done < work; done += step) {
    improve_some(std::min(step, work - done));
    if (options.progress) {
      options.progress(static_cast<double>(std::min(done + step, work)) / static_cast<double>(work));
    }
  }
  return build();
}
filter choice_builder::build() const { return state_->build(); }

}  // namespace sluice
