// filter/basic_filter: an owner and a view of one recipe. Both are thin: what happens to the bytes is in recipe.hpp.
//
// Invariants: bytes() has recipe.bytes() bytes; after insert(x) returns, may_contain(x) is true until clear().
// Threads: lookups of an unmetered filter may run in parallel; an insert, merge or clear excludes everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "sluice/filter/meter.hpp"
#include "sluice/filter/recipe.hpp"
#include "sluice/filter/statistics.hpp"
#include "sluice/filter/storage.hpp"

namespace sluice {

/// Lookups over bytes that somebody else owns and keeps alive. Trivially cheap to copy; any alignment will do.
template <class Recipe>
class basic_view {
public:
  using overflow_view_type = typename Recipe::overflow_view_type;

  /// Throws layout_error if the bytes are not exactly as many as the recipe needs.
  basic_view(const Recipe& recipe, std::span<const std::byte> bytes, std::uint64_t seed, overflow_view_type overflowed)
      : recipe_(recipe), bytes_(bytes.data()), hash_(seed), overflowed_(overflowed) {
    if (bytes.size() != recipe_.bytes()) {
      throw layout_error("a view needs exactly " + std::to_string(recipe_.bytes()) +
                         " bytes for these parameters, got " + std::to_string(bytes.size()));
    }
  }

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    return recipe_.look_up(bytes_, overflowed_, hash_(k)).found;
  }

private:
  Recipe recipe_;
  const std::byte* bytes_;
  hasher hash_;
  overflow_view_type overflowed_;
};

template <class Recipe, class Meter = unmetered>
class basic_filter {
public:
  using recipe_type = Recipe;
  using view_type = basic_view<Recipe>;

  explicit basic_filter(const Recipe& recipe, std::uint64_t seed = 0)
      : recipe_(recipe), hash_(seed), bytes_(recipe.bytes()), overflowed_(recipe.overflow_how) {}

  /// For builders: see runtime_filter.
  void fill(std::uint64_t keys, auto&& write) {
    write(std::span<std::byte>(bytes_.data(), bytes_.size()));
    keys_ = keys;
  }

  /// True if the key was new: nothing in the filter answered for it before.
  bool insert(const key auto& k) {
    const insert_outcome outcome = recipe_.insert(bytes_.data(), overflowed_, hash_(k));
    meter_.on_insert(outcome.was_new, outcome.accesses);
    keys_ += outcome.was_new ? 1 : 0;
    return outcome.was_new;
  }

  /// False: the key was never inserted. True: it was, or a false positive.
  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    const lookup_outcome outcome = recipe_.look_up(bytes_.data(), overflowed_.view(), hash_(k));
    meter_.on_lookup(outcome.found, outcome.accesses);
    return outcome.found;
  }

  /// Afterwards every key of either filter is found. Precondition: equal recipes and seeds (sluice::filter checks it).
  void merge_equal(const basic_filter& other) {
    if (this == &other) return;
    overflowed_.absorb(other.overflowed_);  // the step that can fail for want of memory comes first
    recipe_.merge(bytes_.data(), other.bytes_.data());
    keys_ += other.keys_;
  }

  /// Forgets all keys and all counts; keeps parameters and memory.
  void clear() noexcept {
    bytes_.clear();
    overflowed_.clear();
    meter_.clear();
    keys_ = 0;
  }

  [[nodiscard]] statistics stats() const {
    statistics s = statistics_of(recipe_, bytes_.data(), overflowed_, keys_);
    s.accesses = meter_.measured();
    return s;
  }

  [[nodiscard]] const Recipe& recipe() const noexcept { return recipe_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return hash_.seed(); }
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept { return keys_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {bytes_.data(), bytes_.size()}; }
  [[nodiscard]] const typename Recipe::overflow_type& overflowed() const noexcept { return overflowed_; }
  /// Valid while this filter lives and is not written to.
  [[nodiscard]] view_type view() const { return {recipe_, bytes(), hash_.seed(), overflowed_.view()}; }

private:
  Recipe recipe_;
  hasher hash_;
  owned_bytes bytes_;
  [[no_unique_address]] typename Recipe::overflow_type overflowed_;
  [[no_unique_address]] Meter meter_;
  std::uint64_t keys_ = 0;
};

}  // namespace sluice
