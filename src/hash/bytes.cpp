// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// hash/bytes: the one file that includes xxHash.
//
// Inlined, so that nothing is linked. Its macros, and its static functions, end with this file: a program may include
// xxHash itself, as it likes.
//
// Memory is read by memcpy. For GCC on ARM xxHash would read through packed unions, against the rules of aliasing: of
// an object that the compiler sees being written, such a read may find what was there before, so that different keys
// get one digest, and a key that was inserted another one than when it is asked for.
#define XXH_INLINE_ALL
#define XXH_FORCE_MEMORY_ACCESS 0
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "hash/stream.hpp"
#include "sluice/errors.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

void hash_texts(const std::string_view* texts, std::size_t count, std::uint64_t seed, digest* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = digest{XXH3_64bits_withSeed(texts[i].data(), texts[i].size(), seed)};
  }
}

void refuse_null_text() {
  throw parameter_error("a key is a null pointer to text; an empty text, \"\", is a key, and a null pointer is not");
}

struct hash_stream::state {
  XXH3_state_t xxh3;
};

hash_stream::hash_stream() : state_(std::make_unique_for_overwrite<state>()) { XXH3_64bits_reset(&state_->xxh3); }

hash_stream::~hash_stream() = default;

void hash_stream::add(std::span<const std::byte> piece) noexcept {
  XXH3_64bits_update(&state_->xxh3, piece.data(), piece.size());
}

std::uint64_t hash_stream::finish() noexcept {
  const std::uint64_t all = XXH3_64bits_digest(&state_->xxh3);
  XXH3_64bits_reset(&state_->xxh3);
  return all;
}

}  // namespace sluice::detail
