// builder/options: how long a builder may look for a better filter, and with what. Builders (static_builder, choice_builder) are given all keys
// before the filter exists, and all are used alike:
//   builder.insert(key);   builder.insert_bulk(keys);   sluice::filter f = builder.build({.rounds = 8});
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <thread>

namespace sluice {

/// As many threads as were asked for; for 0, as many as the machine has.
[[nodiscard]] inline std::uint32_t threads_or_all(std::uint32_t threads) noexcept {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

struct build_options {
  /// Passes over all decisions. The first few gain most; docs/static.md has a figure. Search ends earlier when nothing is gained.
  std::uint32_t rounds = 6;
  /// 0: as many as the machine has. The bytes do not depend on it. Choice groups are built by one.
  std::uint32_t threads = 1;
  /// What one more block read, by every hit or by every miss, is worth: the factor e in the rate to this power. Static gated filters
  /// only; 0 looks for the lowest rate at any number of reads.
  double read_weight = 1;
  /// Told the share of the work that is done, 0 to 1; by any thread, but never by two at once. An exception ends the build.
  std::function<void(double)> progress = {};
};

}  // namespace sluice
