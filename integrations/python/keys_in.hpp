// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// keys_in: the keys that any object of Python holds: a list, an array, an iterator.
#pragma once

#include <cstddef>
#include <memory>

#include "key_array.hpp"

namespace sluice_python {

/// None for what can only be iterated over. Throws call_error for what has no keys. `hash` makes the digests of texts
/// in lists.
[[nodiscard]] std::unique_ptr<key_array> keys_in(py::handle keys, const sluice::key_hasher& hash);

/// Calls take(array) for the keys, all at once or, of an iterator, some at a time.
template <class Take>
void for_all_keys(py::handle keys, const sluice::key_hasher& hash, const Take& take) {
  if (const auto array = keys_in(keys, hash)) {
    take(*array);
    return;
  }
  constexpr std::size_t at_once = 65'536;
  const py::iterator end;
  py::iterator it = py::iter(keys);
  while (it != end) {
    py::list some;
    for (; it != end && some.size() < at_once; ++it) some.append(*it);
    take(*keys_in(some, hash));
  }
}

}  // namespace sluice_python
