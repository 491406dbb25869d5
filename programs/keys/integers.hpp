// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Integers as people write them, as keys: 64 bits, a negative number as its two's complement, so that it is the key of
// the same number in a program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keys/input_format.hpp"

namespace sluice_keys {

/// Digits alone, or after one minus: from -2^63 to 2^64 - 1. Nothing if it is something else.
[[nodiscard]] std::optional<std::uint64_t> decimal_integer(std::string_view text);

/// Digits from 0 to f or F, with or without 0x before them, 64 bits at most. Nothing if it is something else.
[[nodiscard]] std::optional<std::uint64_t> hex_integer(std::string_view text);

/// The value of a key: digits alone, up to 2^32 - 1. Nothing if it is something else, and then this is the reason.
[[nodiscard]] std::optional<std::uint32_t> value_integer(std::string_view text);
[[nodiscard]] std::string why_no_value(std::string_view text);

/// Text as sentences show it: in quotes, and not all of it where it is long.
[[nodiscard]] std::string quote(std::string_view text);

/// A literal key for a filter of integers: decimal, or hexadecimal after 0x. Throws sluice::error with a sentence.
[[nodiscard]] std::uint64_t literal_integer(const std::string& text, sluice::key_kind kind);

/// The number as a file of this format has it, where `text` is how it was given.
[[nodiscard]] std::string in_format(std::uint64_t number, const std::string& text, input_format::shape format);

}  // namespace sluice_keys
