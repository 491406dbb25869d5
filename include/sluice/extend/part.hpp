// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/part: a filter that is too large for one place, cut into ranges of whole pages of its blocks.
//
//   | part 0 | part 1 | ...            part i of S: pages i P/S to (i+1) P/S, rounded down, of its P pages
//
// All blocks of a key lie in the page of its first one (blocked; Bloom-g and gated in a page), so that a key belongs to
// one part, which follows from its first block. The bytes of the parts, one after the other, are those of the filter.
//
// The pages of a sealed filter are its groups, of at most 4 KiB. A digest in its list belongs to the part of its first
// block, like any other. The first block rises with the digest, so that a part has a range of the sorted list, and the
// lists of the parts, one after the other, are that of the filter.
//
// Invariants: a part holds what the whole filter would hold in its blocks after the same keys, byte for byte. Only keys
// whose first block lies in a part may be asked and inserted: has() says which.
// Cost: as that of the filter; has() is a multiplication, part_of() a division.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {
class engine;  // src/filter/engine.hpp
}

namespace sluice::extend {

/// Where the parts of a filter begin and end.
class page_cut {
public:
  static constexpr std::uint32_t most_parts = 16'384;

  /// Precondition: the parameters are normalised. Throws parameter_error for a filter that cannot be cut into so many
  /// parts.
  page_cut(const parameters& whole, std::uint32_t parts);

  /// The most parts that a filter can be cut into; 0: its keys have blocks in several pages. Precondition: normalised.
  [[nodiscard]] static std::uint64_t most_parts_of(const parameters& whole);

  [[nodiscard]] std::uint32_t parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return firsts_.blocks(); }
  /// From which the first block of a key is drawn.
  [[nodiscard]] const detail::block_groups& firsts() const noexcept { return firsts_; }
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return block_bytes_; }
  /// The first block of a part; of the one behind the last, the number of blocks.
  [[nodiscard]] std::uint64_t begin(std::uint32_t part) const noexcept {
    if (part == parts_) return blocks();
    return static_cast<std::uint64_t>(static_cast<detail::uint128>(pages_) * part / parts_) * page_blocks_;
  }
  [[nodiscard]] std::uint64_t bytes_of(std::uint32_t part) const noexcept {
    return (begin(part + 1) - begin(part)) * block_bytes_;
  }
  /// The part that a key belongs to.
  [[nodiscard]] std::uint32_t part_of(digest x) const noexcept {
    const std::uint64_t page = firsts_.first(x) / page_blocks_;
    // The last part i with floor(i P / S) <= page. The product fits: filters have less than 2^34 pages.
    return static_cast<std::uint32_t>(((page + 1) * parts_ - 1) / pages_);
  }

  /// What a part has of the list of the whole filter. Precondition: that list ascends.
  [[nodiscard]] overflow_state list_of(std::uint32_t part, const overflow_state& whole) const noexcept;
  /// Throws parameter_error unless a builder may have made this the list of the part: ascending digests that belong
  /// there, and not too many; of a filter that has no list, none.
  void require_list(std::uint32_t part, const overflow_state& overflowed) const;

private:
  detail::block_groups firsts_{0, 1};
  std::uint64_t block_bytes_ = 0;
  std::uint64_t page_blocks_ = 0;
  std::uint64_t pages_ = 0;
  std::uint64_t most_listed_ = 0;  ///< members of the whole filter's list, at most
  std::uint32_t parts_;
};

/// A part without its bytes.
struct part_description {
  parameters whole = {};           ///< of the filter that it is a part of; normalised
  std::uint32_t number = 0;        ///< of this part
  std::uint32_t parts = 1;         ///< of all
  std::uint64_t keys = 0;          ///< that were inserted into this part
  std::uint64_t planned_keys = 0;  ///< of the whole filter
  double planned_fpr = 0;
  overflow_state overflowed = {};  ///< the list of this part, somebody else's; of sealed filters alone
};

class filter_part {
public:
  /// With bytes that are zero, and to be filled by blocks_of(local()) where the description has keys; the list is
  /// copied. Throws parameter_error, memory_error.
  explicit filter_part(const part_description& d, std::pmr::memory_resource* memory = nullptr);
  filter_part(const filter_part& other);
  filter_part(filter_part&&) = delete;
  filter_part& operator=(const filter_part&) = delete;
  filter_part& operator=(filter_part&&) = delete;
  ~filter_part();

  /// Its list is valid while this part lives.
  [[nodiscard]] part_description description() const;
  /// Its bytes, as a filter of that many blocks: for statistics and files, not for keys.
  [[nodiscard]] const filter& local() const noexcept { return local_; }
  [[nodiscard]] filter& local() noexcept { return local_; }

  /// Does the key belong to this part?
  [[nodiscard]] bool has(digest x) const noexcept {
    const std::uint64_t block = firsts_.first(x);
    return block >= begin_ && block < end_;
  }
  // Precondition of all: has(), for each.
  [[nodiscard]] bool may_contain(digest x) const noexcept;
  /// 1 or 0 for each.
  void look_up(std::span<const digest> keys, std::span<std::uint8_t> answers) const noexcept;
  /// True if it was new. Throws parameter_error where it is a part of a sealed filter.
  bool insert(digest x) { return insert(std::span(&x, 1)) != 0; }
  /// How many were new; writes 1 or 0 for each, unless were_new is null.
  std::uint64_t insert(std::span<const digest> keys, std::uint8_t* were_new = nullptr);

  [[nodiscard]] bool can_merge(const filter_part& other) const;
  /// Precondition: can_merge.
  void merge(const filter_part& other);

private:
  void take_engine();

  std::uint32_t number_;
  std::uint32_t parts_;
  detail::block_groups firsts_;
  std::uint64_t planned_keys_;
  std::uint64_t begin_;
  std::uint64_t end_;
  filter local_;
  std::unique_ptr<detail::engine> engine_;
};

}  // namespace sluice::extend
