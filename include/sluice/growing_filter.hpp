// growing_filter: for people who do not know how many keys will come. A chain of filters, each of which holds several times the keys of the one
// before and has half its share of the false positives, so that all together stay below the wanted rate at every moment.
//
//   link 0                link 1                     link 2
//   32,768 keys, f/2      262,144 keys, f/4          2,097,152 keys, f/8       ...       f/2 + f/4 + f/8 + ... < f
//   full, never written   full, never written        takes the keys that come now
//
//   sluice::growing_filter f({.fpr = 0.001});
//   f.insert("key");   f.may_contain("key");
//
// An insertion looks through the chain first: a key is in one link. A lookup begins with the newest link, which has most of the keys.
// Every link is what the planner (plan.hpp) recommends for its keys and its rate.
//
// Invariants: after insert(x) returns, may_contain(x) is true. Only the last link is written to; the others are full.
// Cost: a miss asks every link, a hit 1.1 to 2 on average. A link is given its whole memory at once: until it fills, the chain holds up to
// `factor` times the memory that its keys need. compact() mends both when the keys can be offered again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/filter.hpp"
#include "sluice/plan.hpp"

namespace sluice {

struct growth {
  double fpr = 0.001;                 ///< of the whole chain, whatever its length
  std::uint64_t first_keys = 32'768;  ///< that the first link holds
  std::uint32_t factor = 8;           ///< how many times more each link holds than the one before
  std::uint32_t block_bits = 512;
  std::uint64_t seed = 0;
  friend bool operator==(const growth&, const growth&) = default;
};

/// One link, as it is now.
struct growth_link {
  parameters params;
  std::uint64_t capacity;
  std::uint64_t keys;
  double planned_fpr;    ///< when it is full
  double fpr_from_fill;  ///< now
  std::uint64_t bytes;
};

class growing_filter {
public:
  /// Throws parameter_error for a growth that makes no sense.
  explicit growing_filter(const growth& how = {}) : how_(checked(how)), hash_(how.seed) { add_link(); }

  /// True if the key was new: no link answered for it before.
  bool insert(const key auto& k) {
    const digest x = hash_(k);
    for (std::size_t i = 0; i + 1 < links_.size(); ++i) {
      if (links_[i].filter.may_contain(x)) return false;
    }
    if (is_full(links_.back()) && !links_.back().filter.may_contain(x)) {
      add_link();
    }
    return links_.back().filter.insert(x);
  }

  /// All keys in their order, as single insertions would. Returns how many were new.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    std::uint64_t fresh = 0;
    std::vector<digest> some;
    const auto all = detail::span_of(keys);
    for (std::size_t done = 0; done < all.size();) {
      if (is_full(links_.back())) {
        // The next new key needs another link; one key alone finds that out.
        fresh += insert(all[done]) ? 1U : 0U;
        ++done;
        continue;
      }
      const std::uint64_t room = links_.back().capacity - links_.back().filter.keys_inserted();
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>({all.size() - done, room, slice}));
      some.clear();
      for (std::size_t i = done; i < done + count; ++i) some.push_back(hash_(all[i]));
      for (std::size_t i = 0; i + 1 < links_.size(); ++i) drop_found(links_[i].filter, some);
      fresh += links_.back().filter.insert_bulk(some);
      done += count;
    }
    return fresh;
  }

  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    const digest x = hash_(k);
    for (std::size_t i = links_.size(); i-- > 0;) {
      if (links_[i].filter.may_contain(x)) return true;
    }
    return false;
  }

  /// Looks all keys up and writes 1 or 0 for each: every link is asked in bulk for those that the newer ones do not have. Throws parameter_error if
  /// there is no room for so many answers.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint8_t> answers) const {
    const auto all = detail::span_of(keys);
    bulk::answers(answers).demand_room(all.size());
    std::vector<digest> asked;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint8_t> found;
    for (std::size_t done = 0; done < all.size(); done += slice) {
      const std::size_t count = std::min(all.size() - done, slice);
      asked.clear();
      numbers.clear();
      for (std::size_t i = 0; i < count; ++i) {
        asked.push_back(hash_(all[done + i]));
        numbers.push_back(static_cast<std::uint32_t>(i));
        answers[done + i] = 0;
      }
      found.resize(count);
      for (std::size_t number = links_.size(); number-- > 0 && !asked.empty();) {
        links_[number].filter.may_contain_bulk(asked, std::span<std::uint8_t>(found));
        std::size_t left = 0;
        for (std::size_t i = 0; i < asked.size(); ++i) {
          answers[done + numbers[i]] = found[i];
          asked[left] = asked[i];
          numbers[left] = numbers[i];
          left += found[i] == 0 ? 1U : 0U;
        }
        asked.resize(left);
        numbers.resize(left);
      }
    }
  }

  /// Afterwards every key of either chain is found here. Links of one size are united where both together have room; others are added. Throws
  /// merge_error unless both grow in the same way. The rate of the result is fpr_bound(), which may then be above the wanted one: two
  /// full chains have twice the false positives of one, and nothing but the keys themselves can mend that.
  void merge(const growing_filter& other) {
    if (this == &other) return;
    if (!(how_ == other.how_)) throw merge_error("two growing filters can be merged only if they grow in the same way");
    std::vector<link> merged = links_;
    for (const link& theirs : other.links_) {
      const auto fits = [&](const link& ours) {
        return ours.capacity == theirs.capacity &&
               ours.filter.keys_inserted() + theirs.filter.keys_inserted() <= ours.capacity;
      };
      const auto ours = std::find_if(merged.begin(), merged.end(), fits);
      if (ours != merged.end()) {
        ours->filter.merge(theirs.filter);
      } else {
        merged.push_back(theirs);
      }
    }
    // Ascending, and of each size the fullest first: the last link is the one to write to.
    std::sort(merged.begin(), merged.end(), [](const link& a, const link& b) {
      return std::pair(a.capacity, b.filter.keys_inserted()) < std::pair(b.capacity, a.filter.keys_inserted());
    });
    links_ = std::move(merged);
  }

  /// One filter of the wanted rate in place of the chain, from the same keys offered again, in any order and however often. Throws
  /// parameter_error if fewer are offered than the chain holds: a filter of those would lose the others.
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

  [[nodiscard]] std::uint64_t keys_inserted() const noexcept {
    std::uint64_t keys = 0;
    for (const link& l : links_) keys += l.filter.keys_inserted();
    return keys;
  }
  [[nodiscard]] std::size_t links() const noexcept { return links_.size(); }
  /// The rate when every link is full: below the wanted one, unless chains were merged.
  [[nodiscard]] double fpr_bound() const noexcept {
    double sum = 0;
    for (const link& l : links_) sum += l.planned_fpr;
    return sum;
  }
  /// Of the bits as they are.
  [[nodiscard]] double fpr_from_fill() const {
    double none = 1;
    for (const link& l : links_) none *= 1 - l.filter.stats().fpr_from_fill;
    return 1 - none;
  }
  /// Links that the lookup of a random stored key asks, on average; that of an absent one asks all.
  [[nodiscard]] double links_per_hit() const noexcept {
    double asked = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      asked += static_cast<double>(links_[i].filter.keys_inserted()) * static_cast<double>(links_.size() - i);
    }
    const std::uint64_t keys = keys_inserted();
    return keys == 0 ? 1 : asked / static_cast<double>(keys);
  }
  [[nodiscard]] std::vector<growth_link> describe() const {
    std::vector<growth_link> all;
    for (const link& l : links_) {
      const statistics s = l.filter.stats();
      all.push_back({l.filter.params(), l.capacity, s.keys_inserted, l.planned_fpr, s.fpr_from_fill, s.filter_bytes});
    }
    return all;
  }
  [[nodiscard]] const growth& params() const noexcept { return how_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const link& l : links_) bytes += l.filter.bytes().size();
    return bytes;
  }

private:
  struct link {
    sluice::filter filter;
    std::uint64_t capacity;
    double planned_fpr;
  };
  static constexpr std::size_t slice = 4096;  // keys in bulk at a time
  static constexpr double share = 0.5;        // of what is left of the rate, for each link
  static constexpr double caution = 0.9;      // models are good to 5%, and one filter differs from the next

  [[nodiscard]] static growth checked(const growth& how) {
    const auto demand = [](bool holds, const char* sentence) {
      if (!holds) throw parameter_error(std::string("growing filter: ") + sentence);
    };
    demand(how.fpr > 0 && how.fpr < 1, "the false positive rate lies between 0 and 1");
    demand(how.first_keys >= 64, "the first link holds at least 64 keys");
    demand(how.factor >= 2 && how.factor <= 1024, "each link holds 2 to 1024 times the keys of the one before");
    return how;
  }

  [[nodiscard]] parameters best(double keys, double fpr) const {
    parameters p = plan({.keys = keys, .fpr = fpr, .block_bits = how_.block_bits, .mergeable = true}).front().params;
    std::visit([&](auto& q) { q.seed = how_.seed; }, p);
    return p;
  }
  void add_link() {
    const std::uint64_t capacity =
        links_.empty() ? how_.first_keys
                       : checked_product(links_.back().capacity, how_.factor, "the keys of the next link");
    // A merged chain may have several links of one size: the number of doublings, not of links, says which share is left.
    const double size = std::log(static_cast<double>(capacity) / static_cast<double>(how_.first_keys));
    const double number = std::round(size / std::log(static_cast<double>(how_.factor)));
    const double fpr = how_.fpr * (1 - share) * std::pow(share, number) * caution;
    links_.push_back({sluice::filter(best(static_cast<double>(capacity), fpr)), capacity, fpr});
  }
  [[nodiscard]] static bool is_full(const link& l) noexcept { return l.filter.keys_inserted() >= l.capacity; }

  /// Keys that are found by chance are not counted as new: so many at most, but for one time in a billion.
  [[nodiscard]] std::uint64_t chance_finds() const noexcept {
    const double expected = how_.fpr * static_cast<double>(keys_inserted());
    return static_cast<std::uint64_t>(expected + 6 * std::sqrt(expected + 1));
  }

  static void drop_found(const sluice::filter& f, std::vector<digest>& keys) {
    std::vector<std::uint8_t> found(keys.size());
    f.may_contain_bulk(keys, std::span<std::uint8_t>(found));
    std::size_t left = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[left] = keys[i];
      left += found[i] == 0 ? 1U : 0U;
    }
    keys.resize(left);
  }

  growth how_;
  hasher hash_;
  std::vector<link> links_;
};

}  // namespace sluice
