// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys that end with a byte: lines, or strings that end with zero; all of them, some of their fields, or the integers
// that they are.
#pragma once

#include <memory>
#include <string>

#include "keys/key_reader.hpp"

namespace sluice_keys {

[[nodiscard]] std::unique_ptr<key_reader> open_delimited(const std::string& file, const input_format& format);

}  // namespace sluice_keys
