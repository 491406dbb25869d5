// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// numpy_keys: the keys of an array of numpy.
#pragma once

#include <memory>

#include "key_array.hpp"

namespace sluice_python {

/// Throws call_error for what has no keys. `hash` makes the digests of texts among objects.
[[nodiscard]] std::unique_ptr<key_array> keys_in_numpy(py::handle array, const sluice::key_hasher& hash);

}  // namespace sluice_python
