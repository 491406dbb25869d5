// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// chained_table: the papers' table, for research; no replacement for a map, because it does not grow by itself. A hash
// table with chains whose lengths vary as little as the accesses allow (Kanizo, Hay, Keslassy, appendix C): the
// placements of the filters, with buckets of real keys and values instead of blocks of bits.
//
//   bucket:  chain of entries | size | high-water mark of the size       overflow: exact, for keys that no bucket takes
//
// Lookup time is the number of keys compared; what makes it unpredictable is the variance of the chain lengths. With
// the optimal (h, p) of SINGLE, SEQUENTIAL or MHT that variance is the least that any table with the same mean number
// of buckets read per insertion can have.
//
// Erasing. A walk stops early at a bucket that accepts the key, because such a bucket has never rejected it. If erase
// made room, a bucket that did reject x would accept it again, and a lookup of x would stop too soon. Therefore the
// stop rule reads the high-water mark, which erase never lowers; only rehash resets it. New keys are placed by the real
// size, so room is used again: a key goes to the first candidate whose size accepts it, all candidates before it reject
// it by their size and hence by their mark, for ever, and so a lookup reaches it.
//
// Invariants: mark(b) is the largest size b has had since the last rehash; entries do not move in memory until they are
// erased (references and iterators stay valid, also across rehash); the number of buckets is fixed until rehash.
// Cost: insert and a successful find a buckets on average, an unsuccessful one E(P); see placement/threshold.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/extend/recipes.hpp"
#include "sluice/hash.hpp"
#include "sluice/theory.hpp"

namespace experiments {

// What a table's buckets are like, whatever their number: a shape makes the placement over m buckets.

/// One bucket per key: the ordinary chained table.
struct one_bucket {
  [[nodiscard]] auto over(std::uint64_t buckets) const { return sluice::extend::blocked_placement<>(buckets, 1); }
};

/// Two buckets for a share alpha of the keys, the shorter chain takes the key; a lookup searches both.
struct two_buckets {
  double alpha = 1;
  [[nodiscard]] auto over(std::uint64_t buckets) const {
    if (!(alpha >= 0 && alpha <= 1)) throw sluice::parameter_error("alpha is a probability from 0 to 1");
    if (buckets < 2 && alpha > 0) throw sluice::parameter_error("two candidates need at least two buckets");
    return sluice::extend::alpha_placement<>(buckets, 1, alpha);
  }
};

inline void check_bucket_rule(const sluice::extend::threshold_rule& rule) {
  if (rule.threshold == 0)
    throw sluice::parameter_error("a threshold h of zero lets no bucket take a key; use 1 or more");
  if (!(rule.acceptance >= 0 && rule.acceptance <= 1)) throw sluice::parameter_error("p is a probability from 0 to 1");
}

/// d buckets over the whole table, the first that accepts takes the key. d = 1 is SINGLE.
struct sequential_buckets {
  std::uint32_t choices = 1;
  sluice::extend::threshold_rule rule{.threshold = 0, .acceptance = 1};
  [[nodiscard]] auto over(std::uint64_t buckets) const {
    check_bucket_rule(rule);
    if (choices < 1 || choices > sluice::extend::most_candidates || choices > buckets) {
      throw sluice::parameter_error("a key has 1 to " + std::to_string(sluice::extend::most_candidates) +
                                    " candidates and at most as many as there are buckets, not " +
                                    std::to_string(choices));
    }
    return sluice::extend::threshold_placement<sluice::extend::whole_table>({buckets, choices}, 1, rule);
  }
};

/// d buckets, the j-th in subtable j, optimal for a mean of `accesses` buckets read per insertion.
struct mht_buckets {
  std::uint32_t choices = 3;
  double accesses = 1.2;
  sluice::extend::threshold_rule rule{.threshold = 0, .acceptance = 1};
  [[nodiscard]] auto over(std::uint64_t buckets) const {
    check_bucket_rule(rule);
    const auto fractions =
        sluice::theory::subtable_fractions(accesses, sluice::theory::least_overflow(accesses, choices), choices);
    return sluice::extend::threshold_placement<sluice::extend::subtables>(
        sluice::extend::subtables(sluice::theory::subtable_sizes(buckets, fractions)), 1, rule);
  }
};

/// Loads and times, computed by walking over everything that is stored.
struct table_statistics {
  std::uint64_t keys = 0;
  std::uint64_t buckets = 0;
  std::uint64_t overflow_keys = 0;
  std::vector<std::uint64_t> load_histogram;  ///< [i]: buckets with i keys
  double load_variance = 0;                   ///< over all buckets
  double buckets_per_hit = 0;                 ///< means over the stored keys
  double comparisons_per_hit = 0;
  double comparisons_variance = 0;  ///< of a hit, over the stored keys
};

template <class Key, class Value, class Shape = mht_buckets, class Hash = sluice::hasher>
class chained_table {
  struct entry {
    std::pair<const Key, Value> item;
    sluice::digest x;
    entry* next = nullptr;    // in the chain of its bucket
    entry* before = nullptr;  // in the order of insertion, all entries of the table
    entry* after = nullptr;
  };

public:
  using value_type = std::pair<const Key, Value>;

  /// In the order of insertion. Valid until its entry is erased.
  template <class Item>
  class basic_iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = chained_table::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = Item&;
    using pointer = Item*;

    basic_iterator() = default;
    [[nodiscard]] reference operator*() const noexcept { return at_->item; }
    [[nodiscard]] pointer operator->() const noexcept { return &at_->item; }
    basic_iterator& operator++() noexcept {
      at_ = at_->after;
      return *this;
    }
    basic_iterator operator++(int) noexcept {
      basic_iterator before = *this;
      at_ = at_->after;
      return before;
    }
    friend bool operator==(const basic_iterator&, const basic_iterator&) = default;

  private:
    friend class chained_table;
    explicit basic_iterator(entry* at) noexcept : at_(at) {}
    entry* at_ = nullptr;  // nullptr: the end
  };
  using iterator = basic_iterator<value_type>;
  using const_iterator = basic_iterator<const value_type>;

  /// Throws parameter_error if the shape cannot be had with this many buckets.
  explicit chained_table(std::uint64_t buckets, const Shape& shape, std::uint64_t seed = 0)
      : shape_(shape), hash_(seed), placement_(check_shape(shape, buckets)), buckets_(buckets) {}

  /// A copy has the same keys in the same order, and high-water marks of its own.
  chained_table(const chained_table& other) : chained_table(other.bucket_count(), other.shape_, other.hash_.seed()) {
    for (const value_type& item : other) insert(item.first, item.second);
  }
  chained_table& operator=(const chained_table& other) {
    if (this != &other) *this = chained_table(other);
    return *this;
  }
  /// A table that was moved from can only be destroyed or assigned to.
  chained_table(chained_table&& other) noexcept
      : shape_(std::move(other.shape_)),
        hash_(std::move(other.hash_)),
        placement_(std::move(other.placement_)),
        buckets_(std::move(other.buckets_)),
        overflow_(std::move(other.overflow_)),
        oldest_(std::exchange(other.oldest_, nullptr)),
        newest_(std::exchange(other.newest_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  chained_table& operator=(chained_table&& other) noexcept {
    swap(other);
    return *this;
  }
  ~chained_table() { delete_entries(); }

  void swap(chained_table& other) noexcept {
    std::swap(shape_, other.shape_);
    std::swap(hash_, other.hash_);
    std::swap(placement_, other.placement_);
    std::swap(buckets_, other.buckets_);
    std::swap(overflow_, other.overflow_);
    std::swap(oldest_, other.oldest_);
    std::swap(newest_, other.newest_);
    std::swap(size_, other.size_);
  }

  /// Does nothing if the key is there already; says so, and where it is.
  std::pair<iterator, bool> insert(const Key& k, Value value) {
    const sluice::digest x = hash_(k);
    const search lookup(*this, k);
    if (entry* const there = lookup.run(x); there != nullptr) return {iterator(there), false};
    auto made = std::make_unique<entry>(entry{{k, std::move(value)}, x});
    const auto home = claim_home(*made);  // may throw; from here on nothing does
    entry* const e = made.release();
    attach(*e, home);
    e->before = std::exchange(newest_, e);
    (e->before == nullptr ? oldest_ : e->before->after) = e;
    ++size_;
    return {iterator(e), true};
  }

  [[nodiscard]] iterator find(const Key& k) { return iterator(search(*this, k).run(hash_(k))); }
  [[nodiscard]] const_iterator find(const Key& k) const { return const_iterator(search(*this, k).run(hash_(k))); }
  [[nodiscard]] bool contains(const Key& k) const { return search(*this, k).run(hash_(k)) != nullptr; }

  /// The number of keys erased, 0 or 1.
  std::size_t erase(const Key& k) {
    entry* const there = search(*this, k).run(hash_(k));
    if (there == nullptr) return 0;
    erase(iterator(there));
    return 1;
  }
  /// Precondition: the iterator points at an entry of this table. Returns the one after it.
  iterator erase(iterator it) {
    const std::unique_ptr<entry> e(it.at_);
    unlink(*e);
    (e->before == nullptr ? oldest_ : e->before->after) = e->after;
    (e->after == nullptr ? newest_ : e->after->before) = e->before;
    --size_;
    return iterator(e->after);
  }

  /// Sets the number of buckets, forgets all high-water marks and places every key again. If it throws, nothing
  /// changed.
  void rehash(std::uint64_t buckets) {
    chained_table fresh(buckets, shape_, hash_.seed());
    std::vector<std::optional<std::uint64_t>> homes;  // first all decisions, which may fail for want of memory
    homes.reserve(size_);
    for (entry* e = oldest_; e != nullptr; e = e->after) homes.push_back(fresh.claim_home(*e));
    auto home = homes.begin();
    for (entry* e = oldest_; e != nullptr; e = e->after, ++home) fresh.attach(*e, *home);
    std::swap(placement_, fresh.placement_);
    std::swap(buckets_, fresh.buckets_);
    std::swap(overflow_, fresh.overflow_);
  }

  void clear() noexcept {
    delete_entries();
    oldest_ = newest_ = nullptr;
    size_ = 0;
    overflow_.clear();
    for (bucket& b : buckets_) b = {};
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::uint64_t bucket_count() const noexcept { return buckets_.size(); }
  [[nodiscard]] iterator begin() noexcept { return iterator(oldest_); }
  [[nodiscard]] iterator end() noexcept { return iterator(nullptr); }
  [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(oldest_); }
  [[nodiscard]] const_iterator end() const noexcept { return const_iterator(nullptr); }

  [[nodiscard]] table_statistics stats() const {
    table_statistics s;
    s.keys = size();
    s.buckets = bucket_count();
    s.overflow_keys = overflow_.size();
    double squares = 0;
    double sum = 0;
    for (const bucket& b : buckets_) {
      if (b.size >= s.load_histogram.size()) s.load_histogram.resize(b.size + 1);
      ++s.load_histogram[b.size];
      const auto load = static_cast<double>(b.size);
      sum += load;
      squares += load * load;
    }
    const auto m = static_cast<double>(buckets_.size());
    s.load_variance = squares / m - (sum / m) * (sum / m);
    double read = 0;
    double compared = 0;
    double compared_squares = 0;
    for (const entry* e = oldest_; e != nullptr; e = e->after) {
      const search lookup(*this, e->item.first);
      static_cast<void>(lookup.run(e->x));
      read += static_cast<double>(lookup.buckets_read);
      compared += static_cast<double>(lookup.comparisons);
      compared_squares += static_cast<double>(lookup.comparisons) * static_cast<double>(lookup.comparisons);
    }
    if (s.keys != 0) {
      const auto n = static_cast<double>(s.keys);
      s.buckets_per_hit = read / n;
      s.comparisons_per_hit = compared / n;
      s.comparisons_variance = compared_squares / n - (compared / n) * (compared / n);
    }
    return s;
  }

private:
  struct bucket {
    entry* first = nullptr;
    std::uint64_t size = 0;
    std::uint64_t mark = 0;  // the largest size since the last rehash
  };
  using placement_type = decltype(std::declval<const Shape&>().over(1));

  /// The buckets as a lookup of one key sees them: contents and high-water marks.
  struct search {
    search(const chained_table& in, const Key& wanted) : table(in), sought(wanted) {}

    [[nodiscard]] sluice::extend::probe contains(std::uint64_t b, sluice::digest x,
                                                 sluice::extend::position_slice /*slice*/) const {
      ++buckets_read;
      for (entry* e = table.buckets_[b].first; e != nullptr; e = e->next) {
        ++comparisons;
        if (e->x == x && e->item.first == sought) {
          found = e;
          return {true, 1};
        }
      }
      return {false, 1};
    }
    [[nodiscard]] std::uint64_t load(std::uint64_t b) const noexcept { return table.buckets_[b].mark; }

    [[nodiscard]] entry* run(sluice::digest x) const {
      const sluice::extend::walk_result walked = sluice::extend::walk(table.placement_, *this, x);
      if (walked.end != sluice::extend::walk_end::exhausted) return found;
      const auto [first, last] = table.overflow_.equal_range(x.value);
      for (auto it = first; it != last; ++it) {
        ++comparisons;
        if (it->second->item.first == sought) return it->second;
      }
      return nullptr;
    }

    const chained_table& table;  // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members): lives for one lookup
    const Key& sought;           // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members)
    mutable entry* found = nullptr;
    mutable std::uint64_t buckets_read = 0;
    mutable std::uint64_t comparisons = 0;
  };

  /// The buckets as a key that is known to be absent sees them: real sizes, and room to be put.
  struct vacancy {
    chained_table& table;  // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members)
    mutable std::optional<std::uint64_t> home;

    [[nodiscard]] static sluice::extend::probe contains(std::uint64_t /*b*/, sluice::digest /*x*/,
                                                        sluice::extend::position_slice /*slice*/) noexcept {
      return {false, 1};
    }
    [[nodiscard]] std::uint64_t load(std::uint64_t b) const noexcept { return table.buckets_[b].size; }
    void put(std::uint64_t b, sluice::digest /*x*/, sluice::extend::position_slice /*slice*/) const noexcept {
      home = b;
    }
  };

  [[nodiscard]] static placement_type check_shape(const Shape& shape, std::uint64_t buckets) {
    if (buckets == 0) throw sluice::parameter_error("a table needs at least one bucket");
    return shape.over(buckets);
  }

  void delete_entries() noexcept {
    for (entry* e = oldest_; e != nullptr;) delete std::exchange(e, e->after);
  }

  /// Chooses a bucket for an entry and counts it there; an entry that no bucket takes is listed at once. If it throws,
  /// nothing changed.
  [[nodiscard]] std::optional<std::uint64_t> claim_home(entry& e) {
    const vacancy room{*this, std::nullopt};
    if (!placement_.place(room, e.x, sluice::extend::walk(placement_, room, e.x)).taken)
      overflow_.emplace(e.x.value, &e);
    if (room.home) {
      bucket& b = buckets_[*room.home];
      ++b.size;
      if (b.size > b.mark) b.mark = b.size;
    }
    return room.home;
  }
  void attach(entry& e, std::optional<std::uint64_t> home) noexcept {
    e.next = home ? std::exchange(buckets_[*home].first, &e) : nullptr;
  }

  /// An entry is in the chain of one of its candidates, or in the overflow.
  void unlink(entry& e) noexcept {
    for (std::uint32_t j = 0; j < placement_.candidates(e.x); ++j) {
      bucket& b = buckets_[placement_.at(e.x, j).block];
      for (entry** link = &b.first; *link != nullptr; link = &(*link)->next) {
        if (*link != &e) continue;
        *link = e.next;
        --b.size;
        return;
      }
    }
    const auto [first, last] = overflow_.equal_range(e.x.value);
    for (auto it = first; it != last; ++it) {
      if (it->second != &e) continue;
      overflow_.erase(it);
      return;
    }
  }

  Shape shape_;
  Hash hash_;
  placement_type placement_;
  std::vector<bucket> buckets_;
  std::unordered_multimap<std::uint64_t, entry*> overflow_;
  entry* oldest_ = nullptr;
  entry* newest_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace experiments
