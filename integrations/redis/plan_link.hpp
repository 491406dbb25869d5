// plan_link: the parameters of a new link, by the library's planner, and kept: thousands of keys have a few shapes.
//
// What is considered: blocked filters, whose plan takes a millisecond; below a rate of 0.001, where they need 7 to 30%
// more memory, gated ones as well (about a tenth of a second); below what those reach, Bloom-g and classic ones. A
// scheme that was asked for is the only one.
#pragma once

#include <cstdint>
#include <optional>

#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::redis {

struct link_request {
  std::uint64_t keys = 0;
  double rate = 0;
  std::uint32_t block_bits = 512;
  std::optional<scheme> which = std::nullopt;
  std::optional<double> bits_per_key = std::nullopt;  ///< in place of what the rate takes; the rate must be kept
  friend auto operator<=>(const link_request&, const link_request&) = default;
};

/// With seed 0. Throws parameter_error where no filter keeps the rate.
[[nodiscard]] plan_candidate plan_link(const link_request& q);
/// Its parameters, from memory if they were asked for before. Only the server's main thread calls this.
[[nodiscard]] parameters parameters_of_link(const link_request& q, std::uint64_t seed);

}  // namespace sluice::redis
