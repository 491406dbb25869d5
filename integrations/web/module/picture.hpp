// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// picture: one page of 64 blocks, a real filter of one of four schemes, into which the page's keys fall. Everything
// that is shown is what the recipe did to the bytes: loads, gates, blocks read, rates.
//
// Keys are the numbers 0, 1, 2 ...; absent ones are those from 2^62 on. Cost of a call: that of its operations, some
// microseconds a key at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "answer.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/recipes.hpp"
#include "sluice/hash.hpp"
#include "sluice/statistics.hpp"

namespace sluice_web {

inline constexpr std::uint64_t picture_blocks = 64;
inline constexpr std::uint32_t picture_block_bits = 512;

/// One filter of one recipe.
template <class Recipe>
class pictured {
public:
  explicit pictured(const Recipe& recipe)
      : recipe_(recipe), bytes_(static_cast<std::size_t>(recipe.bytes())), overflowed_(recipe.overflow_how) {}

  /// Inserts the next keys and tells what became of the last.
  void insert(std::uint32_t count, answer& out) {
    std::vector<double> before;
    sluice::insert_outcome last{};
    sluice::digest x{};
    for (std::uint32_t i = 0; i < count; ++i) {
      x = hash_(next_++);
      if (i + 1 == count) before = loads();
      last = recipe_.insert(bytes_.data(), overflowed_, x);
      keys_ += last.was_new ? 1 : 0;
      if (last.was_new) inserted_.add(last.accesses);
    }
    out.open('{');
    if (count != 0) {
      out.name("read");
      describe_candidates(out, x, last.accesses);
      out.name("written").open('[');
      const std::vector<double> after = loads();
      for (std::size_t b = 0; b < after.size(); ++b) {
        if (after[b] != before[b]) out.number(static_cast<double>(b));
      }
      out.close(']').put_truth("was_new", last.was_new);
    }
    out.name("state");
    describe(out);
    out.close('}');
  }

  /// Looks up a stored key, or one that was never inserted, and tells which blocks that read.
  void look_up(bool stored, std::uint32_t which, answer& out) const {
    const std::uint64_t key = stored && next_ != 0 ? which % next_ : absent + which;
    const sluice::digest x = hash_(key);
    const sluice::lookup_outcome outcome = recipe_.look_up(bytes_.data(), overflowed_.view(), x);
    out.open('{').put_truth("stored", key < absent).put_truth("found", outcome.found).name("read");
    describe_candidates(out, x, outcome.accesses);
    out.close('}');
  }

  void describe(answer& out) const {
    const sluice::statistics s = sluice::extend::statistics_of(recipe_, bytes_.data(), overflowed_.state(), keys_);
    sluice::extend::access_tally hits;
    for (std::uint64_t key = 0; key < next_; ++key) {
      hits.add(recipe_.look_up(bytes_.data(), overflowed_.view(), hash_(key)).accesses);
    }
    out.open('{');
    out.put("keys", static_cast<double>(keys_));
    out.put("bits_set", static_cast<double>(s.bits_set));
    out.put("usable_bits", static_cast<double>(s.usable_bits));
    out.put("fpr", s.fpr_from_fill);
    out.put("per_insert", inserted_.mean());
    out.put("per_hit", hits.mean());
    out.put("per_miss", s.blocks_per_miss_from_fill);
    out.put("overflow", static_cast<double>(s.overflow_keys));
    out.name("loads").numbers(loads());
    out.name("gates");
    describe_gates(out);
    out.close('}');
  }

  [[nodiscard]] static constexpr bool counts_keys() noexcept {
    return Recipe::block_type::unit == sluice::load_unit::keys;
  }
  [[nodiscard]] double usable_bits() const { return static_cast<double>(recipe_.block.usable_bits()); }

private:
  static constexpr std::uint64_t absent = std::uint64_t{1} << 62U;

  [[nodiscard]] std::vector<double> loads() const {
    std::vector<double> all;
    const auto blocks = recipe_.blocks(bytes_.data());
    for (std::uint64_t b = 0; b < picture_blocks; ++b) all.push_back(static_cast<double>(blocks.load(b)));
    return all;
  }

  /// The first blocks of the key, as many as were read.
  void describe_candidates(answer& out, sluice::digest x, std::uint32_t read) const {
    out.open('[');
    for (std::uint32_t j = 0; j < read && j < recipe_.placement.candidates(x); ++j) {
      out.number(static_cast<double>(recipe_.placement.at(x, j).block));
    }
    out.close(']');
  }

  /// For every block a number whose bit g is set if gate g is closed; null for schemes without gates.
  void describe_gates(answer& out) const {
    if constexpr (requires { recipe_.block.gates(); }) {
      if (recipe_.block.gates() != 0) {
        std::vector<double> all;
        const auto blocks = recipe_.blocks(bytes_.data());
        for (std::uint64_t b = 0; b < picture_blocks; ++b) {
          std::uint32_t closed = 0;
          for (std::uint32_t gate = 0; gate < recipe_.block.gates(); ++gate) {
            const bool is_closed =
                sluice::extend::bits::test_bit(blocks[b].bits, sluice::extend::lanes::gate_bit(gate));
            closed |= is_closed ? 1U << gate : 0U;
          }
          all.push_back(closed);
        }
        out.numbers(all);
        return;
      }
    }
    out.null();
  }

  Recipe recipe_;
  std::vector<std::byte> bytes_;
  typename Recipe::overflow_type overflowed_;
  sluice::hasher hash_{0};
  std::uint64_t next_ = 0;  // the number of the next key
  std::uint64_t keys_ = 0;  // that were new
  sluice::extend::access_tally inserted_;
};

/// The four schemes that are shown, each as the planner would design it at this many bits a key.
class picture {
public:
  using family = sluice::extend::family;
  static constexpr family shown[] = {family::blocked, family::two_choice, family::mht, family::gated};

  /// Throws parameter_error where there is no such design.
  picture(family which, double bits_per_key) {
    const auto design = sluice::extend::design_with(which, picture_block_bits, bits_per_key, picture_blocks);
    if (!design) throw sluice::parameter_error("the picture is drawn for 8 to 64 bits a key");
    params_ = sluice::extend::normalised(*design);
    std::visit([&](const auto& p) { make(p); }, params_);
  }

  [[nodiscard]] const sluice::parameters& params() const noexcept { return params_; }
  void with(const auto& body) {
    std::visit(
        [&](auto& filter) {
          if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(filter)>, std::monostate>) body(filter);
        },
        filter_);
  }

private:
  using blocked = pictured<
      sluice::extend::blocked_recipe<sluice::extend::ungated_lanes<sluice::extend::dynamic>, sluice::extend::dynamic>>;
  using two_choice = pictured<sluice::extend::alpha_recipe<sluice::extend::dynamic, sluice::extend::dynamic>>;
  using mht = pictured<sluice::extend::threshold_recipe<sluice::extend::subtables, sluice::extend::exact_list>>;
  using gated =
      pictured<sluice::extend::gated_recipe<sluice::extend::dynamic, sluice::extend::dynamic, sluice::extend::dynamic,
                                            sluice::extend::dynamic, sluice::extend::dynamic>>;

  void make(const sluice::blocked_parameters& p) {
    filter_.emplace<blocked>(
        sluice::extend::make_blocked_recipe<sluice::extend::ungated_lanes<sluice::extend::dynamic>>(p));
  }
  void make(const sluice::alpha_parameters& p) { filter_.emplace<two_choice>(sluice::extend::make_recipe(p)); }
  void make(const sluice::mht_parameters& p) {
    std::ignore =
        sluice::extend::with_threshold_recipe(p, sluice::extend::subtables(p.subtables), [&](const auto& recipe) {
          if constexpr (std::is_constructible_v<mht, decltype(recipe)>) filter_.emplace<mht>(recipe);
          return 0;
        });
  }
  void make(const sluice::gated_parameters& p) { filter_.emplace<gated>(sluice::extend::make_recipe(p)); }
  void make(const auto& /*not shown*/) {}

  sluice::parameters params_;
  std::variant<std::monostate, blocked, two_choice, mht, gated> filter_;
};

}  // namespace sluice_web
