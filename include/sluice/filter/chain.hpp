// filter/chain: lookups of many keys in several filters, of which any may have a key. Each filter is asked in bulk for the keys that those before
// it do not have.
// Cost: that of a bulk lookup in every filter for an absent key; digests are made once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/bulk/answers.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

inline constexpr std::size_t chain_slice = 4096;  // keys in hand at a time

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

/// ask(number, digests, found) looks keys up in one filter of `count`, and the last is asked first. Throws parameter_error if there is no room for
/// so many answers.
template <class Key, class Ask>
void look_up_chain(std::size_t count, const hasher& hash, std::span<const Key> keys, std::span<std::uint8_t> answers,
                   const Ask& ask) {
  bulk::answers(answers).demand_room(keys.size());
  std::vector<digest> asked;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint8_t> found;
  for (std::size_t done = 0; done < keys.size(); done += chain_slice) {
    const std::size_t some = std::min(keys.size() - done, chain_slice);
    asked.clear();
    numbers.clear();
    for (std::size_t i = 0; i < some; ++i) {
      asked.push_back(hash(keys[done + i]));
      numbers.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t number = count; number-- > 0 && !asked.empty();) {
      found.resize(asked.size());
      ask(number, std::span<const digest>(asked), std::span<std::uint8_t>(found));
      for (std::size_t i = 0; i < asked.size(); ++i) answers[done + numbers[i]] = found[i];
      keep_absent(asked, found);
      keep_absent(numbers, found);
    }
  }
}

}  // namespace sluice::detail
