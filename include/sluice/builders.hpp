// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builders: filters made from keys that are all at hand before the filter exists. All builders are used alike:
//   builder.insert(key);   builder.insert_bulk(keys);   sluice::filter f = builder.build({.rounds = 8});
//
// static_builder: the gated filter for people who have all their keys. It decides for every class of every block
// whether its keys stay or are spilled (builder/gate_search.hpp), and comes to half the false positives of the filter
// that takes keys as they come.
//
//   sluice::static_builder b(sluice::gated_parameters{.blocks = sluice::blocks_for(n, 24), .hashes = 16, .trace = 4,
//                                                     .second_hashes = 13});
//   b.insert_bulk(keys);
//   sluice::filter f = b.build({.threads = 2});
//
// or, of keys that do not fit into memory
//
//   sluice::filter g = sluice::static_builder::build_from(parameters, [&](auto&& take) { for (...) take(key); });
//
// What comes out is a sluice::filter with is_static set: lookups, later insertions and unions are those of
// placement/gated.hpp. The same keys, in any order and however often, give the same bytes, whatever the number of
// threads. Cost: 8 bytes a key beside the filter, and some 200 bytes a key of the group in hand for each thread; about
// a microsecond a key.
//
// sealed_builder: the sealed filter, for people who have all their keys and will have no more: 1.07 r (r 8) to 1.23 r
// (r 32) bits a key, false positives 2^-r, 1.05 blocks a lookup (placement/sealed.hpp, docs/sealed.md). Who has a rate
// and a range of keys writes filter::sealed(keys, {.fpr = 1e-5}); the builder takes keys as they come.
//
//   sluice::sealed_builder b({.fingerprint_bits = 16});
//   b.insert_bulk(keys);
//   sluice::filter f = b.build({.threads = 2});
//
// The number of blocks follows from the number of different keys, unless it is given. The same keys, in any order and
// however often, give the same bytes, whatever the number of threads and the processor. Cost: 8 bytes a key beside the
// filter, and some 200 bytes a key of the group in hand for each thread; a third to half a microsecond a key.
//
// choice_builder: choice groups for people who keep their keys (Lumetta and Mitzenmacher, offline greedy).
//
// The builder remembers every key's digest and group, and counts for every position how many keys use it. That makes
// keys removable: a round takes every key out in turn and puts it back into whichever of its groups then needs the
// fewest new ones. Round 1 is the online pass, insert; improve() does the later rounds, all at once or a few keys at a
// time in the background. Fewer ones are fewer false positives: at 16 bits a key, two groups and ten rounds, half as
// many as a classic filter has.
//
// Ties are broken at random (by tie_seed): always taking the first group would let keys return to where they were, and
// the rounds would end in a worse place.
//
// Invariants: count[p] is the number of (key, number) pairs whose position is p, sticky at 255; bit p is set if and
// only if count[p] > 0. A key that is found by chance when it is inserted is remembered all the same: the bits it was
// found by may be taken away later. Hence, whatever was improved, every inserted key is found.
// Cost: 8 bits a position, 16 bytes a key; insert c k probes; a round c k + 2 k probes a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/threads.hpp"
#include "sluice/filter.hpp"
#include "sluice/hash.hpp"

namespace sluice {

/// How long a builder may look for a better filter, and with what.
struct build_options {
  /// Passes over all decisions. The first few gain most; docs/static.md has a figure. Search ends earlier when nothing
  /// is gained.
  std::uint32_t rounds = 6;
  /// 0: as many as the machine has. The bytes do not depend on it. Choice groups are built by one.
  std::uint32_t threads = 1;
  /// What one more block read, by every hit or by every miss, is worth: the factor e in the rate to this power. Static
  /// gated filters only; 0 looks for the lowest rate at any number of reads.
  double read_weight = 1;
  /// Told the share of the work that is done, 0 to 1; by any thread, but never by two at once. An exception ends the
  /// build.
  std::function<void(double)> progress = {};
};

namespace detail {

/// Calls take(digest) for every key, each time the same ones.
using digest_source = std::function<void(const std::function<void(digest)>& take)>;
template <class Source>
[[nodiscard]] digest_source digests_of(const Source& source, std::uint64_t seed) {
  return [&source, hash = hasher(seed)](const std::function<void(digest)>& take) {
    source([&](const auto& k) { take(hash(k)); });
  };
}
[[nodiscard]] SLUICE_API filter build_from_source(const gated_parameters& p, const digest_source& source,
                                                  const build_options& options, std::uint64_t digest_bytes);
[[nodiscard]] SLUICE_API filter build_from_source(const sealed_parameters& p, const digest_source& source,
                                                  const build_options& options, std::uint64_t digest_bytes);

/// What builders that see all keys before they build have in common: the keys, as digests.
template <class Parameters>
class all_keys_builder {
public:
  /// Remembers the key. The same key may come again.
  void insert(const key auto& k) { digests_.push_back(hash_(k)); }
  template <bulk_keys Keys>
  void insert_bulk(const Keys& keys) {
    digests_.reserve_more(std::size(keys));
    for (const auto& k : keys) insert(k);
  }
  template <std::input_iterator Keys, std::sentinel_for<Keys> End>
  void insert(Keys first, const End& last) {
    for (; first != last; ++first) insert(*first);
  }

  /// Keys as they came, the same ones again included.
  [[nodiscard]] std::uint64_t size() const noexcept { return digests_.size(); }
  [[nodiscard]] const Parameters& params() const& noexcept { return parameters_; }
  [[nodiscard]] Parameters params() const&& noexcept { return parameters_; }

  /// From a source that can be read again: source(take) calls take(key) for every key, each time the same ones. Where
  /// the digests of all keys need more than digest_bytes, the source is read several times, for some groups each time.
  /// A sealed filter without a number of blocks has as many as the keys need, the same ones again included: give it
  /// where keys come often.
  template <class Source>
  [[nodiscard]] static filter build_from(const Parameters& p, const Source& source, const build_options& options = {},
                                         std::uint64_t digest_bytes = std::numeric_limits<std::uint64_t>::max()) {
    return build_from_source(p, digests_of(source, p.seed), options, digest_bytes);
  }

protected:
  all_keys_builder(const Parameters& p, digest_store digests)
      : parameters_(p), hash_(p.seed), digests_(std::move(digests)) {}

  Parameters parameters_;
  hasher hash_;
  digest_store digests_;
};

}  // namespace detail

class SLUICE_API static_builder : public detail::all_keys_builder<gated_parameters> {
public:
  /// Throws parameter_error for parameters that describe no filter. is_static is set, h and the margin may be left out.
  explicit static_builder(const gated_parameters& p) : static_builder(p, {}) {}
  /// Of keys whose digests are at hand, made under the seed of the parameters.
  static_builder(const gated_parameters& p, digest_store digests);

  /// The keys stay, in another order, so that a filter can be built again with more keys or other options.
  [[nodiscard]] filter build(const build_options& options = {});
};

class SLUICE_API sealed_builder : public detail::all_keys_builder<sealed_parameters> {
public:
  /// Throws parameter_error for parameters that describe no filter. Without a number of blocks there are as many as the
  /// keys need.
  explicit sealed_builder(const sealed_parameters& p = {}) : sealed_builder(p, {}) {}
  /// Of keys whose digests are at hand, made under the seed of the parameters.
  sealed_builder(const sealed_parameters& p, digest_store digests);

  /// The keys stay, in another order, so that a filter can be built again with more keys. Of the options only threads
  /// and progress matter. Throws key_error where so many keys find no place in their blocks that the list would be more
  /// than a few of them: the blocks are too few, or the keys were chosen to meet in some.
  [[nodiscard]] filter build(const build_options& options = {});

  /// The blocks of a sealed filter for this many different keys; p.blocks is not looked at. Throws parameter_error.
  [[nodiscard]] static std::uint64_t blocks_for(std::uint64_t keys, sealed_parameters p);
};

class SLUICE_API choice_builder {
public:
  /// Throws parameter_error for parameters that describe no filter.
  explicit choice_builder(const choice_parameters& p, std::uint64_t tie_seed = 1);
  choice_builder(const choice_builder&) = delete;
  choice_builder& operator=(const choice_builder&) = delete;
  choice_builder(choice_builder&& other) noexcept;
  choice_builder& operator=(choice_builder&& other) noexcept;
  ~choice_builder();

  /// Round 1: puts the key into the group that needs the fewest new ones.
  void insert(const key auto& k) { insert_digest(hash_(k)); }
  template <bulk_keys Keys>
  void insert_bulk(const Keys& keys) {
    for (const auto& k : keys) insert(k);
  }

  /// Later rounds: every key is removed and put back where it then fits best.
  void improve(std::uint32_t rounds = 1);
  /// The same for the next `keys` keys, in turn: a round in small steps.
  void improve_some(std::uint64_t keys);

  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] std::uint64_t ones() const noexcept;
  [[nodiscard]] double fraction_of_ones() const noexcept;
  [[nodiscard]] const choice_parameters& params() const& noexcept;
  [[nodiscard]] choice_parameters params() const&& { return params(); }

  /// As all builders do it: the later rounds, and the filter.
  [[nodiscard]] filter build(const build_options& options);
  /// A filter with the bits as they are now. Later inserts into it go on as online ones.
  [[nodiscard]] filter build() const;

private:
  class state;
  void insert_digest(digest x);

  hasher hash_;
  std::unique_ptr<state> state_;
};

}  // namespace sluice
