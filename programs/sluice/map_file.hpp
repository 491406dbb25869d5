// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files of sealed maps, a number for every key: what `sluice build --values` makes, and what `sluice info` says of
// them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "key_options.hpp"
#include "sluice/sealed_map.hpp"

namespace sluice_cli {

struct map_options {
  std::string out;
  const key_options& keys;
  std::string values;  ///< the column, or the field, that they stand in
  std::optional<double> fpr;
  std::uint32_t block_bits = 0;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  bool force = false;
  bool json = false;
};

/// Reads keys with their values and writes the file. They are held, 28 bytes each, and while they are read up to 24.
int build_map(const map_options& o);

[[nodiscard]] nlohmann::ordered_json map_json(const sluice::sealed_map<>& m, const std::string& file);

}  // namespace sluice_cli
