// filter/meter: counting blocks read is a policy. `unmetered` holds nothing and its calls vanish; `metered` keeps six
// numbers. A metered filter's lookups write these numbers: do not share one between threads.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice {

/// Operations of one kind, and the blocks that they read together.
struct access_tally {
  std::uint64_t operations = 0;
  std::uint64_t blocks_read = 0;

  constexpr void add(std::uint32_t blocks) noexcept {
    ++operations;
    blocks_read += blocks;
  }
  /// Nothing, where there was no operation.
  [[nodiscard]] constexpr std::optional<double> mean() const noexcept {
    if (operations == 0) return std::nullopt;
    return static_cast<double>(blocks_read) / static_cast<double>(operations);
  }
};

/// Mean blocks read, where they were measured.
struct measured_accesses {
  std::optional<double> per_insert;  ///< of a key that was new
  std::optional<double> per_hit;     ///< lookups that answered true
  std::optional<double> per_miss;    ///< lookups that answered false
};

struct unmetered {
  static constexpr bool counts = false;
  constexpr void on_insert(bool /*was_new*/, std::uint32_t /*blocks*/) const noexcept {}
  constexpr void on_lookup(bool /*found*/, std::uint32_t /*blocks*/) const noexcept {}
  constexpr void clear() noexcept {}
  [[nodiscard]] static constexpr measured_accesses measured() noexcept { return {}; }
};

class metered {
public:
  static constexpr bool counts = true;
  constexpr void on_insert(bool was_new, std::uint32_t blocks) const noexcept {
    if (was_new) inserts_.add(blocks);
  }
  constexpr void on_lookup(bool found, std::uint32_t blocks) const noexcept { (found ? hits_ : misses_).add(blocks); }
  constexpr void clear() noexcept { *this = metered{}; }
  [[nodiscard]] constexpr measured_accesses measured() const noexcept {
    return {inserts_.mean(), hits_.mean(), misses_.mean()};
  }

private:
  mutable access_tally inserts_;  // mutable: looking up is const, and counting it does not change the filter
  mutable access_tally hits_;
  mutable access_tally misses_;
};

}  // namespace sluice
