// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The sealed map: blocks that a sealed_work writes, a list with values, and lookups by the kernels of this processor.
// A map is a view of bytes, and an owner that keeps them: memory of its own, or a mapped file.
#include "sluice/sealed_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "builder/sealed_work.hpp"
#include "map/sealed_map_body.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/map.hpp"

namespace sluice::detail {

namespace {

sealed_map_parameters complete(sealed_map_parameters p, std::span<const sealed_pair> pairs) {
  std::uint32_t largest = 0;
  for (const sealed_pair& one : pairs) largest = std::max(largest, one.value);
  const std::uint32_t needed = extend::value_bits_for(largest);
  if (p.value_bits == 0) p.value_bits = needed;
  if (p.value_bits < needed) {
    throw parameter_error("the value " + std::to_string(largest) + " needs " + std::to_string(needed) +
                          " bits; this sealed map has " + std::to_string(p.value_bits) + " for each");
  }
  constexpr std::uint32_t most = extend::most_value_and_check_bits;
  if (p.value_bits > most || p.check_bits > most - p.value_bits) {
    throw parameter_error("a sealed map has at most 32 bits for a value and its check, not " +
                          std::to_string(p.value_bits) + " and " + std::to_string(p.check_bits));
  }
  if (p.block_bits != 256 && p.block_bits != 512) {
    throw parameter_error("sealed map: a block has 256 or 512 bits, not " + std::to_string(p.block_bits));
  }
  return p;
}

sealed_parameters choose_blocks(const sealed_map_parameters& p, std::span<sealed_pair> pairs, std::uint32_t threads) {
  sealed_parameters sealed{.block_bits = p.block_bits, .fingerprint_bits = p.value_bits + p.check_bits, .seed = p.seed};
  sealed.blocks = sealed_builder::blocks_for(count_different(pairs, threads_or_all(threads)), sealed);
  return sealed;
}

}  // namespace

std::shared_ptr<const sealed_values::body> sealed_values::body::build(const sealed_map_parameters& wanted,
                                                                      std::span<sealed_pair> pairs,
                                                                      const build_options& options) {
  const sealed_map_parameters p = complete(wanted, pairs);
  const sealed_parameters sealed = choose_blocks(p, pairs, options.threads);
  const auto owned = std::make_shared<owned_map>(make_recipe(sealed).bytes());
  // The value in the low bits of the columns, the check above it.
  const auto column = [&p](const sealed_pair& one, const sealed_key& key) { return one.value | check_of(p, key); };
  sealed_work<sealed_pair, decltype(column)> work(sealed, column, options, {owned->blocks.data(), owned->blocks.size()},
                                                  pairs.size());
  work.write({pairs, 0, work.groups().groups()});
  const auto bumped = work.bumped();  // in ascending order
  for (const sealed_pair& one : bumped) {
    extend::put_number(owned->list, one.key.value, bits::word_bytes);
    extend::put_number(owned->list_values, one.value, list_value_bytes);
  }
  const stored_filter there{.params = sealed,
                            .blocks = {owned->blocks.data(), owned->blocks.size()},
                            .overflowed = {.slots = owned->list, .keys = bumped.size()},
                            .keys = work.keys_written(),
                            .value_bits = p.value_bits,
                            .list_values = owned->list_values};
  return std::make_shared<const body>(there, owned, std::string{}, std::span<const std::byte>{});
}

sealed_values::body::body(const stored_filter& there, std::shared_ptr<const void> owner, std::string name,
                          std::span<const std::byte> file)
    : stored(there),
      file_name(std::move(name)),
      file_bytes(file),
      params(params_of(there)),
      recipe_(make_recipe(std::get<sealed_parameters>(there.params))),
      owner_(std::move(owner)),
      filter_{there.blocks.data(), recipe_.placement.groups(), recipe_.placement.blocks(),
              sorted_list_view(there.overflowed)} {}

sealed_map_parameters sealed_values::body::params_of(const stored_filter& there) {
  const auto& p = std::get<sealed_parameters>(there.params);
  return {.value_bits = there.value_bits,
          .check_bits = p.fingerprint_bits - there.value_bits,
          .block_bits = p.block_bits,
          .seed = p.seed};
}

std::optional<std::uint32_t> sealed_values::body::get(digest x) const noexcept {
  const bulk::sealed_value found = code_.value(filter_, x);
  if (found.ask) {
    if (const auto listed = in_list(x)) return listed;
  }
  if ((found.value & ~value_mask()) != check_of(params, sealed_key(x))) return std::nullopt;
  return found.value & value_mask();
}

void sealed_values::body::get_chunk(const bulk::chunk& some, std::uint32_t* values,
                                    std::uint8_t* known) const noexcept {
  std::array<std::uint16_t, bulk::chunk_keys> ask;
  const std::size_t asks = code_.values(filter_, some, values, ask.data());
  const std::uint32_t mask = value_mask();
  for (std::size_t i = 0; i < some.count; ++i) {
    const bool right = (values[i] & ~mask) == check_of(params, sealed_key(some.digests[i]));
    known[i] = right ? 1 : 0;
    values[i] = right ? values[i] & mask : 0;
  }
  for (std::size_t n = 0; n < asks; ++n) {
    const auto listed = in_list(some.digests[ask[n]]);
    if (!listed) continue;
    values[ask[n]] = *listed;
    known[ask[n]] = 1;
  }
}

std::uint32_t sealed_values::body::check_of(const sealed_map_parameters& p, const sealed_key& key) noexcept {
  if (p.check_bits == 0) return 0;
  return key.fingerprint(p.check_bits) << p.value_bits;
}

std::optional<std::uint32_t> sealed_values::body::in_list(digest x) const noexcept {
  const sorted_list_view& list = filter_.list;
  const std::uint64_t number = list.lower_bound(x);
  if (number == list.size() || list[number] != x) return std::nullopt;
  // Those of a file that nobody verified may have any bits.
  return static_cast<std::uint32_t>(
             extend::number_at(stored.list_values, number * list_value_bytes, list_value_bytes)) &
         value_mask();
}

sealed_values::sealed_values(const sealed_map_parameters& p, std::span<sealed_pair> pairs, const build_options& options,
                             const std::optional<key_kind>& keys)
    : body_(body::build(p, pairs, options)), kind_(keys), hash_(p.seed) {}

std::optional<std::uint32_t> sealed_values::get(digest x) const noexcept { return body_->get(x); }
void sealed_values::get_chunk(const bulk::chunk& some, std::uint32_t* values, std::uint8_t* known) const noexcept {
  body_->get_chunk(some, values, known);
}
const sealed_map_parameters& sealed_values::params() const noexcept { return body_->params; }
std::uint64_t sealed_values::size() const noexcept { return body_->stored.keys; }
std::uint64_t sealed_values::listed() const noexcept { return body_->stored.overflowed.keys; }
std::uint64_t sealed_values::memory_bytes() const noexcept {
  const stored_filter& there = body_->stored;
  return there.blocks.size() + there.overflowed.slots.size() + there.list_values.size();
}
std::span<const std::byte> sealed_values::bytes() const noexcept { return body_->stored.blocks; }

void sealed_values::set_kind(key_kind kind) {
  if (kind_ && *kind_ != kind) {
    throw key_error("the map has keys of kind " + std::string(name_of(*kind_)) + " already, not " +
                    std::string(name_of(kind)));
  }
  kind_ = kind;
}

void sealed_values::set_origin(const std::optional<key_origin>& origin) {
  if (origin) {
    check(*origin);
    set_kind(origin->kind());
  }
  origin_ = origin && !is_usual(*origin) ? origin : std::nullopt;  // the kind of the keys says the usual one
  hash_ = key_hasher(hash_.seed(), origin_);
}

void sealed_values::refuse_keys(key_kind kind) const {
  if (kind_) require_kind(body_->file_name.empty() ? "the map" : body_->file_name, *kind_, kind);
}

}  // namespace sluice::detail
