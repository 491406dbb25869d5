// file/chain: lookups of many keys in several filters, of which any may have a key. Each filter is asked in bulk for
// the keys that those before it do not have.
// Cost: that of a bulk lookup in every filter for an absent key; digests are made once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/hash.hpp"

namespace sluice::file {

/// Keeps the elements whose `drop` is 0, in their order.
template <class T>
void keep_absent(std::vector<T>& elements, std::span<const std::uint8_t> drop) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[left] = elements[i];
    left += drop[i] == 0 ? 1U : 0U;
  }
  elements.resize(left);
}

/// ask(number, digests, found) looks keys up in one filter of `count`, and the last is asked first. Writes 1 or 0 for
/// each key of the chunk.
template <class Ask>
void look_up_chain(std::size_t count, const bulk::chunk& some, std::uint8_t* out, const Ask& ask) {
  std::vector<digest> asked(some.digests, some.digests + some.count);
  std::vector<std::uint32_t> numbers(some.count);
  for (std::uint32_t i = 0; i < some.count; ++i) numbers[i] = i;
  std::vector<std::uint8_t> found;
  for (std::size_t number = count; number-- > 0 && !asked.empty();) {
    found.resize(asked.size());
    ask(number, std::span<const digest>(asked), std::span<std::uint8_t>(found));
    for (std::size_t i = 0; i < asked.size(); ++i) out[numbers[i]] = found[i];
    keep_absent(asked, found);
    keep_absent(numbers, found);
  }
}

}  // namespace sluice::file
