// filter/meter: counting blocks read is a policy. `unmetered` holds nothing and its calls vanish; `metered` keeps six
// numbers. A metered filter's lookups write these numbers: do not share one between threads.
#pragma once

#include <cstdint>

#include "sluice/statistics.hpp"

namespace sluice {

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
