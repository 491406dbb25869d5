// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// hash: a key becomes a 64-bit digest, once per operation, and everything else is derived from the digest.
//
//   key --XXH3 (bytes) or full mix (integers), seeded--> digest --derive(use, index)--> one word per use
//
// Integers are mixed inline; bytes are hashed in the library (src/hash/). detail/derive.hpp has the uses of a digest.
//
// Invariants
//   - the same key, seed and library version give the same digest on every machine (XXH3 and the mixes are defined on
//     values, not on memory; bytes are hashed as they are);
//   - two different integers never share a digest under one seed (the mix is a bijection);
//   - two different byte strings do with probability 2^-64, which is the floor of every filter's false positive rate:
//     n / 2^64. That is said of strings that come by chance, or were chosen without knowing the seed. XXH3 is no
//     cryptographic hash: who knows the seed can make any number of strings with one digest, and integers with any
//     digests (docs/adversarial-keys.md).
// Cost: no block is read.
#pragma once

#if __cplusplus < 202002L
#error "sluice needs C++20: compile with -std=c++20 or later"
#endif

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sluice/detail/api.hpp"
#include "sluice/errors.hpp"

namespace sluice {

/// What a filter knows of a key: 64 well-mixed bits. A type of its own, so that an integer key cannot be taken for one.
struct digest {
  std::uint64_t value = 0;
  friend auto operator<=>(const digest&, const digest&) = default;
};

namespace detail {

__extension__ using uint128 = unsigned __int128;
__extension__ using int128 = __int128;

/// A bijection of 64-bit words in which every input bit flips every output bit with probability close to one half
/// (two multiply-xorshift rounds and a final xorshift; the constants are Stafford's "mix 13").
[[nodiscard]] constexpr std::uint64_t full_mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// 2^64 divided by the golden ratio, made odd: an odd multiplier keeps all (use, index) pairs apart.
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

/// XXH3 of bytes under a seed. Compiled, in the library: a program whose keys are text or bytes, and which lacks this
/// function, links sluice::sluice.
[[nodiscard, gnu::pure]] SLUICE_API std::uint64_t hash_bytes(const void* bytes, std::size_t size,
                                                             std::uint64_t seed) noexcept;

/// The same of many texts, into as many digests: with one call, which takes less time than one for each.
SLUICE_API void hash_texts(const std::string_view* texts, std::size_t count, std::uint64_t seed, digest* out) noexcept;

/// Throws parameter_error: a null pointer is no text.
[[noreturn]] SLUICE_API void refuse_null_text();

}  // namespace detail

class hasher;

namespace detail {

/// A type of your own becomes a key by a function beside it, which is found by its arguments:
///   sluice::digest sluice_digest(const sluice::hasher& hash, const point& p) { return hash(p.name); }
template <class T>
concept has_sluice_digest = requires(const hasher& hash, const T& k) {
  { sluice_digest(hash, k) } -> std::same_as<digest>;
};

/// The integer that a key is: itself, or of an enumeration the one behind it.
template <class T>
struct integer_behind {
  using type = T;
};
template <class T>
  requires(std::is_enum_v<T> && !has_sluice_digest<T> && !std::same_as<T, std::byte>)
struct integer_behind<T> {
  using type = std::underlying_type_t<T>;
};

/// Truth values and characters are left out: as keys they are nearly always a mistake.
template <class T>
concept plain_integer =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, char8_t> &&
    !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && !std::same_as<T, wchar_t>;

/// Numbers of 128 bits are refused, with this name in the message, also where the compiler calls them integers (as GCC
/// does with -std=gnu++20). As their low half, 1 and 2^64 + 1 would be one key; as 16 bytes, a small number would be
/// another key than the same number in 64 bits. Give their bytes, in an order that all your programs agree on:
///   f.insert(std::as_bytes(std::span(&number, 1)));      little-endian on x86-64 and ARM
template <class T>
concept no_number_of_128_bits_but_its_bytes =
    !std::same_as<T, uint128> && !std::same_as<T, int128> && !(std::is_enum_v<T> && sizeof(T) > sizeof(std::uint64_t));

/// Integers that can be keys, of up to 64 bits, and enumerations, which are the integer behind them.
template <class T>
concept integer_key = plain_integer<typename integer_behind<std::remove_cv_t<T>>::type> &&
                      no_number_of_128_bits_but_its_bytes<std::remove_cv_t<T>>;

/// Elements that lie one after the other: arrays, vectors, spans. (Said without <ranges>, which takes the compiler
/// longer than all of this file.)
template <class T>
concept in_one_piece = requires(const T& t) {
  *std::data(t);
  { std::size(t) } -> std::convertible_to<std::size_t>;
};
template <in_one_piece T>
using element_of = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<const T&>()))>>;

template <class T>
concept byte =
    std::same_as<T, std::byte> || std::same_as<T, unsigned char> || std::same_as<T, char> || std::same_as<T, char8_t>;

/// Arrays, vectors and spans of std::byte, unsigned char, std::uint8_t or char: all of them, zeros included. (Text
/// literals are text: they end before their zero.)
template <class T>
concept byte_range = in_one_piece<T> && byte<element_of<T>> && !std::convertible_to<const T&, std::string_view> &&
                     !std::convertible_to<const T&, std::u8string_view>;

/// Something that owns bytes and ends with the expression that made it: a view of its bytes would outlive them.
template <class Bytes>
concept bytes_that_end = !std::is_reference_v<Bytes> && std::convertible_to<Bytes, std::span<const std::byte>> &&
                         !std::ranges::enable_borrowed_range<std::remove_cv_t<Bytes>>;

/// A text that a pointer leads to, up to its zero: it may lead nowhere.
template <class T>
concept text_pointer = std::same_as<T, const char*> || std::same_as<T, char*> || std::same_as<T, const char8_t*> ||
                       std::same_as<T, char8_t*>;

}  // namespace detail

/// A seed of the hash that nobody can guess, from the operating system; never 0. Seed 0, the default everywhere, is
/// known to everybody. Where keys come from untrusted parties, take this one: they cannot choose keys by it that are
/// found, or that fill one block (docs/adversarial-keys.md). All filters that are to be merged need the same. A file
/// has its seed in the clear: who may read the file knows it. Throws random_error if the system gives no random bytes.
[[nodiscard]] SLUICE_API std::uint64_t random_seed();

/// Makes digests of keys under one seed. Integers of every width are the same key if they are the same number
/// (negative ones as their 64-bit two's complement; enumerations as the integer behind them). Bytes may be anything,
/// also empty, also not text.
class hasher {
public:
  constexpr explicit hasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

  [[nodiscard]] digest operator()(std::span<const std::byte> bytes) const noexcept {
    return digest{detail::hash_bytes(bytes.data(), bytes.size(), seed_)};
  }
  [[nodiscard]] digest operator()(std::string_view text) const noexcept {
    return (*this)(std::as_bytes(std::span(text.data(), text.size())));
  }
  [[nodiscard]] digest operator()(std::u8string_view text) const noexcept {
    return (*this)(std::as_bytes(std::span(text.data(), text.size())));
  }
  digest operator()(std::nullptr_t) const = delete;  // no text
  /// Throws parameter_error for a null pointer.
  template <detail::text_pointer Pointer>
  [[nodiscard]] digest operator()(const Pointer& text) const {
    if (text == nullptr) detail::refuse_null_text();
    return (*this)(std::basic_string_view(text));
  }
  template <detail::byte_range Bytes>
  [[nodiscard]] digest operator()(const Bytes& bytes) const noexcept {
    return (*this)(std::as_bytes(std::span(std::data(bytes), std::size(bytes))));
  }
  template <detail::integer_key T>
  [[nodiscard]] constexpr digest operator()(T number) const noexcept {
    return digest{detail::full_mix(static_cast<std::uint64_t>(number) ^ detail::full_mix(seed_ + detail::golden))};
  }
  /// A digest is taken as it is: for people who have hashed already (under the same seed).
  [[nodiscard]] constexpr digest operator()(digest x) const noexcept { return x; }
  template <detail::has_sluice_digest T>
  [[nodiscard]] digest operator()(const T& k) const noexcept(noexcept(sluice_digest(*this, k))) {
    return sluice_digest(*this, k);
  }

private:
  std::uint64_t seed_;
};

namespace detail {

template <class K>
concept integer_text_bytes_or_digest = !has_sluice_digest<K> && requires(const hasher hash, const K& k) {
  { hash(k) } -> std::same_as<digest>;
};

}  // namespace detail

/// What insert and may_contain accept: integers, text, bytes, digests, and types that have a sluice_digest. The names
/// are what a compiler's message shows to someone whose type is none of them.
template <class K>
concept key = detail::no_number_of_128_bits_but_its_bytes<K> &&
              (detail::integer_text_bytes_or_digest<K> || detail::has_sluice_digest<K>);

/// Keys that can be read one after the other, once: any range of what insert takes. A range of bytes is one key.
template <class Keys>
concept key_range = requires(Keys& keys) {
  std::end(keys);
  requires key<std::remove_cvref_t<decltype(*std::begin(keys))>>;
  requires !detail::byte<std::remove_cvref_t<decltype(*std::begin(keys))>>;
};

/// Keys that lie one after the other: vectors, arrays and spans of integers, of std::string_view, of anything that
/// insert takes. An array of bytes is one key, not many.
template <class Keys>
concept bulk_keys =
    detail::in_one_piece<Keys> && key<detail::element_of<Keys>> && !detail::byte<detail::element_of<Keys>>;

namespace detail {

/// Lookups throw what making the digest throws: for a null pointer to text, and what a sluice_digest throws.
template <class K>
inline constexpr bool hashed_without_error =
    std::is_array_v<std::remove_cvref_t<K>> || noexcept(std::declval<const hasher&>()(std::declval<const K&>()));

}  // namespace detail

/// The digests of many keys, for builders: an array that needs 8 bytes for each while it grows. A std::vector holds the
/// old and the new array at once; realloc moves the pages of a large one instead.
class digest_store {
public:
  digest_store() = default;
  digest_store(const digest_store&) = delete;
  digest_store& operator=(const digest_store&) = delete;
  /// The other is empty afterwards.
  digest_store(digest_store&& other) noexcept
      : digests_(std::move(other.digests_)),
        size_(std::exchange(other.size_, 0)),
        room_(std::exchange(other.room_, 0)) {}
  digest_store& operator=(digest_store&& other) noexcept {
    digests_ = std::move(other.digests_);
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, 0);
    return *this;
  }
  ~digest_store() = default;

  void push_back(digest x) {
    if (size_ == room_) grow(room_ / 4 + 1024);
    digests_.get()[size_++] = x;
  }
  void reserve_more(std::size_t count) {
    if (count > room_ - size_) grow(count - (room_ - size_));
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<digest> all() & noexcept { return {digests_.get(), size_}; }

private:
  static_assert(std::is_trivially_copyable_v<digest>);

  /// Throws memory_error, and keeps what is there.
  void grow(std::size_t more) {
    const std::size_t room = room_ + more;
    void* const moved = room >= more && room <= std::numeric_limits<std::ptrdiff_t>::max() / sizeof(digest)
                            ? std::realloc(digests_.get(), room * sizeof(digest))
                            : nullptr;
    if (moved == nullptr) {
      throw memory_error("the system refused memory for the digests of " + std::to_string(room) + " keys");
    }
    digest* const old = digests_.release();  // realloc has freed it, or moved it to where it was
    static_cast<void>(old);
    digests_.reset(static_cast<digest*>(moved));
    room_ = room;
  }
  struct release {
    void operator()(digest* digests) const noexcept { std::free(digests); }  // NOLINT(cppcoreguidelines-no-malloc)
  };

  std::unique_ptr<digest, release> digests_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace sluice
