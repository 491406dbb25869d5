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

  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept;
  std::uint64_t insert_chunk(const bulk::chunk& some, std::uint8_t* out) noexcept;
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out);

  hasher hash_;
  std::unique_ptr<detail::shared_body> body_;
  detail::lookup_call look_up_;
  detail::insert_call insert_;
};

}  // namespace sluice
