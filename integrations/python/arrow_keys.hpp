// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// arrow_keys: the keys of anything that gives its arrays by Arrow's interface for C.
#pragma once

#include <memory>

#include "key_array.hpp"

namespace sluice_python {

/// None if it has no such interface. Throws call_error for what has no keys.
[[nodiscard]] std::unique_ptr<key_array> keys_in_arrow(py::handle keys);

}  // namespace sluice_python
