// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// growing_filter: for people who do not know how many keys will come. A chain of filters, each of which holds `factor`
// times the keys of the one before and has a smaller share of the false positives, so that all together stay below the
// wanted rate at every moment.
//
//   link 0                link 1                     link 2
//   32,768 keys, f/5      65,536 keys, f/7           131,072 keys, f/9        ...        f/5 + f/7 + f/9 + ... = f
//   full, never written   full, never written        takes the keys that come now
//
//   sluice::growing_filter f({.fpr = 0.001});
//   f.insert("key");   f.may_contain("key");
//
// An insertion looks through the chain first: a key is in one link. A lookup begins with the newest link, which has
// most of the keys. Every link is what the planner (plan.hpp) recommends for its keys and its rate.
//
// An erasable one ({.fpr = 0.001, .erasable = true}) is a chain of ledgers (docs/ledger.md): it keeps keys as often as
// they are inserted, and gives them back. A key goes into the last link that has room; its links are nested
// (extend/ledger_chain.hpp) and have equal rates, so that eight of them stay below the wanted one.
//
// Invariants: after insert(x) returns, may_contain(x) is true, of an erasable one until erase(x). Of others, only the
// last link is written to, and the links before it are full.
// Cost: a miss asks every link, a hit 1.1 to 2 on average. A link is given its whole memory at once: until it fills,
// the chain has up to 1 + `factor` times the memory that its keys need; fold_last_link() halves it before the chain is
// saved, as often as it can. compact() mends both when the keys can be offered again.
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

class SLUICE_API growing_filter : detail::bulk_lookups<growing_filter>,
                                  detail::bulk_insertions<growing_filter>,
                                  detail::bulk_erasures<growing_filter>,
                                  detail::bulk_counts<growing_filter> {
public:
  /// One filter of the chain.
  struct link {
    sluice::filter filter;
    std::uint64_t capacity;
    double planned_fpr;  ///< when it is full

    [[nodiscard]] std::uint64_t keys() const noexcept { return filter.keys_inserted(); }
    [[nodiscard]] bool can_merge(const link& other) const { return filter.can_merge(other.filter); }
    void merge(const link& other) { filter.merge(other.filter); }
    [[nodiscard]] bool is_copy_of(const link& other) const {
      return !detail::erases_keys(filter.params()) && capacity == other.capacity && keys() == other.keys() &&
             filter == other.filter;  // a ledger keeps copies
    }
  };

  /// Throws parameter_error for a growth that makes no sense.
  explicit growing_filter(const growth& how = {});
  /// As it was: the chain of another one. Throws parameter_error if there is no link, or one that cannot have grown so.
  growing_filter(const growth& how, std::vector<link> chain);

  /// The chain of a file. Throws file_error, also for a filter that does not grow.
  [[nodiscard]] static growing_filter load(const std::string& path);

  /// True if the key was new: no link answered for it before. An erasable one keeps keys as often as they are inserted:
  /// there it is always true. Throws full_error where an erasable one has too many copies of a key.
  bool insert(const key auto& k) { return insert_digest(hash_(k)); }

  /// insert_bulk(keys), and with answers, and by several threads, with the same result: see sluice::filter. Threads
  /// make digests, ask the full links, and fill the last one as far as its scheme lets them.
  using detail::bulk_insertions<growing_filter>::insert_bulk;

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return has_digest(hash_(k));
  }

  /// Takes a key out of an erasable one again, once; false: nothing was like it. erase_bulk(keys), and with answers,
  /// and how often a key seems to be in, also of many: see sluice::filter. Throws parameter_error for others.
  bool erase(const key auto& k) { return erase_digest(hash_(k)); }
  using detail::bulk_erasures<growing_filter>::erase_bulk;
  [[nodiscard]] std::uint64_t count(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    return count_digest(hash_(k));
  }
  using detail::bulk_counts<growing_filter>::count_bulk;

  /// may_contain_bulk(keys, answers), and the same by several threads: see sluice::filter. Every link is asked in bulk
  /// for those that the newer ones do not have.
  using detail::bulk_lookups<growing_filter>::may_contain_bulk;

  /// Afterwards every key of either chain is found here. Links of one size are united where both together have room;
  /// others are added. Throws merge_error unless both grow in the same way. The rate of the result is fpr_bound(),
  /// which may then be above the wanted one: two full chains have twice the false positives of one, and nothing but the
  /// keys themselves can mend that.
  void merge(const growing_filter& other);

  /// One filter of the wanted rate in place of the chain, from the same keys offered again, in any order and however
  /// often; to an erasable one, as often as they are in (full_error or key_error if they come much more often). Throws
  /// parameter_error if fewer are offered than the chain counted: a filter of those would lose the others. Keys of
  /// chains of more than 65,536 are counted by filters, so that as many may be missing as chance may hide from those.
  /// A chain that was merged counts keys of both twice, or from the bits: who knows that these are all of its keys says
  /// so, and nothing is compared.
  template <bulk_keys Keys>
  [[nodiscard]] filter compact(const Keys& keys, bool these_are_all = false) const {
    std::uint64_t expected = keys_inserted() + chance_finds();
    for (;;) {
      filter one(best(static_cast<double>(std::max<std::uint64_t>(1, expected)), how_.fpr));
      std::uint64_t offered = one.insert_bulk(keys);
      std::uint64_t not_counted = chance_finds();
      if (offered < keys_inserted() && not_counted != 0 && keys_inserted() <= most_counted_exactly) {
        offered = different(keys);
        not_counted = 0;
      }
      if (!these_are_all && offered + not_counted < keys_inserted()) {
        throw parameter_error("growing filter: the chain holds " + std::to_string(keys_inserted()) +
                              " keys, but only " + std::to_string(offered) +
                              " were offered to compact it; a filter of those would lose others. (One that was merged "
                              "may count keys twice: say if these are all)");
      }
      if (offered <= expected) return one;
      expected = offered + chance_finds();  // there are new ones among them
    }
  }

  /// Folds the last link as often as it has room for its keys, and for `room` times the keys of the chain: before the
  /// chain is saved, because that link may have the memory of all others and few keys. The next one will come sooner.
  /// Returns how often that was; 0 of an erasable chain, whose links cannot be folded.
  std::uint32_t fold_last_link(double room = 0);

  [[nodiscard]] std::uint64_t keys_inserted() const noexcept;
  [[nodiscard]] std::size_t links() const noexcept { return links_.size(); }
  [[nodiscard]] const std::vector<link>& chain() const& noexcept { return links_; }
  [[nodiscard]] std::vector<link> chain() && { return std::move(links_); }
  /// The rate when every link is full: below the wanted one, unless chains were merged, or an erasable one has more
  /// than eight links.
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
  friend detail::bulk_lookups<growing_filter>;
  friend detail::bulk_insertions<growing_filter>;
  friend detail::bulk_erasures<growing_filter>;
  friend detail::bulk_counts<growing_filter>;
  friend class filter_file;  // which has digests already
  bool insert_digest(digest x);
  // With 1 or 0 in `out` for each key, unless it is null: whether it was new.
  std::uint64_t insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out);
  std::uint64_t insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out);
  bool erase_digest(digest x);
  std::uint64_t erase_chunk(const detail::bulk::chunk& some, std::uint8_t* out);
  [[nodiscard]] std::uint64_t count_digest(digest x) const noexcept;
  void count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept;
  [[nodiscard]] bool has_digest(digest x) const noexcept;
  void look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const;
  [[nodiscard]] static growth check_growth(const growth& how);
  static constexpr std::uint64_t most_counted_exactly = 65'536;
  template <bulk_keys Keys>
  [[nodiscard]] std::uint64_t different(const Keys& keys) const {
    digest_store digests;
    for (const auto& k : keys) digests.push_back(hash_(k));
    const std::span<digest> all = digests.all();
    std::sort(all.begin(), all.end());
    return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
  }

  [[nodiscard]] parameters best(double keys, double fpr) const;
  void add_link();
  [[nodiscard]] std::uint64_t next_capacity() const;
  /// That the next key goes into.
  [[nodiscard]] link& open_link();
  /// A link has a little more than `factor` times the memory of all before. A chain from an untrusted file may say
  /// otherwise: it must not ask for memory without end.
  void require_in_proportion(const parameters& next) const;

  /// Keys that are found by chance are not counted as new: this many at most, but for one time in a billion.
  [[nodiscard]] std::uint64_t chance_finds() const noexcept;

  growth how_;
  hasher hash_;
  std::vector<link> links_;
};

}  // namespace sluice
