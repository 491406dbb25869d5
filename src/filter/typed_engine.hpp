// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// filter/typed_engine: the engines (filter/engine.hpp) of one recipe. How lookups run, and where they have code of
// their own, changes, is a member that the recipe chooses:
//
//   lane_lookups     filters whose blocks have lanes: the code of this processor for their shape
//   sealed_lookups   sealed filters: the code for their layout
//   ledger_lookups   ledgers: the code of this processor for their remainders
//   walk_lookups     all others, and single lookups in bytes that begin with another block than the first
//
// Cost: that of the recipe.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "bulk/ledger.hpp"
#include "bulk/sealed.hpp"
#include "bulk/singles.hpp"
#include "filter/engine.hpp"
#include "sluice/detail/block/sealed.hpp"
#include "sluice/detail/bulk/bulk.hpp"
#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/detail/recipe/union.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

/// The overflow of somebody else: stands where an owner has the overflow itself.
template <class View>
class viewed_overflow {
public:
  viewed_overflow(const auto& /*how*/, const overflow_state& state) noexcept : state_(state), view_(state) {}
  [[nodiscard]] const overflow_state& state() const noexcept { return state_; }
  [[nodiscard]] const View& view() const noexcept { return view_; }

private:
  overflow_state state_;
  [[no_unique_address]] View view_;
};

/// What an engine knows. Byte is constant where nothing is written.
template <class Recipe, class Byte, class Overflow>
struct engine_data {
  Recipe recipe;
  Byte* bytes;
  std::uint64_t origin;  ///< the block that the bytes begin with
  [[no_unique_address]] Overflow overflowed;

  [[nodiscard]] lookup_outcome look_up(digest x) const noexcept {
    return recipe.look_up(bytes, overflowed.view(), x, origin);
  }
  [[nodiscard]] insert_outcome insert(digest x) { return recipe.insert(bytes, overflowed, x, origin); }
  [[nodiscard]] std::uint64_t count(digest x) const noexcept {
    if constexpr (std::same_as<std::remove_const_t<Byte>, std::byte>) {
      return recipe.count(bytes, overflowed.view(), x, origin);
    } else {
      return look_up(x).found ? 1 : 0;
    }
  }
};

/// Lookups that walk.
struct walk_lookups {
  static void bind(const auto& /*data*/) noexcept {}
  template <class Data>
  [[nodiscard]] static lookup_call call(const Data& data) noexcept {
    return {[](const void* filter, digest x) noexcept { return static_cast<const Data*>(filter)->look_up(x).found; },
            &data};
  }
  static void look_up_chunk(const auto& data, const bulk::chunk& some, std::uint8_t* out) noexcept {
    bulk::look_up_chunk(data.recipe, data.bytes, data.overflowed.view(), some, out, data.origin);
  }
  [[nodiscard]] static insert_outcome insert_and_count(auto& data, digest x) { return data.insert(x); }
  /// How many were new.
  static std::uint64_t insert_chunk(auto& data, const bulk::chunk& some, std::uint8_t* out) {
    return bulk::insert_chunk(data.recipe, data.bytes, data.overflowed, some, out, data.origin);
  }
};

/// Lookups, and insertions, by the code of this processor; a chunk finds it by itself.
template <class Byte>
class lane_lookups : public walk_lookups {
public:
  template <class Data>
  void bind(const Data& data) noexcept {
    filter_ = {bulk::shape_of_blocks(data.recipe, data.origin), data.bytes};
    const bulk::single_set<Byte>& codes = bulk::best_singles<Byte>();
    insert_ = (is_gated<Data> ? codes.insert_gated : codes.insert_blocked)(filter_.shape);
  }
  template <class Data>
  [[nodiscard]] lookup_call call(const Data& data) const noexcept {
    if (data.origin != 0) return walk_lookups::call(data);
    const bulk::single_set<Byte>& codes = bulk::best_singles<Byte>();
    return {(is_gated<Data> ? codes.look_up_gated : codes.look_up_blocked)(filter_.shape), &filter_};
  }
  /// An insertion into static gates goes by the placement.
  [[nodiscard]] bool can_insert() const noexcept { return !filter_.shape.static_gates; }
  [[nodiscard]] bool insert(Byte* bytes, digest x) const noexcept { return insert_(filter_.shape, bytes, x); }

private:
  template <class Data>
  static constexpr bool is_gated = bulk::is_gated<decltype(Data::recipe)>;

  bulk::lane_filter<Byte> filter_{};
  bulk::insert_one<Byte> insert_ = nullptr;
};

/// Lookups by the code for a layout, which has a view of the list.
class sealed_lookups {
public:
  void bind(const auto& data) noexcept {
    const auto& placement = data.recipe.placement;
    filter_ = {data.bytes, placement.groups(), placement.blocks(), data.overflowed.view(), data.origin};
    code_ = &bulk::code_for(data.recipe.block.layout());
  }
  [[nodiscard]] lookup_call call(const auto& data) const noexcept {
    if (data.origin != 0) return walk_lookups::call(data);
    return {code_->one, &filter_};
  }
  void look_up_chunk(const auto& /*data*/, const bulk::chunk& some, std::uint8_t* out) const noexcept {
    code_->many(filter_, some, out);
  }

private:
  bulk::sealed_filter filter_{};
  const bulk::sealed_code* code_ = nullptr;
};

/// Everything by the code of this processor. A ledger has no parts: its bytes begin with the first block.
template <std::uint32_t Rho>
class ledger_lookups {
public:
  template <class Data>
  void bind(const Data& data) noexcept {
    filter_ = {data.recipe.placement.groups(), data.bytes, &data, [](const void* owner, digest x) noexcept {
                 return static_cast<const Data*>(owner)->overflowed.view().may_contain(x);
               }};
  }
  [[nodiscard]] lookup_call call(const auto& /*data*/) const noexcept { return {code_.look_up, &filter_}; }
  void look_up_chunk(const auto& /*data*/, const bulk::chunk& some, std::uint8_t* out) const noexcept {
    code_.look_up_many(filter_, some, out);
  }
  [[nodiscard]] insert_outcome insert_and_count(auto& data, digest x) const {
    return code_.insert(filter_.groups, data.bytes, data.overflowed, x);
  }
  std::uint64_t insert_chunk(auto& data, const bulk::chunk& some, std::uint8_t* out) const {
    code_.insert_many(filter_.groups, data.bytes, data.overflowed, some, out);
    return some.count;
  }
  [[nodiscard]] bool erase_entry(auto& data, digest x) const noexcept {
    return code_.erase_entry(filter_.groups, data.bytes, x);
  }

private:
  bulk::ledger_filter filter_{};
  const bulk::ledger_code& code_ = bulk::best_ledger_code(Rho);
};

template <class Recipe, class Byte>
struct chosen_lookups {
  using type = std::conditional_t<
      bulk::has_kernels<Recipe>, lane_lookups<std::remove_const_t<Byte>>,
      std::conditional_t<std::same_as<typename Recipe::block_type, sealed_block>, sealed_lookups, walk_lookups>>;
};
template <std::uint32_t Rho, class Byte>
struct chosen_lookups<ledger_recipe<Rho>, Byte> {
  using type = ledger_lookups<Rho>;
};
template <class Recipe, class Byte>
using lookups_of = typename chosen_lookups<Recipe, Byte>::type;

/// What every engine does. Base is engine, or taking_engine.
template <class Base, class Recipe, class Byte, class Overflow>
class looking : public Base {
public:
  looking(const Recipe& recipe, Byte* bytes, const overflow_state& overflowed, std::uint64_t origin)
      : data_{recipe, bytes, origin, Overflow(recipe.overflow_how, overflowed)} {
    lookups_.bind(data_);
  }

  [[nodiscard]] lookup_call look_up() const noexcept final { return lookups_.call(data_); }
  [[nodiscard]] lookup_outcome probe(digest x) const noexcept final { return data_.look_up(x); }
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept final {
    lookups_.look_up_chunk(data_, some, out);
  }
  [[nodiscard]] std::uint64_t count(digest x) const noexcept final { return data_.count(x); }
  void count_chunk(const bulk::chunk& some, std::uint64_t* out) const noexcept final {
    bulk::ring<false>(
        some.count, some.available,
        [&](std::size_t i) { return data_.recipe.first_line(data_.bytes, some.digests[i], data_.origin); },
        [&](std::size_t i, const Byte* /*line*/) { out[i] = data_.count(some.digests[i]); });
  }
  void prefetch(digest x) const noexcept final {
    __builtin_prefetch(data_.recipe.first_line(data_.bytes, x, data_.origin));
  }
  [[nodiscard]] overflow_state overflow() const noexcept final { return data_.overflowed.state(); }
  void set_overflow(const overflow_state& state) final {
    data_.overflowed = Overflow(data_.recipe.overflow_how, state);
    lookups_.bind(data_);
  }
  void set_bytes(std::byte* bytes) noexcept final {
    data_.bytes = reinterpret_cast<Byte*>(bytes);
    lookups_.bind(data_);
  }
  [[nodiscard]] bool lists_the_same(const engine& other) const noexcept final {
    return data_.overflowed.view() == static_cast<const looking&>(other).data_.overflowed.view();
  }

protected:
  engine_data<Recipe, Byte, Overflow> data_;
  [[no_unique_address]] lookups_of<Recipe, Byte> lookups_;
};

template <class Recipe>
using owned_overflow_of = typename Recipe::overflow_type;
template <class Recipe>
using viewed_overflow_of = viewed_overflow<typename Recipe::overflow_view_type>;

/// An engine that looks at bytes.
template <class Recipe, class Overflow>
class typed_engine final : public looking<engine, Recipe, const std::byte, Overflow> {
  using looking<engine, Recipe, const std::byte, Overflow>::looking;
};

/// An engine that takes keys. Byte is std::byte or shared_byte; Base is taking_engine or erasing_engine.
template <class Recipe, class Byte, class Base = taking_engine>
class typed_taking_engine : public looking<Base, Recipe, Byte, owned_overflow_of<Recipe>> {
public:
  using looking<Base, Recipe, Byte, owned_overflow_of<Recipe>>::looking;

  [[nodiscard]] insert_call insert() noexcept final {
    if constexpr (bulk::has_kernels<Recipe>) {
      if (this->lookups_.can_insert()) {
        return {[](void* filter, digest x) {
                  auto& self = *static_cast<typed_taking_engine*>(filter);
                  return self.count_new(self.lookups_.insert(self.data_.bytes, x));
                },
                this};
      }
    }
    return {
        [](void* filter, digest x) { return static_cast<typed_taking_engine*>(filter)->insert_and_count(x).was_new; },
        this};
  }
  [[nodiscard]] insert_outcome insert_and_count(digest x) final {
    if (room() == 0) refuse_more();
    const insert_outcome outcome = this->lookups_.insert_and_count(data_, x);
    count_new(outcome.was_new);
    return outcome;
  }
  void insert_chunk(const bulk::chunk& some, std::uint8_t* out, std::uint64_t& fresh) final {
    if constexpr (may_refuse) {
      insert_until_refused(some, out, fresh);
    } else {
      fresh += this->lookups_.insert_chunk(data_, some, out);
    }
  }
  [[nodiscard]] block_groups groups() const noexcept final {
    if constexpr (std::same_as<owned_overflow_of<Recipe>, no_overflow> &&
                  requires { data_.recipe.placement.groups(); }) {
      return data_.recipe.placement.groups();
    } else {
      return {1, 1};
    }
  }
  void unite(const typed_taking_engine& other) {
    this->keys = sluice::detail::unite<Recipe>(data_.recipe, {data_.bytes, data_.overflowed, this->keys},
                                               {other.data_.bytes, other.data_.overflowed, other.keys});
    this->lookups_.bind(data_);  // gates may be read in another way now
  }

protected:
  using looking<Base, Recipe, Byte, owned_overflow_of<Recipe>>::data_;

private:
  /// A list may be full half way, or get no memory; or the filter is full.
  static constexpr bool may_refuse = [] {
    if constexpr (Recipe::erases_keys) {
      return true;
    } else {
      return !noexcept(std::declval<owned_overflow_of<Recipe>&>().take(
          std::declval<const typename Recipe::placement_type&>(),
          std::declval<const block_array<typename Recipe::block_type, Byte>&>(), digest{}));
    }
  }();

  /// How many keys more there is room for, where that is limited.
  [[nodiscard]] std::uint64_t room() const noexcept {
    if constexpr (Recipe::erases_keys) {
      const std::uint64_t most = data_.recipe.placement.most_keys();
      return most - std::min(most, this->keys);
    } else {
      return std::numeric_limits<std::uint64_t>::max();
    }
  }
  [[noreturn]] void refuse_more() const {
    throw full_error("the filter is full: it has " + std::to_string(this->keys) +
                     " keys, the most that its blocks are good for. Erase some, or make a larger one");
  }

  bool count_new(bool was_new) noexcept {
    if constexpr (std::same_as<Byte, std::byte>)
      this->keys += was_new ? 1 : 0;  // threads that share bytes do not count
    return was_new;
  }

  /// What came before it is in the filter, and counts.
  void insert_until_refused(const bulk::chunk& some, std::uint8_t* out, std::uint64_t& fresh) {
    std::array<std::uint8_t, bulk::chunk_keys> unwanted;
    if (out == nullptr) out = unwanted.data();
    std::fill_n(out, some.count, std::uint8_t{0});
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(some.count, room()));
    try {
      fresh += this->lookups_.insert_chunk(data_, {some.digests, count, some.available}, out);
    } catch (...) {
      fresh += static_cast<std::uint64_t>(std::count(out, out + count, std::uint8_t{1}));
      throw;
    }
    if (count < some.count) refuse_more();
  }
};

/// An engine that gives keys back.
template <class Recipe>
class typed_erasing_engine final : public typed_taking_engine<Recipe, std::byte, erasing_engine> {
public:
  using typed_taking_engine<Recipe, std::byte, erasing_engine>::typed_taking_engine;

  [[nodiscard]] bool erase(digest x) noexcept override { return erase_listed(x) || erase_entry(x); }
  [[nodiscard]] bool erase_listed(digest x) noexcept override {
    return count_erased(data_.recipe.erase_listed(data_.bytes, data_.overflowed, x));
  }
  [[nodiscard]] bool erase_entry(digest x) noexcept override {
    return count_erased(this->lookups_.erase_entry(data_, x));
  }
  std::uint64_t erase_chunk(const bulk::chunk& some, std::uint8_t* out) noexcept override {
    std::uint64_t erased = 0;
    bulk::ring<true>(
        some.count, some.available,
        [&](std::size_t i) { return data_.recipe.first_line(data_.bytes, some.digests[i]); },
        [&](std::size_t i, const std::byte* /*line*/) {
          out[i] = erase(some.digests[i]) ? 1 : 0;
          erased += out[i];
        });
    return erased;
  }

private:
  bool count_erased(bool erased) noexcept {
    if (erased && this->keys != 0) --this->keys;
    return erased;
  }

  using typed_taking_engine<Recipe, std::byte, erasing_engine>::data_;
};

/// The engine of an owner of bytes that takes keys.
template <class Recipe>
using typed_owning_engine =
    std::conditional_t<Recipe::erases_keys, typed_erasing_engine<Recipe>, typed_taking_engine<Recipe, std::byte>>;

}  // namespace sluice::detail
