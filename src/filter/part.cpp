#include "filter/part.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "filter/body.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/errors.hpp"

namespace sluice {

namespace {

constexpr std::uint64_t most_whole_bytes = std::uint64_t{1} << 46;  // 64 TiB

struct block_counts {
  std::uint64_t blocks;
  std::uint64_t block_bytes;
};

/// Zero blocks: the blocks of a key need not lie in one page.
block_counts counts_of(const parameters& whole) {
  return std::visit(
      [](const auto& p) -> block_counts {
        if constexpr (detail::has_parts<std::remove_cvref_t<decltype(p)>>) {
          bool in_a_page = true;
          if constexpr (requires { p.second; }) in_a_page = p.second == second_block::page;
          if (in_a_page) return {p.blocks, detail::stride_for(p.block_bits)};
        }
        return {0, 1};
      },
      whole);
}

std::uint64_t pages_of(const block_counts& c) {
  if (c.blocks == 0 || page_bytes % c.block_bytes != 0) return 0;
  return (c.blocks - 1) / (page_bytes / c.block_bytes) + 1;
}

parameters with_blocks(parameters p, std::uint64_t blocks) {
  std::visit(
      [&](auto& q) {
        if constexpr (requires { q.blocks; }) q.blocks = blocks;
      },
      p);
  return p;
}

/// Blocks of a part as a filter of their own.
filter local_of(const part_description& d, const page_cut& cut, std::pmr::memory_resource* memory) {
  const std::uint64_t blocks = cut.begin(d.number + 1) - cut.begin(d.number);
  return {with_blocks(d.whole, blocks), [&](std::span<std::byte> /*zeros*/) { return d.keys; }, {}, memory};
}

page_cut demand_number(page_cut cut, std::uint32_t number) {
  if (number < cut.parts()) return cut;
  throw parameter_error("there is no part " + std::to_string(number) + " of " + std::to_string(cut.parts()));
}

}  // namespace

std::uint64_t page_cut::most_parts_of(const parameters& whole) {
  return std::min<std::uint64_t>(pages_of(counts_of(whole)), most_parts);
}

page_cut::page_cut(const parameters& whole, std::uint32_t parts) : parts_(parts) {
  const block_counts c = counts_of(whole);
  pages_ = pages_of(c);
  if (pages_ == 0) {
    throw parameter_error("a filter of scheme " + std::string(scheme_name(whole)) +
                          " whose keys have blocks in several pages cannot be cut into parts; choose blocked, gated "
                          "or bloom-g");
  }
  if (bytes_for(whole) > most_whole_bytes) throw parameter_error("a filter above 64 TiB cannot be cut into parts");
  if (parts == 0 || parts > most_parts || parts > pages_) {
    throw parameter_error("a filter of " + std::to_string(pages_) + " pages of 4096 bytes cannot be cut into " +
                          std::to_string(parts) + " parts");
  }
  blocks_ = c.blocks;
  block_bytes_ = c.block_bytes;
  page_blocks_ = page_bytes / c.block_bytes;
}

filter_part::filter_part(const part_description& d, std::pmr::memory_resource* memory)
    : number_(d.number),
      parts_(d.parts),
      whole_blocks_(counts_of(d.whole).blocks),
      planned_keys_(d.planned_keys),
      begin_(demand_number(page_cut(d.whole, d.parts), d.number).begin(d.number)),
      end_(page_cut(d.whole, d.parts).begin(d.number + 1)),
      local_(local_of(d, page_cut(d.whole, d.parts), memory)) {
  const auto share = static_cast<detail::uint128>(d.planned_keys) * (end_ - begin_) / whole_blocks_;
  local_.set_plan(static_cast<std::uint64_t>(share) + 1, d.planned_fpr);
  take_body();
}
filter_part::filter_part(const filter_part& other)
    : number_(other.number_),
      parts_(other.parts_),
      whole_blocks_(other.whole_blocks_),
      planned_keys_(other.planned_keys_),
      begin_(other.begin_),
      end_(other.end_),
      local_(other.local_) {
  take_body();
}
filter_part::~filter_part() = default;

/// What keys do to blocks is the whole filter's: it is given the place where its block 0 would lie, and touches this
/// part alone. An integer, because no pointer may point there.
void filter_part::take_body() {
  const std::span<std::byte> bytes = local_.raw_bytes();
  const std::uint64_t before = begin_ * (bytes.size() / (end_ - begin_));
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto* const origin = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(bytes.data()) - before);
  const parameters whole = with_blocks(local_.params(), whole_blocks_);
  body_ = std::visit(
      [&](const auto& p) -> std::unique_ptr<detail::part_body> {
        using scheme_parameters = std::remove_cvref_t<decltype(p)>;
        if constexpr (detail::has_parts<scheme_parameters>) {
          return detail::make(p, detail::part_request{whole, origin});
        } else {
          return nullptr;  // page_cut has refused it
        }
      },
      whole);
}

part_description filter_part::description() const {
  return {.whole = with_blocks(local_.params(), whole_blocks_),
          .number = number_,
          .parts = parts_,
          .keys = local_.keys_inserted(),
          .planned_keys = planned_keys_,
          .planned_fpr = local_.planned_fpr()};
}

bool filter_part::may_contain(digest x) const noexcept {
  std::uint8_t answer = 0;
  body_->look_up_chunk({&x, 1, 1}, &answer);
  return answer != 0;
}

void filter_part::look_up(std::span<const digest> keys, std::span<std::uint8_t> answers) const noexcept {
  for (std::size_t done = 0; done < keys.size(); done += bulk::chunk_keys) {
    const std::size_t left = keys.size() - done;
    const std::size_t count = std::min(left, bulk::chunk_keys);
    body_->look_up_chunk({keys.data() + done, count, std::min(left, count + bulk::ahead)}, answers.data() + done);
  }
}

std::uint64_t filter_part::insert(std::span<const digest> keys) {
  std::uint64_t fresh = 0;
  for (std::size_t done = 0; done < keys.size(); done += bulk::chunk_keys) {
    const std::size_t left = keys.size() - done;
    const std::size_t count = std::min(left, bulk::chunk_keys);
    fresh += body_->insert_chunk({keys.data() + done, count, std::min(left, count + bulk::ahead)});
  }
  local_.body_->keys += fresh;
  return fresh;
}

bool filter_part::can_merge(const filter_part& other) const {
  return number_ == other.number_ && parts_ == other.parts_ && whole_blocks_ == other.whole_blocks_ &&
         local_.can_merge(other.local_);
}

void filter_part::merge(const filter_part& other) {
  local_.merge(other.local_);
  take_body();  // gates may be read in another way now
}

}  // namespace sluice
