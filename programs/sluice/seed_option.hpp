// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// --seed: a number, or `random`, which draws one.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "frame/number_reader.hpp"
#include "sluice/hash.hpp"

namespace sluice_cli {

/// Seed 0 stays the usual one: the same keys then give the same bytes, and shards that are built apart can be merged.
inline void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& what) {
  const auto number_or_sentence = [](std::string& text) {
    const std::optional<std::uint64_t> number = text == "random" ? sluice::random_seed() : whole_number(text);
    if (!number) {
      return fmt::format("'{}' is not a whole number from 0 to 18446744073709551615, and not `random`", text);
    }
    text = std::to_string(*number);
    return std::string();
  };
  app.add_option("--seed", seed, what)
      ->type_name("SEED")
      ->transform(CLI::Validator(number_or_sentence, ""))
      ->capture_default_str();
}

}  // namespace sluice_cli
