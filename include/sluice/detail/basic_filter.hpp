// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// basic_filter: an owner of one recipe, known at compile time. It is thin: what happens to the bytes is in recipe.hpp.
// (A filter_view of its parameters and bytes looks at them.)
//
// Invariants: bytes() has recipe.bytes() bytes; after insert(x) returns, may_contain(x) is true until clear().
// Threads: lookups may run in parallel; an insert, merge or clear excludes everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "sluice/detail/bulk/bulk.hpp"
#include "sluice/detail/bulk/front.hpp"
#include "sluice/detail/memory/storage.hpp"
#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/detail/recipe/statistics.hpp"
#include "sluice/detail/recipe/union.hpp"

namespace sluice::detail {

template <class Recipe>
class basic_filter : detail::bulk_lookups<basic_filter<Recipe>> {
public:
  using recipe_type = Recipe;

  explicit basic_filter(const Recipe& recipe, std::uint64_t seed = 0,
                        std::pmr::memory_resource* memory = default_memory())
      : recipe_(recipe), hash_(seed), bytes_(recipe.bytes(), memory), overflowed_(recipe.overflow_how) {}

  /// True if the key was new: nothing in the filter answered for it before.
  bool insert(const key auto& k) {
    const insert_outcome outcome = recipe_.insert(bytes_.data(), overflowed_, hash_(k));
    keys_ += outcome.was_new ? 1 : 0;
    return outcome.was_new;
  }

  /// False: the key was never inserted. True: it was, or a false positive. Inlined, so that a loop over keys keeps the
  /// filter's constants in registers.
  [[nodiscard, gnu::always_inline]] bool may_contain(const key auto& k) const
      noexcept(hashed_without_error<decltype(k)>) {
    return recipe_.look_up(bytes_.data(), overflowed_.view(), hash_(k)).found;
  }

  /// Inserts all keys in their order, as single insertions would, with several blocks on their way at any time. Returns
  /// how many were new.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    // If memory for a list ends half way, the keys so far are in the filter and not in the number.
    const std::uint64_t fresh = bulk::insert(recipe_, bytes_.data(), overflowed_, hash_, span_of(keys));
    keys_ += fresh;
    return fresh;
  }

  /// The same, and says of each whether it was new, as insert() would have said. Answers go where those of
  /// may_contain_bulk go. Throws parameter_error, and inserts nothing, if there is no room for them.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new) {
    const std::uint64_t fresh = bulk::insert(recipe_, bytes_.data(), overflowed_, hash_, span_of(keys), were_new);
    keys_ += fresh;
    return fresh;
  }

  /// may_contain_bulk(keys, answers): looks all up and writes an answer for each: into an array, vector or span of
  /// std::uint8_t (1 or 0), bool, or std::uint64_t (bit i mod 64 of word i / 64). Throws parameter_error if there is no
  /// room for them.
  /// may_contain_bulk(keys, answers, threads): the same by several threads (0: all), which libsluice starts. (To insert
  /// by several, take sluice::filter, or concurrent_filter.)
  using detail::bulk_lookups<basic_filter>::may_contain_bulk;

  /// Afterwards every key of either filter is found. Precondition: equal recipes and seeds (sluice::filter checks it).
  void merge_equal(const basic_filter& other) {
    if (this == &other) return;
    keys_ = unite<Recipe>(recipe_, {bytes_.data(), overflowed_, keys_},
                          {other.bytes_.data(), other.overflowed_, other.keys_});
  }

  /// Forgets all keys; keeps parameters and memory.
  void clear() noexcept {
    bytes_.clear();
    overflowed_.clear();
    keys_ = 0;
  }

  [[nodiscard]] statistics stats() const { return statistics_of(recipe_, bytes_.data(), overflowed_.state(), keys_); }

  [[nodiscard]] const Recipe& recipe() const& noexcept { return recipe_; }
  [[nodiscard]] Recipe recipe() const&& = delete;
  [[nodiscard]] std::uint64_t seed() const noexcept { return hash_.seed(); }
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept { return keys_; }
  /// Valid while this filter lives, as is the next; so they are not for one that ends with the expression.
  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept { return {bytes_.data(), bytes_.size()}; }
  [[nodiscard]] std::span<const std::byte> bytes() const&& = delete;
  [[nodiscard]] const typename Recipe::overflow_type& overflow() const& noexcept { return overflowed_; }
  [[nodiscard]] const typename Recipe::overflow_type& overflow() const&& = delete;

private:
  friend detail::bulk_lookups<basic_filter>;
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const {
    bulk::look_up_chunk(recipe_, bytes_.data(), overflowed_.view(), some, out);
  }

  Recipe recipe_;
  hasher hash_;
  owned_bytes bytes_;
  [[no_unique_address]] typename Recipe::overflow_type overflowed_;
  std::uint64_t keys_ = 0;
};

}  // namespace sluice::detail
