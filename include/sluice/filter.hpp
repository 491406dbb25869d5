// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// filter: the type most people use. Scheme, block size and every number are run-time values; what is behind them is
// compiled once, in the library (src/filter/), for every scheme and for the usual shapes of the fast ones.
//
//   auto f = sluice::filter::for_keys(100'000'000, {.fpr = 1e-6});   with plan.hpp: the best parameters for these keys
//   sluice::filter g(sluice::gated_parameters{.blocks = sluice::blocks_for(n, 24), .hashes = 15, .trace = 4,
//                                             .second_hashes = 12, .threshold = 177, .margin = 6});
//   auto s = sluice::filter::sealed(keys, {.fpr = 1e-5});            of keys that are all known: the fewest bits
//   f.insert("key");   f.may_contain("key");   f.stats().fpr_from_fill;
//
// sluice::filter_view answers lookups over caller-owned bytes; sluice::concurrent_filter is shared by threads.
// Invariants: after insert(x) returns, may_contain(x) is true until clear(), or, in a ledger, until erase(x). A filter
// that was moved from is empty and answers false. Threads: lookups may run in parallel; an insert, erase, merge, fold
// or clear excludes everything else (of a concurrent_filter only fold and clear do). Cost: that of the scheme (see
// placement/). A key is hashed where it is used; the rest is behind one indirect call, to code that knows the shape.
// presets.hpp has none.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/front.hpp"
#include "sluice/detail/calls.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/errors.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"
#include "sluice/statistics.hpp"

namespace sluice {

class filter;
struct build_options;
struct plan_request;
struct stored_filter;

namespace detail {

struct filter_body;  // src/filter/bodies.hpp
struct view_body;
struct shared_body;
class taking_engine;  // src/filter/engine.hpp

}  // namespace detail

namespace extend {

class filter_part;                                                                 // extend/part.hpp
filter filter_of(const stored_filter& stored, std::pmr::memory_resource* memory);  // extend/contents.hpp
std::span<std::byte> blocks_of(filter& f) noexcept;
void set_moved_blocks(filter& f, std::byte* to) noexcept;
bool erase_listed(filter& f, digest x);  // extend/ledger_chain.hpp
bool erase_entry(filter& f, digest x);

}  // namespace extend

/// Lookups over the blocks of a filter that the caller owns and keeps: another filter, shared memory, a section of a
/// file. Any alignment will do.
class SLUICE_API filter_view : detail::bulk_lookups<filter_view>, detail::bulk_counts<filter_view> {
public:
  /// The parameters of the filter (as its params() gives them), its bytes, and its overflow if the scheme has one.
  /// Throws parameter_error or layout_error if they do not fit together.
  filter_view(const parameters& p, std::span<const std::byte> bytes, const overflow_state& overflowed = {});
  template <detail::bytes_that_end Bytes>
  filter_view(const parameters& p, Bytes&& bytes, const overflow_state& overflowed = {}) = delete;
  filter_view(const filter_view&) noexcept = default;
  filter_view& operator=(const filter_view&) noexcept = default;
  /// Copies: what was moved from is still a view.
  filter_view(filter_view&& other) noexcept : filter_view(other) {}  // NOLINT(performance-move-constructor-init)
  filter_view& operator=(filter_view&& other) noexcept { return *this = other; }
  ~filter_view() = default;

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return look_up_(hash_(k));
  }
  /// may_contain_bulk(keys, answers), and the same by several threads: see sluice::filter.
  using detail::bulk_lookups<filter_view>::may_contain_bulk;

  /// How often a key seems to be in, and the same of many: see sluice::filter.
  [[nodiscard]] std::uint64_t count(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return count_digest(hash_(k));
  }
  using detail::bulk_counts<filter_view>::count_bulk;

  /// Equal parameters, equal bits and the same keys in the list: both give the same answer for every key.
  friend SLUICE_API bool operator==(const filter_view& a, const filter_view& b);
  /// Of the bits, and of as many keys as were inserted, which the bits do not say.
  [[nodiscard]] statistics stats(std::uint64_t keys) const;
  [[nodiscard]] const parameters& params() const& noexcept;
  [[nodiscard]] parameters params() const&& { return params(); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
  [[nodiscard]] overflow_state overflow() const noexcept;

private:
  friend detail::bulk_lookups<filter_view>;
  friend detail::bulk_counts<filter_view>;
  friend class filter_file;  // which has digests already
  void look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const noexcept;
  [[nodiscard]] std::uint64_t count_digest(digest x) const noexcept;
  void count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept;

  hasher hash_;
  detail::lookup_call look_up_;
  std::shared_ptr<const detail::view_body> body_;
};

class SLUICE_API filter : detail::bulk_lookups<filter>,
                          detail::bulk_insertions<filter>,
                          detail::bulk_erasures<filter>,
                          detail::bulk_counts<filter> {
public:
  /// The best filter for this number of keys, a rate of 0.001, or what else is wanted: {.fpr = 1e-6}, {.memory_bits =
  /// 8e6, .hit_ratio = 0.9} (plan.hpp). Throws parameter_error if no filter keeps all limits.
  [[nodiscard]] static filter for_keys(std::uint64_t keys, const plan_request& wanted);
  [[nodiscard]] static filter for_keys(std::uint64_t keys);
  /// The best that can be folded, for this number of keys or fewer: when all are in, fold_to(the rate) makes it as
  /// small as they need.
  [[nodiscard]] static filter for_at_most(std::uint64_t keys, const plan_request& wanted);
  [[nodiscard]] static filter for_at_most(std::uint64_t keys);

  /// A sealed filter (docs/sealed.md) of these keys, in any order and however often: any range of keys, which is read
  /// once. `wanted` as above, a rate or a memory; `threads` build it (0: all), with the same result. Throws
  /// parameter_error if no sealed filter keeps all limits, key_error for keys that were chosen to meet in some blocks.
  template <key_range Keys>
  [[nodiscard]] static filter sealed(Keys&& keys, const plan_request& wanted, std::uint32_t threads = 1) {
    const hasher hash(planned_seed(wanted));
    digest_store digests;
    if constexpr (requires { std::size(keys); }) digests.reserve_more(std::size(keys));
    for (const auto& k : keys) digests.push_back(hash(k));
    return sealed_from(std::move(digests), wanted, threads);
  }
  template <key_range Keys>
  [[nodiscard]] static filter sealed(Keys&& keys) {
    return sealed(keys, usual_request());
  }

  /// A filter of parameters that the planner gives for keys that are all known (needs_all_keys), by whichever builder
  /// makes it: of digests made under their seed (builders.hpp). Throws parameter_error for parameters of others.
  [[nodiscard]] static filter of_all_keys(const parameters& p, digest_store digests, const build_options& options);

  /// Throws parameter_error for parameters that describe no filter, or a static one, which builders make; memory_error
  /// where there is not enough memory. Without `memory`, it comes from operator new, as huge pages where it is large.
  explicit filter(const parameters& p, std::pmr::memory_resource* memory = nullptr);
  /// For builders and files, which know the bits: `write` fills the bytes, all zero before, with what insertions may
  /// have made of them, and returns how many keys that were, or nothing, if it does not know: then their number is
  /// estimated from the bits. What it must keep true is the scheme's layout, and that every key is found, there or in
  /// the overflow.
  template <std::invocable<std::span<std::byte>> Write>
  filter(const parameters& p, Write&& write, const overflow_state& overflowed = {},
         std::pmr::memory_resource* memory = nullptr)
      : filter(p, memory, to_be_filled{}) {
    if constexpr (std::is_void_v<decltype(write(std::span<std::byte>()))>) {
      write(raw_bytes());
      set_filled(std::nullopt, overflowed);
    } else {
      set_filled(write(raw_bytes()), overflowed);
    }
  }

  filter(const filter& other);
  filter(filter&& other) noexcept;
  filter& operator=(const filter& other);
  filter& operator=(filter&& other) noexcept;
  ~filter();

  /// True if the key was new: nothing in the filter answered for it before. A ledger keeps keys as often as they are
  /// inserted: there it is always true. Throws where a list cannot take it: std::bad_alloc, key_error; full_error
  /// where a ledger, or a list, is full.
  bool insert(const key auto& k) { return insert_(hash_(k)); }

  /// False: the key was never inserted. True: it was, or a false positive.
  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return look_up_(hash_(k));
  }

  /// Takes a key out of a ledger again, once. False: nothing in the filter was like it. The key must have been
  /// inserted, and not been erased as often: erasing one that was not may take the entry of another. Throws
  /// parameter_error for filters of other schemes, whose keys share their bits.
  bool erase(const key auto& k) { return erase_digest(hash_(k)); }
  /// erase_bulk(keys): erases all, as single calls would, with several blocks on their way; returns how many were in.
  /// erase_bulk(keys, answers): the same, and says of each whether it was.
  using detail::bulk_erasures<filter>::erase_bulk;

  /// How often a key seems to be in. Never less than it was inserted and not erased; more, where another looks like it.
  /// Filters that keep no copies say 0 or 1.
  [[nodiscard]] std::uint64_t count(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return count_digest(hash_(k));
  }
  /// count_bulk(keys, counts): the same of many: counts[i] is that of keys[i]. Throws parameter_error if there is no
  /// room for them.
  using detail::bulk_counts<filter>::count_bulk;

  /// Asks for the memory that an operation on this key will read first: worth it a few dozen nanoseconds before.
  void prefetch(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    prefetch_digest(hash_(k));
  }

  /// The same operations, with the number of blocks that they read.
  [[nodiscard]] lookup_outcome probe(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return probe_digest(hash_(k));
  }
  insert_outcome insert_and_count(const key auto& k) { return insert_digest_and_count(hash_(k)); }

  /// insert_bulk(keys): inserts all in their order, as single insertions would, with several blocks on their way at any
  /// time; large filters take keys several times faster so. Returns how many were new.
  /// insert_bulk(keys, threads): the same by several threads (0: all), with the same result. Schemes whose keys may go
  /// anywhere in the table are filled by one; then only the digests are made by several.
  /// insert_bulk(keys, answers), insert_bulk(keys, answers, threads): the same, and says of each key whether it was
  /// new, as insert() would have said in their order: of equal keys that are not there, the first. Answers go where
  /// those of may_contain_bulk go, which are their opposite but for keys that come twice. Throws parameter_error, and
  /// inserts nothing, if there is no room for the answers.
  using detail::bulk_insertions<filter>::insert_bulk;

  /// may_contain_bulk(keys, answers): looks all up and writes an answer for each: into an array, vector or span of
  /// std::uint8_t (1 or 0), bool, or std::uint64_t (bit i mod 64 of word i / 64). Throws parameter_error if there is no
  /// room for them.
  /// may_contain_bulk(keys, answers, threads): the same by several threads (0: all).
  using detail::bulk_lookups<filter>::may_contain_bulk;

  /// Afterwards every key of either filter is found here. Throws merge_error unless all parameters and the seed agree.
  void merge(const filter& other);
  /// Would merge() do? If not, and if there is room for it, `why_not` gets the sentence.
  [[nodiscard]] bool can_merge(const filter& other, std::string* why_not = nullptr) const;
  /// Equal parameters, equal bits and the same keys in the list: both give the same answer for every key.
  friend SLUICE_API bool operator==(const filter& a, const filter& b);
  /// Forgets all keys; keeps parameters and memory.
  void clear() noexcept;

  /// Halves the filter so often; it has every key that it had, and a higher rate (docs/sizes.md). For blocked, gated,
  /// Bloom-g and classic filters; a static one is not static afterwards. Throws parameter_error where it cannot be
  /// folded so often, memory_error where there is no memory for the new one; then nothing has changed.
  void fold(std::uint32_t times = 1);
  /// Halves it as often as its rate, by its bits, stays at most `fpr`; returns how often that was. Throws as fold does.
  std::uint32_t fold_to(double fpr);
  /// How often can it be folded? If not at all, and if there is room for it, `why_not` gets the sentence.
  [[nodiscard]] std::uint32_t most_folds(std::string* why_not = nullptr) const;

  [[nodiscard]] statistics stats() const;
  /// As the filter was made: the number of blocks is the real one.
  [[nodiscard]] const parameters& params() const& noexcept;
  [[nodiscard]] parameters params() const&& { return params(); }
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return keys_inserted() == 0; }
  /// For which it was made by for_keys, or as its file says, and the rate at that number; 0: not known.
  [[nodiscard]] std::uint64_t planned_keys() const noexcept;
  [[nodiscard]] double planned_fpr() const noexcept;
  /// It has more keys than it was made for: its false positive rate is above what was planned.
  [[nodiscard]] bool overfull() const noexcept { return planned_keys() != 0 && keys_inserted() > planned_keys(); }
  /// The blocks, as they will lie in a file. Valid while this filter lives, as are the next two; so they are not for
  /// one that ends with the expression.
  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept;
  [[nodiscard]] std::span<const std::byte> bytes() const&& = delete;
  /// What of the keys is not in the blocks. Valid while this filter lives and is not written to.
  [[nodiscard]] overflow_state overflow() const& noexcept;
  [[nodiscard]] overflow_state overflow() const&& = delete;
  /// Valid while this filter lives and is not written to.
  [[nodiscard]] filter_view view() const& { return {params(), bytes(), overflow()}; }
  [[nodiscard]] filter_view view() const&& = delete;

private:
  friend detail::bulk_lookups<filter>;
  friend detail::bulk_insertions<filter>;
  friend detail::bulk_erasures<filter>;
  friend detail::bulk_counts<filter>;
  friend class filter_file;          // which has digests already
  friend class extend::filter_part;  // which puts keys into some of the blocks
  friend filter extend::filter_of(const stored_filter& stored, std::pmr::memory_resource* memory);
  friend std::span<std::byte> extend::blocks_of(filter& f) noexcept;
  friend void extend::set_moved_blocks(filter& f, std::byte* to) noexcept;
  friend bool extend::erase_listed(filter& f, digest x);
  friend bool extend::erase_entry(filter& f, digest x);
  [[nodiscard]] static const plan_request& usual_request() noexcept;
  [[nodiscard]] static std::uint64_t planned_seed(const plan_request& wanted) noexcept;
  [[nodiscard]] static filter sealed_from(digest_store digests, const plan_request& wanted, std::uint32_t threads);
  struct to_be_filled {};
  filter(const parameters& p, std::pmr::memory_resource* memory, to_be_filled /*by the caller*/);
  void set_plan(std::uint64_t keys, double fpr) noexcept;

  void look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const noexcept;
  // Where somebody wants to know which keys were new, `out` gets 1 or 0 for each.
  std::uint64_t insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out);
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out);
  bool erase_digest(digest x);
  std::uint64_t erase_chunk(const detail::bulk::chunk& some, std::uint8_t* out);
  [[nodiscard]] std::uint64_t count_digest(digest x) const noexcept;
  void count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept;
  void prefetch_digest(digest x) const noexcept;
  [[nodiscard]] lookup_outcome probe_digest(digest x) const noexcept;
  insert_outcome insert_digest_and_count(digest x);
  [[nodiscard]] std::span<std::byte> raw_bytes() noexcept;
  void set_moved(std::byte* to) noexcept;
  void set_filled(std::optional<std::uint64_t> keys, const overflow_state& overflowed);
  void fold_keeping(std::uint32_t times, std::uint64_t kept);
  void take_calls() noexcept;
  [[nodiscard]] detail::taking_engine& taking_keys();

  hasher hash_;
  detail::lookup_call look_up_;
  detail::insert_call insert_;
  std::unique_ptr<detail::filter_body> body_;  // none: moved from
};

/// One filter that many threads insert into and look up at the same time, without locks.
///
///   sluice::concurrent_filter f(sluice::gated_parameters{...});
///   std::jthread a([&] { f.insert(1); });   std::jthread b([&] { f.may_contain(1); });
///
/// For the schemes whose memory is nothing but bits that go from 0 to 1: blocked, Bloom-g, gated, 1+alpha and
/// two-choice by set bits, classic, choice groups. Those with counters or lists (SINGLE, SEQUENTIAL, MHT, loads counted
/// in keys) are refused.
///
/// Bits are set with fetch_or and read with relaxed loads of 64-bit words (detail/memory/words.hpp says why that is
/// enough). What is promised: a key whose insert returned, in this thread or in one that this thread has synchronised
/// with, is found, whatever runs at the same time. Two threads that insert one key at once may both be told that it was
/// new and both place it, and a block may take a key or two more than h, because loads are read without stopping the
/// others: the false positive rate does not notice, unless threads insert the same keys in step.
/// The number of keys is not counted (one counter would be the only word that all threads write): stats() estimates it
/// from the fill. Cost: that of the scheme; docs/gated.md has what sharing costs in time.
class SLUICE_API concurrent_filter : detail::bulk_lookups<concurrent_filter>,
                                     detail::bulk_insertions<concurrent_filter> {
public:
  /// Throws parameter_error for parameters that describe no filter, or a scheme that cannot be shared; memory_error
  /// where there is not enough memory.
  explicit concurrent_filter(const parameters& p, std::pmr::memory_resource* memory = nullptr);

  /// With the keys that the filter has. A static one stays static.
  explicit concurrent_filter(const filter& f);
  /// The best filter for this number of keys that threads can share: see filter::for_keys.
  [[nodiscard]] static concurrent_filter for_keys(std::uint64_t keys, const plan_request& wanted);
  [[nodiscard]] static concurrent_filter for_keys(std::uint64_t keys);

  concurrent_filter(const concurrent_filter&) = delete;
  concurrent_filter& operator=(const concurrent_filter&) = delete;
  concurrent_filter(concurrent_filter&&) = delete;
  concurrent_filter& operator=(concurrent_filter&&) = delete;
  ~concurrent_filter();

  /// True if nothing in the filter answered for the key before.
  bool insert(const key auto& k) noexcept(detail::hashed_without_error<decltype(k)>) { return insert_(hash_(k)); }
  /// insert_bulk(keys): all keys, in their order; several blocks are on their way at any time. Returns how many nothing
  /// answered for before.
  /// insert_bulk(keys, threads): the same by several threads (0: all), in any order.
  /// insert_bulk(keys, answers): says of each key whether nothing answered for it before: of equal keys in one call, of
  /// the first. Where other calls insert the same keys at the same time, each may be told that a key was new; one is,
  /// unless it is a false positive. Answers go where those of may_contain_bulk go. Throws parameter_error, and inserts
  /// nothing, if there is no room for them.
  /// insert_bulk(keys, answers, threads): the same by several. Equal keys are one thread's, and still the first of them
  /// is the new one.
  using detail::bulk_insertions<concurrent_filter>::insert_bulk;

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return look_up_(hash_(k));
  }
  /// may_contain_bulk(keys, answers), and the same by several threads: see sluice::filter.
  using detail::bulk_lookups<concurrent_filter>::may_contain_bulk;

  /// Afterwards every key of the other is found here, too, also by threads that go on meanwhile. Throws merge_error
  /// unless all parameters and the seed agree, and if this one is static: threads that look keys up would have to learn
  /// that it no longer is.
  void merge(const filter& other);
  /// Forgets all keys. Other threads must not use the filter meanwhile.
  void clear() noexcept;
  /// Halves it so often, or as often as its rate stays at most `fpr`: see sluice::filter. Other threads must not use
  /// the filter meanwhile.
  void fold(std::uint32_t times = 1);
  std::uint32_t fold_to(double fpr);

  /// An unshared copy. Taken while others insert, it has every key whose insert returned before, and perhaps some later
  /// ones. `keys` is for those who have counted how many were new; without it, their number is estimated from the bits.
  [[nodiscard]] filter snapshot(std::optional<std::uint64_t> keys = std::nullopt) const;
  /// Of a snapshot.
  [[nodiscard]] statistics stats() const { return snapshot().stats(); }

  [[nodiscard]] const parameters& params() const& noexcept;
  [[nodiscard]] parameters params() const&& { return params(); }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept;

private:
  friend detail::bulk_lookups<concurrent_filter>;
  friend detail::bulk_insertions<concurrent_filter>;
  struct to_be_filled {};
  concurrent_filter(const parameters& p, std::pmr::memory_resource* memory, to_be_filled /*by the caller*/);
  void add_bits_of(const filter& other) noexcept;
  void take_calls() noexcept;

  void look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const noexcept;
  std::uint64_t insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out) noexcept;
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out);

  hasher hash_;
  std::unique_ptr<detail::shared_body> body_;
  detail::lookup_call look_up_;
  detail::insert_call insert_;
};

}  // namespace sluice
