// file/contents: what a file says, as types: whose keys, which filters, how many keys are in them and how many were planned. The same types
// describe what is to be written and what was read; then the spans point into the bytes that were read.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/growth.hpp"
#include "sluice/hash.hpp"
#include "sluice/overflow/overflow.hpp"
#include "sluice/parameters.hpp"

namespace sluice {

/// What the keys of a file are. An integer and its text are different keys, so that asking for the wrong kind would find nothing, ever.
enum class key_kind : std::uint8_t { bytes = 1, u64 = 2, u32 = 3 };

[[nodiscard]] constexpr std::string_view name_of(key_kind kind) noexcept {
  return kind == key_kind::bytes ? "bytes" : kind == key_kind::u64 ? "u64" : "u32";
}

/// Throws key_error unless a key of this type can be one of that kind; `name` is for the sentence. Digests can be of any: whoever made them knows.
template <class Key>
  requires key<std::remove_cvref_t<Key>>
void demand_kind(key_kind kind, std::string_view name) {
  using type = std::remove_cvref_t<Key>;
  if (std::same_as<type, digest> || integer_key<type> == (kind != key_kind::bytes)) return;
  throw key_error(std::string(name) + " has keys of kind " + std::string(name_of(kind)) + ", and was given " +
                  (integer_key<type> ? "an integer" : "bytes"));
}

/// One filter of a file.
struct stored_filter {
  parameters params = {};                  ///< as the filter has them: normalised
  std::span<const std::byte> blocks = {};  ///< its bytes
  overflow_state overflowed = {};
  std::uint64_t keys = 0;          ///< that were inserted
  std::uint64_t planned_keys = 0;  ///< for which it was made; 0: not known
  double planned_fpr = 0;          ///< at so many keys; 0: not known
};

struct file_contents {
  key_kind keys = key_kind::bytes;
  std::optional<growth> grows = std::nullopt;  ///< of a chain; otherwise there is one filter
  std::vector<stored_filter> filters = {};
};

}  // namespace sluice
