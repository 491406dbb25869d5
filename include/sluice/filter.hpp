// filter: the type most people use. Scheme, block size and every number are run-time values; what is behind them is one
// of the recipes of filter/recipes.hpp.
//
//   auto f = sluice::filter::for_keys(100'000'000, {.fpr = 1e-6});           with plan.hpp, which finds the best parameters
//   sluice::filter g(sluice::gated_parameters{.blocks = sluice::blocks_for(n, 24), .hashes = 15, .trace = 4,
//                                             .second_hashes = 12, .threshold = 177, .margin = 6});
//   f.insert("key");   f.may_contain("key");   f.stats().fpr_from_fill;
//
// sluice::metered_filter is the same and counts the blocks that operations read; sluice::filter_view answers lookups over bytes
// that somebody else owns.
// Cost: that of the scheme (see placement/), and one indirect jump per operation. presets.hpp has none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "sluice/errors.hpp"
#include "sluice/filter/basic_filter.hpp"
#include "sluice/filter/recipes.hpp"
#include "sluice/parameters.hpp"

namespace sluice {

namespace detail {

template <class Recipes, class Meter>
struct filters_of;
template <class... Recipe, class Meter>
struct filters_of<std::variant<Recipe...>, Meter> {
  using type = std::variant<basic_filter<Recipe, Meter>...>;
};

template <class Recipes>
struct views_of;
template <class... Recipe>
struct views_of<std::variant<Recipe...>> {
  using type = std::variant<basic_view<Recipe>...>;
};

}  // namespace detail

/// Lookups over the blocks of a filter that somebody else owns: another filter, shared memory, a section of a file.
class filter_view {
public:
  /// The parameters of the filter (as its params() gives them), its bytes, and its overflow if the scheme has one. Throws
  /// parameter_error or layout_error if they do not fit together.
  filter_view(const parameters& p, std::span<const std::byte> bytes, const overflow_state& overflowed = {})
      : parameters_(normalised(p)),
        bytes_(bytes),
        overflowed_(overflowed),
        view_(make(parameters_, bytes, overflowed)) {}

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    return std::visit([&](const auto& v) { return v.may_contain(k); }, view_);
  }
  /// Many keys at once: see sluice::filter.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint8_t> answers) const {
    std::visit([&](const auto& v) { v.may_contain_bulk(keys, answers); }, view_);
  }
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint64_t> answers) const {
    std::visit([&](const auto& v) { v.may_contain_bulk(keys, answers); }, view_);
  }

  /// Of the bits, and of as many keys as were inserted, which the bits do not say.
  [[nodiscard]] statistics stats(std::uint64_t keys) const {
    return std::visit([&](const auto& v) { return statistics_of(v.recipe(), bytes_.data(), overflowed_, keys); },
                      view_);
  }
  [[nodiscard]] const parameters& params() const noexcept { return parameters_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  [[nodiscard]] const overflow_state& overflowed() const noexcept { return overflowed_; }

private:
  using any_view = detail::views_of<any_recipe>::type;

  [[nodiscard]] static any_view make(const parameters& p, std::span<const std::byte> bytes,
                                     const overflow_state& overflowed) {
    return std::visit(
        [&](const auto& recipe) -> any_view {
          using recipe_type = std::remove_cvref_t<decltype(recipe)>;
          return basic_view<recipe_type>(recipe, bytes, seed_of(p),
                                         typename recipe_type::overflow_view_type(overflowed));
        },
        recipe_for(p));
  }

  parameters parameters_;
  std::span<const std::byte> bytes_;
  overflow_state overflowed_;
  any_view view_;
};

struct plan_request;

template <class Meter>
class runtime_filter {
public:
  /// The best filter for so many keys, a rate of 0.001, or what else is wanted: {.fpr = 1e-6}, {.memory_bits = 8e6, .hit_ratio = 0.9}.
  /// Include plan.hpp, which defines both. Throws parameter_error if no filter keeps all limits.
  [[nodiscard]] static runtime_filter for_keys(std::uint64_t keys, const plan_request& wanted);
  [[nodiscard]] static runtime_filter for_keys(std::uint64_t keys);

  /// Throws parameter_error for parameters that describe no filter, memory_error where there is not enough memory.
  explicit runtime_filter(const parameters& p, std::pmr::memory_resource* memory = default_memory())
      : parameters_(normalised(p)), filter_(make(parameters_, memory)) {}

  /// For builders and files, which know the bits: `write` fills the bytes, all zero before, with what insertions may have made of them, and
  /// returns how many keys that were, or nothing, if it does not know: then their number is estimated from the bits. What it must keep true
  /// is the scheme's layout, and that every key is found, there or in the overflow.
  template <std::invocable<std::span<std::byte>> Write>
  runtime_filter(const parameters& p, Write&& write, const overflow_state& overflowed = {}) : runtime_filter(p) {
    std::visit([&](auto& f) { f.fill(std::forward<Write>(write), overflowed); }, filter_);
  }

  /// A copy that counts what it reads, or one that does not.
  template <class OtherMeter>
  explicit runtime_filter(const runtime_filter<OtherMeter>& other)
      : runtime_filter(
            other.params(),
            [&](std::span<std::byte> bytes) {
              std::copy(other.bytes().begin(), other.bytes().end(), bytes.begin());
              return other.keys_inserted();
            },
            other.overflowed()) {}

  /// True if the key was new: nothing in the filter answered for it before.
  bool insert(const key auto& k) {
    return std::visit([&](auto& f) { return f.insert(k); }, filter_);
  }

  /// False: the key was never inserted. True: it was, or a false positive.
  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    return std::visit([&](const auto& f) { return f.may_contain(k); }, filter_);
  }

  /// Inserts all keys in their order, as single insertions would, with several blocks on their way at any time; large filters take
  /// keys several times faster so. Returns how many were new.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    return std::visit([&](auto& f) { return f.insert_bulk(keys); }, filter_);
  }

  /// Looks all keys up and writes 1 or 0 for each. Throws parameter_error if there is no room for so many answers.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint8_t> answers) const {
    std::visit([&](const auto& f) { f.may_contain_bulk(keys, answers); }, filter_);
  }
  /// The same, with answer i in bit i mod 64 of word i / 64.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint64_t> answers) const {
    std::visit([&](const auto& f) { f.may_contain_bulk(keys, answers); }, filter_);
  }

  /// Afterwards every key of either filter is found here. Throws merge_error unless all parameters and the seed agree.
  void merge(const runtime_filter& other) {
    if (scheme_name(parameters_) != scheme_name(other.parameters_)) {
      throw merge_error("filters of different schemes, " + std::string(scheme_name(parameters_)) + " and " +
                        std::string(scheme_name(other.parameters_)) + ", cannot be merged");
    }
    if (united(parameters_) != united(other.parameters_)) {
      throw merge_error("two " + std::string(scheme_name(parameters_)) +
                        " filters can be merged only if all parameters and the seed are equal");
    }
    if (this == &other) return;
    std::visit([&](auto& f) { f.merge_equal(std::get<std::remove_reference_t<decltype(f)>>(other.filter_)); }, filter_);
    parameters_ = united(parameters_);
  }

  /// Forgets all keys; keeps parameters and memory.
  void clear() noexcept {
    std::visit([](auto& f) { f.clear(); }, filter_);
  }

  [[nodiscard]] statistics stats() const {
    return std::visit([](const auto& f) { return f.stats(); }, filter_);
  }

  /// As the filter was made: the number of blocks is the real one.
  [[nodiscard]] const parameters& params() const noexcept { return parameters_; }
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept {
    return std::visit([](const auto& f) { return f.keys_inserted(); }, filter_);
  }
  /// The blocks, as they will lie in a file.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return std::visit([](const auto& f) { return f.bytes(); }, filter_);
  }
  /// What of the keys is not in the blocks. Valid while this filter lives and is not written to.
  [[nodiscard]] overflow_state overflowed() const noexcept {
    return std::visit([](const auto& f) { return f.overflowed().state(); }, filter_);
  }
  /// Valid while this filter lives and is not written to.
  [[nodiscard]] filter_view view() const { return {parameters_, bytes(), overflowed()}; }

  /// Calls f with the filter behind this one, a basic_filter of some recipe: for research and tests.
  decltype(auto) visit(auto&& f) const { return std::visit(std::forward<decltype(f)>(f), filter_); }

private:
  using any_filter = detail::filters_of<any_recipe, Meter>::type;

  [[nodiscard]] static any_filter make(const parameters& p, std::pmr::memory_resource* memory) {
    return std::visit(
        [&](const auto& recipe) -> any_filter {
          return basic_filter<std::remove_cvref_t<decltype(recipe)>, Meter>(recipe, seed_of(p), memory);
        },
        recipe_for(p));
  }

  parameters parameters_;
  any_filter filter_;
};

using filter = runtime_filter<unmetered>;
using metered_filter = runtime_filter<metered>;

}  // namespace sluice
