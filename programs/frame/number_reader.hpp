// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Numbers as people type them, read in one place for all options: whole ones (1M, 1,000,000, 1e6), real ones, shares
// (0.1%), bytes and times. The language's own readers take 010 for 8, " 5" and 0x10 for numbers, and 1e400 for
// infinity; a person who typed that meant something else.
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

namespace detail {

/// Digits without their separators. Nothing if those stand elsewhere than before groups of three, or after a zero:
/// 0,001 is how some people write a thousandth.
[[nodiscard]] inline std::optional<std::string> without_separators(std::string_view digits) {
  if (digits.find(',') == std::string_view::npos) return std::string(digits);
  if (digits.starts_with('0')) return std::nullopt;
  std::string plain;
  for (bool first = true;; first = false) {
    const std::string_view group = digits.substr(0, digits.find(','));
    if (group.size() > 3 || group.size() < (first ? 1U : 3U)) return std::nullopt;
    plain += group;
    if (group.size() == digits.size()) return plain;
    digits.remove_prefix(group.size() + 1);
  }
}

/// What a number is multiplied with, as a power of ten: an exponent or a suffix. Nothing if it is neither.
[[nodiscard]] inline std::optional<int> power_of_ten(std::string_view text) {
  if (text.empty()) return 0;
  if (text == "k" || text == "K") return 3;
  if (text == "M") return 6;
  if (text == "G") return 9;
  if (text == "T") return 12;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int power = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), power);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? std::optional(power) : std::nullopt;
}

}  // namespace detail

/// Decimal, and whole in the end: 1000000, 1,000,000, 1e6, 1.5M (suffixes k or K, M, G, T: powers of 1000). No sign, no
/// space. Nothing if it is something else, or more than `most`.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(
    std::string_view text, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  constexpr std::string_view decimal = "0123456789";
  const std::string_view before_point = text.substr(0, text.find_first_not_of("0123456789,"));
  text.remove_prefix(before_point.size());
  auto digits = detail::without_separators(before_point);
  if (!digits || digits->empty()) return std::nullopt;
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = text.substr(0, text.find_first_not_of(decimal));
    if (fraction.empty()) return std::nullopt;
    text.remove_prefix(fraction.size());
  }
  const auto scale = detail::power_of_ten(text);
  if (!scale) return std::nullopt;
  constexpr int more_than_any = 1000;  // digits of a number that anybody means
  if (*scale < -more_than_any || *scale > more_than_any || fraction.size() > more_than_any) return std::nullopt;
  *digits += fraction;
  int power = *scale - static_cast<int>(fraction.size());
  for (; power < 0 && digits->ends_with('0') && digits->size() > 1; ++power) digits->pop_back();
  if (power < 0 && *digits != "0") return std::nullopt;
  if (power > 0) digits->append(static_cast<std::size_t>(power), '0');
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(digits->data(), digits->data() + digits->size(), number);
  if (parsed.ec != std::errc() || number > most) return std::nullopt;
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

/// A share: the same, or a number of hundredths, 0.1%.
[[nodiscard]] inline std::optional<double> share(std::string_view text) {
  const bool percent = text.ends_with('%');
  const auto number = real_number(text.substr(0, text.size() - (percent ? 1 : 0)));
  return number && percent ? std::optional(*number / 100) : number;
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

/// Seconds: a number with s, m, h or d behind it. Throws parameter_error with a sentence that names the option.
[[nodiscard]] inline double number_of_seconds(const std::string& option, const std::string& text) {
  constexpr double most_days = 36'500;
  const auto number = leading_real_number(text);
  const std::string_view unit = number ? number->rest : std::string_view();
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : unit == "d" ? 86'400 : 0;
  if (seconds == 0) {
    throw sluice::parameter_error(option + ": '" + text + "' is not a time; examples: 90s, 10m, 1.5h, 7d");
  }
  const double time = number->value * seconds;
  if (!(time > 0 && time <= most_days * 86'400)) {
    throw sluice::parameter_error(option + ": '" + text + "' is not a time above zero, and within a hundred years");
  }
  return time;
}

}  // namespace sluice_cli
