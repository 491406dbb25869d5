// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/front: the bulk calls of every filter, written once. A filter is derived from them in private, lets them in as
// friends, and says `using bulk_lookups<...>::may_contain_bulk`, with a comment for its readers. What they call is
// compiled once in a filter, for digests:
//
//   hash_                                 the filter's hash
//   look_up_chunk(chunk, out)             1 or 0 for each key of a chunk
//   insert_chunk(chunk, out)              how many keys of a chunk were new; with 1 or 0 for each, unless out is null
//   insert_digests(digests, threads, out) the same for many, by several threads
//   erase_chunk(chunk, out)               how many keys of a chunk were erased; with 1 or 0 for each
//   count_chunk(chunk, out)               how often each key of a chunk seems to be in
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/threads.hpp"

namespace sluice::detail {

template <class Filter>
class bulk_lookups {
public:
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, bulk::answers answers) const {
    bulk::look_up_in_chunks(self().hash_, span_of(keys), answers, look_up());
  }
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, bulk::answers answers, std::uint32_t threads) const {
    bulk::look_up_by_threads(self().hash_, span_of(keys), answers, threads, look_up());
  }

private:
  friend Filter;
  bulk_lookups() = default;
  [[nodiscard]] const Filter& self() const noexcept { return static_cast<const Filter&>(*this); }
  /// One type for a filter, whatever its keys.
  [[nodiscard]] auto look_up() const noexcept {
    return [&filter = self()](const bulk::chunk& some, std::uint8_t* out) { filter.look_up_chunk(some, out); };
  }
};

template <class Filter>
class bulk_insertions {
public:
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    return bulk::insert_in_chunks(self().hash_, span_of(keys),
                                  [&](const bulk::chunk& some) { return self().insert_chunk(some, nullptr); });
  }
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, std::uint32_t threads) {
    if (threads == 1) return insert_bulk(keys);
    return bulk::insert_by_threads(self().hash_, span_of(keys), threads, [&](std::span<const digest> some) {
      return self().insert_digests(some, threads, nullptr);
    });
  }
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new) {
    return bulk::insert_in_chunks(
        self().hash_, span_of(keys), were_new,
        [&](const bulk::chunk& some, std::uint8_t* out) { return self().insert_chunk(some, out); });
  }
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new, std::uint32_t threads) {
    if (threads == 1) return insert_bulk(keys, were_new);
    return bulk::insert_by_threads(
        self().hash_, span_of(keys), were_new, threads,
        [&](std::span<const digest> some, std::uint8_t* out) { return self().insert_digests(some, threads, out); });
  }

private:
  friend Filter;
  bulk_insertions() = default;
  [[nodiscard]] Filter& self() noexcept { return static_cast<Filter&>(*this); }
};

template <class Filter>
class bulk_erasures {
public:
  template <bulk_keys Keys>
  std::uint64_t erase_bulk(const Keys& keys) {
    std::array<std::uint8_t, bulk::chunk_keys> unwanted;
    return bulk::insert_in_chunks(self().hash_, span_of(keys),
                                  [&](const bulk::chunk& some) { return self().erase_chunk(some, unwanted.data()); });
  }
  template <bulk_keys Keys>
  std::uint64_t erase_bulk(const Keys& keys, bulk::answers were_in) {
    return bulk::insert_in_chunks(
        self().hash_, span_of(keys), were_in,
        [&](const bulk::chunk& some, std::uint8_t* out) { return self().erase_chunk(some, out); });
  }

private:
  friend Filter;
  bulk_erasures() = default;
  [[nodiscard]] Filter& self() noexcept { return static_cast<Filter&>(*this); }
};

template <class Filter>
class bulk_counts {
public:
  template <bulk_keys Keys>
  void count_bulk(const Keys& keys, std::span<std::uint64_t> counts) const {
    bulk::count_in_chunks(self().hash_, span_of(keys), counts,
                          [&](const bulk::chunk& some, std::uint64_t* out) { self().count_chunk(some, out); });
  }

private:
  friend Filter;
  bulk_counts() = default;
  [[nodiscard]] const Filter& self() const noexcept { return static_cast<const Filter&>(*this); }
};

}  // namespace sluice::detail
