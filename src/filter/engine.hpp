// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// filter/engine: all that is done to the bytes of a filter whose parameters are run-time values. An engine knows what
// the bytes mean (a recipe), where they lie, which block they begin with, and what of the keys is not in them. It owns
// no bytes; its owners own, and do little else:
//
//   filter              bytes of its own             takes keys; of a sealed filter: looks
//   filter_view         caller-owned bytes           looks
//   concurrent_filter   bytes that threads share     takes keys
//   filter_part         bytes of some of the blocks  as the filter
//
// Engines come in three faces: all look, most take keys, those of ledgers give them back as well.
//
// Operations on one key go through plain function pointers, which owners keep beside their hash, so that each is one
// indirect jump to code that knows the shape; all others are virtual.
//
// Invariants: the bytes stay where they are until set_bytes says otherwise. Engines of equal parameters that were made
// by one function are of one type, so that they can be compared and united.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/calls.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/parameters.hpp"
#include "sluice/statistics.hpp"

namespace sluice::detail {

class taking_engine;
class erasing_engine;

class engine {
public:
  engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  engine(engine&&) = delete;
  engine& operator=(engine&&) = delete;
  virtual ~engine() = default;

  /// Where single operations go: good until a union. Where no keys are taken, an insertion throws parameter_error.
  [[nodiscard]] virtual lookup_call look_up() const noexcept = 0;
  [[nodiscard]] virtual insert_call insert() noexcept { return {&refuse_key, this}; }
  [[nodiscard]] virtual lookup_outcome probe(digest x) const noexcept = 0;
  virtual void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept = 0;
  /// How often a key seems to be in: 1 at most, where copies are not kept.
  [[nodiscard]] virtual std::uint64_t count(digest x) const noexcept = 0;
  virtual void count_chunk(const bulk::chunk& some, std::uint64_t* out) const noexcept = 0;
  virtual void prefetch(digest x) const noexcept = 0;

  /// What of the keys is not in the blocks. An owner's engine has it, a view's looks at it.
  [[nodiscard]] virtual overflow_state overflow() const noexcept = 0;
  virtual void set_overflow(const overflow_state& state) = 0;
  /// The bytes lie elsewhere now. Calls to single operations stay good.
  virtual void set_bytes(std::byte* bytes) noexcept = 0;
  /// Are the same keys outside the blocks? Precondition: both were made by one function for equal parameters, and have
  /// equally many there.
  [[nodiscard]] virtual bool lists_the_same(const engine& other) const noexcept = 0;

  /// The same engine, if it takes keys; throws parameter_error if not.
  [[nodiscard]] virtual taking_engine& taking();
  /// The same engine, if it gives keys back; throws parameter_error if not.
  [[nodiscard]] virtual erasing_engine& erasing();

  /// That were inserted, where the owner counts them: not in a view, nor where threads share the bytes.
  std::uint64_t keys = 0;

private:
  static bool refuse_key(void* filter, digest x);
};

class taking_engine : public engine {
public:
  [[nodiscard]] taking_engine& taking() override { return *this; }

  [[nodiscard]] virtual insert_outcome insert_and_count(digest x) = 0;
  /// Adds to `fresh` how many were new, also where it throws half way; with 1 or 0 in `out` for each, unless it is
  /// null. Several threads may insert keys of different groups at the same time.
  virtual void insert_chunk(const bulk::chunk& some, std::uint8_t* out, std::uint64_t& fresh) = 0;
  /// Groups of blocks, such that a key writes to blocks of one of them and to nothing else: threads that insert keys of
  /// different groups do not meet. One group: there are none such.
  [[nodiscard]] virtual block_groups groups() const noexcept = 0;
};

/// One that gives keys back, and takes them as often as they come.
class erasing_engine : public taking_engine {
public:
  [[nodiscard]] erasing_engine& erasing() final { return *this; }

  /// One copy; false, if nothing is like it. Counts it.
  [[nodiscard]] virtual bool erase(digest x) noexcept = 0;
  /// The two halves of it, for a chain: all lists are asked before any blocks are.
  [[nodiscard]] virtual bool erase_listed(digest x) noexcept = 0;
  [[nodiscard]] virtual bool erase_entry(digest x) noexcept = 0;
  /// Returns how many were erased; with 1 or 0 in `out` for each.
  virtual std::uint64_t erase_chunk(const bulk::chunk& some, std::uint8_t* out) noexcept = 0;
};

// Precondition of all: the parameters are normalised, and there are bytes_for() them from `bytes` on, or as many as the
// blocks from `origin` to somewhere have.

/// For an owner; with a copy of the overflow.
[[nodiscard]] std::unique_ptr<engine> make_engine(const parameters& p, std::byte* bytes,
                                                  const overflow_state& overflowed = {});
/// Afterwards every key of either is found in the first, which counts them. Precondition: both were made by make_engine
/// for parameters that are equal when they are united.
void unite(const parameters& p, engine& ours, const engine& theirs);
/// The overflow is the caller's.
[[nodiscard]] std::unique_ptr<engine> make_view_engine(const parameters& p, const std::byte* bytes,
                                                       const overflow_state& overflowed);
/// For keys whose blocks are all among those that begin with block `origin`. The overflow is the caller's; what takes
/// keys here has none.
[[nodiscard]] std::unique_ptr<engine> make_part_engine(const parameters& whole, std::byte* bytes, std::uint64_t origin,
                                                       const overflow_state& overflowed);
/// Can threads share such a filter?
[[nodiscard]] bool can_be_shared(const parameters& p);
/// Precondition: can_be_shared.
[[nodiscard]] std::unique_ptr<taking_engine> make_shared_engine(const parameters& p, shared_byte* bytes);

/// What the bits say of a filter of so many keys.
[[nodiscard]] statistics count_statistics(const parameters& p, const std::byte* bytes, const overflow_state& overflowed,
                                          std::uint64_t keys);

}  // namespace sluice::detail
