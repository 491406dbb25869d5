// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sealed_map: values of keys that are all known, in little more memory than the values. The blocks are those of a
// sealed filter (placement/sealed.hpp); the columns that a key selects give its value in place of a fingerprint. Keys
// are not kept.
//
//   auto m = sluice::sealed_map<std::uint16_t>::build(keys, values, {.check_bits = 8});
//   m.get(key)            a value; std::nullopt: the key is not in the map
//   m.save("shards.sluice");
//   const auto there = sluice::sealed_map<std::uint16_t>::map("shards.sluice");    read-only, where it lies
//
// A key of the map always gets its value. An absent one gets std::nullopt, but with probability 2^-c any value, where c
// is the number of check bits: none, unless they are asked for, and then every absent key gets some value.
//
// A file of a map is that of a sealed filter whose fingerprints are values and checks (docs/format.md); as filter_file
// says of files, an untrusted one can give wrong values, which verify() finds unless its checksums are forged, too, and
// nothing worse.
//
// Invariants: a map does not change. Every key is of the kind that the map was built of, and is refused otherwise;
// where it was built of digests, keys of any kind are asked for until set_kind() says which. The same pairs, in any
// order and however often, give the same bytes, whatever the number of threads. Keys that no block could hold lie in
// the list, sorted, their values beside them; where the bump bit of a key's first block is set, the list is asked
// before the columns are believed.
// Cost: 1.07 (v + c = 8) to 1.23 (32) times v + c bits a key (docs/sealed.md); a lookup reads 1.05 blocks. Building: 16
// bytes a key beside the map, and some 200 bytes a key of the group in hand for each thread; less than half a
// microsecond a key, one where v + c is 1.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/bulk/threads.hpp"
#include "sluice/errors.hpp"
#include "sluice/file.hpp"
#include "sluice/hash.hpp"
#include "sluice/key_origin.hpp"

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

/// The map, whatever the type of its values, and what a file says of its keys.
class SLUICE_API sealed_values {
public:
  /// The pairs are left in another order. Throws parameter_error, key_error.
  sealed_values(const sealed_map_parameters& p, std::span<sealed_pair> pairs, const build_options& options,
                const std::optional<key_kind>& keys);
  /// As sealed_map's.
  [[nodiscard]] static sealed_values map(const std::string& path);
  [[nodiscard]] static sealed_values load(const std::string& path);
  [[nodiscard]] static sealed_values load(std::span<const std::byte> bytes, const std::string& name);
  [[nodiscard]] static sealed_values view(std::span<const std::byte> bytes, const std::string& name);
  void save(const std::string& path, existing how) const;
  void verify() const;
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  [[nodiscard]] std::uint64_t size_bytes() const;
  [[nodiscard]] file_contents contents() const;

  [[nodiscard]] std::optional<std::uint32_t> get(digest x) const noexcept;
  /// Values, 0 where the key is unknown, and 1 or 0 for known.
  void get_chunk(const bulk::chunk& some, std::uint32_t* values, std::uint8_t* known) const noexcept;

  [[nodiscard]] const sealed_map_parameters& params() const noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] std::uint64_t listed() const noexcept;
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;

  [[nodiscard]] const std::optional<key_kind>& kind() const noexcept { return kind_; }
  void set_kind(key_kind kind);
  [[nodiscard]] const std::optional<key_origin>& origin() const noexcept { return origin_; }
  void set_origin(const std::optional<key_origin>& origin);
  [[nodiscard]] const key_hasher& hash() const noexcept { return hash_; }
  /// Throws key_error for keys of another kind; where the kind is unknown, all are right.
  void require_keys(key_kind kind) const {
    if (kind_ && are_integers(*kind_) != are_integers(kind)) refuse_keys(kind);
  }

private:
  class body;
  sealed_values(std::shared_ptr<const body> there, const file_contents& contents);
  [[nodiscard]] static sealed_values open(std::span<const std::byte> bytes, std::string name,
                                          std::shared_ptr<const void> owner);
  [[nodiscard]] static sealed_values copy_of(const sealed_values& there);
  /// Precondition: the kind is known, and another.
  void refuse_keys(key_kind kind) const;

  std::shared_ptr<const body> body_;  // which nobody changes
  std::optional<key_kind> kind_;      // none: only digests were seen
  std::optional<key_origin> origin_;
  std::vector<file_contents::skipped_section> skipped_;  // of a file: what is not known stays
  key_hasher hash_;
};

/// Does the file have a map, and not a filter? Reads its header. Throws file_error for what is neither.
[[nodiscard]] bool has_sealed_map(const std::string& path);

/// What a sealed map gives for a key: unsigned integers of up to 32 bits, bool, and enumerations with a type of their
/// own, because a file may have any number.
template <class Value>
concept sealed_map_value =
    (std::unsigned_integral<Value> || (std::is_enum_v<Value> && requires { Value{0}; })) && sizeof(Value) <= 4;

}  // namespace detail

template <detail::sealed_map_value Value = std::uint32_t>
class sealed_map {
public:
  /// values[i] belongs to keys[i]. The same pair may come again. Of the options, threads and progress matter. Throws
  /// parameter_error for parameters that make no sense, as many values as keys not being there, or a value that has
  /// more than value_bits; key_error where a key has two values, or where keys were chosen to meet in some blocks.
  template <bulk_keys Keys, class Values>
  [[nodiscard]] static sealed_map build(const Keys& keys, const Values& values, const sealed_map_parameters& p = {},
                                        const build_options& options = {}) {
    if (std::size(keys) != std::size(values)) {
      throw parameter_error("a sealed map of " + std::to_string(std::size(keys)) + " keys needs as many values, not " +
                            std::to_string(std::size(values)));
    }
    if (p.value_bits > value_digits()) {
      throw parameter_error("a sealed map with values of " + std::to_string(p.value_bits) +
                            " bits was made for a type of " + std::to_string(value_digits()));
    }
    const hasher hash(p.seed);
    std::vector<detail::sealed_pair> pairs;
    pairs.reserve(std::size(keys));
    auto value = std::begin(values);
    for (const auto& k : keys) pairs.push_back({hash(k), number_of(checked_value(*value++))});
    std::optional<key_kind> kind;
    if constexpr (has_kind<detail::element_of<Keys>>) kind = kind_of<detail::element_of<Keys>>;
    return sealed_map(detail::sealed_values(p, pairs, options, kind));
  }

  /// The map of a file, read-only, where it lies: only the header is read. Throws file_error with the file and the
  /// reason, also for a filter, and for values that have more bits than a Value.
  [[nodiscard]] static sealed_map map(const std::string& path) {
    return sealed_map(with_room_for(detail::sealed_values::map(path), path));
  }
  /// The same, verified, in memory of its own.
  [[nodiscard]] static sealed_map load(const std::string& path) {
    return sealed_map(with_room_for(detail::sealed_values::load(path), path));
  }
  /// The same of the bytes of a file; `name` is for sentences.
  [[nodiscard]] static sealed_map load(std::span<const std::byte> bytes, const std::string& name = "the bytes") {
    return sealed_map(with_room_for(detail::sealed_values::load(bytes, name), name));
  }
  /// The same, read-only: the bytes of a whole file, which stay the caller's and are not verified.
  [[nodiscard]] static sealed_map view(std::span<const std::byte> bytes, const std::string& name = "the bytes") {
    return sealed_map(with_room_for(detail::sealed_values::view(bytes, name), name));
  }
  /// Bytes that nobody keeps are for load().
  template <detail::bytes_that_end Bytes>
  static sealed_map view(Bytes&& bytes, const std::string& name = {}) = delete;
  /// Throws file_error with the file and the reason, and then what was there is there still; key_error where the keys
  /// were digests and set_kind() did not say of what.
  void save(const std::string& path, existing how = existing::replace) const { values_.save(path, how); }
  /// Reads the whole file and compares all checksums. Throws file_error. There is nothing to compare for one in memory.
  void verify() const { values_.verify(); }
  /// The bytes of a file. Throws key_error as save().
  [[nodiscard]] std::vector<std::byte> to_bytes() const { return values_.to_bytes(); }
  /// What a file of it says. The spans are valid while this map, or a copy of it, lives. Throws key_error as save().
  [[nodiscard]] file_contents contents() const& { return values_.contents(); }
  [[nodiscard]] file_contents contents() const&& = delete;
  /// Of the file, as it is or would be.
  [[nodiscard]] std::uint64_t size_bytes() const { return values_.size_bytes(); }

  /// Of which kind the keys are; none where only digests were seen.
  [[nodiscard]] const std::optional<key_kind>& kind() const noexcept { return values_.kind(); }
  /// Says so of digests. Throws key_error if it is another kind already.
  void set_kind(key_kind kind) { values_.set_kind(kind); }
  /// How the keys were made, as filter_file has it.
  [[nodiscard]] const std::optional<key_origin>& origin() const noexcept { return values_.origin(); }
  /// Says so, and of which kind they are. Throws parameter_error for an origin that cannot be, key_error if it makes
  /// keys of another kind.
  void set_origin(const std::optional<key_origin>& origin) { values_.set_origin(origin); }

  /// The hash of its keys.
  [[nodiscard]] const key_hasher& hash() const noexcept { return values_.hash(); }

  /// Of a key of the map: its value. Of any other: nothing, or with probability 2^-check_bits a value. Throws key_error
  /// for a key of another kind than the map's.
  template <key K>
  [[nodiscard]] std::optional<Value> get(const K& k) const {
    require_kind_of<K>();
    const std::optional<std::uint32_t> found = values_.get(values_.hash()(k));
    if (!found) return std::nullopt;
    return value_of(*found);
  }

  /// All keys at once: values[i] is the value of keys[i], or Value{} where it is unknown; `known` gets an answer for
  /// each, as may_contain_bulk gives it. Throws parameter_error if there is no room for them, key_error as get().
  template <bulk_keys Keys>
  void get_bulk(const Keys& keys, std::span<Value> values, detail::bulk::answers known) const {
    get_bulk(keys, values, known, 1);
  }
  /// The same by several threads (0: all).
  template <bulk_keys Keys>
  void get_bulk(const Keys& keys, std::span<Value> values, detail::bulk::answers known, std::uint32_t threads) const {
    const auto all = detail::span_of(keys);
    if (values.size() < all.size()) {
      throw parameter_error("a bulk lookup of " + std::to_string(all.size()) +
                            " keys needs room for as many values, not for " + std::to_string(values.size()));
    }
    known.require_room(all.size());
    require_kind_of<detail::element_of<Keys>>();
    values_.hash().with_plain(all, [&](const auto& plain) {
      detail::bulk::in_shares(plain.size(), threads, [&](std::size_t first, std::size_t count) {
        detail::bulk::answers mine = known;  // which has room for a chunk of its own
        std::array<std::uint32_t, detail::bulk::chunk_keys> some_values;
        detail::bulk::in_chunks(values_.hash().plain(), plain.subspan(first, count),
                                [&](const detail::bulk::chunk& some, std::size_t at) {
                                  values_.get_chunk(some, some_values.data(), mine.chunk(first + at));
                                  mine.done(first + at, some.count);
                                  for (std::size_t i = 0; i < some.count; ++i) {
                                    values[first + at + i] = value_of(some_values[i]);
                                  }
                                });
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
  explicit sealed_map(detail::sealed_values values) : values_(std::move(values)) {}

  /// Of digests nobody knows the kind.
  template <class Key>
  static constexpr bool has_kind = !std::same_as<Key, digest>;
  template <class Key>
  static constexpr key_kind kind_of = detail::integer_key<Key> ? key_kind::u64 : key_kind::bytes;
  template <class Key>
  void require_kind_of() const {
    if constexpr (has_kind<Key>) values_.require_keys(kind_of<Key>);
  }
  [[nodiscard]] static detail::sealed_values with_room_for(detail::sealed_values values, const std::string& name) {
    const std::uint32_t bits = values.params().value_bits;
    if (bits > value_digits()) {
      throw file_error(name + " has values of " + std::to_string(bits) + " bits, and was opened for values of " +
                           std::to_string(value_digits()),
                       error_code::bad_parameter);
    }
    return values;
  }
  /// Of a value in columns: unsigned, so that a negative one has no more bits than its type.
  [[nodiscard]] static constexpr auto unsigned_of(Value v) noexcept {
    if constexpr (!std::is_enum_v<Value>) {
      return v;
    } else if constexpr (std::same_as<std::underlying_type_t<Value>, bool>) {
      return static_cast<bool>(v);
    } else {
      return static_cast<std::make_unsigned_t<std::underlying_type_t<Value>>>(v);
    }
  }
  [[nodiscard]] static constexpr std::uint32_t value_digits() noexcept {
    return std::numeric_limits<decltype(unsigned_of(Value{}))>::digits;
  }
  /// Throws parameter_error for a number that the type does not have.
  template <class Given>
  [[nodiscard]] static Value checked_value(const Given& given) {
    bool fits = true;
    if constexpr (std::is_arithmetic_v<Given> && std::is_signed_v<Given>) fits = given >= 0;
    if constexpr (std::is_floating_point_v<Given>) {  // the conversion of a larger one is not defined
      fits = fits && given < static_cast<Given>(std::uint64_t{1} << value_digits());
    }
    const auto v = fits ? static_cast<Value>(given) : Value{};
    if (!fits || static_cast<Given>(v) != given) {
      throw parameter_error("a value does not fit into the " + std::to_string(value_digits()) +
                            " bits of this sealed map's type");
    }
    return v;
  }
  [[nodiscard]] static constexpr std::uint32_t number_of(Value v) noexcept { return unsigned_of(v); }
  [[nodiscard]] static constexpr Value value_of(std::uint32_t number) noexcept { return static_cast<Value>(number); }

  detail::sealed_values values_;
};

}  // namespace sluice
