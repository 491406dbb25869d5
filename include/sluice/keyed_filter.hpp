// keyed_filter: what one file is, in memory of its own and ready for more keys: a filter or a chain that grows, the kind of its keys, and what was
// promised of it. The programs that keep filters (the command line, the C interface) hold these.
//
//   auto f = sluice::keyed_filter::load("words.sluice");
//   f.insert("sluice");
//   f.save("words.sluice");
//
// Invariants: every key is of the kind that the file names; what is saved and loaded again is equal.
// Cost: that of the filter, or of the chain, behind it.
#pragma once

#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/file.hpp"
#include "sluice/filter.hpp"
#include "sluice/growing_filter.hpp"

namespace sluice {

struct plan_candidate;

/// What a file says of a filter that was planned.
[[nodiscard]] saved_as saved_as_planned(const plan_candidate& c, key_kind keys);

class keyed_filter {
public:
  keyed_filter(filter f, const saved_as& what) : form_(std::move(f)), what_(what) {}
  keyed_filter(growing_filter f, key_kind keys) : form_(std::move(f)), what_{keys, 0, promise_of(form_)} {}
  /// A copy of what a file has.
  explicit keyed_filter(const file_contents& contents) : keyed_filter(copy_of(contents)) {}

  /// Verified. Throws file_error with the file and the reason.
  [[nodiscard]] static keyed_filter load(const std::string& path);
  /// Throws file_error with the file and the reason; then what was there is there still.
  void save(const std::string& path, file::existing how = file::existing::replace) const;
  /// What a file of it will say. The spans are valid while this filter lives and is not written to.
  [[nodiscard]] file_contents contents() const;

  /// True if the key was new. Throws key_error for a key of another kind.
  template <key K>
  bool insert(const K& k) {
    demand_kind<K>();
    demand_in_range(k);
    return std::visit([&](auto& f) { return f.insert(k); }, form_);
  }
  /// Returns how many were new.
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    demand_kind<std::ranges::range_value_t<Keys>>();
    for (const auto& k : keys) demand_in_range(k);
    return std::visit([&](auto& f) { return f.insert_bulk(keys); }, form_);
  }
  template <key K>
  [[nodiscard]] bool may_contain(const K& k) const {
    demand_kind<K>();
    return std::visit([&](const auto& f) { return f.may_contain(k); }, form_);
  }
  /// Writes 1 or 0 for each key.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint8_t> answers) const {
    demand_kind<std::ranges::range_value_t<Keys>>();
    std::visit([&](const auto& f) { f.may_contain_bulk(keys, answers); }, form_);
  }

  /// Afterwards every key of either is found here. Throws merge_error where filters, or chains, do, and for two that are not of a kind.
  void merge(const keyed_filter& other);

  [[nodiscard]] key_kind keys() const noexcept { return what_.keys; }
  [[nodiscard]] bool grows() const noexcept { return std::holds_alternative<growing_filter>(form_); }
  /// For which it was made; 0: not known, or it grows.
  [[nodiscard]] std::uint64_t planned_keys() const noexcept { return what_.planned_keys; }
  /// At so many keys, or of the whole chain; 0: not known.
  [[nodiscard]] double planned_fpr() const noexcept { return what_.planned_fpr; }
  /// Of its hash: digests of keys are made with it.
  [[nodiscard]] std::uint64_t seed() const noexcept;
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept;
  /// Of each filter, from its bits.
  [[nodiscard]] std::vector<statistics> stats() const;

private:
  using any_form = std::variant<filter, growing_filter>;

  [[nodiscard]] static double promise_of(const any_form& form);
  [[nodiscard]] static keyed_filter copy_of(const file_contents& contents);

  template <class K>
  void demand_kind() const {
    sluice::demand_kind<K>(what_.keys, "the filter");
  }

  /// A number of more bits is no u32, whatever its type.
  template <class K>
  void demand_in_range(const K& k) const {
    if constexpr (integer_key<K>) {
      if (what_.keys == key_kind::u32 && static_cast<std::uint64_t>(k) > std::numeric_limits<std::uint32_t>::max()) {
        throw key_error("the filter has keys of kind u32, and " + std::to_string(k) + " is none");
      }
    }
  }

  any_form form_;
  saved_as what_;
};

}  // namespace sluice
