// sealed_map: values of keys that are all known, in little more memory than the values. The blocks are those of a sealed
// filter (placement/sealed.hpp); the columns that a key selects give its value in place of a fingerprint. Keys are not
// kept.
//
//   auto m = sluice::sealed_map<std::uint16_t>::build(keys, values, {.check_bits = 8});
//   m.get(key)            a value; std::nullopt: the key is not in the map
//
// A key of the map always gets its value. An absent one gets std::nullopt, but with probability 2^-c any value, where c
// is the number of check bits: none, unless they are asked for, and then every absent key gets some value.
//
// Invariants: a map does not change. The same pairs, in any order and however often, give the same bytes, whatever the
// number of threads. Keys that no block could hold lie in the list, sorted, their values beside them; where the bump bit
// of a key's first block is set, the list is asked before the columns are believed.
// Cost: 1.07 (v + c = 8) to 1.23 (32) times v + c bits a key (docs/sealed.md); a lookup reads 1.05 blocks. Building: 16
// bytes a key beside the map, and some 200 bytes a key of the group in hand for each thread; less than half a
// microsecond a key, one where v + c is 1.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/threads.hpp"
#include "sluice/errors.hpp"
#include "sluice/hash.hpp"

namespace sluice {

struct sealed_map_parameters {
  std::uint32_t value_bits = 0;  ///< 1 to 32; 0: as many as the largest value needs
  std::uint32_t check_bits = 0;  ///< absent keys get a value with probability 2^-check_bits; 32 with the value at most
  std::uint32_t block_bits = 512;
  std::uint64_t seed = 0;
  friend bool operator==(const sealed_map_parameters&, const sealed_map_parameters&) = default;
};

namespace detail {

/// A key of a map: its digest and its value.
struct sealed_pair {
  digest key;
  std::uint32_t value;
  friend bool operator==(const sealed_pair&, const sealed_pair&) = default;
  friend bool operator<(const sealed_pair& a, const sealed_pair& b) noexcept {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
  }
  friend digest digest_of(const sealed_pair& one) noexcept { return one.key; }
};

/// The map, whatever the type of its values.
class SLUICE_API sealed_values {
public:
  /// The pairs are left in another order. Throws parameter_error, key_error.
  sealed_values(const sealed_map_parameters& p, std::span<sealed_pair> pairs, const build_options& options);

  [[nodiscard]] std::optional<std::uint32_t> get(digest x) const noexcept;
  /// Values, 0 where the key is unknown, and 1 or 0 for known.
  void get_chunk(const bulk::chunk& some, std::uint32_t* values, std::uint8_t* known) const noexcept;

  [[nodiscard]] const sealed_map_parameters& params() const noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] std::uint64_t listed() const noexcept;
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;

private:
  class body;
  std::shared_ptr<const body> body_;  // which nobody changes
};

}  // namespace detail

/// What a sealed map gives for a key: unsigned integers of up to 32 bits, bool and enumerations.
template <class Value>
concept sealed_map_value = (std::unsigned_integral<Value> || std::is_enum_v<Value>) && sizeof(Value) <= 4;

template <sealed_map_value Value = std::uint32_t>
class sealed_map {
public:
  /// values[i] belongs to keys[i]. The same pair may come again. Of the options, threads and progress matter. Throws
  /// parameter_error for parameters that make no sense, as many values as keys not being there, or a value that has more
  /// than value_bits; key_error where a key has two values, or where keys were chosen to meet in some blocks.
  template <bulk_keys Keys, class Values>
  [[nodiscard]] static sealed_map build(const Keys& keys, const Values& values, const sealed_map_parameters& p = {},
                                        const build_options& options = {}) {
    if (std::size(keys) != std::size(values)) {
      throw parameter_error("a sealed map of " + std::to_string(std::size(keys)) + " keys needs as many values, not " +
                            std::to_string(std::size(values)));
    }
    const hasher hash(p.seed);
    std::vector<detail::sealed_pair> pairs;
    pairs.reserve(std::size(keys));
    auto value = std::begin(values);
    for (const auto& k : keys) pairs.push_back({hash(k), number_of(static_cast<Value>(*value++))});
    return sealed_map(p, pairs, options);
  }

  /// Of a key of the map: its value. Of any other: nothing, or with probability 2^-check_bits a value.
  [[nodiscard]] std::optional<Value> get(const key auto& k) const noexcept(detail::hashed_without_error<decltype(k)>) {
    const std::optional<std::uint32_t> found = values_.get(hash_(k));
    if (!found) return std::nullopt;
    return value_of(*found);
  }

  /// All keys at once: values[i] is the value of keys[i], or Value{} where it is unknown; `known` gets an answer for
  /// each, as may_contain_bulk gives it. Throws parameter_error if there is no room for them.
  template <bulk_keys Keys>
  void get_bulk(const Keys& keys, std::span<Value> values, bulk::answers known) const {
    get_bulk(keys, values, known, 1);
  }
  /// The same by several threads (0: all).
  template <bulk_keys Keys>
  void get_bulk(const Keys& keys, std::span<Value> values, bulk::answers known, std::uint32_t threads) const {
    const auto all = detail::span_of(keys);
    if (values.size() < all.size()) {
      throw parameter_error("a bulk lookup of " + std::to_string(all.size()) +
                            " keys needs room for as many values, not for " + std::to_string(values.size()));
    }
    known.demand_room(all.size());
    bulk::in_parts(all.size(), threads, [&](std::size_t first, std::size_t count) {
      bulk::answers mine = known;  // which has room for a chunk of its own
      std::array<std::uint32_t, bulk::chunk_keys> some_values;
      bulk::in_chunks(hash_, all.subspan(first, count), [&](const bulk::chunk& some, std::size_t at) {
        values_.get_chunk(some, some_values.data(), mine.chunk(first + at));
        mine.done(first + at, some.count);
        for (std::size_t i = 0; i < some.count; ++i) values[first + at + i] = value_of(some_values[i]);
      });
    });
  }

  /// Different keys.
  [[nodiscard]] std::uint64_t size() const noexcept { return values_.size(); }
  /// As the map was made: value_bits and check_bits are what it has.
  [[nodiscard]] const sealed_map_parameters& params() const& noexcept { return values_.params(); }
  [[nodiscard]] sealed_map_parameters params() const&& noexcept { return values_.params(); }
  /// Keys in the list.
  [[nodiscard]] std::uint64_t listed() const noexcept { return values_.listed(); }
  /// Blocks and list.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return values_.memory_bytes(); }
  /// The blocks. Valid while this map, or a copy of it, lives; so not for one that ends with the expression.
  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept { return values_.bytes(); }
  [[nodiscard]] std::span<const std::byte> bytes() const&& = delete;

private:
  sealed_map(const sealed_map_parameters& p, std::span<detail::sealed_pair> pairs, const build_options& options)
      : hash_(p.seed), values_(p, pairs, options) {}

  [[nodiscard]] static constexpr std::uint32_t number_of(Value v) noexcept { return static_cast<std::uint32_t>(v); }
  [[nodiscard]] static constexpr Value value_of(std::uint32_t number) noexcept { return static_cast<Value>(number); }

  hasher hash_;
  detail::sealed_values values_;
};

}  // namespace sluice
