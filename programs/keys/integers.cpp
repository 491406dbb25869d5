// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/integers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <system_error>

#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

template <class Number>
std::optional<Number> number_of(std::string_view text, int base) {
  Number number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

bool has_prefix(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

std::string in_binary(std::uint64_t number, unsigned bytes, bool big) {
  std::string out;
  for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<char>(number >> (8 * (big ? bytes - 1 - i : i))));
  return out;
}

}  // namespace

std::optional<std::uint64_t> decimal_integer(std::string_view text) {
  if (!text.starts_with('-')) return number_of<std::uint64_t>(text, 10);
  const auto negative = number_of<std::int64_t>(text, 10);
  return negative ? std::optional(static_cast<std::uint64_t>(*negative)) : std::nullopt;
}

std::optional<std::uint64_t> hex_integer(std::string_view text) {
  if (has_prefix(text)) text.remove_prefix(2);
  return number_of<std::uint64_t>(text, 16);
}

std::string quote(std::string_view text) {
  constexpr std::size_t most_shown = 40;
  return fmt::format("'{}{}'", text.substr(0, most_shown), text.size() > most_shown ? "..." : "");
}

std::optional<std::uint32_t> value_integer(std::string_view text) { return number_of<std::uint32_t>(text, 10); }

std::string why_no_value(std::string_view text) {
  return fmt::format("the value {} is not a whole number from 0 to {}", quote(text),
                     std::numeric_limits<std::uint32_t>::max());
}

std::uint64_t literal_integer(const std::string& text, sluice::key_kind kind) {
  const auto number = has_prefix(text) ? hex_integer(text) : decimal_integer(text);
  if (kind == sluice::key_kind::u32) {
    constexpr std::uint64_t most_of_32 = std::numeric_limits<std::uint32_t>::max();
    if (number && *number <= most_of_32) return *number;
    throw sluice::error(fmt::format("--key: '{}' is not a number from 0 to {}", text, most_of_32));
  }
  if (number) return *number;
  throw sluice::error(fmt::format("--key: '{}' is not a number from {} to {}", text, least, most));
}

std::string in_format(std::uint64_t number, const std::string& text, input_format::shape format) {
  using shape = input_format::shape;
  switch (format) {
    case shape::u64:
    case shape::u64be:
      return in_binary(number, 8, format == shape::u64be);
    case shape::u32:
      return in_binary(number, 4, false);
    case shape::hex:
      return fmt::format("0x{:x}\n", number);
    default:
      return has_prefix(text) ? fmt::format("{}\n", number) : text + "\n";
  }
}

}  // namespace sluice_keys
