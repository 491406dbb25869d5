// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// resealable_filter: a sealed filter for most keys, and a growing one beside it for those that come later. Both are
// asked as one. When the later keys have become many, reseal() makes one sealed filter of all.
//
//   sluice::resealable_filter f(keys, {.fingerprint_bits = 16});      sealed: 17.8 bits a key, one line
//   f.insert("later");                                                into the growing filter
//   f.may_contain("later");                                           the sealed filter first, then the growing one
//   f.reseal(all_keys);                                               one sealed filter again
//
// A key that the sealed filter answers for, by right or by chance, is not inserted again: it will be found.
// Invariants: after insert(x) returns, may_contain(x) is true, also after reseal(), if x is among the keys that it is
// given. What reseal() cannot do leaves the filter as it was. The rate is at most that of the sealed filter, 2^-r, and
// that of the growing one, which is 2^-r, too, but not below the least of a chain, 1e-9, unless it is said otherwise.
// Cost: a lookup of the sealed filter; where it answers no and later keys have come, one of the growing filter as well.
// Threads: lookups may run in parallel; an insert or reseal excludes everything else.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/detail/bulk/absent_keys.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/threads.hpp"
#include "sluice/errors.hpp"
#include "sluice/filter.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"

namespace sluice {

class resealable_filter : detail::bulk_lookups<resealable_filter>, detail::bulk_insertions<resealable_filter> {
public:
  /// How later keys are kept where nothing is said: with the rate of the sealed filter, or the least that a chain has
  /// (r from 30 on), and under its seed.
  [[nodiscard]] static growth later_keys_of(const sealed_parameters& p) {
    const double rate = std::ldexp(1.0, -static_cast<int>(p.fingerprint_bits));
    return {.fpr = std::max(rate, growth::least_fpr), .block_bits = p.block_bits, .seed = p.seed};
  }

  /// Of these keys. Throws as sealed_builder does, and parameter_error for a growth that makes no sense, or is
  /// erasable; its seed and the filter's are the same.
  template <bulk_keys Keys>
  explicit resealable_filter(const Keys& keys, const sealed_parameters& p = {}, const build_options& options = {},
                             const std::optional<growth>& later = std::nullopt)
      : resealable_filter(sealed(keys, p, options), growing_filter(later.value_or(later_keys_of(p)))) {}
  /// Of its two filters, which base() and later() gave: so it comes back from two files. Throws parameter_error unless
  /// the first is sealed, the second not erasable, and their seeds are the same.
  resealable_filter(filter base, growing_filter later)
      : base_(std::move(base)), later_(std::move(later)), hash_(detail::seed_of(base_.params())) {
    require_base(base_, later_.params().seed);
    if (later_.params().erasable) {
      throw parameter_error(
          "later keys of a resealable filter cannot be erased: give it a growth that is not erasable");
    }
  }

  /// True if the key was new: neither filter answered for it before.
  bool insert(const key auto& k) {
    const digest x = hash_(k);
    return !base_.may_contain(x) && later_.insert(x);
  }
  /// insert_bulk(keys), and with answers, and by several threads, with the same result: see sluice::filter.
  using detail::bulk_insertions<resealable_filter>::insert_bulk;

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    const digest x = hash_(k);
    return base_.may_contain(x) || (later_.keys_inserted() != 0 && later_.may_contain(x));
  }
  /// may_contain_bulk(keys, answers), and the same by several threads: see sluice::filter.
  using detail::bulk_lookups<resealable_filter>::may_contain_bulk;

  /// One sealed filter of these keys in place of both: all that are here, in any order and however often, and any
  /// others. Throws parameter_error, and changes nothing, if they are fewer than the filter holds: it would lose some.
  template <bulk_keys Keys>
  void reseal(const Keys& keys, const build_options& options = {}) {
    auto p = std::get<sealed_parameters>(base_.params());
    p.blocks = 0;  // as many as the keys need
    reseal(sealed(keys, p, options));
  }
  /// The same with a sealed filter of these keys that was built elsewhere, while this one could still be used. Throws
  /// parameter_error also if it is not sealed, or has another seed.
  void reseal(filter all) {
    require_base(all, later_.params().seed);
    if (all.keys_inserted() < keys_inserted()) {
      throw parameter_error("this filter holds " + std::to_string(keys_inserted()) + " keys, but only " +
                            std::to_string(all.keys_inserted()) +
                            " were offered to seal it again; a filter of those would lose others");
    }
    growing_filter none(later_.params());
    base_ = std::move(all);
    later_ = std::move(none);
  }

  [[nodiscard]] std::uint64_t keys_inserted() const noexcept { return base_.keys_inserted() + later_.keys_inserted(); }
  /// The share of keys that came later: what reseal() would move.
  [[nodiscard]] double later_share() const noexcept {
    if (later_.keys_inserted() == 0) return 0;
    return static_cast<double>(later_.keys_inserted()) / static_cast<double>(keys_inserted());
  }
  [[nodiscard]] const filter& base() const& noexcept { return base_; }
  [[nodiscard]] const growing_filter& later() const& noexcept { return later_; }
  [[nodiscard]] filter base() && { return std::move(base_); }
  [[nodiscard]] growing_filter later() && { return std::move(later_); }

private:
  friend detail::bulk_lookups<resealable_filter>;
  friend detail::bulk_insertions<resealable_filter>;
  static void require_base(const filter& base, std::uint64_t seed) {
    if (!detail::is_sealed(base.params())) throw parameter_error("the base of a resealable filter is a sealed one");
    if (detail::seed_of(base.params()) == seed) return;
    throw parameter_error("the two filters of a resealable one have one seed; these have " +
                          std::to_string(detail::seed_of(base.params())) + " and " + std::to_string(seed));
  }
  template <bulk_keys Keys>
  [[nodiscard]] static filter sealed(const Keys& keys, const sealed_parameters& p, const build_options& options) {
    sealed_builder builder(p);
    builder.insert_bulk(keys);
    return builder.build(options);
  }
  // With 1 or 0 in `out` for each key, unless it is null: whether it was new.
  std::uint64_t insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out) {
    return insert_digests({some.digests, some.count}, 1, out);
  }
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out) {
    if (out != nullptr) std::fill_n(out, keys.size(), std::uint8_t{0});
    detail::bulk::absent_keys asked(keys);
    asked.drop_found(base_, threads);
    return asked.insert_into(later_, threads, out);
  }
  void look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const {
    const std::span<const digest> digests(some.digests, some.count);
    base_.may_contain_bulk(digests, std::span(out, some.count));
    if (later_.keys_inserted() != 0) ask_later(digests, out);
  }
  /// Those that the sealed filter does not have.
  void ask_later(std::span<const digest> digests, std::uint8_t* out) const {
    std::array<digest, detail::bulk::chunk_keys> asked;
    std::array<std::uint16_t, detail::bulk::chunk_keys> numbers;
    std::array<std::uint8_t, detail::bulk::chunk_keys> found;
    std::size_t count = 0;
    for (std::size_t i = 0; i < digests.size(); ++i) {
      asked[count] = digests[i];
      numbers[count] = static_cast<std::uint16_t>(i);
      count += out[i] == 0 ? 1U : 0U;
    }
    later_.may_contain_bulk(std::span<const digest>(asked.data(), count), std::span(found));
    for (std::size_t n = 0; n < count; ++n) out[numbers[n]] = found[n];
  }

  filter base_;
  growing_filter later_;
  hasher hash_;
};

}  // namespace sluice
