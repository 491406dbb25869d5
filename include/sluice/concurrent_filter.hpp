// concurrent: one filter that many threads insert into and look up at the same time, without locks.
//
//   sluice::concurrent_filter f(sluice::gated_parameters{...});
//   std::jthread a([&] { f.insert(1); });   std::jthread b([&] { f.may_contain(1); });
//
// For the schemes whose memory is nothing but bits that go from 0 to 1: blocked, Bloom-g, gated, 1+alpha and two-choice
// by set bits, classic, choice groups. Those with counters or lists (SINGLE, SEQUENTIAL, MHT, loads counted in keys)
// are refused.
//
// Bits are set with fetch_or and read with relaxed loads of 64-bit words (detail/memory/words.hpp says why that is
// enough). What is promised: a key whose insert returned, in this thread or in one that this thread has synchronised
// with, is found, whatever runs at the same time. Two threads that insert one key at once may both be told that it was
// new and both place it, and a block may take a key or two more than h, because loads are read without stopping the
// others: the false positive rate does not notice, unless threads insert the same keys in step.
// The number of keys is not counted (one counter would be the only word that all threads write): stats() estimates it
// from the fill. Cost: that of the scheme; docs/gated.md has what sharing costs in time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>

#include "sluice/detail/api.hpp"
#include "sluice/detail/calls.hpp"
#include "sluice/filter.hpp"

namespace sluice {

namespace detail {

struct shared_body;  // src/filter/bodies.hpp

}  // namespace detail

class SLUICE_API concurrent_filter {
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
  /// All keys, in their order; several blocks are on their way at any time. Returns how many nothing answered for
  /// before.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    return bulk::insert_in_chunks(hash_, detail::span_of(keys),
                                  [&](const bulk::chunk& some) { return insert_chunk(some); });
  }

  /// The same by several threads (0: all), in any order.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, std::uint32_t threads) {
    const auto all = detail::span_of(keys);
    std::atomic<std::uint64_t> fresh = 0;
    bulk::in_parts(all.size(), threads,
                   [&](std::size_t first, std::size_t count) { fresh += insert_bulk(all.subspan(first, count)); });
    return fresh;
  }

  /// Inserts all keys and says of each whether nothing answered for it before: of equal keys in one call, the first.
  /// Where other calls insert the same keys at the same time, each may be told that a key was new; one is, unless
  /// it is a false positive. Answers go where those of may_contain_bulk go. Returns how many were new. Throws
  /// parameter_error, and inserts nothing, if there is no room for the answers.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new) {
    return bulk::insert_in_chunks(hash_, detail::span_of(keys), were_new,
                                  [&](const bulk::chunk& some, std::uint8_t* out) { return insert_chunk(some, out); });
  }
  /// The same by several threads (0: all). Equal keys are one thread's, and still the first of them is the new one.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new, std::uint32_t threads) {
    if (threads == 1) return insert_bulk(keys, were_new);
    return bulk::insert_by_threads(
        hash_, detail::span_of(keys), were_new, threads,
        [&](std::span<const digest> some, std::uint8_t* out) { return insert_digests(some, threads, out); });
  }

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return look_up_(hash_(k));
  }
  /// Looks all keys up and writes an answer for each: into an array, vector or span of std::uint8_t (1 or 0), bool, or
  /// std::uint64_t (bit i mod 64 of word i / 64). Throws parameter_error if there is no room for them.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, bulk::answers answers) const {
    look_up_bulk(detail::span_of(keys), answers);
  }
  /// The same by several threads (0: all).
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, bulk::answers answers, std::uint32_t threads) const {
    bulk::look_up_by_threads(hash_, detail::span_of(keys), answers, threads,
                             [&](const bulk::chunk& some, std::uint8_t* out) { look_up_chunk(some, out); });
  }

  /// Afterwards every key of the other is found here, too, also by threads that go on meanwhile. Throws merge_error
  /// unless all parameters and the seed agree, and if this one is static: threads that look keys up would have to learn
  /// that it no longer is.
  void merge(const filter& other);
  /// Forgets all keys. Other threads must not use the filter meanwhile.
  void clear() noexcept;

  /// An unshared copy. Taken while others insert, it has every key whose insert returned before, and perhaps some later
  /// ones. `keys` is for those who have counted how many were new; without it, their number is estimated from the bits.
  [[nodiscard]] filter snapshot(std::optional<std::uint64_t> keys = std::nullopt) const;
  /// Of a snapshot.
  [[nodiscard]] statistics stats() const { return snapshot().stats(); }

  [[nodiscard]] const parameters& params() const& noexcept;
  [[nodiscard]] parameters params() const&& { return params(); }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept;

private:
  struct to_be_filled {};
  concurrent_filter(const parameters& p, std::pmr::memory_resource* memory, to_be_filled /*by the caller*/);
  void add_bits_of(const filter& other) noexcept;

  void look_up_bulk(auto keys, bulk::answers& answers) const {
    bulk::look_up_in_chunks(hash_, keys, answers,
                            [&](const bulk::chunk& some, std::uint8_t* out) { look_up_chunk(some, out); });
  }
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept;
  std::uint64_t insert_chunk(const bulk::chunk& some, std::uint8_t* out = nullptr) noexcept;
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out);

  hasher hash_;
  std::unique_ptr<detail::shared_body> body_;
  detail::lookup_call look_up_;
  detail::insert_call insert_;
};

}  // namespace sluice
