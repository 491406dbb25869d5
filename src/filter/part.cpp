// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/extend/part.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "filter/bodies.hpp"
#include "filter/engine.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/errors.hpp"

namespace sluice::extend {

using detail::groups_of;
using detail::most_bumped;
using detail::page_bytes;
using detail::sealed_layout;
using detail::stride_for;
namespace bulk = detail::bulk;

namespace {

constexpr std::uint64_t most_whole_bytes = std::uint64_t{1} << 46;  // 64 TiB

struct block_counts {
  detail::block_groups firsts{0, 1};
  std::uint64_t block_bytes = 1;
  std::uint64_t page_blocks = 1;

  [[nodiscard]] std::uint64_t pages() const noexcept {
    return firsts.drawn_blocks() == 0 ? 0 : (firsts.blocks() - 1) / page_blocks + 1;
  }
};

/// Can filters of this scheme be cut into parts?
template <class Parameters>
constexpr bool has_parts = (Parameters::which == scheme::blocked || traits_of(Parameters::which).may_share_a_page) &&
                           !traits_of(Parameters::which).erases_keys;  // whose list is one for all pages

/// Zero blocks: the blocks of a key need not lie in one page.
block_counts counts_of(const parameters& whole) {
  return std::visit(
      [](const auto& p) -> block_counts {
        if constexpr (has_parts<std::remove_cvref_t<decltype(p)>>) {
          const std::uint64_t stride = stride_for(p.block_bits);
          const detail::block_groups firsts(p.blocks, 1, detail::folds_in(p));
          if constexpr (requires { p.fingerprint_bits; }) {
            return {firsts, stride, groups_of(p).group_blocks()};
          }
          bool in_a_page = page_bytes % stride == 0;
          if constexpr (requires { p.second; }) in_a_page = in_a_page && p.second == second_block::page;
          if (in_a_page) return {firsts, stride, page_bytes / stride};
        }
        return {};
      },
      whole);
}

/// The most members that any builder leaves in the list. All keys are in the columns of blocks or in the list, so that
/// there are fewer than twice as many as columns, and some.
std::uint64_t most_listed(const parameters& whole) {
  const auto* const sealed = std::get_if<sealed_parameters>(&whole);
  if (sealed == nullptr) return 0;
  const sealed_layout layout(sealed->block_bits, sealed->fingerprint_bits);
  return most_bumped(2 * (sealed->blocks * layout.columns + most_bumped(0)));
}

/// The parameters of a filter whose keys are drawn from other blocks.
parameters with_blocks(parameters p, std::uint64_t drawn_blocks, std::uint32_t folds) {
  std::visit(
      [&](auto& q) {
        if constexpr (requires { q.blocks; }) q.blocks = drawn_blocks;
        if constexpr (requires {
                        q.blocks;
                        q.folds;
                      })
          q.folds = folds;
      },
      p);
  return p;
}

/// Blocks of a part as a filter of their own.
filter local_of(const part_description& d, const page_cut& cut, std::pmr::memory_resource* memory) {
  const detail::block_groups& firsts = cut.firsts();
  const std::uint64_t begin = cut.begin(d.number) << firsts.folds();
  const std::uint64_t end = std::min(cut.begin(d.number + 1) << firsts.folds(), firsts.drawn_blocks());
  return {with_blocks(d.whole, end - begin, firsts.folds()), [&](std::span<std::byte> /*zeros*/) { return d.keys; },
          d.overflowed, memory};
}

/// Of a part that there can be.
page_cut cut_of(const part_description& d) {
  const page_cut cut(d.whole, d.parts);
  if (d.number >= cut.parts()) {
    throw parameter_error("there is no part " + std::to_string(d.number) + " of " + std::to_string(cut.parts()));
  }
  cut.require_list(d.number, d.overflowed);
  return cut;
}

}  // namespace

std::uint64_t page_cut::most_parts_of(const parameters& whole) {
  return std::min<std::uint64_t>(counts_of(whole).pages(), most_parts);
}

page_cut::page_cut(const parameters& whole, std::uint32_t parts) : parts_(parts) {
  const block_counts c = counts_of(whole);
  pages_ = c.pages();
  if (detail::erases_keys(whole)) {
    throw parameter_error("a ledger cannot be cut into parts; choose blocked, gated, bloom-g or sealed");
  }
  if (pages_ == 0) {
    throw parameter_error("a filter of scheme " + std::string(detail::scheme_name(whole)) +
                          " whose keys have blocks in several pages cannot be cut into parts; choose blocked, gated, "
                          "bloom-g or sealed");
  }
  if (bytes_for(whole) > most_whole_bytes) throw parameter_error("a filter above 64 TiB cannot be cut into parts");
  if (parts == 0 || parts > most_parts || parts > pages_) {
    throw parameter_error("a filter of " + std::to_string(pages_) + " pages of " +
                          std::to_string(c.page_blocks * c.block_bytes) + " bytes cannot be cut into " +
                          std::to_string(parts) + " parts");
  }
  firsts_ = c.firsts;
  block_bytes_ = c.block_bytes;
  page_blocks_ = c.page_blocks;
  most_listed_ = most_listed(whole);
}

overflow_state page_cut::list_of(std::uint32_t part, const overflow_state& whole) const noexcept {
  const detail::sorted_list_view list(whole);
  const auto numbers = std::views::iota(std::uint64_t{0}, list.size());
  const auto before = [&](std::uint32_t limit) {  // members of earlier parts
    const auto is_earlier = [&](std::uint64_t number) { return part_of(list[number]) < limit; };
    return static_cast<std::uint64_t>(std::ranges::partition_point(numbers, is_earlier) - numbers.begin());
  };
  const std::uint64_t first = before(part);
  const std::uint64_t count = before(part + 1) - first;
  return {.slots = whole.slots.subspan(first * detail::bits::word_bytes, count * detail::bits::word_bytes),
          .keys = count};
}

void page_cut::require_list(std::uint32_t part, const overflow_state& overflowed) const {
  const detail::sorted_list_view list(overflowed);
  const auto require = [](bool holds, const char* reason) {
    if (!holds) throw parameter_error(std::string("the list of a part: ") + reason);
  };
  require(overflowed.slots.size() == list.size() * detail::bits::word_bytes && overflowed.keys == list.size(),
          "it has not 8 bytes for every member");
  require(overflowed.spent == 0 && !overflowed.holds_zero && !overflowed.budget_spent, "it has no flags and no budget");
  require(list.size() <= most_listed_, "it has more members than any builder leaves there");
  require(list.first_out_of_order() == list.size(), "a member is not larger than the one before");
  if (list.size() == 0) return;
  // What lies between two digests of a part is of that part, too.
  require(part_of(list[0]) == part && part_of(list[list.size() - 1]) == part, "a member belongs to another part");
}

filter_part::filter_part(const part_description& d, std::pmr::memory_resource* memory)
    : number_(d.number),
      parts_(d.parts),
      firsts_(counts_of(d.whole).firsts),
      planned_keys_(d.planned_keys),
      begin_(cut_of(d).begin(d.number)),
      end_(page_cut(d.whole, d.parts).begin(d.number + 1)),
      local_(local_of(d, page_cut(d.whole, d.parts), memory)) {
  const auto share = static_cast<detail::uint128>(d.planned_keys) * (end_ - begin_) / firsts_.blocks();
  local_.set_plan(static_cast<std::uint64_t>(share) + 1, d.planned_fpr);
  take_engine();
}
filter_part::filter_part(const filter_part& other)
    : number_(other.number_),
      parts_(other.parts_),
      firsts_(other.firsts_),
      planned_keys_(other.planned_keys_),
      begin_(other.begin_),
      end_(other.end_),
      local_(other.local_) {
  take_engine();
}
filter_part::~filter_part() = default;

/// What keys do to blocks is the whole filter's.
void filter_part::take_engine() {
  const parameters whole = with_blocks(local_.params(), firsts_.drawn_blocks(), firsts_.folds());
  engine_ = detail::make_part_engine(whole, local_.raw_bytes().data(), begin_, local_.overflow());
}

part_description filter_part::description() const {
  return {.whole = with_blocks(local_.params(), firsts_.drawn_blocks(), firsts_.folds()),
          .number = number_,
          .parts = parts_,
          .keys = local_.keys_inserted(),
          .planned_keys = planned_keys_,
          .planned_fpr = local_.planned_fpr(),
          .overflowed = local_.overflow()};
}

bool filter_part::may_contain(digest x) const noexcept {
  std::uint8_t answer = 0;
  engine_->look_up_chunk({&x, 1, 1}, &answer);
  return answer != 0;
}

void filter_part::look_up(std::span<const digest> keys, std::span<std::uint8_t> answers) const noexcept {
  for (std::size_t done = 0; done < keys.size(); done += bulk::chunk_keys) {
    const std::size_t left = keys.size() - done;
    const std::size_t count = std::min(left, bulk::chunk_keys);
    engine_->look_up_chunk({keys.data() + done, count, std::min(left, count + bulk::ahead)}, answers.data() + done);
  }
}

std::uint64_t filter_part::insert(std::span<const digest> keys, std::uint8_t* were_new) {
  detail::taking_engine& engine = engine_->taking();
  std::uint64_t fresh = 0;
  for (std::size_t done = 0; done < keys.size(); done += bulk::chunk_keys) {
    const std::size_t left = keys.size() - done;
    const std::size_t count = std::min(left, bulk::chunk_keys);
    std::uint8_t* const out = were_new == nullptr ? nullptr : were_new + done;
    engine.insert_chunk({keys.data() + done, count, std::min(left, count + bulk::ahead)}, out, fresh);
  }
  local_.body_->engine->keys += fresh;
  return fresh;
}

bool filter_part::can_merge(const filter_part& other) const {
  return number_ == other.number_ && parts_ == other.parts_ && firsts_ == other.firsts_ &&
         local_.can_merge(other.local_);
}

void filter_part::merge(const filter_part& other) {
  local_.merge(other.local_);
  take_engine();  // gates may be read in another way now
}

}  // namespace sluice::extend
