// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys that all have the same number of bytes, one after the other: integers in binary, or records of bytes. A last one
// that is too short is an error with its place.
#pragma once

#include <memory>
#include <string>

#include "keys/key_reader.hpp"

namespace sluice_keys {

/// Precondition: format.key_bytes() is not 0.
[[nodiscard]] std::unique_ptr<key_reader> open_fixed_width(const std::string& file, const input_format& format);

}  // namespace sluice_keys
