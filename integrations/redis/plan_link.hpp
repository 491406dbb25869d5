// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan_link: the parameters of a new link, from the planner's table: everybody waits while a command plans, so no model
// is run. They are a function of the request alone: a primary, its replicas and a server that reads its log come to the
// same.
//
// What is considered: blocked filters; below a rate of 0.001, where they need 7 to 30% more memory, gated ones as well;
// below what those reach, Bloom-g and classic ones. A scheme that was asked for is the only one.
// Cost: microseconds, also to find that there is none.
#pragma once

#include <cstdint>
#include <optional>

#include "sluice/parameters.hpp"

namespace sluice::redis {

struct link_request {
  std::uint64_t keys = 0;
  double rate = 0;
  std::uint32_t block_bits = 512;
  std::optional<scheme> which = std::nullopt;
  std::optional<double> bits_per_key = std::nullopt;  ///< in place of what the rate takes; the rate must be kept
};

/// With seed 0. Throws parameter_error where no filter keeps the rate.
[[nodiscard]] parameters plan_link(const link_request& q);

}  // namespace sluice::redis
