// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// settings: the arguments that the module was loaded with, and what CONFIG SET has made of them.
//
//   loadmodule sluice.so ERROR_RATE 0.01 INITIAL_SIZE 100 EXPANSION 2 seed 7 compat valkey max-bytes 1gb
//                        max-work 64mb folder /var/lib/sluice
//
// Invariant: they change while the server holds its lock, and are looked at by who holds it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "module_api.hpp"

namespace sluice::redis {

/// Whose replies and errors are given.
enum class dialect : std::uint8_t { redisbloom, valkey };

struct settings {
  double error = 0.01;  ///< of filters that are made by adding to them
  std::uint64_t capacity = 100;
  std::uint32_t expansion = 2;                       ///< 0: they do not grow
  std::optional<std::uint64_t> seed = std::nullopt;  ///< of all new filters; none: each draws its own
  dialect speaks = dialect::redisbloom;
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  ///< of one key, where the server has no maxmemory
  std::uint64_t max_work = std::uint64_t{64} << 20;  ///< that BF.MERGE and BF.SAVEFILE take at once
  std::string folder = {};                           ///< of files; empty: there are none
};

inline constexpr double most_error = 0.25;  ///< what is asked for above this is this
inline constexpr std::uint64_t most_capacity = std::uint64_t{1} << 30;
inline constexpr std::uint32_t most_expansion = 32'768;

[[nodiscard]] const settings& current_settings() noexcept;
[[nodiscard]] inline bool speaks_valkey() noexcept { return current_settings().speaks == dialect::valkey; }

/// Throws parameter_error with the argument and what it may be.
void read_settings(text** arguments, int count);

/// Those that CONFIG GET and CONFIG SET know as sluice.error-rate, initial-size, expansion, max-bytes, max-work and
/// folder; arguments are their defaults. False where the server refuses.
[[nodiscard]] bool register_settings(context* ctx);

/// The bytes of a string of the server. Valid as long as it.
[[nodiscard]] inline std::string_view view_of(const text* t) noexcept {
  std::size_t size = 0;
  const char* const bytes = bytes_of(t, &size);
  return {bytes, size};
}

/// Equal but for the case of letters.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b) noexcept;

}  // namespace sluice::redis
