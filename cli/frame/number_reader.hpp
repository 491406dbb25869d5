// Numbers as people type them, read in one place for all options. The language's own readers take 010 for 8, " 5" and
// 0x10 for numbers, and 1e400 for infinity; a person who typed that meant something else.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "sluice/errors.hpp"

namespace sluice_cli {

/// Decimal digits alone: no sign, no space. Nothing if it is something else, or more than `most`.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(
    std::string_view text, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || number > most) return std::nullopt;
  return number;
}

/// A number, and what follows it.
struct leading_number {
  double value = 0;
  std::string_view rest = {};
};

/// Decimal, with or without fraction and exponent, within what a double can hold. Nothing if the text does not begin
/// with one.
[[nodiscard]] inline std::optional<leading_number> leading_real_number(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  // Neither "inf" nor "nan", which from_chars would take.
  if (text.size() <= first || std::string_view(".0123456789").find(text[first]) == std::string_view::npos) return {};
  leading_number number;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (parsed.ec != std::errc()) return std::nullopt;
  number.rest = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
  return number;
}

/// The same, of the whole text.
[[nodiscard]] inline std::optional<double> real_number(std::string_view text) {
  const auto number = leading_real_number(text);
  return number && number->rest.empty() ? std::optional(number->value) : std::nullopt;
}

/// Bytes with an optional suffix: K, M, G, T (powers of 1000), Ki, Mi, Gi, Ti (of 1024); a B after it changes nothing.
/// Throws parameter_error with a sentence that names the option.
[[nodiscard]] inline double number_of_bytes(const std::string& option, const std::string& text) {
  const auto number = leading_real_number(text);
  if (!number || number->value < 0) {
    throw sluice::parameter_error(option + ": '" + text + "' is not a number of bytes; examples: 500M, 1.5Gi");
  }
  std::string_view suffix = number->rest;
  if (suffix.ends_with('B')) suffix.remove_suffix(1);
  if (suffix.empty()) return number->value;
  constexpr std::string_view letters = "KMGT";
  const std::size_t power = letters.find(suffix.front() == 'k' ? 'K' : suffix.front());
  const std::string_view rest = suffix.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "i")) {
    throw sluice::parameter_error(option + ": '" + text + "': the suffix '" + std::string(suffix) +
                                  "' is none of K, M, G, T, Ki, Mi, Gi, Ti");
  }
  const double bytes = number->value * std::pow(rest.empty() ? 1000.0 : 1024.0, static_cast<double>(power + 1));
  if (!std::isfinite(bytes)) throw sluice::parameter_error(option + ": '" + text + "' is more than any memory");
  return bytes;
}

}  // namespace sluice_cli
