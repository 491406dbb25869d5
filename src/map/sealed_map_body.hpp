// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// map/sealed_map_body: a sealed map as its lookups see it, and the owner of the bytes that they look at.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bulk/sealed.hpp"
#include "sluice/detail/memory/storage.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/extend/numbers.hpp"
#include "sluice/sealed_map.hpp"

namespace sluice::detail {

inline constexpr std::size_t list_value_bytes = sizeof(std::uint32_t);  // little-endian, in memory as in files

/// The bytes of a map in memory of its own.
struct owned_map {
  explicit owned_map(std::uint64_t blocks_bytes) : blocks(blocks_bytes) {}
  owned_bytes blocks;
  std::vector<std::byte> list;  // digests, as a sorted_list has them
  std::vector<std::byte> list_values;
};

class sealed_values::body {
public:
  [[nodiscard]] static std::shared_ptr<const body> build(const sealed_map_parameters& wanted,
                                                         std::span<sealed_pair> pairs, const build_options& options);
  /// What `there` points to lives as long as the owner. `file` is what verify() reads: empty for a map in memory.
  body(const stored_filter& there, std::shared_ptr<const void> owner, std::string name,
       std::span<const std::byte> file);
  body(const body&) = delete;
  body& operator=(const body&) = delete;
  body(body&&) = delete;
  body& operator=(body&&) = delete;
  ~body() = default;

  [[nodiscard]] std::optional<std::uint32_t> get(digest x) const noexcept;
  void get_chunk(const bulk::chunk& some, std::uint32_t* values, std::uint8_t* known) const noexcept;

  const stored_filter stored;
  const std::string file_name;
  const std::span<const std::byte> file_bytes;
  const sealed_map_parameters params;

private:
  [[nodiscard]] static sealed_map_parameters params_of(const stored_filter& there);
  [[nodiscard]] std::uint32_t value_mask() const noexcept {
    return static_cast<std::uint32_t>(bits::low_bits(params.value_bits));
  }
  /// Where the columns have it; of two bits and more never 0, so that empty blocks know nobody.
  [[nodiscard]] static std::uint32_t check_of(const sealed_map_parameters& p, const sealed_key& key) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> in_list(digest x) const noexcept;

  sealed_recipe recipe_;
  std::shared_ptr<const void> owner_;
  bulk::sealed_filter filter_;
  const bulk::sealed_code& code_ = bulk::code_for(recipe_.block.layout());
};

}  // namespace sluice::detail
