// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/answers: where the answers of a bulk call go, whether a key may be there or whether it was new: a byte or a bit
// for every key.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>

#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail::bulk {

/// What answers are written into: arrays, vectors and spans of std::uint8_t, bool or std::uint64_t.
template <class Room>
concept answer_room = requires(Room& room) {
  std::size(room);
  requires std::same_as<decltype(std::data(room)), std::uint8_t*> || std::same_as<decltype(std::data(room)), bool*> ||
               std::same_as<decltype(std::data(room)), std::uint64_t*>;
};

/// Where answers go: a byte (1 or 0) for every key, or a bit: key i is bit i mod 64 of word i / 64, and bits beyond the
/// last key are 0.
class answers {
public:
  template <answer_room Room>  // NOLINTNEXTLINE(google-explicit-constructor): for callers, the room is the answers
  answers(Room&& room) noexcept {
    if constexpr (std::same_as<decltype(std::data(room)), std::uint64_t*>) {
      words_ = {std::data(room), std::size(room)};
      room_ = words_.size() * 64;
    } else {
      bytes_ = reinterpret_cast<std::uint8_t*>(std::data(room));  // a bool is such a byte, too
      room_ = std::size(room);
    }
  }

  /// Throws parameter_error unless there is room for this many.
  void require_room(std::size_t keys) const {
    if (room_ >= keys) return;
    throw parameter_error("a bulk call for " + std::to_string(keys) + " keys needs room for as many answers, not for " +
                          std::to_string(room_));
  }
  /// Where the answers of a chunk that begins with key `first` are wanted.
  [[nodiscard]] std::uint8_t* chunk(std::size_t first) noexcept {
    return words_.empty() ? bytes_ + first : buffer_.data();
  }
  /// Precondition: `first` is a multiple of 64, as chunks are.
  void done(std::size_t first, std::size_t count) noexcept {
    static_assert(chunk_keys % 64 == 0);
    if (words_.empty()) return;
    for (std::size_t i = 0; i < count; i += 64) {
      std::uint64_t word = 0;
      for (std::size_t bit = 0; bit < 64 && i + bit < count; ++bit) word |= std::uint64_t{buffer_[i + bit]} << bit;
      words_[(first + i) / 64] = word;
    }
  }

private:
  std::uint8_t* bytes_ = nullptr;
  std::span<std::uint64_t> words_;
  std::size_t room_ = 0;
  std::array<std::uint8_t, chunk_keys> buffer_;  // for bits only
};

/// Looks all keys up, in their order: look_up(chunk, out) writes 1 or 0 for each key of a chunk. Throws parameter_error
/// if there is no room for the answers.
template <class Key, class LookUp>
void look_up_in_chunks(const hasher& hash, std::span<const Key> keys, answers& to, const LookUp& look_up) {
  to.require_room(keys.size());
  in_chunks(hash, keys, [&](const chunk& some, std::size_t first) {
    look_up(some, to.chunk(first));
    to.done(first, some.count);
  });
}

/// Inserts all keys, in their order: insert(chunk, out) writes 1 for each key of a chunk that was new and 0 for the
/// others, and says how many. Returns how many were new of all. Throws parameter_error, before it inserts anything, if
/// there is no room for the answers.
template <class Key, class Insert>
std::uint64_t insert_in_chunks(const hasher& hash, std::span<const Key> keys, answers& to, const Insert& insert) {
  to.require_room(keys.size());
  std::uint64_t fresh = 0;
  in_chunks(hash, keys, [&](const chunk& some, std::size_t first) {
    fresh += insert(some, to.chunk(first));
    to.done(first, some.count);
  });
  return fresh;
}

/// Counts all keys: count(chunk, out) writes how often each key of a chunk seems to be in. Throws parameter_error if
/// there is no room for them.
template <class Key, class Count>
void count_in_chunks(const hasher& hash, std::span<const Key> keys, std::span<std::uint64_t> counts,
                     const Count& count) {
  if (counts.size() < keys.size()) {
    throw parameter_error("a bulk call for " + std::to_string(keys.size()) +
                          " keys needs room for as many counts, not for " + std::to_string(counts.size()));
  }
  in_chunks(hash, keys, [&](const chunk& some, std::size_t first) { count(some, counts.data() + first); });
}

}  // namespace sluice::detail::bulk
