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
#include <variant>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/file.hpp"
#include "sluice/filter.hpp"
#include "sluice/filter/chain.hpp"
#include "sluice/growth.hpp"
#include "sluice/plan.hpp"

namespace sluice {

/// One filter of the chain.
struct chain_link {
  sluice::filter filter;
  std::uint64_t capacity;
  double planned_fpr;  ///< when it is full
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
  /// As it was: the chain of another one. Throws parameter_error if there is no link, or one that is smaller than the first is to be.
  growing_filter(const growth& how, std::vector<chain_link> chain)
      : how_(checked(how)), hash_(how.seed), links_(std::move(chain)) {
    if (links_.empty()) throw parameter_error("growing filter: a chain has at least one link");
    for (const chain_link& l : links_) {
      if (l.capacity < how_.first_keys || seed_of(l.filter.params()) != how_.seed) {
        throw parameter_error("growing filter: a link that cannot have grown so");
      }
    }
  }

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
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>({all.size() - done, room, detail::chain_slice}));
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
    detail::look_up_chain(links_.size(), hash_, detail::span_of(keys), answers,
                          [&](std::size_t number, std::span<const digest> asked, std::span<std::uint8_t> found) {
                            links_[number].filter.may_contain_bulk(asked, found);
                          });
  }

  /// Afterwards every key of either chain is found here. Links of one size are united where both together have room; others are added. Throws
  /// merge_error unless both grow in the same way. The rate of the result is fpr_bound(), which may then be above the wanted one: two
  /// full chains have twice the false positives of one, and nothing but the keys themselves can mend that.
  void merge(const growing_filter& other) {
    if (this == &other) return;
    if (!(how_ == other.how_)) throw merge_error("two growing filters can be merged only if they grow in the same way");
    std::vector<chain_link> merged = links_;
    for (const chain_link& theirs : other.links_) {
      const auto fits = [&](const chain_link& ours) {
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
    std::sort(merged.begin(), merged.end(), [](const chain_link& a, const chain_link& b) {
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
    for (const chain_link& l : links_) keys += l.filter.keys_inserted();
    return keys;
  }
  [[nodiscard]] std::size_t links() const noexcept { return links_.size(); }
  [[nodiscard]] const std::vector<chain_link>& chain() const noexcept { return links_; }
  /// The rate when every link is full: below the wanted one, unless chains were merged.
  [[nodiscard]] double fpr_bound() const noexcept {
    double sum = 0;
    for (const chain_link& l : links_) sum += l.planned_fpr;
    return sum;
  }
  /// Of the bits as they are.
  [[nodiscard]] double fpr_from_fill() const { return fpr_of_any(stats()); }
  /// Of each link.
  [[nodiscard]] std::vector<statistics> stats() const {
    std::vector<statistics> all;
    all.reserve(links_.size());
    for (const chain_link& l : links_) all.push_back(l.filter.stats());
    return all;
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
    for (const chain_link& l : links_) {
      const statistics s = l.filter.stats();
      all.push_back({l.filter.params(), l.capacity, s.keys_inserted, l.planned_fpr, s.fpr_from_fill, s.filter_bytes});
    }
    return all;
  }
  [[nodiscard]] const growth& params() const noexcept { return how_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const chain_link& l : links_) bytes += l.filter.bytes().size();
    return bytes;
  }

private:
  static constexpr double share = 0.5;    // of what is left of the rate, for each link
  static constexpr double caution = 0.9;  // models are good to 5%, and one filter differs from the next

  [[nodiscard]] static growth checked(const growth& how) {
    check(how);
    return how;
  }

  [[nodiscard]] parameters best(double keys, double fpr) const {
    return plan({.keys = keys, .fpr = fpr, .block_bits = how_.block_bits, .mergeable = true, .seed = how_.seed})
        .front()
        .params;
  }
  void add_link() {
    const std::uint64_t capacity =
        links_.empty() ? how_.first_keys
                       : checked_product(links_.back().capacity, how_.factor, "the keys of the next link");
    // A merged chain may have several links of one size: the number of doublings, not of links, says which share is left.
    const double size = std::log(static_cast<double>(capacity) / static_cast<double>(how_.first_keys));
    const double number = std::round(size / std::log(static_cast<double>(how_.factor)));
    const double fpr = how_.fpr * (1 - share) * std::pow(share, number) * caution;
    const parameters next = best(static_cast<double>(capacity), fpr);
    demand_in_proportion(next);
    links_.push_back({sluice::filter(next), capacity, fpr});
  }
  /// A link has a little more than `factor` times the memory of the one before. A chain from an untrusted file may say otherwise: it must not
  /// ask for memory without end.
  void demand_in_proportion(const parameters& next) const {
    if (links_.empty()) return;
    const std::uint64_t bytes = std::visit([](const auto& r) { return r.bytes(); }, recipe_for(normalised(next)));
    const std::uint64_t last = links_.back().filter.bytes().size();
    if (bytes / 2 / how_.factor > last + page_bytes) {
      throw parameter_error("growing filter: the next filter of the chain would need " + std::to_string(bytes) +
                            " bytes, out of all proportion to the " + std::to_string(last) +
                            " of the last one; no chain grows so");
    }
  }
  [[nodiscard]] static bool is_full(const chain_link& l) noexcept { return l.filter.keys_inserted() >= l.capacity; }

  /// Keys that are found by chance are not counted as new: so many at most, but for one time in a billion.
  [[nodiscard]] std::uint64_t chance_finds() const noexcept {
    const double expected = how_.fpr * static_cast<double>(keys_inserted());
    return static_cast<std::uint64_t>(expected + 6 * std::sqrt(expected + 1));
  }

  static void drop_found(const sluice::filter& f, std::vector<digest>& keys) {
    std::vector<std::uint8_t> found(keys.size());
    f.may_contain_bulk(keys, std::span<std::uint8_t>(found));
    detail::keep_absent(keys, std::span<const std::uint8_t>(found));
  }

  growth how_;
  hasher hash_;
  std::vector<chain_link> links_;
};

/// What a file of this chain will say. The spans point into its filters.
[[nodiscard]] inline file_contents contents_of(const growing_filter& f, key_kind keys) {
  file_contents contents{.keys = keys, .grows = f.params()};
  for (const chain_link& l : f.chain()) {
    contents.filters.push_back(contents_of(l.filter, {keys, l.capacity, l.planned_fpr}).filters.front());
  }
  return contents;
}

/// Throws file_error with the file and the reason; then what was there is there still.
inline void save(const growing_filter& f, const std::string& path, key_kind keys,
                 file::existing how = file::existing::replace) {
  file::replacement into(path);
  save(contents_of(f, keys), into, how);
}

/// The chain of a file, in memory of its own. Throws parameter_error for a file that is no chain.
[[nodiscard]] inline growing_filter growing_filter_of(const file_contents& contents) {
  if (!contents.grows) throw parameter_error("growing filter: the file has one filter, which does not grow");
  std::vector<chain_link> chain;
  chain.reserve(contents.filters.size());
  for (const stored_filter& f : contents.filters) chain.push_back({filter_of(f), f.planned_keys, f.planned_fpr});
  return {*contents.grows, std::move(chain)};
}

/// The same, verified. Throws file_error, also for a filter that does not grow: sluice::load reads those.
[[nodiscard]] inline growing_filter load_growing(const std::string& path) {
  const view v = view::map(path);
  if (!v.contents().grows) throw file_error(path + " is one filter, not a chain that grows; load it as such");
  v.verify();
  return growing_filter_of(v.contents());
}

}  // namespace sluice
