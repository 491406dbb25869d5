// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/sealed_work: all groups of a sealed filter or map, written by several threads, and the keys that were bumped.
//
// An entry is a digest, or something that has one (digest_of) and a value; column(entry, key) is what its columns must
// give. Invariants: the bytes depend on the set of entries alone. A list of more than a few bumped keys is
// refused before it takes memory.
// Cost: that of the writer (builder/sealed_writer.hpp) for each thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "builder/digest_ranges.hpp"
#include "builder/sealed_writer.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

/// How many different entries there are; they are left in another order.
template <class Entry>
[[nodiscard]] std::uint64_t count_different(std::span<Entry> entries, std::uint32_t threads) {
  constexpr std::uint64_t in_a_range = 2048;
  const even_groups ranges(entries.size() / in_a_range + 1, 1);
  std::atomic<std::uint64_t> different = 0;
  const auto make_worker = [&] {
    return [&](std::uint64_t /*range*/, std::span<const Entry> some) { different += some.size(); };
  };
  const auto finished = [](std::size_t /*entries*/) {};
  range_work<even_groups, decltype(make_worker), decltype(finished), Entry>(ranges, make_worker, finished)
      .run({entries, 0, ranges.groups()}, threads);
  return different.load();
}

template <class Entry, class Column>
class sealed_work {
public:
  sealed_work(const sealed_parameters& p, const Column& column, const build_options& options,
              std::span<std::byte> bytes, std::uint64_t all_keys)
      : parameters_(p),
        column_(column),
        options_(options),
        recipe_(make_recipe(p)),
        bytes_(bytes),
        all_keys_(all_keys) {}

  /// The groups whose keys these are; they are left in another order. Throws key_error.
  void write(const range_of<Entry>& range) {
    const auto make_worker = [this] {
      return [this, writer = sealed_writer(recipe_, bytes_, bulk::best_sealed_solver()),
              digests = std::vector<digest>()](std::uint64_t group, std::span<const Entry> some) mutable {
        const auto value = [&](std::uint32_t number, const sealed_key& key) { return column_(some[number], key); };
        if constexpr (std::same_as<Entry, digest>) {
          note(some, writer.write(group, some, value));
        } else {
          digests.clear();
          for (const Entry& e : some) digests.push_back(digest_of(e));
          require_different(digests);
          note(some, writer.write(group, digests, value));
        }
      };
    };
    const auto finished = [this](std::size_t keys) {
      done_ += keys;
      if (options_.progress && all_keys_ != 0 && done_ * 200 / all_keys_ != told_) {
        told_ = done_ * 200 / all_keys_;
        options_.progress(static_cast<double>(done_) / static_cast<double>(all_keys_));
      }
    };
    range_work<even_groups, decltype(make_worker), decltype(finished), Entry>(groups(), make_worker, finished)
        .run(range, threads_or_all(options_.threads));
  }

  [[nodiscard]] const even_groups& groups() const noexcept { return recipe_.placement.groups(); }
  [[nodiscard]] std::uint64_t keys_written() const noexcept { return written_.load(); }
  /// In ascending order; when all is written. Throws key_error.
  [[nodiscard]] std::span<const Entry> bumped() {
    if (bumped_.size() > most_bumped(written_)) refuse(written_);  // there were repetitions among all_keys_
    std::sort(bumped_.begin(), bumped_.end());
    return bumped_;
  }

private:
  static void require_different(std::span<const digest> ascending) {
    if (std::adjacent_find(ascending.begin(), ascending.end()) == ascending.end()) return;
    throw key_error("a key of a sealed map came with two different values");
  }
  void note(std::span<const Entry> keys, std::span<const std::uint32_t> bumped) {
    written_ += keys.size();
    if (bumped.empty()) return;
    const std::lock_guard lock(mutex_);
    if (bumped_.size() + bumped.size() > most_bumped(all_keys_)) refuse(all_keys_);
    for (const std::uint32_t number : bumped) bumped_.push_back(keys[number]);
  }
  [[noreturn]] void refuse(std::uint64_t keys) const {
    const std::uint64_t enough = sealed_builder::blocks_for(keys, parameters_);
    throw key_error("more than " + std::to_string(most_bumped(keys)) + " of " + std::to_string(keys) +
                    " keys find no place in the " + std::to_string(parameters_.blocks) + " sealed blocks; " +
                    (parameters_.blocks < enough
                         ? "they may be too many, and need " + std::to_string(enough) +
                               " blocks, or they were chosen by a party that knows the seed: then build it with a "
                               "random one"
                         : "they were probably chosen by a party that knows the seed: build it with a random one"));
  }

  sealed_parameters parameters_;
  Column column_;
  const build_options& options_;
  sealed_recipe recipe_;
  std::span<std::byte> bytes_;
  std::uint64_t all_keys_;
  std::uint64_t done_ = 0;
  std::uint64_t told_ = 0;
  std::atomic<std::uint64_t> written_ = 0;
  std::mutex mutex_;
  std::vector<Entry> bumped_;
};

}  // namespace sluice::detail
