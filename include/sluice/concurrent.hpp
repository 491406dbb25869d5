// concurrent: one filter that many threads insert into and look up at the same time, without locks.
//
//   sluice::concurrent_filter f(sluice::gated_parameters{...});
//   std::jthread a([&] { f.insert(1); });   std::jthread b([&] { f.may_contain(1); });
//
// For the schemes whose memory is nothing but bits that go from 0 to 1: blocked, Bloom-g, gated, 1+alpha and two-choice by set bits,
// classic, choice groups. Those with counters or lists (SINGLE, SEQUENTIAL, MHT, loads counted in keys) are refused.
//
// Bits are set with fetch_or and read with relaxed loads of 64-bit words (block/words.hpp says why that is enough).
// What is promised: a key whose insert returned, in this thread or in one that this thread has synchronised with, is found, whatever
// runs at the same time. Two threads that insert one key at once may both be told that it was new and both place it, and a block may take a
// key or two more than h, because loads are read without stopping the others: the false positive rate does not notice, unless threads insert
// the same keys in step.
// The number of keys is not counted (one counter would be the only word that all threads write): stats() estimates it from the fill.
// Cost: that of the scheme; docs/gated.md has what sharing costs in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <variant>

#include "sluice/filter.hpp"

namespace sluice {

class concurrent_filter {
public:
  /// Throws parameter_error for parameters that describe no filter, or a scheme that cannot be shared; memory_error where there is not
  /// enough memory.
  explicit concurrent_filter(const parameters& p, std::pmr::memory_resource* memory = default_memory())
      : parameters_(normalised(p)), recipe_(shareable(parameters_)), hash_(seed_of(p)), bytes_(size(recipe_), memory) {}

  concurrent_filter(const concurrent_filter&) = delete;
  concurrent_filter& operator=(const concurrent_filter&) = delete;
  concurrent_filter(concurrent_filter&&) = delete;
  concurrent_filter& operator=(concurrent_filter&&) = delete;
  ~concurrent_filter() = default;

  /// True if nothing in the filter answered for the key before.
  bool insert(const key auto& k) noexcept {
    return with_recipe([&](const auto& recipe) {
      no_overflow none({});
      return recipe.insert(shared(), none, hash_(k)).was_new;
    });
  }
  /// All keys, in their order; several blocks are on their way at any time.
  template <bulk_keys Keys>
  void insert_bulk(const Keys& keys) {
    with_recipe([&](const auto& recipe) {
      no_overflow none({});
      return bulk::insert(recipe, shared(), none, hash_, detail::span_of(keys)) != 0;
    });
  }

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    return with_recipe([&](const auto& recipe) { return recipe.look_up(shared(), {}, hash_(k)).found; });
  }
  /// Looks all keys up and writes 1 or 0 for each. Throws parameter_error if there is no room for so many answers.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint8_t> answers) const {
    with_recipe([&](const auto& recipe) {
      bulk::answers out(answers);
      bulk::look_up(recipe, shared(), {}, hash_, detail::span_of(keys), out);
      return true;
    });
  }

  /// An unshared copy. Taken while others insert, it has every key whose insert returned before, and perhaps some later ones.
  [[nodiscard]] filter snapshot() const {
    const auto copy = [&](std::span<std::byte> out) {
      for (std::uint64_t word = 0; word < out.size() / bits::word_bytes; ++word) {
        bits::store_word(out.data(), word, bits::load_word(shared(), word));
      }
    };
    return {parameters_, copy};
  }
  /// Of a snapshot.
  [[nodiscard]] statistics stats() const { return snapshot().stats(); }

  [[nodiscard]] const parameters& params() const noexcept { return parameters_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return bytes_.size(); }

private:
  template <class Recipe>
  static constexpr bool can_share =
      Recipe::block_type::is_monotone && std::same_as<typename Recipe::overflow_type, no_overflow>;

  [[nodiscard]] static any_recipe shareable(const parameters& p) {
    any_recipe recipe = recipe_for(p);
    if (!std::visit([](const auto& r) { return can_share<std::remove_cvref_t<decltype(r)>>; }, recipe)) {
      throw parameter_error("a filter of scheme " + std::string(scheme_name(p)) +
                            " with counters or a list cannot be shared by threads; choose gated, blocked or bloom-g");
    }
    return recipe;
  }
  [[nodiscard]] static std::uint64_t size(const any_recipe& recipe) {
    return std::visit([](const auto& r) { return r.bytes(); }, recipe);
  }

  template <class Body>  // NOLINTNEXTLINE(modernize-use-nodiscard): some results are of no interest
  auto with_recipe(const Body& body) const {
    return std::visit(
        [&](const auto& recipe) -> decltype(body(
                                    std::get<gated_recipe<dynamic, dynamic, dynamic, dynamic, dynamic>>(recipe_))) {
          if constexpr (can_share<std::remove_cvref_t<decltype(recipe)>>) {
            return body(recipe);
          } else {
            return {};  // never made
          }
        },
        recipe_);
  }

  [[nodiscard]] shared_byte* shared() noexcept { return reinterpret_cast<shared_byte*>(bytes_.data()); }
  [[nodiscard]] const shared_byte* shared() const noexcept {
    return reinterpret_cast<const shared_byte*>(bytes_.data());
  }

  parameters parameters_;
  any_recipe recipe_;
  hasher hash_;
  owned_bytes bytes_;
};

}  // namespace sluice
