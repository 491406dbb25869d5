// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "filter/fold.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/detail/check.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

namespace {

/// What is folded: blocks, or words of an array, of which each is 64 bits.
struct elements {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< of each
  bool are_words = false;
  std::uint64_t group = 1;  ///< so many neighbours, at most, decide together what a key finds
};

/// None: filters of this scheme are not folded.
elements elements_of(const parameters& p) {
  if (!may_be_folded(p)) return {};
  return std::visit(
      []<class P>(const P& q) -> elements {
        if constexpr (P::which == scheme::classic) {
          const std::uint64_t bytes = stride_for(((q.bits - 1) >> q.folds) + 1);
          return {bytes / bits::word_bytes, bits::word_bytes, true, page_bytes / bits::word_bytes};
        } else if constexpr (P::which == scheme::blocked) {
          const block_groups groups(q.blocks, 1, q.folds);
          return {groups.blocks(), stride_for(q.block_bits), false, 1};
        } else if constexpr (requires { q.folds; }) {
          const block_groups groups = groups_of(q);
          // Further blocks may be anywhere: then any sample of blocks is like another.
          const bool one_group = groups.drawn_group() == groups.drawn_blocks();
          return {groups.blocks(), stride_for(q.block_bits), false, one_group ? 1 : groups.group_blocks()};
        }
        return {};
      },
      p);
}

/// Bit i is the OR of bits 2i and 2i + 1, for 32 of them.
constexpr std::uint64_t halve(std::uint64_t x) noexcept {
  x = (x | x >> 1) & 0x5555'5555'5555'5555U;
  x = (x | x >> 1) & 0x3333'3333'3333'3333U;
  x = (x | x >> 2) & 0x0f0f'0f0f'0f0f'0f0fU;
  x = (x | x >> 4) & 0x00ff'00ff'00ff'00ffU;
  x = (x | x >> 8) & 0x0000'ffff'0000'ffffU;
  return (x | x >> 16) & 0xffff'ffffU;
}

/// A word from 2^folds of them, of which `count` are there.
std::uint64_t fold_words(const std::byte* from, std::uint64_t count, std::uint32_t folds) noexcept {
  const std::uint32_t in_word = std::min(folds, 6U);                   // a word becomes 2^-in_word of itself,
  const std::uint64_t of_bit = std::uint64_t{1} << (folds - in_word);  // and so many words become its bits
  std::uint64_t to = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t word = bits::load_word(from, i);
    for (std::uint32_t f = 0; f < in_word; ++f) word = halve(word);
    to |= word << (i / of_bit * (bits::word_bits >> in_word));
  }
  return to;
}

/// The OR of blocks. Words is how many a block has, as a number known when compiling where it is usual.
template <number Words>
void fold_block(std::byte* to, const std::byte* from, std::uint64_t count, Words words) noexcept {
  for (std::uint32_t w = 0; w < words; ++w) bits::store_word(to, w, bits::load_word(from, w));
  for (std::uint64_t i = 1; i < count; ++i) {
    for (std::uint32_t w = 0; w < words; ++w) bits::or_word(to, w, bits::load_word(from, i * words + w));
  }
}

/// Folds `count` of the elements.
void fold(const elements& kind, std::byte* to, const std::byte* from, std::uint64_t count, std::uint32_t folds) {
  const auto for_each = [&](const auto& fold_one) {
    for (std::uint64_t i = 0, end = folded_count(count, folds); i < end; ++i) {
      const std::uint64_t first = i << folds;
      fold_one(to + i * kind.bytes, from + first * kind.bytes, std::min(count - first, std::uint64_t{1} << folds));
    }
  };
  if (kind.are_words) {
    return for_each([&](std::byte* one, const std::byte* first, std::uint64_t some) {
      bits::store_word(one, 0, fold_words(first, some, folds));
    });
  }
  const auto by_words = [&](auto words) {
    for_each([&](std::byte* one, const std::byte* first, std::uint64_t some) { fold_block(one, first, some, words); });
  };
  if (kind.bytes == 64) return by_words(fixed<8>{});
  if (kind.bytes == 32) return by_words(fixed<4>{});
  by_words(static_cast<dynamic>(kind.bytes / bits::word_bytes));
}

/// Parameters of a filter of which so many elements are looked at as one.
parameters of_elements(parameters p, std::uint64_t count) {
  std::visit(
      [&](auto& q) {
        if constexpr (requires {
                        q.folds;
                        q.blocks;
                      })
          q.blocks = count << q.folds;
        if constexpr (requires {
                        q.folds;
                        q.bits;
                      })
          q.bits = (count * bits::word_bits) << q.folds;
      },
      p);
  return p;
}

double rate_of(const parameters& p, const std::byte* bytes) {
  return std::visit([&](const auto& recipe) { return recipe.placement.estimate(recipe.blocks(bytes), 0).fpr; },
                    recipe_for(p));
}

}  // namespace

std::uint32_t most_folds_of(const parameters& p, std::string* why_not) {
  const auto none = [&](const std::string& sentence) {
    if (why_not != nullptr) *why_not = sentence;
    return 0U;
  };
  const elements all = elements_of(p);
  if (all.count == 0) {
    const auto* const classic = std::get_if<classic_parameters>(&p);
    if (classic != nullptr) return none("a classic filter with double hashing cannot be folded: its keys lie on lines");
    return none("a filter of scheme " + std::string(scheme_name(p)) +
                " cannot be folded; blocked, gated, bloom-g and classic ones can");
  }
  std::uint32_t most = 0;
  const std::uint32_t left = most_folds - folds_of(p);
  if (all.are_words) {
    const auto& classic = std::get<classic_parameters>(p);
    const std::uint64_t array = folded_count(classic.bits, classic.folds);
    const std::uint64_t least = std::max<std::uint64_t>(least_block_bits, classic.hashes);
    while (most < left && folded_count(array, most + 1) >= least) ++most;
  } else {
    while (most < left && folded_count(all.count, most) > 1) ++most;
  }
  if (most == 0) return none("the filter has been folded as often as it can be: there is one block left of it");
  return most;
}

void require_folds(const parameters& p, std::uint32_t folds) {
  std::string why_not;
  const std::uint32_t most = most_folds_of(p, &why_not);
  if (folds <= most) return;
  throw parameter_error(most == 0 ? why_not
                                  : "the filter can be folded " + std::to_string(most) + " times more, not " +
                                        std::to_string(folds));
}

void fold_bytes(const parameters& p, owned_bytes& from, std::uint32_t folds, owned_bytes& to) noexcept {
  const elements all = elements_of(p);
  const std::uint64_t step = std::max(std::uint64_t{4} << 20, all.bytes << folds) / (all.bytes << folds) << folds;
  for (std::uint64_t done = 0; done < all.count; done += step) {
    const std::uint64_t count = std::min(step, all.count - done);
    fold(all, to.data() + (done >> folds) * all.bytes, from.data() + done * all.bytes, count, folds);
    from.forget(done * all.bytes, count * all.bytes);
  }
}

double rate_after_folds(const parameters& p, std::span<const std::byte> bytes, std::uint32_t folds) {
  constexpr std::uint64_t most_sampled = std::uint64_t{2} << 20;  // bytes, folded
  const elements all = elements_of(p);
  const std::uint64_t unit = std::max(all.group, std::uint64_t{1} << folds);  // both are powers of two
  const std::uint64_t units = all.count / unit;
  const std::uint64_t sampled = most_sampled / std::max(all.bytes, (unit * all.bytes) >> folds);
  if (folded_count(all.count, folds) * all.bytes <= most_sampled || units <= sampled) {
    std::vector<std::byte> whole(folded_count(all.count, folds) * all.bytes);
    fold(all, whole.data(), bytes.data(), all.count, folds);
    return rate_of(folded_so_often(p, folds), whole.data());
  }
  std::vector<std::byte> some(sampled * ((unit >> folds) * all.bytes));
  for (std::uint64_t i = 0; i < sampled; ++i) {
    const auto number = static_cast<std::uint64_t>(static_cast<uint128>(units) * i / sampled);
    fold(all, some.data() + i * (unit >> folds) * all.bytes, bytes.data() + number * unit * all.bytes, unit, folds);
  }
  return rate_of(folded_so_often(of_elements(p, sampled * unit), folds), some.data());
}

std::uint32_t folds_within(const parameters& p, std::span<const std::byte> bytes, double fpr) {
  if (!(fpr > 0 && fpr < 1)) {
    throw parameter_error("a false positive rate lies between 0 and 1, not " + number_text(fpr));
  }
  if (!may_be_folded(p)) require_folds(p, 1);  // which says why
  const std::uint32_t most = most_folds_of(p);
  std::uint32_t folds = 0;
  while (folds < most && rate_after_folds(p, bytes, folds + 1) <= fpr) ++folds;
  return folds;
}

}  // namespace sluice::detail
