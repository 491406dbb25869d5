// growing_filter: for people who do not know how many keys will come. A chain of filters, each of which holds several
// times the keys of the one before and has half its share of the false positives, so that all together stay below the
// wanted rate at every moment.
//
//   link 0                link 1                     link 2
//   32,768 keys, f/2      262,144 keys, f/4          2,097,152 keys, f/8       ...       f/2 + f/4 + f/8 + ... < f
//   full, never written   full, never written        takes the keys that come now
//
//   sluice::growing_filter f({.fpr = 0.001});
//   f.insert("key");   f.may_contain("key");
//
// An insertion looks through the chain first: a key is in one link. A lookup begins with the newest link, which has
// most of the keys. Every link is what the planner (plan.hpp) recommends for its keys and its rate.
//
// Invariants: after insert(x) returns, may_contain(x) is true. Only the last link is written to; the others are full.
// Cost: a miss asks every link, a hit 1.1 to 2 on average. A link is given its whole memory at once: until it fills,
// the chain holds up to `factor` times the memory that its keys need. compact() mends both when the keys can be offered
// again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/threads.hpp"
#include "sluice/errors.hpp"
#include "sluice/filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"
#include "sluice/statistics.hpp"

namespace sluice {

/// One filter of the chain.
struct chain_link {
  sluice::filter filter;
  std::uint64_t capacity;
  double planned_fpr;  ///< when it is full
};

class SLUICE_API growing_filter {
public:
  /// Throws parameter_error for a growth that makes no sense.
  explicit growing_filter(const growth& how = {});
  /// As it was: the chain of another one. Throws parameter_error if there is no link, or one that is smaller than the
  /// first is to be.
  growing_filter(const growth& how, std::vector<chain_link> chain);

  /// True if the key was new: no link answered for it before.
  bool insert(const key auto& k) { return insert_digest(hash_(k)); }

  /// All keys in their order, as single insertions would. Returns how many were new.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    return bulk::insert_in_chunks(hash_, detail::span_of(keys),
                                  [&](const bulk::chunk& some) { return insert_digests({some.digests, some.count}); });
  }

  /// The same by several threads (0: all), with the same result: they make digests, ask the full links, and fill the
  /// last one as far as its scheme lets them (filter.hpp).
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, std::uint32_t threads) {
    if (threads == 1) return insert_bulk(keys);
    std::vector<std::uint8_t> unwanted(std::min(std::size(keys), bulk::digests_at_once));
    return bulk::insert_by_threads(hash_, detail::span_of(keys), threads, [&](std::span<const digest> some) {
      return insert_digests(some, threads, unwanted.data());
    });
  }

  /// Inserts all keys and says of each whether it was new, as insert() would have said: see filter.hpp.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new) {
    return bulk::insert_in_chunks(
        hash_, detail::span_of(keys), were_new,
        [&](const bulk::chunk& some, std::uint8_t* out) { return insert_digests({some.digests, some.count}, 1, out); });
  }
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, bulk::answers were_new, std::uint32_t threads) {
    if (threads == 1) return insert_bulk(keys, were_new);
    return bulk::insert_by_threads(
        hash_, detail::span_of(keys), were_new, threads,
        [&](std::span<const digest> some, std::uint8_t* out) { return insert_digests(some, threads, out); });
  }

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return has_digest(hash_(k));
  }

  /// Looks all keys up and writes 1 or 0 for each: every link is asked in bulk for those that the newer ones do not
  /// have. Throws parameter_error if there is no room for the answers.
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

  /// Afterwards every key of either chain is found here. Links of one size are united where both together have room;
  /// others are added. Throws merge_error unless both grow in the same way. The rate of the result is fpr_bound(),
  /// which may then be above the wanted one: two full chains have twice the false positives of one, and nothing but the
  /// keys themselves can mend that.
  void merge(const growing_filter& other);

  /// One filter of the wanted rate in place of the chain, from the same keys offered again, in any order and however
  /// often. Throws parameter_error if fewer are offered than the chain holds: a filter of those would lose the others.
  template <bulk_keys Keys>
  [[nodiscard]] filter compact(const Keys& keys) const {
    std::uint64_t expected = keys_inserted() + chance_finds();
    for (;;) {
      filter one(best(static_cast<double>(std::max<std::uint64_t>(1, expected)), how_.fpr));
      const std::uint64_t offered = one.insert_bulk(keys);
      if (offered + chance_finds() < keys_inserted()) {
        throw parameter_error("growing filter: the chain holds " + std::to_string(keys_inserted()) +
                              " keys, but only " + std::to_string(offered) +
                              " were offered to compact it; a filter of those would lose others");
      }
      if (offered <= expected) return one;
      expected = offered + chance_finds();  // there are new ones among them
    }
  }

  [[nodiscard]] std::uint64_t keys_inserted() const noexcept;
  [[nodiscard]] std::size_t links() const noexcept { return links_.size(); }
  [[nodiscard]] const std::vector<chain_link>& chain() const& noexcept { return links_; }
  [[nodiscard]] std::vector<chain_link> chain() && { return std::move(links_); }
  /// The rate when every link is full: below the wanted one, unless chains were merged.
  [[nodiscard]] double fpr_bound() const noexcept;
  /// Of the bits as they are.
  [[nodiscard]] double fpr_from_fill() const;
  /// Of each link.
  [[nodiscard]] std::vector<statistics> stats() const;
  /// Links that the lookup of a random stored key asks, on average; that of an absent one asks all.
  [[nodiscard]] double links_per_hit() const noexcept;
  [[nodiscard]] const growth& params() const& noexcept { return how_; }
  [[nodiscard]] growth params() const&& noexcept { return how_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept;

private:
  friend class filter_file;  // which has digests already
  bool insert_digest(digest x);
  std::uint64_t insert_digests(std::span<const digest> keys);
  /// The same by several threads, with 1 or 0 in `out` for each key: whether it was new.
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out);
  [[nodiscard]] bool has_digest(digest x) const noexcept;
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const;
  void look_up_bulk(auto keys, bulk::answers& answers) const {
    bulk::look_up_in_chunks(hash_, keys, answers,
                            [&](const bulk::chunk& some, std::uint8_t* out) { look_up_chunk(some, out); });
  }
  [[nodiscard]] static growth checked(const growth& how);

  [[nodiscard]] parameters best(double keys, double fpr) const;
  void add_link();
  /// A link has a little more than `factor` times the memory of the one before. A chain from an untrusted file may say
  /// otherwise: it must not ask for memory without end.
  void require_in_proportion(const parameters& next) const;
  [[nodiscard]] static bool is_full(const chain_link& l) noexcept;

  /// Keys that are found by chance are not counted as new: this many at most, but for one time in a billion.
  [[nodiscard]] std::uint64_t chance_finds() const noexcept;

  growth how_;
  hasher hash_;
  std::vector<chain_link> links_;
};

}  // namespace sluice
