// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// server: what BF.RESERVE makes of a request: the Redis module plans from the planner's table, by its own function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "answer.hpp"
#include "plan_link.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/parameters.hpp"

namespace sluice_web {

// What the commands of the module take; settings.hpp of integrations/redis, which needs the server's own header.
inline constexpr double most_server_keys = 1U << 30U;
inline constexpr double most_server_rate = 0.25;

/// A key that does not grow, for these keys at this rate. Throws parameter_error for what the server refuses.
inline void describe_server(answer& out, double keys, double rate, std::uint32_t block_bits,
                            std::optional<sluice::scheme> which) {
  if (!(keys >= 1 && keys <= most_server_keys)) throw sluice::parameter_error("the server takes 1 to 2^30 items a key");
  if (!(rate <= most_server_rate)) throw sluice::parameter_error("the server takes error rates up to 0.25");
  if (block_bits != 256 && block_bits != 512) {
    throw sluice::parameter_error("the server has blocks of 256 or 512 bits");
  }
  const sluice::parameters p = sluice::redis::plan_link(
      {.keys = static_cast<std::uint64_t>(keys), .rate = rate, .block_bits = block_bits, .which = which});
  out.open('{').put("scheme", sluice::extend::scheme_name(p));
  out.put("memory_bytes", static_cast<double>(sluice::bytes_for(p))).close('}');
}

}  // namespace sluice_web
